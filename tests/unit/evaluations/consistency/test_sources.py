from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from lydite.corpora.occurrences import Occurrences
from lydite.corpora.samples import Layout, Samples, split_halves, write_samples
from lydite.errors import InputError
from lydite.evaluations.consistency.data import Recipe, material_of, needs_terms, term_file
from lydite.evaluations.consistency.evaluation import Consistency
from lydite.resources.catalogue import Located, locate

RECIPE = Consistency(split="random").recipe


def file(folder: Path, text: str, name: str = "text.txt") -> Located:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return locate(path)


def lines(term: str, count: int) -> str:
    return "".join(f"The {term} of kind{i} meets thing{i} there.\n" for i in range(count))


def terms(folder: Path, *names: str) -> Recipe:
    file(folder, "\n".join(names), "terms.txt")
    return replace(RECIPE, terms=str(folder / "terms.txt"))


CORPUS = lines("cat", 60) + lines("dog", 23) + lines("nile perch", 10) + lines("emu", 9)


def test_terms_and_samples_of_a_corpus(tmp_path: Path) -> None:
    recipe = terms(tmp_path, "cat", "dog", "nile perch", "emu", "yeti", "dog")
    material = material_of([file(tmp_path, CORPUS)], recipe, 1)
    sizes = {each.term: [len(s) for s in each.samples] for each in material.samples.terms}
    assert sizes == {"cat": [10] * 5, "dog": [5, 5, 5, 4, 4], "nile perch": [2] * 5}
    assert [count for _, count in material.funnel] == [5, 4, 3]
    assert [name for name, _ in material.funnel][1:] == ["that occur", "with enough sentences"]
    assert material.samples.problems == {
        "given twice": 1,
        "fewer than 10 sentences": 1,
        "never occurs": 1,
    }
    assert material.samples.dropped == {
        "emu": "fewer than 10 sentences",
        "yeti": "never occurs",
    }
    assert material.occurrences is not None
    assert material.occurrences.uses["cat"] == 60


def test_sentences_are_never_shared(tmp_path: Path) -> None:
    # Every sentence stands three times in the text.
    recipe = terms(tmp_path, "cat", "dog")
    material = material_of([file(tmp_path, CORPUS * 3)], recipe, 1)
    for each in material.samples.terms:
        for one, other in combinations(each.samples, 2):
            assert not {c.tokens for c in one} & {c.tokens for c in other}
        assert sum(map(len, each.samples)) == len({c.tokens for s in each.samples for c in s})


def test_another_seed_draws_other_sentences(tmp_path: Path) -> None:
    recipe = terms(tmp_path, "cat", "dog")
    resource = file(tmp_path, CORPUS)
    first, again, other = (material_of([resource], recipe, seed) for seed in (1, 1, 2))
    assert first.samples.terms == again.samples.terms
    assert first.samples.terms != other.samples.terms


def test_several_files_are_one_corpus(tmp_path: Path) -> None:
    recipe = terms(tmp_path, "cat", "dog", "emu")
    files = [
        file(tmp_path, lines("cat", 12) + lines("dog", 5), "a.txt"),
        file(tmp_path, lines("emu", 11) + lines("dog", 9).replace("meets", "sees"), "b.txt"),
    ]
    material = material_of(files, recipe, 1)
    assert [each.term for each in material.samples.terms] == ["cat", "dog", "emu"]
    assert material.samples.name == f"{files[0].name}+{files[1].name}"


def test_minimum_samples_and_most(tmp_path: Path) -> None:
    recipe = replace(terms(tmp_path, "cat", "emu", "dog"), minimum=9, samples=3, most=4)
    material = material_of([file(tmp_path, CORPUS)], recipe, 1)
    sizes = {each.term: [len(s) for s in each.samples] for each in material.samples.terms}
    assert sizes == {"cat": [4] * 3, "emu": [3] * 3, "dog": [4] * 3}


def test_inflected_forms_are_uses_if_asked_for(tmp_path: Path) -> None:
    text = lines("cat", 6) + lines("cats", 6).replace("meets", "sees") + lines("dog", 10)
    resource, recipe = file(tmp_path, text), terms(tmp_path, "cat", "dog")
    found = material_of([resource], recipe, 1)
    assert [each.term for each in found.samples.terms] == ["dog"]
    found = material_of([resource], replace(recipe, inflected=True), 1)
    assert [each.term for each in found.samples.terms] == ["cat", "dog"]


def test_a_list_that_was_changed_is_read_again(tmp_path: Path) -> None:
    resource, recipe = file(tmp_path, CORPUS), terms(tmp_path, "cat", "dog")
    assert len(material_of([resource], recipe, 1).samples.terms) == 2
    terms(tmp_path, "cat", "dog", "nile perch")
    assert len(material_of([resource], recipe, 1).samples.terms) == 3


def test_a_text_that_was_changed_is_read_again(tmp_path: Path) -> None:
    recipe = terms(tmp_path, "cat", "emu")
    assert len(material_of([file(tmp_path, CORPUS)], recipe, 1).samples.terms) == 1
    longer = file(tmp_path, CORPUS + lines("emu", 3).replace("meets", "sees"))
    assert len(material_of([longer], recipe, 1).samples.terms) == 2


def test_parts_are_all_terms_and_share_none(tmp_path: Path) -> None:
    names = [f"term{chr(97 + i)}" for i in range(10)]
    resource = file(tmp_path, "".join(lines(name, 10) for name in names))
    recipe = terms(tmp_path, *names)
    train, test = (material_of([resource], replace(recipe, part=p), 1) for p in ("train", "test"))
    train_terms = [each.term for each in train.samples.terms]
    test_terms = [each.term for each in test.samples.terms]
    assert (len(train_terms), len(test_terms)) == (7, 3)
    assert sorted(train_terms + test_terms) == names
    assert ("train terms", 7) in train.funnel


