"""Samples of the sentences that use a term, from which its vector is learnt more than once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from lydite.corpora.occurrences import Occurrence, Occurrences, term_seed
from lydite.errors import InputError
from lydite.storage import sha256_text
from lydite.types import Context

NEVER = "never occurs"


@dataclass(frozen=True, kw_only=True)
class TermSamples:
    """A term and its samples.

    Attributes
    ----------
    term
        As a reader knows it.
    samples
        The sentences of each sample; no sentence is in two.
    """

    term: str
    samples: tuple[tuple[Context, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Samples:
    """Terms with samples.

    Attributes
    ----------
    name
        What they are called in tables.
    terms
        Those that have all samples.
    problems
        How many were left out, by reason.
    notes
        What a reader of the results should know.
    dropped
        The terms that were left out, with the reason.
    """

    name: str
    terms: tuple[TermSamples, ...]
    problems: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    dropped: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def fingerprint(self) -> str:
        """The sha256 of terms and samples."""
        parts = [
            f"{each.term}\t{number}\t{context.start}\t{context.stop}\t{' '.join(context.tokens)}"
            for each in self.terms
            for number, sample in enumerate(each.samples)
            for context in sample
        ]
        return sha256_text("\n".join(parts))


def sample_random(
    occurrences: Occurrences,
    *,
    minimum: int = 10,
    samples: int = 5,
    most: int = 10,
    seed: int = 0,
    name: str = "random samples",
) -> Samples:
    """Draw samples that do not overlap from the sentences of each term.

    A term with fewer sentences than would fill all samples has them divided evenly; the sizes of
    its samples then differ by one at most.

    Parameters
    ----------
    occurrences
        The sentences of each term.
    minimum
        Terms with fewer sentences are left out.
    samples
        How many samples a term gets.
    most
        The largest number of sentences of a sample.
    seed
        Of the draw; a term's samples do not depend on the other terms.
    name
        What they are called in tables.

    References
    ----------
    Bloem et al., "Evaluating the Consistency of Word Embeddings from Small Data", RANLP 2019,
    section 4.
    """
    if samples < 2 or most < 1 or minimum < samples:
        raise InputError(
            f"expected 2 samples or more, of 1 sentence or more, from at least as many sentences;"
            f" got {samples} samples of {most} from {minimum}",
            hint=f"ask for {samples} sentences of a term or more, or for fewer samples",
        )
    few = f"fewer than {_sentences(minimum)}"
    kept, dropped = [], {}
    for term, places in occurrences.found.items():
        if len(places) < minimum:
            dropped[term] = few if places else NEVER
            continue
        drawn = np.random.default_rng(term_seed(term, seed)).permutation(len(places))
        drawn = drawn[: samples * most]
        parts = tuple(
            tuple(places[number].context for number in drawn[first::samples].tolist())
            for first in range(samples)
        )
        kept.append(TermSamples(term=term, samples=parts))
    return Samples(
        name=name, terms=tuple(kept), problems=Counter(dropped.values()), dropped=dropped
    )


def split_halves(
    first: Occurrences, second: Occurrences, *, minimum: int = 2, name: str = "halves"
) -> Samples:
    """Take the sentences of each half of a book for the two samples of a term.

    Parameters
    ----------
    first, second
        The sentences of the same terms in each half. What the second half repeats word by word
        counts for the first alone.
    minimum
        Terms with fewer sentences in one of the halves are left out.
    name
        What they are called in tables.

    References
    ----------
    Bloem et al., "Evaluating the Consistency of Word Embeddings from Small Data", RANLP 2019,
    section 4.
    """
    if minimum < 1:
        raise InputError(f"expected to ask for 1 sentence or more in a half, got {minimum}")
    for half, which in ((first, "first"), (second, "second")):
        if not half.sentences:
            raise InputError(
                f"the {which} half has no sentences",
                hint="check where the text is divided, or draw random samples",
            )
    few = f"fewer than {_sentences(minimum)} in a half"
    kept, dropped = [], {}
    for term, places in first.found.items():
        early = {place.context.tokens for place in places}
        later = [each for each in second.found.get(term, ()) if each.context.tokens not in early]
        if min(len(places), len(later)) < minimum:
            dropped[term] = few if places or later else NEVER
        else:
            kept.append(TermSamples(term=term, samples=(_contexts(places), _contexts(later))))
    return Samples(
        name=name, terms=tuple(kept), problems=Counter(dropped.values()), dropped=dropped
    )


def limit_sentences(samples: Samples, most: int | None, *, seed: int = 0) -> Samples:
    """Keep the same number of sentences in every sample, to see what the amount of text does.

    Parameters
    ----------
    samples
        What to shorten.
    most
        Sentences of a sample; a term with a shorter sample is left out. None keeps all.
    seed
        Of the draw. What is kept of ``most=2`` is also kept of ``most=3``.
    """
    if most is None:
        return samples
    if most < 1:
        raise InputError(f"expected to keep 1 sentence of a sample or more, got {most}")
    few = f"fewer than {_sentences(most)} in a sample"
    kept, dropped = [], dict(samples.dropped)
    for each in samples.terms:
        if min(map(len, each.samples)) < most:
            dropped[each.term] = few
            continue
        rng = np.random.default_rng(term_seed(each.term, seed))
        orders = [sorted(rng.permutation(len(sample))[:most].tolist()) for sample in each.samples]
        parts = (
            tuple(sample[place] for place in order)
            for sample, order in zip(each.samples, orders, strict=True)
        )
        kept.append(TermSamples(term=each.term, samples=tuple(parts)))
    left_out = len(samples.terms) - len(kept)
    problems = {**samples.problems, **({few: left_out} if left_out else {})}
    return replace(samples, terms=tuple(kept), problems=problems, dropped=dropped)


def _contexts(places: Sequence[Occurrence]) -> tuple[Context, ...]:
    return tuple(place.context for place in places)


def _sentences(count: int) -> str:
    return f"{count} sentence{'' if count == 1 else 's'}"
