from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from lydite.evaluations.consistency.evaluation import CONTROLS, shuffled_contexts, size_matched
from lydite.types import Context


def draw_samples(seed: int) -> list[list[Context]]:
    rng = np.random.default_rng(seed)
    samples = []
    for _ in range(8):
        sample = []
        for _ in range(int(rng.integers(1, 5))):
            before, inside, after = rng.integers(0, 4), rng.integers(1, 3), rng.integers(1, 4)
            tokens = tuple(f"w{i}" for i in rng.integers(0, 50, before + inside + after))
            sample.append(Context(tokens=tokens, start=int(before), stop=int(before + inside)))
        samples.append(sample)
    return samples


def around(context: Context) -> list[str]:
    return [*context.tokens[: context.start], *context.tokens[context.stop :]]


@pytest.mark.parametrize("seed", range(4))
def test_size_matched_samples_keep_their_number_of_sentences(seed: int) -> None:
    samples = draw_samples(seed)
    dealt = size_matched(samples, seed)
    assert [len(sample) for sample in dealt] == [len(sample) for sample in samples]
    every = [context for sample in samples for context in sample]
    again = [context for sample in dealt for context in sample]
    # Each sentence once, and with its own term.
    assert Counter(again) == Counter(every)
    assert again != every


@pytest.mark.parametrize("seed", range(4))
def test_shuffled_contexts_keep_lengths_terms_and_all_words(seed: int) -> None:
    samples = draw_samples(seed)
    dealt = shuffled_contexts(samples, seed)
    pairs = [
        (old, new)
        for sample, other in zip(samples, dealt, strict=True)
        for old, new in zip(sample, other, strict=True)
    ]
    for old, new in pairs:
        assert (new.start, new.stop, len(new.tokens)) == (old.start, old.stop, len(old.tokens))
        assert new.tokens[new.start : new.stop] == old.tokens[old.start : old.stop]
    before = [word for old, _ in pairs for word in around(old)]
    after = [word for _, new in pairs for word in around(new)]
    assert Counter(after) == Counter(before)
    assert after != before


@pytest.mark.parametrize("name", CONTROLS)
def test_a_seed_gives_one_deal(name: str) -> None:
    samples = draw_samples(1)
    assert CONTROLS[name](samples, 3) == CONTROLS[name](samples, 3)
    assert CONTROLS[name](samples, 3) != CONTROLS[name](samples, 4)


def test_sentences_are_dealt_out_evenly() -> None:
    # A sentence of the first sample comes back to it in half of all deals.
    samples = [[Context(tokens=(f"w{i}",), start=0, stop=1)] for i in range(2)]
    stayed = sum(size_matched(samples, seed) == samples for seed in range(400))
    assert 150 < stayed < 250