@pytest.mark.parametrize("layout", ["masked", "marked"])
def test_saved_samples_are_read_back(tmp_path: Path, layout: Layout) -> None:
    recipe = terms(tmp_path, "cat", "dog", "nile perch")
    drawn = material_of([file(tmp_path, CORPUS)], recipe, 1).samples
    write_samples(drawn, tmp_path / "saved.txt", layout=layout)
    saved = locate(tmp_path / "saved.txt")
    assert not needs_terms([saved])
    material = material_of([saved], RECIPE, 5)
    assert material.samples.terms == drawn.terms
    assert material.funnel == (("terms with samples", 3),)
    assert material.occurrences is None


def test_parts_of_saved_samples(tmp_path: Path) -> None:
    names = [f"term{chr(97 + i)}" for i in range(10)]
    resource = file(tmp_path, "".join(lines(name, 10) for name in names))
    drawn: Samples = material_of([resource], terms(tmp_path, *names), 1).samples
    write_samples(drawn, tmp_path / "saved.txt")
    saved = locate(tmp_path / "saved.txt")
    found = [
        [each.term for each in material_of([saved], replace(RECIPE, part=p), 1).samples.terms]
        for p in ("train", "test")
    ]
    assert [len(part) for part in found] == [7, 3]
    assert sorted(found[0] + found[1]) == names


def test_a_text_is_no_file_of_samples(tmp_path: Path) -> None:
    assert needs_terms([file(tmp_path, CORPUS)])
    assert needs_terms([file(tmp_path, "a table\twith a tab\n", "b.txt")])


def book(first: str, second: str) -> str:
    return f"CHAPTER I\n\n{first}\n\nCHAPTER II\n\n{second}\n"


def wrapped(term: str, count: int, verb: str) -> str:
    text = "".join(f"The {term} of kind{i} {verb} thing{i} there. " for i in range(count))
    words = text.split()
    return "\n".join(" ".join(words[i : i + 9]) for i in range(0, len(words), 9))


def test_halves_of_a_book(tmp_path: Path) -> None:
    text = book(
        "\n\n".join([wrapped("cat", 9, "meets"), wrapped("dog", 4, "meets")]),
        "\n\n".join(
            [wrapped("cat", 7, "sees"), wrapped("dog", 1, "sees"), wrapped("emu", 6, "is")]
        ),
    )
    recipe = replace(terms(tmp_path, "cat", "dog", "emu", "yeti"), split="halves")
    material = material_of([file(tmp_path, text)], recipe, 1)
    sizes = {each.term: [len(s) for s in each.samples] for each in material.samples.terms}
    assert sizes == {"cat": [9, 7]}
    assert material.samples.problems == {
        "fewer than 2 sentences in a half": 2,
        "never occurs": 1,
    }
    assert any(note.startswith("divided before 'CHAPTER II'") for note in material.samples.notes)


def test_a_book_of_one_chapter_is_divided_in_the_middle(tmp_path: Path) -> None:
    text = f"CHAPTER I\n\n{wrapped('cat', 30, 'meets')}\n"
    recipe = replace(terms(tmp_path, "cat"), split="halves")
    material = material_of([file(tmp_path, text)], recipe, 1)
    assert [len(sample) for sample in material.samples.terms[0].samples] == [15, 15]
    assert any("in the middle, between two sentences" in each for each in material.samples.notes)


def test_an_empty_half() -> None:
    nothing = Occurrences(found={"cat": ()}, uses={"cat": 0}, sentences=0, tokens=0)
    with pytest.raises(InputError, match="the first half has no sentences") as caught:
        split_halves(nothing, nothing)
    assert caught.value.hint == "check where the text is divided, or draw random samples"


def test_two_works_are_halves(tmp_path: Path) -> None:
    files = [
        file(tmp_path, lines("emu", 20) + lines("cat", 4), "a.txt"),
        file(tmp_path, lines("cat", 8) + lines("dog", 20), "b.txt"),
    ]
    material = material_of(files, replace(terms(tmp_path, "cat"), split="halves", minimum=2), 1)
    assert any("divided before 'b.txt'" in note for note in material.samples.notes)


def test_the_language_is_told_and_may_be_given(tmp_path: Path) -> None:
    text = "".join(f"Die Katze von Herrn Nr. {i} sieht die {i}. Maus nicht.\n" for i in range(30))
    recipe = replace(terms(tmp_path, "Katze"), minimum=10)
    material = material_of([file(tmp_path, text)], recipe, 1)
    assert material.language == "de"
    assert material.samples.notes[0] == "the text is in German"
    given = material_of([file(tmp_path, text)], replace(recipe, language="nl"), 1)
    assert given.language == "nl"


def test_no_index(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no index was found") as caught:
        material_of([file(tmp_path, CORPUS)], RECIPE, 1)
    assert caught.value.hint == "give a list of terms, or take keywords or random words"


def test_an_unknown_source_of_terms(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no source of terms called 'keyword'"):
        material_of([file(tmp_path, CORPUS)], replace(RECIPE, terms="keyword"), 1)


def test_random_words_as_terms(tmp_path: Path) -> None:
    resource = file(tmp_path, CORPUS)
    material = material_of([resource], replace(RECIPE, terms="random"), 1)
    found = {each.term for each in material.samples.terms}
    assert {"cat", "dog"} <= found
    assert "emu" not in found


def test_which_terms_are_a_file() -> None:
    assert term_file("index") is None
    assert term_file("my/terms.txt") == Path("my/terms.txt")
