"""The tasks of separation: labeled pairs, relation classification, question answering.

Relations: of one pair of entities, E are the sentences that express the relation and NE those that
do not. H = E x E without the diagonal, L = E x NE; the score is the AUC of H against L.

Questions: the sentences of a document are ordered by how similar they are to the question, and the
score is the normalized rank of the one that answers: 1 if it is the most similar, 0 if the least.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeGuard, TypeVar

import numpy as np

from lydite.errors import InputError, MissingExtraError, ResourceError, UndefinedScoreError
from lydite.evaluations.separation.data import EntityPair, LabelledPairs, Question, usable
from lydite.models.catalogue import load, model_spec
from lydite.models.combination import Hybrid
from lydite.models.pairwise import Crossed, cross_each, pair_scores
from lydite.results.details import Details, Missing
from lydite.results.record import Items, Outcome
from lydite.stats.auc import (
    Jackknifed,
    ScoreLevels,
    auc,
    auc_interval,
    components,
    jackknife_interval,
    roc_curve,
)
from lydite.stats.correlation import spearman
from lydite.stats.means import mean_interval
from lydite.stats.null import summarize_null
from lydite.stats.ranks import midranks
from lydite.stats.seeds import child_seed
from lydite.storage import sha256_text
from lydite.types import Floats, Indices, Mask

T = TypeVar("T")

_POINTS = 101
_BINS = 40


@dataclass(frozen=True, kw_only=True)
class Densities(Details):
    """The shares of the scores of H and of L in bins, of which there is one less than edges."""

    edges: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    low: tuple[float, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Area(Details):
    """The AUC of a part of the data, with its interval if there is one."""

    auc: float = 0.0
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, kw_only=True)
class PairArea(Area):
    """A pair of entities: its sentences, those that express the relation, where chance lies."""

    relation: str = ""
    pair: str = ""
    expressing: int = 0
    sentences: int = 0
    chance_low: float | None = None
    chance_high: float | None = None


@dataclass(frozen=True, kw_only=True)
class PhenomenonArea(Area):
    """A phenomenon: its pairs in H and in L, their mean scores, and what misleads most."""

    phenomenon: str = ""
    similar: int = 0
    dissimilar: int = 0
    similar_score: float | None = None
    dissimilar_score: float | None = None
    # Left, right and the side, H or L, of the pair that is furthest on the wrong side.
    example: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Subset(Details):
    """How many questions a simple model does not answer perfectly."""

    model: str = ""
    questions: int = 0


@dataclass(frozen=True, kw_only=True)
class KindOfQuestion(Details):
    """The mean score of the questions of a kind."""

    kind: str = ""
    questions: int = 0
    score: float = 0.0


@dataclass(frozen=True, kw_only=True)
class RankedQuestion(Details):
    """A question, its answer with its rank, and the first sentence that does not answer."""

    question: str = ""
    rank: float = 0.0
    answer: str = ""
    first: str = ""


@dataclass(frozen=True, kw_only=True)
class SeparationDetails(Missing):
    """What a result of any task tells: its ROC curve, its densities, what was not covered."""

    task: str = ""
    curve: tuple[tuple[float, float], ...] = ()
    densities: Densities | None = None


@dataclass(frozen=True, kw_only=True)
class PairsDetails(SeparationDetails):
    """What a result on labeled pairs tells."""

    task: str = "pairs"
    phenomena: tuple[PhenomenonArea, ...] = ()
    # Graded pairs that are in neither H nor L.
    between: int = 0


@dataclass(frozen=True, kw_only=True)
class RelationDetails(SeparationDetails):
    """What a result on entity pairs tells; pairs that are left out come with the reason."""

    task: str = "relation"
    pairs: tuple[PairArea, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class AnswersDetails(SeparationDetails):
    """What a result on questions tells."""

    task: str = "qa"
    subset: Subset | None = None
    notes: tuple[str, ...] = ()
    forms: tuple[KindOfQuestion, ...] = ()
    domains: tuple[KindOfQuestion, ...] = ()
    worst: tuple[RankedQuestion, ...] = ()
    pooled_auc: float | None = None


def thinned_curve(high: Floats, low: Floats) -> tuple[tuple[float, float], ...]:
    """Return about a hundred points (false, true) of the ROC curve.

    >>> thinned_curve(np.array([2.0]), np.array([1.0]))[:2]
    ((0.0, 0.0), (0.0, 1.0))
    """
    curve = roc_curve(high, low)
    # Evenly along its length, since it may rise steeply.
    along = curve.false + curve.true
    kept = np.unique(np.searchsorted(along, np.linspace(0, along[-1], _POINTS)))
    kept = np.unique(np.concatenate([[0], kept, [len(along) - 1]]))
    return tuple(
        (round(float(x), 4), round(float(y), 4))
        for x, y in zip(curve.false[kept], curve.true[kept], strict=True)
    )


def densities(high: Floats, low: Floats) -> Densities:
    """Return the densities of both sets of scores over the same bins."""
    edges = np.linspace(min(high.min(), low.min()), max(high.max(), low.max()), _BINS + 1)
    if edges[0] == edges[-1]:
        edges = np.linspace(edges[0] - 0.5, edges[0] + 0.5, _BINS + 1)
    above, below = (
        tuple(round(float(each), 5) for each in np.histogram(scores, edges)[0] / len(scores))
        for scores in (high, low)
    )
    return Densities(edges=tuple(edges.tolist()), high=above, low=below)


#: Left texts and right texts, all pairs of which are scored.
Unit: TypeAlias = tuple[Sequence[str], Sequence[str]]
#: A unit by its place, and its scores (n, m), to how well they come apart, 0 to 1.
Value: TypeAlias = Callable[[int, Floats], float]

#: Weights of the second part that are tried, the first having the rest.
_GRID = np.linspace(0, 1, 21)
#: Parts that labelled pairs are divided into to learn weights.
_FOLDS = 10


def unit_scores(model: object, units: Sequence[Unit], value: Value) -> list[Crossed]:
    """Score all pairs of each unit.

    Weights that a model learns are to make ``value`` high. They are learned on all units but the
    one that is scored with them; questions on one document are left out together.
    """
    if not learns_weights(model):
        return cross_each(model, units)
    places = {right: i for i, right in enumerate(dict.fromkeys(tuple(each) for _, each in units))}
    groups = np.array([places[tuple(right)] for _, right in units])
    first, second = two_parts(model, len(places), lambda part: cross_each(part, units))
    scale = [_deviation(part) for part in (first, second)]
    mixed = [
        [(1 - w) * a.scores / scale[0] + w * b.scores / scale[1] for w in _GRID]
        for a, b in zip(first, second, strict=True)
    ]
    values = np.array([[value(i, scores) for scores in each] for i, each in enumerate(mixed)])
    return [
        Crossed(
            scores=each[choice],
            left_known=a.left_known | b.left_known,
            right_known=a.right_known | b.right_known,
        )
        for each, choice, a, b in zip(
            mixed, held_out_choice(values, groups), first, second, strict=True
        )
    ]


def learns_weights(model: object) -> TypeGuard[Hybrid]:
    """Tell whether a model is a mixture whose weights are to be learned here."""
    return isinstance(model, Hybrid) and model.weights == "learnt"


def two_parts(model: Hybrid, groups: int, scored: Callable[[object], T]) -> tuple[T, T]:
    """Return the scores of both parts of a mixture whose weight can be learned."""
    if len(model.parts) != 2 or groups < 2:
        raise InputError(
            f"{model_spec(model)}: weights can be learned only for two models on at least two "
            f"entity pairs, documents or groups of pairs, got {len(model.parts)} and {groups}",
            hint="use weights=standardised",
        )
    first, second = model.parts
    return scored(first), scored(second)


def held_out_choice(values: Floats, groups: Indices) -> list[int]:
    """Return, for each item, the weight that is best for the items of all other groups.

    - ``values`` (n, w): how good each item comes out with each weight.
    - ``groups`` (n,): what is left out together.

    >>> held_out_choice(np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.9]]), np.array([0, 1, 2]))
    [1, 0, 0]
    """
    sums = np.stack([np.bincount(groups, column) for column in values.T], axis=1)
    left = (sums.sum(axis=0) - sums).round(12)
    return [int(each) for each in left.argmax(axis=1)[groups]]


def _deviation(crossed: Sequence[Crossed]) -> float:
    return float(np.concatenate([each.scores.ravel() for each in crossed]).std()) or 1.0


def _learned_pair_scores(model: Hybrid, pairs: LabelledPairs) -> tuple[Floats, Mask]:
    """Score labelled pairs with weights that are learned on pairs of other bases.

    Weights are learned for ten parts of the bases, dealt out by the sha256 of their names. Scores
    of two parts have the same mean and deviation over all pairs whatever the weights, so that they
    can be compared.
    """
    bases, codes = np.unique(np.array(pairs.bases), return_inverse=True)
    order = np.argsort([sha256_text(each) for each in bases.tolist()])
    folds = np.empty(len(bases), dtype=np.int64)
    folds[order] = np.arange(len(bases)) % _FOLDS
    own = folds[codes]
    (first, known), (second, also) = two_parts(
        model, len(bases), lambda part: pair_scores(part, pairs.left, pairs.right)
    )
    mixed = np.stack([(1 - w) * _standard(first) + w * _standard(second) for w in _GRID])
    mixed = np.stack([_standard(each) for each in mixed])
    scores = np.empty(len(first))
    for fold in np.unique(own):
        others = own != fold
        high, low = others & pairs.similar, others & pairs.dissimilar
        areas = [auc(each[high], each[low]) if high.any() and low.any() else 0.5 for each in mixed]
        scores[own == fold] = mixed[int(np.argmax(areas))][own == fold]
    return scores, known | also


def _standard(scores: Floats) -> Floats:
    return np.asarray((scores - scores.mean()) / (float(scores.std()) or 1.0))


_PAIR_DRAWS = 1000


def _check_known(model: object, known: Mask, name: str) -> None:
    """Refuse a model that knows nothing: ties of zeros would make a score of chance."""
    if not known.any():
        raise UndefinedScoreError(
            f"{name}: {model_spec(model)} covers none of {len(known)} items",
            hint="do the words of the data and of the model agree in language, case and spelling?",
        )


def pairs_outcome(model: object, pairs: LabelledPairs, name: str, seed: int) -> Outcome:
    """Score how well a model tells pairs that should be similar from those that should not."""
    if not pairs.dissimilar.any() or not pairs.similar.any():
        raise UndefinedScoreError(
            f"{name}: expected pairs of both kinds, got {int(pairs.similar.sum())} in H and "
            f"{int(pairs.dissimilar.sum())} in L",
            hint="label pairs that should be similar H, and those that should not L",
        )
    if learns_weights(model):
        every, covered = _learned_pair_scores(model, pairs)
    else:
        every, covered = pair_scores(model, pairs.left, pairs.right)
    places = np.flatnonzero(pairs.similar | pairs.dissimilar)
    scores, known, similar = every[places], covered[places], pairs.similar[places]
    _check_known(model, known, name)
    left, right, phenomena, bases = (
        [column[i] for i in places]
        for column in (pairs.left, pairs.right, pairs.phenomena, pairs.bases)
    )
    area = auc(scores[similar], scores[~similar])
    clusters = np.unique(np.array(bases), return_inverse=True)[1]
    return Outcome(
        metric="auc",
        score=area,
        interval=auc_interval(scores, similar, clusters),
        baseline=summarize_null(
            _shuffled_pairs(scores, similar, child_seed(seed, "baseline")),
            kind="shuffled labels",
        ),
        n_items=len(scores),
        n_covered=int(known.sum()),
        oov="zero",
        statistic="mean",
        items={
            "item": [f"{a}\t{b}" for a, b in zip(left, right, strict=True)],
            "group": bases,
            "phenomenon": phenomena,
            "similar": similar.tolist(),
            "score": scores.tolist(),
            "value": _pair_contributions(scores, similar, area).tolist(),
            "covered": known.tolist(),
        },
        others={
            "similar_pairs": float(similar.sum()),
            **_paired(scores, similar, clusters),
            **_graded(pairs.gold, every),
        },
        details=PairsDetails(
            phenomena=tuple(_phenomena_rows(scores, similar, clusters, phenomena, left, right)),
            between=len(every) - len(scores),
            missing=tuple(f"{left[i]} / {right[i]}" for i in np.flatnonzero(~known)[:10]),
            curve=thinned_curve(scores[similar], scores[~similar]),
            densities=densities(scores[similar], scores[~similar]),
        ).plain(),
    )


def _graded(gold: Floats | None, scores: Floats) -> dict[str, float]:
    """Return how the scores of all pairs, also those between H and L, go with those of people."""
    if gold is None or not np.ptp(gold) or not np.ptp(scores):
        return {}
    return {"spearman": spearman(gold, scores)}


def _paired(scores: Floats, similar: Mask, clusters: Indices) -> dict[str, float]:
    """Return how often a pair in H beats one in L of the same base, if that is how data are made.

    The mean over bases that have both, if at least half of the bases do.
    """
    order = np.argsort(clusters, kind="stable")
    members = np.split(order, np.flatnonzero(np.diff(clusters[order])) + 1)
    wins = [
        auc(scores[own][similar[own]], scores[own][~similar[own]])
        for own in members
        if 0 < similar[own].sum() < len(own)
    ]
    return {"paired": float(np.mean(wins))} if 2 * len(wins) >= clusters.max() + 1 else {}


def _phenomena_rows(
    scores: Floats,
    similar: Mask,
    clusters: Indices,
    phenomena: Sequence[str],
    left: Sequence[str],
    right: Sequence[str],
) -> list[PhenomenonArea]:
    """Score each phenomenon apart, its pairs in H against its pairs in L; hardest first.

    One that has pairs of one kind alone is set against all pairs of the other kind.
    """
    names = np.array(phenomena)
    rows = []
    for name in [each for each in dict.fromkeys(phenomena) if each]:
        own = names == name
        high, low = own & similar, own & ~similar
        kept = own.copy()
        if not high.any():
            kept |= similar
        if not low.any():
            kept |= ~similar
        interval = auc_interval(scores[kept], similar[kept], clusters[kept])
        places = np.flatnonzero(kept)
        found = np.where(own[kept], components(scores[kept], similar[kept]), np.inf)
        worst = int(places[found.argmin()])
        rows.append(
            PhenomenonArea(
                phenomenon=name,
                similar=int(high.sum()),
                dissimilar=int(low.sum()),
                similar_score=float(scores[high].mean()) if high.any() else None,
                dissimilar_score=float(scores[low].mean()) if low.any() else None,
                auc=auc(scores[kept & similar], scores[kept & ~similar]),
                low=interval.low if interval else None,
                high=interval.high if interval else None,
                example=(left[worst], right[worst], "H" if similar[worst] else "L"),
            )
        )
    return sorted(rows, key=lambda row: (row.auc, row.phenomenon))


def _shuffled_pairs(scores: Floats, similar: Mask, seed: int) -> Sequence[float]:
    generator = np.random.default_rng(seed)
    dealt = (generator.permutation(similar) for _ in range(_PAIR_DRAWS))
    ranks, count = midranks(scores), int(similar.sum())
    pairs = count * (len(scores) - count)
    return [float(ranks[each].sum() - count * (count + 1) / 2) / pairs for each in dealt]


def _pair_contributions(scores: Floats, similar: Mask, area: float) -> Floats:
    """Return what each pair adds to the AUC, so that the mean is the AUC.

    Both kinds of pair vary independently, so each is scaled by its own number.
    """
    values = np.full(len(scores), area)
    found = components(scores, similar)
    for side in (similar, ~similar):
        values[side] += (found[side] - area) * len(scores) / int(side.sum())
    return values


_RELATION_DRAWS = 1000


def relation_outcome(
    model: object, entity_pairs: Sequence[EntityPair], minimum: int, name: str, seed: int
) -> Outcome:
    """Score a model on every pair of entities, and average."""
    pairs, reasons = usable(entity_pairs, minimum)
    if not pairs:
        told = "; ".join(f"{pair}: {why}" for pair, why in list(reasons.items())[:5])
        raise UndefinedScoreError(
            f"{name}: no pair of entities can be scored: {told}",
            hint="add sentences of the kind that is missing, or lower minimum",
        )
    units = [(pair.texts, pair.texts) for pair in pairs]
    crossed = unit_scores(model, units, lambda i, scores: _auc(ScoreLevels.of(scores), pairs[i]))
    levels = [ScoreLevels.of(each.scores) for each in crossed]
    parts = [each.jackknifed(pair.expresses) for each, pair in zip(levels, pairs, strict=True)]
    areas = [part.area for part in parts]
    null = _shuffled_relations(levels, pairs, child_seed(seed, "baseline"))
    values = [_relation_contributions(*each) for each in zip(levels, pairs, areas, strict=True)]
    known = np.concatenate([each.left_known for each in crossed])
    _check_known(model, known, name)
    pooled = _pooled_relations(crossed, pairs)
    return Outcome(
        metric="auc",
        score=float(np.mean(areas)),
        interval=jackknife_interval(parts),
        baseline=summarize_null(null.mean(axis=1), kind="shuffled labels"),
        n_items=len(known),
        n_covered=int(known.sum()),
        oov="zero",
        statistic="mean",
        items=_items(pairs, areas, values, known),
        others={"entity_pairs": float(len(pairs))},
        details=RelationDetails(
            pairs=tuple(
                _row(pair, part, chance)
                for pair, part, chance in zip(pairs, parts, null.T, strict=True)
            ),
            left_out=reasons,
            missing=tuple(
                text for text, found in zip(_texts(pairs), known, strict=True) if not found
            )[:10],
            curve=thinned_curve(*pooled),
            densities=densities(*pooled),
        ).plain(),
    )


def _auc(levels: ScoreLevels, pair: EntityPair) -> float:
    return levels.auc(pair.expresses, ~pair.expresses)


def _texts(pairs: Sequence[EntityPair]) -> list[str]:
    return [text for pair in pairs for text in pair.texts]


def _shuffled_relations(
    levels: Sequence[ScoreLevels], pairs: Sequence[EntityPair], seed: int
) -> Floats:
    """Deal the labels out to the sentences of each pair at random."""
    generator = np.random.default_rng(seed)
    draws = np.empty((_RELATION_DRAWS, len(pairs)))
    for j, (each, pair) in enumerate(zip(levels, pairs, strict=True)):
        dealt = np.array([generator.permutation(pair.expresses) for _ in range(_RELATION_DRAWS)])
        draws[:, j] = each.aucs(dealt, ~dealt)
    return draws


def _relation_contributions(levels: ScoreLevels, pair: EntityPair, area: float) -> Floats:
    """Return what each sentence adds to the AUC: jackknife values whose mean is the AUC.

    Those of E and of NE vary independently, so each side is scaled by its own number: the variance
    of the mean is then that of the AUC.
    """
    without = levels.left_out(pair.expresses)
    values = np.full(len(pair.texts), area)
    for side in (pair.expresses, ~pair.expresses):
        count = int(side.sum())
        # Of a single sentence, or of two in E, nothing is left to compare with.
        effect = (count - 1) * (area - np.where(np.isnan(without[side]), area, without[side]))
        values[side] += (effect - effect.mean()) * len(pair.texts) / count
    return values


def _items(
    pairs: Sequence[EntityPair], areas: Sequence[float], values: Sequence[Floats], known: Mask
) -> Items:
    total, average = sum(len(pair.texts) for pair in pairs), float(np.mean(areas))
    return {
        "item": [f"{pair.name}\t{text}" for pair in pairs for text in pair.texts],
        "pair": [pair.name for pair in pairs for _ in pair.texts],
        "expresses": [bool(each) for pair in pairs for each in pair.expresses],
        # Weighed so that every pair of entities counts the same; what differs between pairs is no
        # part of the spread, since it is sentences that are drawn and not pairs.
        "value": [
            average + float(value - area) * total / (len(pairs) * len(each))
            for area, each in zip(areas, values, strict=True)
            for value in each
        ],
        "covered": known.tolist(),
    }


def _row(pair: EntityPair, part: Jackknifed, chance: Floats) -> PairArea:
    interval = jackknife_interval([part])
    return PairArea(
        relation=pair.relation,
        pair=pair.name,
        expressing=int(pair.expresses.sum()),
        sentences=len(pair.texts),
        auc=part.area,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        chance_low=float(np.quantile(chance, 0.025)),
        chance_high=float(np.quantile(chance, 0.975)),
    )


def _pooled_relations(
    crossed: Sequence[Crossed], pairs: Sequence[EntityPair]
) -> tuple[Floats, Floats]:
    """Return the scores of H and of L, of all pairs of entities together."""
    high, low = [], []
    for each, pair in zip(crossed, pairs, strict=True):
        inside = each.scores[np.ix_(pair.expresses, pair.expresses)]
        high.append(inside[~np.eye(len(inside), dtype=np.bool_)])
        low.append(each.scores[np.ix_(pair.expresses, ~pair.expresses)].ravel())
    return np.concatenate(high), np.concatenate(low)


_ANSWER_DRAWS = 1000


def qa_outcome(
    model: object, questions: Sequence[Question], subset: str, name: str, seed: int
) -> Outcome:
    """Rank the sentences of every question's document.

    ``subset`` names the model whose imperfect questions are also scored apart, ``overlap`` in the
    paper; empty for none.
    """
    if not questions:
        raise UndefinedScoreError(
            f"{name}: expected questions, got none", hint="add a question with its document"
        )
    units: list[Unit] = [((each.text,), each.document) for each in questions]
    hard, notes = _imperfect(subset, units, questions)
    crossed = unit_scores(
        model, units, lambda i, scores: normalised_rank(scores[0], questions[i].answers)
    )
    ranks = np.array(
        [
            normalised_rank(each.scores[0], question.answers)
            for each, question in zip(crossed, questions, strict=True)
        ]
    )
    known = _known(crossed, questions)
    _check_known(model, known, name)
    # Questions on one document are not independent.
    numbers = {each: i for i, each in enumerate(dict.fromkeys(q.document for q in questions))}
    documents = [numbers[each.document] for each in questions]
    draws = _random_sentences(crossed, questions, child_seed(seed, "baseline"))
    pooled = _pooled_answers(crossed, questions)
    return Outcome(
        metric="norm_rank",
        score=float(ranks.mean()),
        interval=mean_interval(ranks, documents),
        baseline=summarize_null(draws, kind="a random sentence"),
        n_items=len(questions),
        n_covered=int(known.sum()),
        oov="zero",
        statistic="mean",
        items={
            "item": [each.name for each in questions],
            "group": [str(each) for each in documents],
            "question": [each.text for each in questions],
            "answer": [
                question.document[_best(each.scores[0], question.answers)]
                for each, question in zip(crossed, questions, strict=True)
            ],
            "first": [
                question.document[int(each.scores[0].argmax())]
                for each, question in zip(crossed, questions, strict=True)
            ],
            # One per sentence of the document, in its order; the places of those that answer.
            "scores": [json.dumps(each.scores[0].round(7).tolist()) for each in crossed],
            "answers": [json.dumps(list(each.answers)) for each in questions],
            "form": [each.form for each in questions],
            "domain": [each.domain for each in questions],
            "value": ranks.tolist(),
            "covered": known.tolist(),
        },
        others={
            "hit_at_1": float((ranks == 1).mean()),
            **({"subset": float(ranks[hard].mean())} if hard is not None and hard.any() else {}),
        },
        details=AnswersDetails(
            subset=None if hard is None else Subset(model=subset, questions=int(hard.sum())),
            notes=tuple(notes),
            forms=_by(ranks, [each.form for each in questions]),
            domains=_by(ranks, [each.domain for each in questions]),
            missing=tuple(
                each.text for each, found in zip(questions, known, strict=True) if not found
            )[:10],
            worst=_worst(questions, crossed, ranks),
            pooled_auc=auc(*pooled),
            curve=thinned_curve(*pooled),
            densities=densities(*pooled),
        ).plain(),
    )


def normalised_rank(scores: Floats, answers: Sequence[int]) -> float:
    """Return the normalized rank of the best of the sentences that answer (equation 14).

    1 - answer / (length - 1), where answer is the place, from 0, in the order of falling scores;
    tied sentences share the middle one of their places.

    The paper has one answer. Of several, the best counts, and the others are left out of the
    document.

    Examples
    --------
    The answer ties with one sentence, below one and above one: place 1.5 of 0 to 3.

    >>> normalised_rank(np.array([0.2, 0.5, 0.9, 0.5]), [1])
    0.5
    """
    best = _best(scores, answers)
    kept = np.array([i for i in range(len(scores)) if i == best or i not in answers])
    ranks = midranks(scores[kept])
    return float((ranks[kept == best][0] - 1) / (len(kept) - 1))


def _best(scores: Floats, answers: Sequence[int]) -> int:
    """Return the answer with the highest score, of equals the first."""
    return max(answers, key=lambda place: (scores[place], -place))


def _first_other(scores: Floats, question: Question) -> str:
    """Return the sentence that comes first of those that do not answer."""
    others = [place for place in range(len(scores)) if place not in question.answers]
    return question.document[max(others, key=lambda place: (scores[place], -place))]


def _known(crossed: Sequence[Crossed], questions: Sequence[Question]) -> Mask:
    """Return which questions the model knows, together with a sentence that answers."""
    return np.array(
        [
            each.left_known[0] and each.right_known[list(question.answers)].any()
            for each, question in zip(crossed, questions, strict=True)
        ],
        dtype=np.bool_,
    )


def _imperfect(
    subset: str, units: Sequence[Unit], questions: Sequence[Question]
) -> tuple[Mask | None, list[str]]:
    """Return which questions a simple model does not answer perfectly.

    One that is not installed or not at hand is a note; one that cannot be is an error.
    """
    if not subset:
        return None, []
    try:
        crossed = cross_each(load(subset), units)
    except (MissingExtraError, ResourceError) as error:
        return None, [f"the subset where {subset} is not perfect is left out: {error.message}"]
    ranks = [
        normalised_rank(each.scores[0], question.answers)
        for each, question in zip(crossed, questions, strict=True)
    ]
    return np.array(ranks) < 1, []


def _random_sentences(
    crossed: Sequence[Crossed], questions: Sequence[Question], seed: int
) -> Floats:
    """Draw sentences of each document in place of the answers, as many as there are."""
    generator = np.random.default_rng(seed)
    draws = np.zeros(_ANSWER_DRAWS)
    for each, question in zip(crossed, questions, strict=True):
        ranks, count = midranks(each.scores[0]), len(question.answers)
        dealt = generator.random((_ANSWER_DRAWS, len(ranks))).argsort(axis=1)[:, :count]
        drawn = ranks[dealt]
        best = drawn.max(axis=1)
        # What else was drawn is left out: it is below the best one, or tied with it.
        tied = (drawn == best[:, None]).sum(axis=1) - 1
        draws += (best - 1 - (count - 1 - tied) - tied / 2) / (len(ranks) - count)
    return draws / len(crossed)


def _by(ranks: Floats, names: Sequence[str]) -> tuple[KindOfQuestion, ...]:
    """Average over the questions of each kind."""
    kinds = sorted({name for name in names if name})
    places = [np.array([name == kind for name in names]) for kind in kinds]
    return tuple(
        KindOfQuestion(kind=kind, questions=int(own.sum()), score=float(ranks[own].mean()))
        for kind, own in zip(kinds, places, strict=True)
    )


def _worst(
    questions: Sequence[Question], crossed: Sequence[Crossed], ranks: Floats, most: int = 8
) -> tuple[RankedQuestion, ...]:
    """Tell the questions whose answer came last, and what came first."""
    return tuple(
        RankedQuestion(
            question=questions[i].text,
            rank=float(ranks[i]),
            answer=questions[i].document[_best(crossed[i].scores[0], questions[i].answers)],
            first=_first_other(crossed[i].scores[0], questions[i]),
        )
        for i in np.argsort(ranks, kind="stable")[:most]
    )


def _pooled_answers(
    crossed: Sequence[Crossed], questions: Sequence[Question]
) -> tuple[Floats, Floats]:
    """Return the scores of H and of L, of all questions together."""
    both = list(zip(crossed, questions, strict=True))
    high = [each.scores[0][list(question.answers)] for each, question in both]
    low = [np.delete(each.scores[0], list(question.answers)) for each, question in both]
    return np.concatenate(high), np.concatenate(low)
