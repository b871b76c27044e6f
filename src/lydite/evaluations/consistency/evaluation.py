"""Consistency (Bloem et al. 2019): whether a term learnt twice from one text is the same term.

A learner gets several samples of the sentences that use a term and learns a vector from each. If
the text uses the term in one sense, and is enough to learn it from, the vectors should agree. The
paper measures their cosine and their rank among all words of the background. Both sit at their
ceiling for summed vectors, whatever the term: two samples of *different* terms are almost as alike.
So what leads here is identification: whether a term's second vector can be told from those of all
other terms by its first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from lydite.errors import InputError, UndefinedScoreError
from lydite.evaluations.catalogue import Evaluation
from lydite.evaluations.consistency.controls import CONTROLS
from lydite.evaluations.consistency.domain import Thresholds, domain_difference
from lydite.evaluations.consistency.items import by_trust, items_of
from lydite.evaluations.consistency.learning import Measured, measure
from lydite.evaluations.consistency.measures import different_cosines, shuffled_reciprocals
from lydite.evaluations.consistency.ranks import Ranks, drawn_reciprocals, ranks_in
from lydite.evaluations.consistency.sources import (
    Material,
    Part,
    Recipe,
    Split,
    material_of,
    term_file,
)
from lydite.evaluations.consistency.tables import (
    by_size,
    find_terms,
    mean_interval,
    neighbours,
    to_background,
)
from lydite.models.catalogue import model_spec
from lydite.resources.catalogue import Located, locate
from lydite.results.record import Outcome
from lydite.stats.null import Baseline, summarise_null
from lydite.stats.seeds import child_seed
from lydite.types import (
    Context,
    Floats,
    Indices,
    Plain,
    PlainMapping,
    Progress,
    current_progress,
    silent,
)

Metric: TypeAlias = Literal["identification", "cosine", "rank"]

_DRAWS = 200
_SHOWN = 4


@dataclass(frozen=True, kw_only=True)
class Consistency(Evaluation):
    """Whether the vectors learnt from several samples of a term agree.

    Attributes
    ----------
    metric
        ``identification``: the mean reciprocal place of a term's second vector among those of all
        terms; ``cosine`` of the two; ``rank``: the mean reciprocal rank of the one among all words
        of the background by cosine to the other. All are reported.
    terms
        ``index``, the back-of-book index in the text; ``keywords``; ``random`` words; ``titles`` of
        articles; or a file with a term a line. Saved samples have their own.
    split
        ``random``: samples of sentences drawn at random; ``halves``: a book's two halves.
    part
        ``all`` terms, or the 70 % to ``train`` (tune) on, or the 30 % to ``test`` on.
    minimum
        Sentences that a term must have (10), or have in each half (2); 0 for these defaults.
    samples, most
        How many random samples a term gets, and the most sentences of one.
    inflected
        Whether plural and possessive are uses of a term.
    names
        Whether to keep the proper names of an index.
    sizes
        Numbers of sentences a sample, separated by commas, ``all`` among them: measures again with
        so few (Table 2).
    controls
        Measure the same learner on sentences and words dealt out at random.
    domain_difference
        Compare terms with the background's own vectors by their frequency in both (Table 5).
    neighbours
        How many nearest words to show of both vectors of a few terms (Table 7); 0 for none.
    term
        A term whose neighbours to show before those of the most and the least consistent.
    """

    name: ClassVar[str] = "consistency"

    metric: Metric = "identification"
    terms: str = "index"
    split: Split = "random"
    part: Part = "all"
    minimum: int = 0
    samples: int = 5
    most: int = 10
    inflected: bool = False
    names: bool = True
    sizes: str = ""
    controls: bool = True
    domain_difference: bool = False
    neighbours: int = 5
    term: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require_whole(minimum=0, samples=2, most=1, neighbours=0)
        self._sizes()

    def _sizes(self) -> list[int | None]:
        sizes: list[int | None] = []
        # A spec gives a single size as a number.
        for text in filter(None, (part.strip() for part in str(self.sizes).split(","))):
            if text != "all" and (not text.isdecimal() or int(text) < 1):
                raise InputError(
                    f"consistency: expected sizes such as 1,2,4,8,all, got {self.sizes!r}"
                )
            sizes.append(None if text == "all" else int(text))
        return sizes

    @property
    def recipe(self) -> Recipe:
        """How terms are chosen and their sentences divided."""
        return Recipe(
            terms=self.terms,
            split=self.split,
            part=self.part,
            minimum=self.minimum,
            samples=self.samples,
            most=self.most,
            inflected=self.inflected,
            names=self.names,
        )

    @property
    def named_resources(self) -> tuple[Located, ...]:
        """The file of terms: its bytes are part of the question."""
        path = term_file(self.terms)
        return () if path is None else (locate(Path(path)),)

    def material(self, resources: Sequence[Located], seed: int = 0) -> Material:
        """Return the samples that a learner is given."""
        return material_of(resources, self.recipe, child_seed(seed, "samples"))

    def run(
        self,
        model: object,
        resources: Sequence[Located],
        *,
        seed: int,
        progress: Progress = silent,
    ) -> Outcome:
        """Learn all samples of all terms, and measure how they agree."""
        material = self.material(resources, seed)
        if self.domain_difference and material.occurrences is None:
            raise InputError(
                "the domain difference needs a corpus: saved samples do not tell how frequent "
                "terms are in it",
                hint="give the corpus itself, with --corpus and --terms",
            )
        contexts = [each.samples for each in material.samples.terms]
        if len(contexts) < 2:
            raise UndefinedScoreError(
                f"at least two terms are needed: {_told(material)}",
                hint="lower minimum, or take terms from elsewhere: keywords, random, or a list",
            )
        measured = measure(model, contexts, seed=child_seed(seed, "learning"))
        self._check(model, material, measured)
        return self._outcome(model, material, contexts, measured, seed)

    def _check(self, model: object, material: Material, measured: Measured) -> None:
        covered = int(measured.covered.sum())
        if covered < 2 or not len(measured.identification.term):
            raise UndefinedScoreError(
                f"{model_spec(model)} learnt two vectors or more of {covered} terms: "
                f"{_told(material)} -> {covered} learnt",
                hint="does the background have the words of this text, in this case?",
            )

    def _outcome(
        self,
        model: object,
        material: Material,
        contexts: Sequence[Sequence[Sequence[Context]]],
        measured: Measured,
        seed: int,
    ) -> Outcome:
        names = [each.term for each in material.samples.terms]
        own = _own_words(measured, names)
        ranks = _ranks(measured, own, child_seed(seed, "baseline"))
        values = self._values(measured, ranks)
        scored = np.isfinite(values)
        background = to_background(measured, ranks, own, names)
        controls = self._controls(model, contexts, seed) if self.controls else {}
        others = _others(measured, ranks, self.metric) | _flat(background, controls)
        items = items_of(names, contexts, measured, ranks, values, background)
        sizes = by_size(model, material.samples, self._sizes(), seed=child_seed(seed, "learning"))
        return Outcome(
            metric=self.metric,
            score=float(values[scored].mean()),
            interval=mean_interval(values[scored], child_seed(seed, "interval")),
            baseline=self._baseline(measured, ranks, child_seed(seed, "baseline")),
            n_items=len(names),
            n_covered=int(scored.sum()),
            oov="skip",
            statistic="mean",
            items=items,
            others=others,
            details={
                "funnel": [
                    *({"name": name, "count": count} for name, count in material.funnel),
                    {"name": "learnt from at least two samples", "count": int(scored.sum())},
                ],
                "notes": [*material.samples.notes, *self._unmeasured(sizes)],
                "problems": dict(material.samples.problems),
                "dropped": dict(list(material.samples.dropped.items())[:50]),
                "missing": [n for n, ok in zip(names, scored, strict=True) if not ok][:10],
                "terms": by_trust(items),
                "chance": measured.identification.chance,
                "controls": controls,
                "background": {k: v for k, v in background.items() if k != "by_term"},
                "sizes": sizes,
                "neighbours": self._neighbours(measured, names, values),
                "domain_difference": self._domain(model, material, seed),
            },
        )

    def _unmeasured(self, rows: Sequence[PlainMapping]) -> list[str]:
        """Say which of the numbers of sentences that were asked for no two terms have."""
        told = {row["size"] for row in rows}
        return [
            f"fewer than two terms have {size} sentences in every sample"
            for size in self._sizes()
            if (size or "all") not in told
        ]

    def _values(self, measured: Measured, ranks: Ranks | None) -> Floats:
        """Return the score of each term, NaN where there is none."""
        if self.metric == "identification":
            return measured.reciprocals
        if self.metric == "cosine":
            return measured.by_term(measured.cosines)
        if ranks is None:
            raise InputError(
                "ranks need a background of words, which this learner does not have",
                hint="use metric=identification or metric=cosine",
            )
        return measured.by_term(1 / ranks.pairs)

    def _baseline(self, measured: Measured, ranks: Ranks | None, seed: int) -> Baseline:
        """Return the score when second vectors are dealt out to terms at random."""
        if self.metric == "rank" and ranks is not None:
            draws = drawn_reciprocals(ranks.different, ranks.pairs.size, _DRAWS, seed)
        elif self.metric == "cosine":
            draws = different_cosines(measured.identification, _DRAWS, seed)
        else:
            draws = shuffled_reciprocals(measured.identification, _DRAWS, seed)
        return summarise_null(draws, kind="vectors of different terms")

    def _controls(
        self, model: object, contexts: Sequence[Sequence[Sequence[Context]]], seed: int
    ) -> dict[str, Plain]:
        flat = [sample for term in contexts for sample in term]
        sizes = [len(term) for term in contexts]
        found: dict[str, Plain] = {}
        for name, deal in CONTROLS.items():
            dealt = iter(deal(flat, child_seed(seed, "control", name)))
            again = [[next(dealt) for _ in range(size)] for size in sizes]
            control = measure(model, again, seed=child_seed(seed, "learning"))
            if not len(control.identification.term):
                continue
            found[name] = {
                "cosine": float(control.by_term(control.cosines)[control.covered].mean()),
                "identification": float(np.nanmean(control.reciprocals)),
            }
        return found

    def _neighbours(
        self, measured: Measured, names: Sequence[str], values: Floats
    ) -> list[dict[str, Plain]]:
        if not self.neighbours:
            return []
        order = [i for i in np.argsort(-values, kind="stable").tolist() if np.isfinite(values[i])]
        chosen = order if len(order) <= 2 * _SHOWN else order[:_SHOWN] + order[-_SHOWN:]
        wanted = [i for i, name in enumerate(names) if name == self.term]
        chosen = list(dict.fromkeys([*wanted, *chosen]))
        return neighbours(measured, names, chosen, self.neighbours)

    def _domain(self, model: object, material: Material, seed: int) -> dict[str, Plain]:
        if not self.domain_difference or material.occurrences is None:
            return {}
        return domain_difference(
            model, material.occurrences, Thresholds(), seed=child_seed(seed, "learning")
        )


def _own_words(measured: Measured, names: Sequence[str]) -> Indices:
    """Return the row of each term's own word in the background, -1 where it has none."""
    if measured.background is None:
        return np.full(len(names), -1)
    return find_terms(measured.background, names)


