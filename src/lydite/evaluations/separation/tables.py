"""Separation in tables, for each set of data those of its task."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from lydite.declare import Metric
from lydite.drawing.section import ItemsLoader, cut_note
from lydite.drawing.table import (
    Cell,
    Column,
    Scalar,
    Table,
    Tone,
    covered_cell,
    interval_cell,
    model_column,
    number_cell,
    results_table,
    score_cell,
    score_column,
)
from lydite.drawing.text import cut
from lydite.evaluations.catalogue import Shown
from lydite.evaluations.separation.evaluation import Separation
from lydite.evaluations.separation.minimal_pairs import (
    CONTROLS,
    MinimalPairsDetails,
    PhenomenonAccuracy,
)
from lydite.evaluations.separation.tasks import (
    AnswersDetails,
    KindOfQuestion,
    PairArea,
    PairsDetails,
    PhenomenonArea,
    RelationDetails,
    SeparationDetails,
)
from lydite.results.record import Result
from lydite.results.trials import Trial, is_made_by, model_namer, spec_of_model, trials
from lydite.spec import Spec

#: A model that tells nothing apart scores this, whatever the task.
CHANCE = 0.5

_METRICS = {metric.name: metric for metric in Separation.metrics}
_AUC, _RANK, _HIT, _ACCURACY = (
    _METRICS[name] for name in ("auc", "norm_rank", "hit_at_1", "accuracy")
)
_PARTS = ("auc", "low", "high")
#: With more models than this there is no room for intervals, nor for them beside sentences.
_FEW = 3


def is_overlap(result: Result) -> bool:
    """Tell whether a model is lemma overlap by itself, the baseline to beat."""
    return is_made_by(result, Separation.baseline)


def mixture_of(result: Result) -> tuple[str, str] | None:
    """Return the other model and the weights of a hybrid of overlap and one other, else None.

    A hybrid's own spec says it: ``hybrid(overlap, usem3)`` is usem3, mixed by ``sum``.
    """
    spec = spec_of_model(result)
    if spec is None or spec.name != "hybrid":
        return None
    names = {str(each): each.name if isinstance(each, Spec) else each for each in spec.args}
    others = [text for text, name in names.items() if name != Separation.baseline]
    if len(spec.args) != 2 or len(others) != 1:
        return None
    return others[0], str(spec.param("weights", "sum"))


def compared(trial: Trial, most: int = 6) -> list[Result]:
    """Return the best models of a trial, best first, and always the best overlap among them."""
    ranked = trial.ranked()
    shown = ranked[:most]
    overlap = next(filter(is_overlap, ranked), None)
    if overlap is not None and not any(result is overlap for result in shown):
        shown = [*shown[:-1], overlap]
    return shown


def shown_note(trial: Trial, shown: Sequence[Result]) -> list[str]:
    """Say that models are missing, if any are."""
    which = "the best and overlap" if any(map(is_overlap, shown)) else "the best"
    note = cut_note(len(shown), len(trial.results), which=which)
    return [note] if note else []


def entity_pairs(result: Result) -> dict[str, PairArea]:
    """Return what a result tells of each pair of entities, by name.

    The relation is part of the name of a pair that is asked about with several.
    """
    rows = RelationDetails.of(result).pairs
    several = Counter(row.pair for row in rows)
    return {
        f"{row.pair} ({row.relation})" if several[row.pair] > 1 else row.pair: row for row in rows
    }


def phenomena_of(result: Result) -> dict[str, PhenomenonArea]:
    """Return what a result on labelled pairs tells of each phenomenon."""
    return {row.phenomenon: row for row in PairsDetails.of(result).phenomena}


def accuracies_of(result: Result) -> dict[str, PhenomenonAccuracy]:
    """Return what a result on minimal pairs tells of each phenomenon."""
    return {row.phenomenon: row for row in MinimalPairsDetails.of(result).phenomena}


class Part(NamedTuple):
    """The score of a part of the data, with the ends of its interval if there is one."""

    score: float
    low: float | None
    high: float | None

    @property
    def misled(self) -> bool:
        """Whether what differs in meaning is taken for more alike, by the whole interval."""
        return self.high is not None and self.high < CHANCE

    @property
    def seen(self) -> bool:
        """Whether the whole interval is above chance."""
        return self.low is not None and self.low > CHANCE


def parts_of(result: Result) -> dict[str, Part]:
    """Return the score of each phenomenon or entity pair, whatever the task."""
    if SeparationDetails.of(result).task == "minimal-pairs":
        told = accuracies_of(result)
        return {name: Part(row.accuracy, row.low, row.high) for name, row in told.items()}
    found = {**entity_pairs(result), **phenomena_of(result)}
    return {name: Part(row.auc, row.low, row.high) for name, row in found.items()}


def hardest_first(found: Sequence[Mapping[str, Part]]) -> list[str]:
    """Return the names of all parts of models, in the order of their mean score."""
    means = {
        name: fmean(rows[name].score for rows in found if name in rows)
        for name in dict.fromkeys(name for rows in found for name in rows)
    }
    return sorted(means, key=lambda name: (means[name], name))


def part_cell(
    part: Part | None, *, interval: bool = True, tone: Tone | None = None, metric: Metric = _AUC
) -> Cell:
    """Return a score, by default marked where its interval says that the model is misled."""
    if part is None:
        return Cell(text="", values=(None, None, None))
    marked: Tone = tone or ("warning" if part.misled else "plain")
    whole = interval_cell(*part, metric, tone=marked)
    if interval:
        return whole
    return Cell(text=metric.write(part.score), values=whole.values, tone=marked)


def _area_column(name: str) -> Column:
    return model_column(name, *(f"{name}: {part}" for part in _PARTS))


def relation_table(trial: Trial) -> Table:
    """Return one row per model, one column per pair of entities, and the average (Table 1)."""
    name = model_namer(trial.results)
    rows_of = [entity_pairs(result) for result in trial.results]
    found = [parts_of(result) for result in trial.results]
    known = {pair: row for each in rows_of for pair, row in each.items()}
    best = {pair: max(each[pair].score for each in found if pair in each) for pair in known}
    top = max(result.score for result in trial.results)

    def tone(value: float, most: float) -> Tone:
        # Of a single model nothing is the best.
        return "strong" if value == most and len(trial.results) > 1 else "plain"

    def cell(pair: str, part: Part | None) -> Cell:
        chosen = tone(part.score, best[pair]) if part else None
        return part_cell(part, interval=False, tone=chosen)

    rows: list[list[Cell | Scalar]] = [
        [
            name(result),
            *(cell(pair, each.get(pair)) for pair in known),
            score_cell(result, tone=tone(result.score, top)),
            covered_cell(result),
        ]
        for result, each in zip(trial.results, found, strict=True)
    ]
    counts = "; ".join(
        f"{pair}: {row.expressing} of {row.sentences}" for pair, row in known.items()
    )
    said = (
        f"Sentences that express the relation: {counts}. Intervals are over sentences, each "
        f"{_unit(known)} given."
    )
    return Table(
        columns=[
            Column(title="model"),
            # To the left, names of entities may take several lines.
            *(
                Column(title=pair, fields=(pair, f"{pair}: low", f"{pair}: high"), align="left")
                for pair in known
            ),
            score_column("average", "average"),
            Column(title="covered", fields=("n_covered", "n_items")),
        ],
        rows=rows,
        caption=f"{trial.title}: AUC by {_unit(known)}; chance is {CHANCE}",
        notes=[
            *([said] if known else []),
            *too_few_notes(trial, "three sentences of either kind for each entity pair"),
            *left_out_notes(trial),
        ],
    )


def _unit(known: Mapping[str, PairArea]) -> str:
    """Return what the sentences are about: two entities, or a relation of any."""
    apart = {row.pair == row.relation for row in known.values()}
    return "relation" if apart == {True} else "entity pair"


def too_few_notes(trial: Trial, least: str) -> list[str]:
    """Say what an interval takes, if there is none."""
    if all(result.interval for result in trial.results):
        return []
    return [f"No interval: it takes at least {least}."]


def left_out_notes(trial: Trial) -> list[str]:
    """Say which pairs of entities could not be scored, and why."""
    reasons: dict[str, str] = {}
    for result in trial.results:
        reasons |= RelationDetails.of(result).left_out
    return [f"{pair} is left out: {why}." for pair, why in reasons.items()]


def pairs_table(trial: Trial) -> list[Table]:
    """Return one row per pair of entities: its sentences, chance, and scores of the best models.

    Chance is where 95 % of the scores lie when labels are dealt out at random, by the best model.
    """
    shown = compared(trial, _FEW)
    found = [parts_of(result) for result in shown]
    known = {pair: row for each in reversed(shown) for pair, row in entity_pairs(each).items()}
    if not known:
        return []
    name = model_namer(trial.results)

    def chance(row: PairArea) -> Cell:
        ends = (row.chance_low, row.chance_high)
        text = " to ".join(_AUC.write(each) for each in ends if each is not None)
        return Cell(text=text, values=ends, tone="quiet")

    return [
        Table(
            columns=[
                Column(title="relation"),
                Column(title="entities", fields=("pair",)),
                Column(title="+", fields=("expressing",), align="right"),
                Column(title="N", fields=("sentences",), align="right"),
                Column(title="chance", fields=("chance_low", "chance_high"), align="right"),
                *(_area_column(name(result)) for result in shown),
            ],
            rows=[
                [
                    *(row.relation, row.pair, row.expressing, row.sentences, chance(row)),
                    *(part_cell(each.get(pair)) for each in found),
                ]
                for pair, row in known.items()
            ],
            caption=f"{trial.title}: each {_unit(known)}",
            notes=[
                "N: sentences; +: those that express the relation. Chance: 95\u00a0% of the AUCs "
                "of the best model with labels assigned at random. AUC with its interval, best "
                "model first.",
                *shown_note(trial, shown),
            ],
        )
    ]


def phenomena_table(trial: Trial, shown: Sequence[Result] | None = None) -> list[Table]:
    """Return one row per phenomenon, one column per model: what a model is blind to."""
    chosen = list(trial.results) if shown is None else list(shown)
    found = [parts_of(result) for result in chosen]
    names = hardest_first(found)
    if not names:
        return []
    name, few = model_namer(trial.results), len(found) <= _FEW
    return [
        Table(
            columns=[
                Column(title="phenomenon"),
                *(_area_column(name(result)) for result in chosen),
            ],
            rows=[
                [each, *(part_cell(rows.get(each), interval=few) for rows in found)]
                for each in names
            ],
            caption=f"{trial.title}: AUC by phenomenon, hardest first",
            notes=[
                "1: pairs that differ in form alone are always more similar than pairs that differ "
                "in meaning. 0.5: the model is blind to it. Below: form misleads it; marked where "
                "the interval is below 0.5.",
                *shown_note(trial, chosen),
            ],
        )
    ]


#: What is wrong with the score of a pair in H, and in L.
_WRONG = {"H": "not similar enough", "L": "too similar"}


def examples_table(trial: Trial) -> list[Table]:
    """Return, for the best model, mean scores in H and L and the worst pair of each phenomenon."""
    best = next((each for each in compared(trial) if phenomena_of(each)), None)
    if best is None:
        return []

    def mean(count: int, score: float | None) -> Cell:
        return Cell(text="" if score is None else f"{score:.3f} ({count})", values=(count, score))

    def example(row: PhenomenonArea) -> Cell:
        left, right, side = row.example or ("", "", "")
        said = f"{_WRONG.get(side, side)}: {cut(left)} / {cut(right)}" if left or right else ""
        return Cell(text=said, values=(left, right, side))

    return [
        Table(
            columns=[
                Column(title="phenomenon"),
                Column(title="AUC", fields=_PARTS),
                Column(title="H", fields=("similar", "similar_score"), align="right"),
                Column(title="L", fields=("dissimilar", "dissimilar_score"), align="right"),
                Column(title="furthest on the wrong side", fields=("left", "right", "label")),
            ],
            rows=[
                [
                    row.phenomenon,
                    part_cell(Part(row.auc, row.low, row.high)),
                    mean(row.similar, row.similar_score),
                    mean(row.dissimilar, row.dissimilar_score),
                    example(row),
                ]
                for row in PairsDetails.of(best).phenomena
            ],
            caption=f"{trial.title}: what misleads {model_namer(trial.results)(best)}",
            notes=[
                "H: mean score of pairs that should be similar, and how many there are; L: of "
                "those that should not. At the right, the pair whose score is furthest from where "
                "it should be."
            ],
        )
    ]


def models_table(trial: Trial) -> Table:
    """Return one row per model on minimal pairs: the mean, and how far phenomena differ.

    The controls come first; they have no interval, since they are no models.
    """
    name = model_namer(trial.results)
    told = [MinimalPairsDetails.of(result) for result in trial.results]
    controls = next((each.controls for each in told), {})
    extremes = {
        control: [row.controls[control] for row in told[0].phenomena if control in row.controls]
        for control in controls
    }

    def numbers(result: Result) -> list[Cell]:
        names = ("lowest", "highest", "spread", "order_with", "order_against")
        return [number_cell(result.others.get(each), _ACCURACY) for each in names]

    rows: list[list[Cell | Scalar]] = [
        [
            Cell(text=f"{control} (control)", values=(control,), tone="quiet"),
            interval_cell(mean, None, None, _ACCURACY, tone="quiet"),
            number_cell(min(extremes[control], default=None), _ACCURACY),
            number_cell(max(extremes[control], default=None), _ACCURACY),
            *(Cell(text="", values=(None,)) for _ in range(3)),
            Cell(text="", values=(None, None)),
        ]
        for control, mean in controls.items()
    ]
    rows += [
        [name(result), score_cell(result), *numbers(result), covered_cell(result)]
        for result in trial.results
    ]
    return Table(
        columns=[
            Column(title="model"),
            score_column("accuracy", "accuracy"),
            *(
                Column(title=title, fields=(each,), align="right")
                for title, each in (
                    ("lowest", "lowest"),
                    ("highest", "highest"),
                    ("deviation", "spread"),
                    ("order with", "order_with"),
                    ("order against", "order_against"),
                )
            ),
            Column(title="covered", fields=("n_covered", "n_items")),
        ],
        rows=rows,
        caption=f"{trial.title}: paired accuracy; chance is {CHANCE}",
        notes=[
            "Lowest, highest, deviation: over phenomena, without which the mean says little. Order "
            "with: items in which the order of words points to the sentence that says the same; "
            "order against: items in which it points to the other. A model that goes by order has "
            "1 and 0 there.",
            *too_few_notes(trial, "three items, from two sources"),
        ],
    )


def accuracy_table(trial: Trial, shown: Sequence[Result] | None = None) -> list[Table]:
    """Return one row per phenomenon: what controls get right, then what models do."""
    chosen = list(trial.results) if shown is None else list(shown)
    found = [parts_of(result) for result in chosen]
    names = hardest_first(found)
    if not names:
        return []
    name, few = model_namer(trial.results), len(found) <= _FEW
    rows = {each: row for result in chosen for each, row in accuracies_of(result).items()}
    return [
        Table(
            columns=[
                Column(title="phenomenon"),
                Column(title="items", fields=("items", "sources"), align="right"),
                *(Column(title=control, align="right") for control in CONTROLS),
                *(model_column(name(each), *_fields(name(each))) for each in chosen),
            ],
            rows=[
                [
                    each,
                    Cell(
                        text=f"{rows[each].items} ({rows[each].sources})",
                        values=(rows[each].items, rows[each].sources),
                    ),
                    *(
                        number_cell(rows[each].controls.get(control), _ACCURACY, tone="quiet")
                        for control in CONTROLS
                    ),
                    *(part_cell(part.get(each), interval=few, metric=_ACCURACY) for part in found),
                ]
                for each in names
            ],
            caption=f"{trial.title}: paired accuracy by phenomenon, hardest first",
            notes=[
                "How often the sentence that says the same scores above the one that does not; a "
                "tie counts half. 0.5: the model is blind to it. Below: form misleads it; marked "
                "where the interval is below 0.5. In parentheses: from how many sources the items "
                "were made; intervals are over sources. Word order (longest common subsequence), "
                "shared words and length know nothing of meaning.",
                *shown_note(trial, chosen),
            ],
        )
    ]


def _fields(name: str) -> tuple[str, ...]:
    return tuple(f"{name}: {part}" for part in ("accuracy", "low", "high"))


def misled_table(trial: Trial) -> list[Table]:
    """Return, for the best model, where order helps and misleads it, and its worst item."""
    best = next((each for each in compared(trial) if accuracies_of(each)), None)
    if best is None:
        return []

    def example(row: PhenomenonAccuracy) -> Cell:
        sentence, same, other = row.example or ("", "", "")
        said = f"{cut(sentence)} nearer to: {cut(other)} than to: {cut(same)}" if sentence else ""
        return Cell(text=said, values=(sentence, same, other))

    return [
        Table(
            columns=[
                Column(title="phenomenon"),
                Column(title="accuracy", fields=("accuracy", "low", "high")),
                Column(title="order with", fields=("order_with",), align="right"),
                Column(title="order against", fields=("order_against",), align="right"),
                Column(title="furthest on the wrong side", fields=("sentence", "same", "other")),
            ],
            rows=[
                [
                    row.phenomenon,
                    part_cell(Part(row.accuracy, row.low, row.high), metric=_ACCURACY),
                    number_cell(row.order_with, _ACCURACY),
                    number_cell(row.order_against, _ACCURACY),
                    example(row),
                ]
                for row in MinimalPairsDetails.of(best).phenomena
            ],
            caption=f"{trial.title}: what misleads {model_namer(trial.results)(best)}",
            notes=[
                "Order with: items in which the order of words points to the sentence that says "
                "the same; order against: to the other one. Empty: order says nothing."
            ],
        )
    ]


_HIT_NOTE = "Hit@1: the share of questions whose answer comes first, and alone."


def answers_table(trial: Trial) -> Table:
    """Return one row per model: pure, and mixed with overlap; all questions, and the subset.

    A hybrid of overlap and another model stands in that model's row, as in the paper's Table 3; one
    of a model that is not there, or with other weights, has a row of its own.
    """
    name = model_namer(trial.results)
    mixed, weights = _mixed(trial)
    apart, hits = (
        any(each in result.others for result in trial.results) for each in ("subset", "hit_at_1")
    )
    columns = []
    for title, field, there in (("", "", True), ("mixed: ", "mixed_", bool(mixed))):
        norm = f"{field}norm_rank"
        columns += [
            Column(title=f"{title}all", fields=(norm, f"{norm}_low", f"{norm}_high"), shown=there),
            Column(title=f"{title}subset", fields=(f"{field}subset",), shown=there and apart),
            Column(title=f"{title}hit@1", fields=(f"{field}hit_at_1",), shown=there and hits),
        ]
    # Above one half where several sentences answer a question.
    chance = fmean(result.baseline.mean for result in trial.results)
    how = "" if weights == "sum" else f", weights={weights}"
    return Table(
        columns=[
            Column(title="model"),
            *columns,
            Column(title="covered", fields=("n_covered", "n_items")),
        ],
        rows=[
            [name(result), *_ranks(result), *_ranks(mixed.get(result.model)), covered_cell(result)]
            for result in trial.results
            if not any(result is each for each in mixed.values())
        ],
        caption=f"{trial.title}: normalized rank of the answer; chance is {chance:.2f}",
        notes=[
            *([_HIT_NOTE] if hits else []),
            *too_few_notes(trial, "three questions, on two documents"),
            *subset_notes(trial),
            *([f"Mixed: the model's scores added to those of overlap{how}."] if mixed else []),
        ],
    )


def _mixed(trial: Trial) -> tuple[dict[str, Result], str]:
    """Return, by their models, the hybrids that stand in the rows of others, and their weights.

    All of them have the same weights, those of the paper if there are any with these.
    """
    known = {result.model for result in trial.results}
    mixtures = [(result, each) for result in trial.results if (each := mixture_of(result))]
    mixtures = [(result, each) for result, each in mixtures if each[0] in known]
    weights = [how for _, (_, how) in mixtures]
    chosen = "sum" if "sum" in weights or not weights else weights[0]
    # Of several the first.
    found = {model: result for result, (model, how) in reversed(mixtures) if how == chosen}
    return found, chosen


def _ranks(result: Result | None) -> list[Cell]:
    if result is None:
        return [Cell(text="", values=(None, None, None)), *2 * [Cell(text="", values=(None,))]]
    return [
        score_cell(result, tone="plain"),
        number_cell(result.others.get("subset"), _RANK),
        number_cell(result.others.get("hit_at_1"), _HIT),
    ]


def subset_notes(trial: Trial) -> list[str]:
    """Say which questions the subset has, or why there is none."""
    told = [AnswersDetails.of(result) for result in trial.results]
    said = [
        f"Subset: the {each.subset.questions} questions that {each.subset.model} does not answer "
        "perfectly."
        for each in told
        if each.subset
    ]
    notes = dict.fromkeys(f"{note[:1].upper()}{note[1:]}." for each in told for note in each.notes)
    return [*said[:1], *notes]


def kinds_tables(trial: Trial) -> list[Table]:
    """Return the normalized rank by the form of the answer and by domain, if there are several."""
    told = [AnswersDetails.of(result) for result in trial.results]
    return [
        *_kinds(trial, [each.forms for each in told], "by the form of the answer"),
        *_kinds(trial, [each.domains for each in told], "by domain"),
    ]


def _kinds(trial: Trial, told: Sequence[Sequence[KindOfQuestion]], caption: str) -> list[Table]:
    scores = [{row.kind: row.score for row in rows} for rows in told]
    counts = {row.kind: row.questions for rows in told for row in rows}
    if len(counts) < 2:
        return []
    name = model_namer(trial.results)
    return [
        Table(
            columns=[
                Column(title="model"),
                *(Column(title=f"{kind} ({n})", fields=(kind,)) for kind, n in counts.items()),
            ],
            rows=[
                [name(result), *(number_cell(each.get(kind), _RANK) for kind in counts)]
                for result, each in zip(trial.results, scores, strict=True)
            ],
            caption=f"{trial.title}: normalized rank {caption}",
            notes=["In parentheses: the number of questions."],
        )
    ]


def worst_table(trial: Trial, items: ItemsLoader) -> list[Table]:
    """Return the questions that the best model answers worst, with what came first instead.

    Beside its ranks those of other models, where their item tables tell them.
    """
    shown = compared(trial, _FEW)
    best = next((each for each in shown if AnswersDetails.of(each).worst), None)
    worst = [row for row in AnswersDetails.of(best).worst if row.rank < 1] if best else []
    if best is None or not worst:
        return []
    others = [each for each in shown if each is not best]
    ranks = [_rank_of_each(each, items) for each in others]
    name = model_namer(trial.results)
    titles = {"question": "question", "answer": "the answer", "first": "what came first"}
    rows: list[list[Cell | Scalar]] = [
        [
            *(
                Cell(text=cut(each), values=(each,))
                for each in (row.question, row.answer, row.first)
            ),
            number_cell(row.rank, _RANK),
            *(number_cell(each.get((row.question, row.answer)), _RANK) for each in ranks),
        ]
        for row in worst
    ]
    return [
        Table(
            columns=[
                *(Column(title=title, fields=(key,)) for key, title in titles.items()),
                *(model_column(name(result)) for result in (best, *others)),
            ],
            rows=rows,
            caption=f"{trial.title}: the questions that {name(best)} answers worst",
            notes=[
                "Normalized rank of the answer: 0 if every other sentence of the document is more "
                f"similar to the question. What came first: by {name(best)}.",
                *shown_note(trial, shown),
            ],
        )
    ]


def _rank_of_each(result: Result, items: ItemsLoader) -> dict[tuple[str, str], float]:
    """Return the rank of each question and answer, none without an item table."""
    table = items(result)
    if table is None or not {"question", "answer", "value"} <= set(table.columns):
        return {}
    columns = (table[name].to_list() for name in ("question", "answer", "value"))
    return {(question, answer): value for question, answer, value in zip(*columns, strict=True)}


def command_tables(results: Sequence[Result], items: ItemsLoader, shown: Shown) -> list[Table]:
    """Return, for each set of data, the tables of its task: the paper's Tables 1 and 3."""
    return [table for trial in trials(results) for table in _tables(trial)]


