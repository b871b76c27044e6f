from __future__ import annotations

import gc
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.models.contexts import learn_all
from lydite.spaces.space import Space
from lydite.trained import cooccurrence as cache
from lydite.trained.cooccurrence import Counting, Windows, counted
from lydite.trained.ppmi_svd import Factors, PpmiSvd, ppmi_svd_space
from lydite.types import Context, Floats

Sentences = list[list[str]]


def corpus_sentences(count: int = 300) -> Sentences:
    generator = np.random.default_rng(5)
    return [
        [f"w{number}" for number in generator.zipf(1.4, size) % 40]
        for size in generator.integers(3, 15, count)
    ]


def written(sentences: Sentences, path: Path) -> Path:
    path.write_text("".join(" ".join(sentence) + "\n" for sentence in sentences))
    return path


def space_of(file: Path, windows: Windows, factors: Factors) -> Space:
    counting = Counting(files=[file], windows=windows, min_count=5, limit=None, preparation=None)
    with counted(counting) as corpus:
        return ppmi_svd_space(corpus, factors)


def vectors_of_hyperwords(
    sentences: Sentences, words: list[str], *, size: int, cds: float, neg: float, dim: int
) -> Floats:
    """Pairs, counts, e^PMI, PPMI, SVD with the square root of singular values, unit length."""
    row = {word: number for number, word in enumerate(words)}
    counts = np.zeros((len(words), len(words)))
    for sentence in sentences:
        for i, word in enumerate(sentence):
            for j in range(max(0, i - size), min(len(sentence), i + size + 1)):
                if i != j and word in row and sentence[j] in row:
                    counts[row[word], row[sentence[j]]] += 1
    contexts = counts.sum(axis=0) ** cds
    with np.errstate(divide="ignore"):
        information = np.log(counts * contexts.sum() / counts.sum(axis=1)[:, None] / contexts)
    left, sizes, _ = np.linalg.svd(np.maximum(information - math.log(neg), 0))
    vectors = left[:, :dim] * sizes[:dim] ** 0.5
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


@pytest.mark.parametrize(("cds", "neg"), [(1.0, 1.0), (0.75, 1.2)])
def test_a_space_is_that_of_the_steps_of_hyperwords(tmp_path: Path, cds: float, neg: float) -> None:
    sentences = corpus_sentences()
    file = written(sentences, tmp_path / "text.txt")
    space = space_of(file, Windows(size=2), Factors(dim=6, cds=cds, shift=neg))
    words = list(space.vocabulary)
    met = Counter(word for sentence in sentences for word in sentence)
    assert set(words) == {word for word, count in met.items() if count >= 5}
    assert space.counts is not None
    assert space.counts.tolist() == [met[word] for word in words]
    expected = vectors_of_hyperwords(sentences, words, size=2, cds=cds, neg=neg, dim=6)
    # Signs are arbitrary; similarities are not.
    found = np.asarray(space.vectors, dtype=np.float64)
    assert found @ found.T == pytest.approx(expected @ expected.T, abs=1e-5)


def test_contexts_are_kept_and_can_be_added(tmp_path: Path) -> None:
    file = written(corpus_sentences(), tmp_path / "text.txt")
    factors = Factors(dim=4, cds=0.75, eig=1.0, normalise=False)
    apart = space_of(file, Windows(), factors)
    both = Factors(dim=4, cds=0.75, eig=1.0, normalise=False, add_contexts=True)
    added = space_of(file, Windows(), both)
    assert apart.contexts is not None
    assert added.vectors == pytest.approx(apart.vectors + apart.contexts, abs=1e-5)
    assert apart.fingerprint != added.fingerprint


def context(text: str, term: str) -> Context:
    tokens = tuple(text.split())
    return Context(tokens=tokens, start=tokens.index(term), stop=tokens.index(term) + 1)


def test_terms_are_counted_apart_from_each_other_and_from_the_corpus(tmp_path: Path) -> None:
    sentences = corpus_sentences()
    file = written(sentences, tmp_path / "text.txt")
    learner = PpmiSvd.open(str(file), dim=6, window=2, min_count=5, tokenised=True)
    samples = [
        [context("w1 w3 w1 w4", "w3"), context("w2 w3", "w3")],
        [context("w5 w3 w7 never", "w3")],
        [context("never w3 never", "w3")],
    ]
    learnt = learn_all(learner, samples, seed=1)
    marked = [["w1", "T0", "w1", "w4"], ["w2", "T0"], ["w5", "T1", "w7", "never"]]
    background = learnt.background
    assert background is not None
    words = [*background.vocabulary, "T0", "T1"]
    joined = sentences + marked
    expected = vectors_of_hyperwords(joined, words, size=2, cds=1.0, neg=1.0, dim=6)
    found = np.concatenate([background.vectors, learnt.vectors[:2]]).astype(np.float64)
    assert found @ found.T == pytest.approx(expected @ expected.T, abs=1e-5)
    assert learnt.learned.tolist() == [True, True, False]
    assert not learnt.vectors[2].any()
    # w1, w1, w4 and w2; w5 and w7; nothing that is known.
    assert learnt.used.tolist() == [4, 2, 0]


