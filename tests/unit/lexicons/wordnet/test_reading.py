from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from lydite.errors import FormatError, ResourceError
from lydite.lexicons.wordnet.database import WordNet, read_wordnet

Write = Callable[..., list[Path]]
NewEntry = Callable[..., object]


def read(files: Sequence[Path]) -> WordNet:
    return read_wordnet(files, name="small", sha256="0")


def senses(wordnet: WordNet, word: str) -> list[str]:
    return [wordnet.concepts[c] for c in wordnet.senses[wordnet.words.find([word])[0]].tolist()]


def keys(wordnet: WordNet, word: str) -> list[tuple[str, int]]:
    place = wordnet.words.find([word])[0]
    assert wordnet.sense_keys is not None
    return [
        (wordnet.sense_keys[at], int(wordnet.sense_counts[at]))
        for at in range(wordnet.senses.offsets[place], wordnet.senses.offsets[place + 1])
    ]


def parents(wordnet: WordNet, kind: str) -> dict[str, list[str]]:
    lists = wordnet.parents[kind]
    return {
        wordnet.concepts[child]: [wordnet.concepts[parent] for parent in lists[child].tolist()]
        for child in range(len(wordnet))
        if len(lists[child])
    }


def test_a_small_wordnet(write: Write) -> None:
    wordnet = read(write())
    assert list(wordnet.concepts) == [
        "entity.n.01",
        "animal.n.01",
        "dog.n.02",
        "pack.n.01",
        "tail.n.01",
        "rex.n.01",
        "chap.n.01",
        "fur.n.01",
        "move.v.01",
        "chase.v.01",
        "good.a.01",
        "fine.s.01",
        "well.r.01",
    ]
    assert wordnet.parts_of_speech is not None
    assert "".join(wordnet.parts_of_speech) == "nnnnnnnnvvaar"
    assert [wordnet.words[w] for w in wordnet.labels[5].tolist()] == ["Rex", "rex", "king of dogs"]
    assert [wordnet.words[w] for w in wordnet.labels[11].tolist()] == ["fine", "good"]
    assert parents(wordnet, "is-a") == {
        "animal.n.01": ["entity.n.01"],
        "dog.n.02": ["animal.n.01"],
        "pack.n.01": ["entity.n.01"],
        "tail.n.01": ["entity.n.01"],
        "chap.n.01": ["entity.n.01"],
        "fur.n.01": ["entity.n.01"],
        "chase.v.01": ["move.v.01"],
    }
    assert parents(wordnet, "instance") == {"rex.n.01": ["dog.n.02"]}
    assert parents(wordnet, "part") == {"tail.n.01": ["dog.n.02"]}
    assert parents(wordnet, "member") == {"dog.n.02": ["pack.n.01"]}
    assert parents(wordnet, "substance") == {"fur.n.01": ["tail.n.01"]}
    assert wordnet.problems == {}
    assert (wordnet.name, wordnet.fingerprint, len(wordnet)) == ("small", "0", 13)


def test_senses_come_in_the_order_of_the_index(write: Write) -> None:
    wordnet = read(write())
    assert senses(wordnet, "dog") == ["chap.n.01", "dog.n.02", "chase.v.01"]
    assert keys(wordnet, "dog") == [
        ("dog%1:18:01::", 0),
        ("dog%1:05:00::", 42),
        ("dog%2:38:00::", 0),
    ]


def test_keys_of_satellites_name_their_head(write: Write) -> None:
    wordnet = read(write())
    assert keys(wordnet, "good") == [("good%3:00:00::", 0), ("good%5:00:01:good:00", 0)]
    assert keys(wordnet, "fine") == [("fine%5:00:00:good:00", 0)]


def test_words_that_differ_by_case_are_two_words_with_one_key(write: Write) -> None:
    wordnet = read(write())
    assert keys(wordnet, "Rex") == keys(wordnet, "rex") == [("rex%1:18:00::", 7)]
    assert wordnet.find(["REX", "rex", "Rex", "Domestic Dog", "cat"]).tolist() == [
        *wordnet.words.find(["Rex", "rex", "Rex", "domestic dog"]).tolist(),
        -1,
    ]