def _tables(trial: Trial) -> list[Table]:
    match task_of(trial):
        case "relation":
            return [relation_table(trial)]
        case "qa":
            return [answers_table(trial), *kinds_tables(trial)]
        case "minimal-pairs":
            return [models_table(trial), *accuracy_table(trial)]
        case "pairs":
            return [_pairs_results(trial), *phenomena_table(trial)]
    return [results_table(trial.results)]


def _pairs_results(trial: Trial) -> Table:
    """Return the scores on labelled pairs, with what else is known of pairs that are graded."""
    table = results_table(trial.results)
    others = [each for each in ("paired", "spearman") if each in trial.results[0].others]
    least = "three groups of pairs in H and three in L, where pairs that share a text are one group"
    return dataclasses.replace(
        table,
        columns=[*table.columns, *(Column(title=_METRICS[each].title) for each in others)],
        rows=[
            [*row, *(number_cell(result.others.get(each), _METRICS[each]) for each in others)]
            for row, result in zip(table.rows, trial.results, strict=True)
        ],
        notes=[*table.notes, *too_few_notes(trial, least), *between_notes(trial)],
    )


def between_notes(trial: Trial) -> list[str]:
    """Say how many graded pairs are in neither H nor L."""
    found = {PairsDetails.of(result).between for result in trial.results} - {0}
    return [
        f"{count:,} pairs have scores between the thresholds: they are in neither H nor L, but "
        "count for Spearman's rho."
        for count in sorted(found)
    ]


def task_of(trial: Trial) -> str:
    """Return what the data of a trial are; empty if it does not tell."""
    return SeparationDetails.of(trial.results[0]).task
