from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.trained.parsed.load import ParsedCorpus, open_parsed
from lydite.trained.parsed.triples import Triples, count_triples


def sentence(head: str, dependent: str, label: str = "nsubj") -> str:
    return (
        f"1\t{dependent}\t{dependent}\t_\t_\t_\t2\t{label}\t_\t_\n"
        f"2\t{head}\t{head}\t_\t_\t_\t0\troot\t_\t_\n"
        "3\t.\t.\t_\t_\t_\t2\tpunct\t_\t_\n\n"
    )


def corpus(folder: Path, *sentences: str) -> ParsedCorpus:
    path = folder / "a.conllu"
    path.write_text("".join(sentences))
    return open_parsed([path])


def found(triples: Triples) -> dict[tuple[str, str, str], int]:
    places = zip(triples.heads, triples.kinds, triples.dependents, triples.counts, strict=True)
    return {
        (triples.lemmas[int(h)], triples.relations[k], triples.lemmas[int(d)]): int(c)
        for h, k, d, c in places
    }


def random_corpus(folder: Path, seed: int) -> ParsedCorpus:
    random = np.random.default_rng(seed)
    heads, dependents = random.integers(0, 12, (2, 400)).tolist()
    labels = random.choice(["nsubj", "obj", "amod"], 400).tolist()
    rows = zip(heads, dependents, labels, strict=True)
    return corpus(folder, *(sentence(f"v{h}", f"n{d}", label) for h, d, label in rows))


def test_triples_are_counted(tmp_path: Path) -> None:
    text = corpus(
        tmp_path,
        sentence("bark", "dog"),
        sentence("sleep", "dog"),
        sentence("bark", "dog"),
        sentence("bark", "dog", "obj"),
    )
    triples = count_triples(text)
    assert found(triples) == {
        ("bark", "nsubj", "dog"): 2,
        ("bark", "dobj", "dog"): 1,
        ("sleep", "nsubj", "dog"): 1,
    }
    # The full stop has no letter.
    assert list(triples.lemmas) == ["dog", "bark", "sleep"]
    assert triples.lemma_counts.tolist() == [4, 3, 1]
    assert triples.relations == ("nsubj", "dobj")
    assert triples.tokens == 12
    assert triples.fingerprint == text.fingerprint


def test_triples_are_sorted_and_different(tmp_path: Path) -> None:
    triples = count_triples(random_corpus(tmp_path, 1))
    rows = list(zip(triples.heads, triples.kinds, triples.dependents, strict=True))
    assert rows == sorted(set(rows))
    assert len(triples) == len(rows)


def test_counts_are_those_of_a_plain_loop(tmp_path: Path) -> None:
    text = random_corpus(tmp_path, 2)
    expected = Counter(each for block in text.blocks() for each in block.triples())
    assert found(count_triples(text)) == dict(expected)


@pytest.mark.parametrize("memory", [1, 1000, 5000])
def test_little_memory_changes_nothing(memory: int, tmp_path: Path) -> None:
    text = random_corpus(tmp_path, 3)
    whole, parts = count_triples(text), count_triples(text, memory=memory)
    for name in ("heads", "kinds", "dependents", "counts", "lemma_counts"):
        np.testing.assert_array_equal(getattr(whole, name), getattr(parts, name))
    assert list(whole.lemmas) == list(parts.lemmas)


def test_order_of_sentences_changes_nothing(tmp_path: Path) -> None:
    sentences = [sentence("bark", "dog"), sentence("sing", "bird"), sentence("sing", "ant")]
    one = count_triples(corpus(tmp_path, *sentences))
    other = count_triples(corpus(tmp_path, *reversed(sentences)))
    assert list(one.lemmas) == list(other.lemmas) == ["sing", "ant", "bark", "bird", "dog"]
    assert found(one) == found(other)


def test_only_the_most_frequent_lemmas_are_kept(tmp_path: Path) -> None:
    text = corpus(tmp_path, sentence("bark", "dog"), sentence("bark", "dog"), sentence("run", "ox"))
    triples = count_triples(text, lemmas=2)
    assert list(triples.lemmas) == ["bark", "dog"]
    assert found(triples) == {("bark", "nsubj", "dog"): 2}


def test_rare_triples_are_left_out(tmp_path: Path) -> None:
    text = corpus(tmp_path, sentence("bark", "dog"), sentence("bark", "dog"), sentence("run", "ox"))
    assert found(count_triples(text, minimum=2)) == {("bark", "nsubj", "dog"): 2}
    assert found(count_triples(text, minimum=3)) == {}


def test_text_without_edges(tmp_path: Path) -> None:
    triples = count_triples(corpus(tmp_path, sentence("bark", "the", "det")))
    assert len(triples) == 0
    assert list(triples.lemmas) == ["bark", "the"]


def test_text_without_words_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected lemmas with a letter or digit"):
        count_triples(corpus(tmp_path, sentence("!", "?")))


@pytest.mark.parametrize("wrong", [{"lemmas": 0}, {"minimum": 0}])
def test_numbers_below_one_are_refused(wrong: dict[str, int], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="1 or more"):
        count_triples(corpus(tmp_path, sentence("bark", "dog")), **wrong)