def test_satellites_are_numbered_among_themselves(write: Write, entry: NewEntry) -> None:
    nice = entry(words="good/2 nice", file=0, part="adj", pointers="&good", satellite=True, rank=1)
    wordnet = read(write({"nice": nice}))
    assert senses(wordnet, "good") == ["good.a.01", "fine.s.01", "good.s.02"]


def test_offsets_and_lexicographer_files(write: Write) -> None:
    files = write()
    wordnet = read(files)
    data = next(path for path in files if path.name == "data.verb").read_bytes()
    chase = wordnet.concepts.find(["chase.v.01"])[0]
    assert data[wordnet.offsets[chase] :].split()[4] == b"chase"
    assert wordnet.lexicographer_names[wordnet.lexicographer_files[chase]] == "file.38"


def test_missing_files_that_can_be_missed(write: Write) -> None:
    absent = ["index.sense", "cntlist.rev", "lexnames", "noun.exc", "data.adv", "index.verb"]
    wordnet = read(write(without=absent))
    assert wordnet.problems == {f"missing file {name}": 1 for name in absent}
    assert "".join(dict.fromkeys(wordnet.parts_of_speech)) == "na"  # type: ignore[arg-type]
    assert not wordnet.sense_counts.any()
    assert wordnet.lexicographer_names[5] == "noun.animal"
    assert wordnet.lexicographer_names[44] == "adj.ppl"
    assert wordnet.base_forms(["furs", "doggen"], "n") == [("fur",), ()]


def test_files_without_a_line(write: Write) -> None:
    wordnet = read(write(edit=dict.fromkeys(["adv.exc", "data.adv", "index.adv"], emptied)))
    assert wordnet.problems == {}
    assert wordnet.base_forms(["best"], "r") == [()]
    assert len(wordnet) == 12


def test_counts_come_from_the_list_where_there_is_no_sense_index(write: Write) -> None:
    wordnet = read(write(without=["index.sense"]))
    assert keys(wordnet, "dog")[1] == ("dog%1:05:00::", 42)
    assert keys(wordnet, "rex") == [("rex%1:18:00::", 7)]
    assert keys(wordnet, "fine") == [("fine%5:00:00:good:00", 9)]


@pytest.mark.parametrize("name", ["data.noun", "index.noun"])
def test_nouns_cannot_be_missed(write: Write, name: str) -> None:
    with pytest.raises(ResourceError, match=r"small: expected at least data\.noun and index\.noun"):
        read(write(without=[name]))


def test_pointers_without_their_counterparts_are_counted(write: Write, entry: NewEntry) -> None:
    wordnet = read(
        write({"fur": entry(words="fur", pointers="@entity"), "pack": entry(words="pack")})
    )
    # tail %s fur and entity ~ pack go down alone; dog #m pack goes up alone.
    assert wordnet.problems == {
        "pointer upward without its counterpart": 1,
        "pointer downward without its counterpart": 2,
    }
    assert "pack.n.01" not in parents(wordnet, "is-a")
    assert parents(wordnet, "substance") == {"fur.n.01": ["tail.n.01"]}
    assert parents(wordnet, "member") == {"dog.n.02": ["pack.n.01"]}


def test_cycles_are_counted(write: Write, entry: NewEntry) -> None:
    # fur lies under tail, tail under fur: both are their own ancestors.
    wordnet = read(
        write(
            {
                "fur": entry(words="fur", pointers="@tail ~tail"),
                "tail": entry(words="tail", pointers="@fur ~fur"),
            }
        )
    )
    assert wordnet.problems["concept on a cycle"] == 2


def cut(content: bytes) -> bytes:
    return content[:-30]


def without_last_line(content: bytes) -> bytes:
    return content[: content[:-1].rindex(b"\n") + 1]


def crlf(content: bytes) -> bytes:
    return content.replace(b"\n", b"\r\n")


