from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from lydite.errors import FormatError, InputError
from lydite.lexicons.neighbours import Neighbours
from lydite.models.catalogue import load
from lydite.spaces.formats.safetensors import read_provenance
from lydite.spaces.formats.writing import write_space
from lydite.storage import locked, sha256_file
from lydite.trained.lexicons import Lexicon, joined
from lydite.trained.lsa import LsaFamily
from lydite.trained.retrofitting import Retrofitting, retrofit
from lydite.trained.zoo.grid import Grid
from lydite.trained.zoo.training import Made, train_zoo, zoo_paths

WORDS = ("cat", "dog", "cow", "hen", "fox", "owl", "ant", "bee")


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A corpus in which words that are near each other in the list stand together."""
    monkeypatch.chdir(tmp_path)
    generator = np.random.default_rng(0)
    lines = []
    for _ in range(400):
        near = (generator.integers(8) + generator.integers(0, 3, size=5)) % 8
        lines.append(" ".join(f"{WORDS[i]} the" for i in near) + ".")
    Path("book.txt").write_text("\n".join(lines))
    Path("lexicon.txt").write_text("cat dog cow\nbee ant\n")


def grid(*families: str, **changed: object) -> Grid:
    fields: dict[str, object] = {"dims": (4,), "windows": (2,), "epochs": 1, "min_count": 2}
    return Grid(corpus=("book.txt",), families=families, **{**fields, **changed})  # type: ignore[arg-type]


def names(made: Made) -> tuple[list[str], list[str]]:
    return [path.stem for path in made.paths], [path.stem for path in made.trained]


def test_every_family_is_trained_from_one_corpus() -> None:
    families = (
        *("skipgram", "cbow", "structured-skipgram", "cwindow", "cbow-attention"),
        *("glove", "lsa", "ppmi-svd"),
    )
    wanted = grid(*families, retrofit=("lexicon.txt",), retrofitted=("glove",))
    made = train_zoo(wanted, "zoo", about={"versions": {"x": "1"}})
    assert list(made.paths) == list(made.trained) == zoo_paths(wanted, "zoo")
    for path in made.paths:
        space = load(path)
        # Of "the", which stands beside all, counts may say nothing.
        assert set(space.vocabulary) | {"the"} == {"the", *WORDS}
        assert space.dim == 4
        assert np.isfinite(space.vectors).all()
        about = read_provenance(path)
        assert about is not None
        assert about["corpus"][0]["sha256"] == sha256_file(Path("book.txt"))
        assert about["versions"] == {"x": "1"}
    about = read_provenance(Path("zoo/skipgram-4d-w2.safetensors"))
    assert about is not None
    # Five words and five times "the" a sentence.
    assert about["text"] == {"sentences": 400, "tokens": 4000, "words": 9}
    assert about["recipe"]["architecture"] == "skipgram"
    assert about["spec"] == "skipgram(dim=4, window=2, min_count=2, epochs=1)"


def test_what_is_there_is_left_alone_and_what_changed_is_trained_again() -> None:
    wanted = {"retrofit": ("lexicon.txt",), "retrofitted": ("glove",)}
    everything = ["cbow-4d-w2", "glove-4d-w2", "glove-4d-w2-lexicon"]
    assert names(train_zoo(grid("cbow", "glove", **wanted), "zoo")) == (everything, everything)
    assert names(train_zoo(grid("cbow", "glove", **wanted), "zoo")) == (everything, [])
    more = train_zoo(grid("cbow", "glove", dims=(4, 3)), "zoo")
    assert names(more)[1] == ["cbow-3d-w2", "glove-3d-w2"]
    other = train_zoo(grid("cbow", "glove", **wanted, epochs=2), "zoo")
    assert names(other)[1] == ["cbow-4d-w2"]
    # Parents that change take what was made of them along.
    changed = grid("cbow", "glove", **wanted, epochs=2, options={"glove": {"x_max": 10}})
    assert names(train_zoo(changed, "zoo"))[1] == everything[1:]
    Path("lexicon.txt").write_text("cat dog\n")
    assert names(train_zoo(changed, "zoo"))[1] == everything[2:]
    with Path("book.txt").open("a") as book:
        book.write("\nthe cat the dog.\n")
    assert names(train_zoo(changed, "zoo"))[1] == everything


def test_a_file_of_something_else_is_kept_and_a_removed_one_made_again() -> None:
    train_zoo(grid("lsa"), "zoo")
    path = Path("zoo/lsa-4d.safetensors")
    first = path.read_bytes()
    path.write_bytes(b"of somebody else")
    with pytest.raises(InputError, match=r"lsa-4d\.safetensors: there is a file that Lydite did"):
        train_zoo(grid("lsa"), "zoo")
    assert path.read_bytes() == b"of somebody else"
    path.unlink()
    assert names(train_zoo(grid("lsa"), "zoo"))[1] == ["lsa-4d"]
    assert path.read_bytes() == first


# The header, with all that it says of the recipe, is there; its beginning; nothing.
@pytest.mark.parametrize("kept", [slice(-1), slice(200), slice(0)])
def test_a_file_that_was_cut_short_is_made_again(kept: slice) -> None:
    parent, child = train_zoo(grid("lsa", retrofit=("lexicon.txt",)), "zoo").paths
    first = parent.read_bytes()
    parent.write_bytes(first[kept])
    made = train_zoo(grid("lsa", retrofit=("lexicon.txt",)), "zoo")
    assert made.trained == (parent,)
    assert parent.read_bytes() == first
    assert child.exists()


def test_a_newer_version_of_a_family_is_trained_again(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = grid("cbow", "lsa", retrofit=("lexicon.txt",))
    train_zoo(wanted, "zoo")
    monkeypatch.setattr(LsaFamily, "version", 2)
    assert names(train_zoo(wanted, "zoo"))[1] == ["lsa-4d", "lsa-4d-lexicon"]
    assert names(train_zoo(wanted, "zoo"))[1] == []
    about = read_provenance(Path("zoo/lsa-4d-lexicon.safetensors"))
    assert about is not None
    assert (about["recipe"]["version"], about["recipe"]["parent"]["version"]) == (1, 2)
    monkeypatch.setattr(Retrofitting, "version", 2)
    assert names(train_zoo(wanted, "zoo"))[1] == ["cbow-4d-w2-lexicon", "lsa-4d-lexicon"]


def test_a_file_that_names_no_version_is_of_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    (path,) = train_zoo(grid("lsa"), "zoo").paths
    about = dict(read_provenance(path) or {})
    del about["recipe"]["version"]
    write_space(load(path), path, provenance=about)
    assert names(train_zoo(grid("lsa"), "zoo"))[1] == []
    monkeypatch.setattr(LsaFamily, "version", 2)
    assert names(train_zoo(grid("lsa"), "zoo"))[1] == ["lsa-4d"]


def test_one_thread_gives_the_same_bytes() -> None:
    families = ("skipgram", "cwindow", "cbow-attention", "glove", "lsa", "ppmi-svd")
    one, two = (train_zoo(grid(*families), folder) for folder in ("one", "two"))
    assert [p.read_bytes() for p in one.paths] == [p.read_bytes() for p in two.paths]


@pytest.mark.parametrize(
    ("family", "options"),
    [
        ("lsa", {}),
        ("lsa", {"columns": "words", "normalise": True}),
        ("ppmi-svd", {}),
        ("ppmi-svd", {"normalise": False, "add_contexts": True, "eig": 1.0}),
    ],
)
def test_a_factorisation_that_is_cut_is_that_of_fewer_dimensions(
    family: str, options: dict[str, object]
) -> None:
    train_zoo(grid(family, dims=(2, 5), options={family: options}), "both")
    train_zoo(grid(family, dims=(2,), options={family: options}), "alone")
    cut, alone = (
        load(zoo_paths(grid(family, dims=(2,), options={family: options}), folder)[0])
        for folder in ("both", "alone")
    )
    assert list(cut.vocabulary) == list(alone.vocabulary)
    assert np.allclose(cut.vectors, alone.vectors, atol=1e-5)
    assert (cut.contexts is None) == (alone.contexts is None)
    if cut.contexts is not None:
        assert np.allclose(cut.contexts, alone.contexts, atol=1e-5)


def test_an_interrupted_factorisation_goes_on_with_the_same_bytes() -> None:
    wanted = grid("ppmi-svd", dims=(2, 5))
    first, second = train_zoo(wanted, "zoo").paths
    before = first.read_bytes()
    first.unlink()
    assert train_zoo(wanted, "zoo").trained == (first,)
    assert first.read_bytes() == before
    assert second.exists()


def test_the_first_words_alone() -> None:
    train_zoo(grid("lsa", dims=(1,), words=77), "zoo")
    about = read_provenance(Path("zoo/lsa-1d.safetensors"))
    assert about is not None
    assert about["text"]["tokens"] == 77
    assert names(train_zoo(grid("lsa", dims=(1,), words=700), "zoo"))[1] == ["lsa-1d"]


def test_gensim_is_trained_on_the_same_words() -> None:
    pytest.importorskip("gensim", reason="gensim is absent")
    own, theirs = (
        train_zoo(grid("skipgram", "cbow", engine=engine, limit=5), engine)
        for engine in ("lydite", "gensim")
    )
    for one, other in zip(own.paths, theirs.paths, strict=True):
        # gensim puts words that are as frequent in the order of the alphabet.
        assert sorted(load(one).counts) == sorted(load(other).counts)
        assert len(load(other)) == 5
        about = read_provenance(other)
        assert about is not None
        assert about["recipe"]["engine"] == "gensim"


def test_the_retrofitted_are_their_parents_moved() -> None:
    parent, child = train_zoo(grid("glove", retrofit=("lexicon.txt",)), "zoo").paths
    moved = retrofit(load(parent), Lexicon(source="lexicon.txt").open()).space
    assert np.array_equal(load(child).vectors, moved.vectors)
    about = read_provenance(child)
    assert about is not None
    # cat and bee have lines of their own.
    assert (about["moved"], about["edges"]) == (2, 3)
    assert about["parent_sha256"] == sha256_file(parent)


def test_several_lexicons_are_put_together() -> None:
    Path("other.txt").write_text("dog cat\ncat cow emu\n")
    both = joined([Lexicon(source=name).open() for name in ("lexicon.txt", "other.txt")])
    assert both.of("cat") == ["dog", "cow", "emu"]
    assert both.of("dog") == ["cat"]
    assert both.of("bee") == ["ant"]


@pytest.mark.parametrize("family", ["skipgram", "glove", "ppmi-svd"])
def test_a_corpus_smaller_than_one_window(family: str) -> None:
    Path("book.txt").write_text("the cat the cat.")
    with pytest.raises(
        InputError, match="expected a corpus of at least one window, 5 words, got 4"
    ):
        train_zoo(grid(family), "zoo")
    assert not list(Path("zoo").glob("*.safetensors"))


def test_gensim_is_given_no_corpus_smaller_than_one_window() -> None:
    Path("book.txt").write_text("the cat the cat.")
    with pytest.raises(InputError, match="skipgram-4d-w2: expected a corpus of at least one"):
        train_zoo(grid("skipgram", engine="gensim"), "zoo")


@pytest.mark.parametrize("family", ["cwindow", "glove"])
def test_more_dimensions_than_memory_holds(family: str) -> None:
    with pytest.raises(InputError, match="dimensions to fit into memory"):
        train_zoo(grid(family, dims=(10**13,)), "zoo")
    assert not list(Path("zoo").glob("*.safetensors"))


def test_a_complete_zoo_needs_no_lock(caplog: pytest.LogCaptureFixture) -> None:
    train_zoo(grid("lsa"), "zoo")
    with locked(Path("zoo/.lock")):
        assert names(train_zoo(grid("lsa"), "zoo")) == (["lsa-4d"], [])
    assert not caplog.messages


def test_one_training_waits_for_another_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    Path("zoo").mkdir()
    with ThreadPoolExecutor(1) as other:
        with locked(Path("zoo/.lock")):
            waiting = other.submit(train_zoo, grid("lsa"), "zoo")
            for _ in range(3000):
                if caplog.messages or waiting.done():
                    break
                time.sleep(0.01)
            assert caplog.messages == ["zoo: waiting for another training that is writing there"]
            assert not list(Path("zoo").glob("*.safetensors"))
        assert len(waiting.result().trained) == 1


def test_a_file_is_no_folder_for_spaces() -> None:
    with pytest.raises(InputError, match=r"book.txt: expected a folder for the spaces, got a file"):
        train_zoo(grid("lsa"), "book.txt")


def test_the_space_at_fault_is_named() -> None:
    with pytest.raises(InputError, match="lsa-400d: expected from 1 to"):
        train_zoo(grid("skipgram", "lsa", options={"lsa": {"dim": 400}}), "zoo")


def test_a_lexicon_that_is_not_there_is_found_out_first() -> None:
    with pytest.raises(OSError, match=r"no-such\.txt"):
        train_zoo(grid("skipgram", retrofit=("no-such.txt",)), "zoo")
    assert not Path("zoo").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"cat\ndog\n", "expected words with their neighbours"), (b"\xff\xfe\x00", "UTF-8")],
)
def test_a_broken_lexicon_is_found_out_before_anything_is_trained(
    content: bytes, message: str
) -> None:
    Path("broken.txt").write_bytes(content)
    wanted = grid("skipgram", retrofit=("lexicon.txt", "broken.txt"))
    with pytest.raises(FormatError, match=message):
        train_zoo(wanted, "zoo")
    assert not list(Path("zoo").glob("*.safetensors"))


def test_lexicons_of_what_is_there_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = grid("lsa", dims=(3, 4), retrofit=("lexicon.txt",))
    read = []
    open_lexicon = Lexicon.open

    def counted(lexicon: Lexicon) -> Neighbours:
        read.append(lexicon.source)
        return open_lexicon(lexicon)

    monkeypatch.setattr(Lexicon, "open", counted)
    train_zoo(wanted, "zoo")
    assert read == ["lexicon.txt"]
    train_zoo(wanted, "zoo")
    assert read == ["lexicon.txt"]


def test_relations_of_a_list_are_refused() -> None:
    with pytest.raises(InputError, match="expected a taxonomy"):
        Lexicon(source="lexicon.txt", relations=("synonyms",)).open()


@pytest.mark.usefixtures("shared_data")
def test_relations_of_a_list_are_found_out_before_anything_is_trained() -> None:
    with pytest.raises(InputError, match="expected a taxonomy where relations are named"):
        train_zoo(grid("skipgram", retrofit=("ppdb-xl(synonyms)",)), "zoo")
    assert not Path("zoo").exists()