def test_several_words_and_every_place_of_a_term_are_marked(tmp_path: Path) -> None:
    file = written(corpus_sentences(), tmp_path / "text.txt")
    learner = PpmiSvd.open(str(file), dim=4, window=1, min_count=5, tokenised=True)
    tokens = ("w1", "sense", "data", "w2", "sense", "data", "w4")
    twice = [Context(tokens=tokens, start=at, stop=at + 2) for at in (1, 4)]
    learnt = learner.learn_all([twice, twice[1:]])
    # w1 and w2, w2 and w4: the sentence is counted once.
    assert learnt.used.tolist() == [4, 4]
    assert learnt.vectors[0] == pytest.approx(learnt.vectors[1], abs=1e-5)


def test_the_corpus_is_counted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LYDITE_CACHE", str(tmp_path / "cache"))
    file = written(corpus_sentences(), tmp_path / "text.txt")
    learner = PpmiSvd.open(str(file), dim=4, min_count=5, tokenised=True)
    sample = [context("w1 w3 w2", "w3")]
    first = learner.learn(sample)

    def again(*_: object) -> None:
        raise AssertionError("the corpus is read again")

    monkeypatch.setattr(cache, "encode_files", again)
    assert (learner.learn(sample) == first).all()
    drawn = PpmiSvd.open(str(file), dim=4, min_count=5, tokenised=True, sample=0.01)
    with pytest.raises(AssertionError, match="again"):
        drawn.learn(sample)


def test_damaged_counts_are_counted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("LYDITE_CACHE", str(tmp_path / "cache"))
    file = written(corpus_sentences(), tmp_path / "text.txt")
    learner = PpmiSvd.open(str(file), dim=4, min_count=5, tokenised=True)
    sample = [context("w1 w3 w2", "w3")]
    first = learner.learn(sample)
    gc.collect()
    (values,) = (tmp_path / "cache" / "cooccurrence").rglob("values")
    values.write_bytes(values.read_bytes()[:-4])
    assert (learner.learn(sample) == first).all()
    assert "damaged" in caplog.text


@pytest.mark.parametrize("options", [{"sample": 0.01}, {"dynamic": "sampled"}, {"dynamic": True}])
def test_the_same_seed_gives_the_same_vectors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, object]
) -> None:
    file = written(corpus_sentences(), tmp_path / "text.txt")
    learner = PpmiSvd.open(str(file), dim=4, min_count=5, tokenised=True, **options)
    samples = [[context("w1 w2 w3 w4 w5", "w3")]]
    first = learner.learn_all(samples, seed=1)
    monkeypatch.setenv("LYDITE_THREADS", "1")
    assert (learner.learn_all(samples, seed=1).vectors == first.vectors).all()
    same = (learner.learn_all(samples, seed=2).vectors == first.vectors).all()
    assert same == (options.get("dynamic") is True)


def test_running_text_is_prepared_as_samples_are(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text("The cat sat on a mat. The dog sat on the cat!\n" * 30)
    learner = PpmiSvd.open(str(file), dim=2, min_count=5)
    learnt = learner.learn_all([[context("the cat sat on term", "term")]])
    assert learnt.background is not None
    assert set(learnt.background.vocabulary) == {"the", "cat", "sat", "on", "mat", "dog"}


def test_the_spec_names_what_differs_from_the_defaults(tmp_path: Path) -> None:
    file = written(corpus_sentences(5), tmp_path / "text.txt")
    learner = PpmiSvd.open(str(file), dim=50, dynamic="sampled", tokenised=True)
    assert learner.spec.startswith("ppmi-svd(")
    assert learner.spec.endswith("dim=50, dynamic=sampled, tokenised=true)")


def test_no_samples_and_a_corpus_of_rare_words_are_refused(tmp_path: Path) -> None:
    file = written(corpus_sentences(5), tmp_path / "text.txt")
    learner = PpmiSvd.open(str(file), tokenised=True)
    with pytest.raises(InputError, match="got none"):
        learner.learn_all([])
    with pytest.raises(InputError, match="occur 100 times or more in the corpus"):
        learner.learn([context("w1 w2", "w2")])