def put(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    def change(content: bytes) -> bytes:
        assert old in content
        return content.replace(old, new, 1)

    return change


def emptied(content: bytes) -> bytes:
    return content[:0]


def blanked(content: bytes) -> bytes:
    return b"  1 nothing\n"


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("data.noun", cut, r"data\.noun:10: expected a line end after the last line, got b'"),
        (
            "data.noun",
            without_last_line,
            r"index\.noun:9: expected a synset at 0*885 of data\.noun",
        ),
        ("data.noun", put(b"~ 00000", b"~ 90000"), r"data\.noun:3: expected a synset at 9\d+ of d"),
        ("data.noun", crlf, r"data\.noun:1: expected lines that end in LF, got CR"),
        ("index.noun", crlf, r"index\.noun:1: expected lines that end in LF, got CR"),
        ("data.noun", put(b" | a gloss of dog | with a bar", b""), r":5: expected a gloss after a"),
        ("data.noun", put(b"gloss", b"long gloss"), r":4: expected the offset 0+2\d\d, where the"),
        ("data.noun", put(b" 02 animal", b" 0x animal"), r":4: expected the number of words as a"),
        ("data.noun", put(b" 02 animal", b" 00 animal"), r":4: expected at least one word in a"),
        ("data.noun", put(b" 0 005 ~", b" 0 905 ~"), r":3: expected at least 3627 fields, got 27"),
        (
            "data.noun",
            put(b" 01 fur", b" fffffff fur"),
            r":10: expected at least 5\d+ fields, g",
        ),
        (
            "data.noun",
            put(b" 08 n 01 fur", b" 500 n 01 fur"),
            r":10: expected the number of a lexicographer file up to 255, got 500",
        ),
        (
            "index.noun",
            put(b" n 1 2", b" n 999999999 2"),
            r":3: expected at least 1000000007 field",
        ),
        ("data.noun", put(b" n 0000", b" x 0000"), r":3: expected the part of speech of a pointer"),
        (
            "data.noun",
            put(b"animal", b"anim\xe9l"),
            r":4: expected ASCII or UTF-8, got other bytes",
        ),
        ("data.noun", put(b"beast", b"yeast"), r":4: expected yeast of this synset in index\.noun"),
        ("data.noun", blanked, r"data\.noun: expected nouns, got none"),
        ("index.noun", emptied, r"index\.noun: expected nouns, got none"),
        ("index.noun", without_last_line, r"data\.noun:7: expected tail of this synset in index"),
        ("index.noun", put(b"0 00000", b"0 00009"), r":3: expected a synset at 000\d+ of data\.n"),
        ("index.noun", put(b"animal n 1 2", b"animal n y 2"), r":3: expected the number of synset"),
        ("lexnames", put(b"01", b"02"), r"lexnames:2: expected 01 and the name of a file, got"),
        ("index.sense", put(b" 42", b" many"), r"index\.sense:1: expected how often a sense was"),
    ],
)
def test_faulty_files(
    write: Write, name: str, change: Callable[[bytes], bytes], message: str
) -> None:
    files = write(edit={name: change})
    with pytest.raises(FormatError, match=message) as caught:
        read(files)
    assert caught.value.hint


def test_a_satellite_without_a_head(write: Write, entry: NewEntry) -> None:
    lone = entry(words="fine(p)", file=0, part="adj", satellite=True)
    with pytest.raises(FormatError, match=r"data\.adj:4: expected a pointer & from a satellite"):
        read(write({"fine": lone}))


def test_an_index_that_lists_another_word(write: Write) -> None:
    def swap(content: bytes) -> bytes:
        return content.replace(b"tail n", b"tale n")

    with pytest.raises(FormatError, match=r"expected tail of this synset in index\.noun"):
        read(write(edit={"index.noun": swap}))

    def add(content: bytes) -> bytes:
        line = next(line for line in content.splitlines() if line.startswith(b"tail"))
        return content + line.replace(b"tail", b"tale") + b"\n"

    with pytest.raises(FormatError, match="that holds tale, got one that does not"):
        read(write(edit={"index.noun": add}))


def test_a_file_that_cannot_be_read(write: Write) -> None:
    files = write()
    next(path for path in files if path.name == "data.verb").unlink()
    with pytest.raises(ResourceError, match=r"data\.verb cannot be read: No such file"):
        read(files)