def _ranks(measured: Measured, own: Indices, seed: int) -> Ranks | None:
    if measured.background is None:
        return None
    return ranks_in(
        measured.background,
        measured.learnt,
        own=own,
        draws=4 * _DRAWS,
        seed=seed,
        progress=current_progress(),
    )


def _others(measured: Measured, ranks: Ranks | None, leading: str) -> dict[str, float]:
    cosines = measured.by_term(measured.cosines)
    places = measured.identification.place
    others = {
        "identification": float(np.nanmean(measured.reciprocals)),
        "identification_median": float(np.median(places)),
        "identification_first": float((places == 1).mean()),
        "identification_chance": measured.identification.chance,
        "cosine": float(np.nanmean(cosines)),
        "cosine_median": float(np.nanmedian(cosines)),
        "different_terms_cosine": _mean_off_diagonal(measured),
    }
    if ranks is not None:
        others |= {
            "rank": float(np.nanmean(measured.by_term(1 / ranks.pairs))),
            "rank_mean": float(np.nanmean(measured.by_term(ranks.pairs))),
            "rank_median": float(np.median(ranks.pairs)),
            "rank_first": float((ranks.pairs == 1).mean()),
        }
    if ranks is not None and len(ranks.different):
        others["different_terms_rank_mean"] = float(ranks.different.mean())
        others["different_terms_rank_first"] = float((ranks.different == 1).mean())
    return {name: value for name, value in others.items() if name != leading}


def _mean_off_diagonal(measured: Measured) -> float:
    tables = [table for _, table in measured.identification.tables]
    total = sum(table.sum() - np.trace(table) for table in tables)
    return float(total / sum(table.size - len(table) for table in tables))


def _flat(background: dict[str, Plain], controls: dict[str, Plain]) -> dict[str, float]:
    flat = {f"background_{k}": float(background[k]) for k in ("cosine", "rank") if k in background}
    for name, parts in controls.items():
        key = name.replace(" ", "_").replace("-", "_")
        flat |= {f"{key}_{measure}": value for measure, value in parts.items()}
    return flat


def _told(material: Material) -> str:
    steps = " -> ".join(f"{count:,} {name}" for name, count in material.funnel)
    reasons = ", ".join(f"{reason} ({n:,})" for reason, n in material.samples.problems.items())
    return f"{steps}; left out: {reasons}" if reasons else steps
