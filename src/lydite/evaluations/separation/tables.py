"""Separation in tables, for each set of data those of its task."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from lydite.drawing import palette
from lydite.drawing.metrics import metric_named
from lydite.drawing.section import ItemsLoader
from lydite.drawing.table import (
    Cell,
    Column,
    Scalar,
    Table,
    covered_cell,
    model_column,
    results_table,
)
from lydite.drawing.text import cut, shorten, visible
from lydite.errors import SpecError
from lydite.results.record import Result
from lydite.results.trials import Trial, model_namer, trials
from lydite.spec import parse
from lydite.types import PlainMapping

#: A model that tells nothing apart scores this, whatever the task.
CHANCE = 0.5

#: The colour and dashes of each line where models are drawn in one plot.
LINES = (
    (palette.ACCENT, "-"),
    (palette.FAILURE, "-"),
    (palette.GOLD, "-"),
    (palette.MUTED, "-"),
    (palette.FAINT, (0, (5, 1.5))),
    (palette.INK, (0, (1.5, 1.2))),
)


@dataclass(frozen=True, kw_only=True)
class Mixture:
    """A model whose scores are put together with those of lemma overlap.

    Attributes
    ----------
    model
        The model, by its spec.
    weights
        How they are put together; ``sum`` in the paper.
    """

    model: str
    weights: str


def mixture_of(result: Result) -> Mixture | None:
    """Return what a hybrid of overlap and one other model is made of, or None if it is none.

    A hybrid's own spec says it: ``hybrid(overlap, usem3)`` is usem3, mixed by ``sum``.
    """
    try:
        spec = parse(result.model)
        if spec.name != "hybrid" or len(spec.args) != 2:
            return None
        others = [str(each) for each in spec.args if parse(str(each)).name != "overlap"]
    except SpecError:
        return None
    if len(others) != 1:
        return None
    return Mixture(model=others[0], weights=str(spec.param("weights", "sum")))


def is_overlap(result: Result) -> bool:
    """Tell whether a model is lemma overlap by itself, the baseline to beat."""
    try:
        return parse(result.model).name == "overlap"
    except SpecError:
        return False


def compared(trial: Trial, most: int = len(LINES)) -> list[Result]:
    """Return the best models of a trial, best first, and always the best overlap among them."""
    ranked = trial.ranked()
    shown = ranked[:most]
    overlap = next((result for result in ranked if is_overlap(result)), None)
    if overlap is not None and not any(result is overlap for result in shown):
        shown = [*shown[:-1], overlap]
    return shown


def cut_note(trial: Trial, shown: Sequence[Result]) -> list[str]:
    """Say that models are missing, if any are."""
    if len(shown) == len(trial.results):
        return []
    kept = "the best and overlap" if any(map(is_overlap, shown)) else "the best"
    return [f"Shown: {len(shown)} of {len(trial.results)} models, {kept}."]


def in_two_lines(name: str, letters: int) -> list[str]:
    """Write a name in at most two lines of so many letters.

    >>> in_two_lines("hybrid(overlap, mean(glove-6b-50d))", 20)
    ['hybrid(overlap,', 'mean(glove-6b-50d))']
    """
    shown = visible(name)
    lines = textwrap.wrap(shown, letters, break_on_hyphens=False)
    if len(lines) <= 2:
        return lines
    return [lines[0], shorten(shown.removeprefix(lines[0]).strip(), letters)]


def told_rows(result: Result, key: str) -> Sequence[PlainMapping]:
    """Return the rows of a result's details, none if it does not tell of them."""
    rows = result.details.get(key, ())
    return rows if isinstance(rows, list | tuple) else ()


#: With more models than this there is no room for intervals.
INTERVALS = 3

_WRITE = metric_named("auc").write


def entity_pairs(result: Result) -> dict[str, PlainMapping]:
    """Return what a result tells of each pair of entities, by name.

    The relation is part of the name of a pair that is asked about with several.
    """
    rows = told_rows(result, "pairs")
    several = Counter(row["pair"] for row in rows)
    return {
        f"{row['pair']} ({row['relation']})" if several[row["pair"]] > 1 else row["pair"]: row
        for row in rows
    }


def relation_table(trial: Trial) -> Table:
    """Return one row a model, a column a pair of entities, and the average (Table 1)."""
    name = model_namer(trial.results)
    found = [entity_pairs(result) for result in trial.results]
    known = {pair: row for each in found for pair, row in each.items()}
    # Of a single model nothing is the best.
    several = len(trial.results) > 1
    best = {
        pair: max(each[pair]["auc"] for each in found if pair in each) if several else None
        for pair in known
    }
    top = max(result.score for result in trial.results) if several else None
    rows: list[list[Cell | Scalar]] = [
        [
            name(result),
            *(_area(each.get(pair), best[pair]) for pair in known),
            _average(result, top),
            covered_cell(result),
        ]
        for result, each in zip(trial.results, found, strict=True)
    ]
    return Table(
        columns=[
            Column(title="model"),
            # To the left, names of entities may take several lines.
            *(
                Column(title=pair, fields=(pair, f"{pair}: low", f"{pair}: high"), align="left")
                for pair in known
            ),
            Column(title="average", fields=("average", "average_low", "average_high")),
            Column(title="covered", fields=("n_covered", "n_items")),
        ],
        rows=rows,
        caption=f"{trial.title}: AUC by pair of entities; chance is 0.5",
        notes=[*_counts(known), *left_out_notes(trial)],
    )


def _counts(known: Mapping[str, PlainMapping]) -> list[str]:
    if not known:
        return []
    counts = "; ".join(
        f"{pair}: {row['expressing']} of {row['sentences']}" for pair, row in known.items()
    )
    return [f"Sentences that express the relation: {counts}. Intervals draw sentences."]


def left_out_notes(trial: Trial) -> list[str]:
    """Say which pairs of entities could not be scored, and why."""
    reasons: dict[str, str] = {}
    for result in trial.results:
        reasons |= result.details.get("left_out") or {}
    return [f"{pair} is left out: {why}." for pair, why in reasons.items()]


def _area(row: PlainMapping | None, best: float | None) -> Cell:
    if row is None:
        return Cell(text="", values=(None, None, None))
    return Cell(
        text=_WRITE(row["auc"]),
        values=(row["auc"], row["low"], row["high"]),
        tone="strong" if row["auc"] == best else "plain",
    )


def _average(result: Result, best: float | None) -> Cell:
    low, high = result.interval.low, result.interval.high
    return Cell(
        text=f"{_WRITE(result.score)} [{_WRITE(low)}, {_WRITE(high)}]",
        values=(result.score, low, high),
        tone="strong" if result.score == best else "plain",
    )


def pairs_table(trial: Trial) -> list[Table]:
    """Return one row a pair of entities: its sentences, chance, and the scores of the best models.

    Chance is where 95 % of the scores lie when labels are dealt out at random, by the best model.
    """
    shown = compared(trial, INTERVALS)
    found = [entity_pairs(result) for result in shown]
    known = {pair: row for each in reversed(found) for pair, row in each.items()}
    if not known:
        return []
    name = model_namer(trial.results)
    return [
        Table(
            columns=[
                Column(title="relation"),
                Column(title="entities", fields=("pair",)),
                Column(title="+", fields=("expressing",), align="right"),
                Column(title="N", fields=("sentences",), align="right"),
                Column(title="chance", fields=("chance_low", "chance_high"), align="right"),
                *(
                    model_column(
                        name(result),
                        *(f"{name(result)}: {part}" for part in ("auc", "low", "high")),
                    )
                    for result in shown
                ),
            ],
            rows=[_pair(known[pair], [each.get(pair) for each in found]) for pair in known],
            caption=f"{trial.title}: the pairs of entities",
            notes=[
                "N: sentences; +: those that express the relation. Chance: 95\u00a0% of the AUCs "
                "of the best model with labels dealt out at random. AUC with its interval, best "
                "model first.",
                *cut_note(trial, shown),
            ],
        )
    ]


def _pair(about: PlainMapping, areas: Sequence[PlainMapping | None]) -> list[Cell | Scalar]:
    low, high = about.get("chance_low"), about.get("chance_high")
    chance = "" if low is None or high is None else f"{_WRITE(low)} to {_WRITE(high)}"
    return [
        about["relation"],
        about["pair"],
        about["expressing"],
        about["sentences"],
        Cell(text=chance, values=(low, high), tone="quiet"),
        *(area_cell(row) for row in areas),
    ]


def area_cell(row: PlainMapping | None, *, interval: bool = True) -> Cell:
    """Return an AUC, marked where its interval says that the model is misled.

    Parameters
    ----------
    interval
        Whether people see the interval too; machines do.
    """
    if row is None:
        return Cell(text="", values=(None, None, None))
    area, low, high = (row[key] for key in ("auc", "low", "high"))
    return Cell(
        text=_WRITE(area) + (f" [{_WRITE(low)}, {_WRITE(high)}]" if interval else ""),
        values=(area, low, high),
        # Below chance: what differs in meaning is taken for more alike.
        tone="warning" if high < 0.5 else "plain",
    )


#: What is wrong with the score of a pair in H, and in L.
_WRONG = {"H": "not similar enough", "L": "too similar"}


def hardest_first(found: Sequence[Mapping[str, PlainMapping]]) -> list[str]:
    """Return the names of all rows, in the order of their mean AUC over the models.

    Parameters
    ----------
    found
        The rows of each model by their names.
    """
    names = dict.fromkeys(each for rows in found for each in rows)
    means = {
        each: fmean(float(rows[each]["auc"]) for rows in found if each in rows) for each in names
    }
    return sorted(means, key=lambda each: (means[each], each))


def phenomena_of(result: Result) -> dict[str, PlainMapping]:
    """Return what a result tells of each phenomenon."""
    return {row["phenomenon"]: row for row in told_rows(result, "phenomena")}


def phenomena_table(trial: Trial, shown: Sequence[Result] | None = None) -> list[Table]:
    """Return one row a phenomenon, a column a model: what a model is blind to.

    Parameters
    ----------
    shown
        The models, by default all.
    """
    chosen = list(trial.results) if shown is None else list(shown)
    found = [phenomena_of(result) for result in chosen]
    names = hardest_first(found)
    if not names:
        return []
    name = model_namer(trial.results)
    return [
        Table(
            columns=[
                Column(title="phenomenon"),
                *(
                    model_column(
                        name(result),
                        *(f"{name(result)}: {part}" for part in ("auc", "low", "high")),
                    )
                    for result in chosen
                ),
            ],
            rows=[
                [
                    each,
                    *(
                        area_cell(rows.get(each), interval=len(found) <= INTERVALS)
                        for rows in found
                    ),
                ]
                for each in names
            ],
            caption=f"{trial.title}: AUC by phenomenon, hardest first",
            notes=[
                "1: pairs that differ in form alone are always more similar than pairs that differ "
                "in meaning. 0.5: the model is blind to it. Below: form misleads it; marked where "
                "the interval is below 0.5.",
                *cut_note(trial, chosen),
            ],
        )
    ]


def examples_table(trial: Trial) -> list[Table]:
    """Return, for the best model, mean scores in H and L and the worst pair of each phenomenon."""
    best = next((each for each in compared(trial) if phenomena_of(each)), None)
    if best is None:
        return []
    name = model_namer(trial.results)
    return [
        Table(
            columns=[
                Column(title="phenomenon"),
                Column(title="AUC", fields=("auc", "low", "high")),
                Column(title="H", fields=("similar", "similar_score"), align="right"),
                Column(title="L", fields=("dissimilar", "dissimilar_score"), align="right"),
                Column(title="furthest on the wrong side", fields=("left", "right", "label")),
            ],
            rows=[_example(row) for row in told_rows(best, "phenomena")],
            caption=f"{trial.title}: what misleads {name(best)}",
            notes=[
                "H: mean score of pairs that should be similar, and how many there are; L: of "
                "those that should not. At the right, the pair whose score is furthest from where "
                "it should be."
            ],
        )
    ]


def _example(row: PlainMapping) -> list[Cell | Scalar]:
    left, right, side = row.get("example") or ("", "", "")
    said = f"{_WRONG.get(side, side)}: {cut(left)} / {cut(right)}" if left or right else ""
    return [
        row["phenomenon"],
        area_cell(row),
        *(
            Cell(
                text="" if score is None else f"{score:.3f} ({row[kind]})",
                values=(row[kind], score),
            )
            for kind in ("similar", "dissimilar")
            for score in [row.get(f"{kind}_score")]
        ),
        Cell(text=said, values=(left, right, side)),
    ]


_WRITE_ANSWERS = metric_named("norm_rank").write
#: Questions that are told of, and models beside them, since sentences need the room.
_QUESTIONS, _MODELS = 8, 3
_SENTENCES = {"question": "question", "answer": "the answer", "first": "what came first"}


def answers_table(trial: Trial) -> Table:
    """Return one row a model: pure, and mixed with overlap; all questions, and the subset.

    A hybrid of overlap and another model stands in that model's row, as in the paper's Table 3; one
    of a model that is not there, or with other weights, has a row of its own.
    """
    name = model_namer(trial.results)
    mixed, weights = _mixed(trial)
    rows: list[list[Cell | Scalar]] = [
        [
            name(result),
            *_scores(result),
            *_scores(mixed.get(result.model)),
            covered_cell(result),
        ]
        for result in trial.results
        if not any(result is each for each in mixed.values())
    ]
    apart = any("subset" in result.others for result in trial.results)
    # Above one half where several sentences answer a question.
    chance = fmean(result.baseline.mean for result in trial.results)
    titles = {"all": "norm_rank", "mixed: all": "mixed_norm_rank"}
    return Table(
        columns=[
            Column(title="model"),
            *(
                column
                for title, field in titles.items()
                for column in (
                    Column(
                        title=title,
                        fields=(field, f"{field}_low", f"{field}_high"),
                        shown=title == "all" or bool(mixed),
                    ),
                    Column(
                        title=title.replace("all", "subset"),
                        fields=(field.replace("norm_rank", "subset"),),
                        shown=apart and (title == "all" or bool(mixed)),
                    ),
                )
            ),
            Column(title="covered", fields=("n_covered", "n_items")),
        ],
        rows=rows,
        caption=f"{trial.title}: normalised rank of the answer; chance is {chance:.2f}",
        notes=[
            *subset_notes(trial),
            *(
                [
                    f"Mixed: the model's scores added to those of overlap"
                    f"{'' if weights == 'sum' else f', weights={weights}'}."
                ]
                if mixed
                else []
            ),
        ],
    )


def _mixed(trial: Trial) -> tuple[dict[str, Result], str]:
    """Return, by their models, the hybrids that stand in the rows of others, and their weights.

    All of them have the same weights, those of the paper if there are any with these.
    """
    known = {result.model for result in trial.results}
    found = [(result, mixture_of(result)) for result in trial.results]
    mixtures = [(result, each) for result, each in found if each and each.model in known]
    if not mixtures:
        return {}, "sum"
    all_weights = [each.weights for _, each in mixtures]
    weights = "sum" if "sum" in all_weights else all_weights[0]
    chosen: dict[str, Result] = {}
    for result, each in mixtures:
        if each.weights == weights:
            chosen.setdefault(each.model, result)
    return chosen, weights


def subset_notes(trial: Trial) -> list[str]:
    """Say which questions the subset has, or why there is none."""
    told = (result.details.get("subset") for result in trial.results)
    subset = next((each for each in told if each), None)
    said = []
    if subset:
        said.append(
            f"Subset: the {subset['questions']} questions that {subset['model']} does not answer "
            "perfectly."
        )
    notes = (note for result in trial.results for note in result.details.get("notes") or ())
    return [*said, *dict.fromkeys(f"{str(note)[:1].upper()}{str(note)[1:]}." for note in notes)]


def _scores(result: Result | None) -> list[Cell]:
    if result is None:
        return [Cell(text="", values=(None, None, None)), Cell(text="", values=(None,))]
    low, high = result.interval.low, result.interval.high
    subset = result.others.get("subset")
    return [
        Cell(
            text=f"{_WRITE_ANSWERS(result.score)} [{_WRITE_ANSWERS(low)}, {_WRITE_ANSWERS(high)}]",
            values=(result.score, low, high),
        ),
        _rank(subset),
    ]


def _rank(value: float | None) -> Cell:
    return Cell(text="" if value is None else _WRITE_ANSWERS(value), values=(value,))


def kinds_tables(trial: Trial) -> list[Table]:
    """Return the normalised rank by the form of the answer and by domain, if there are several."""
    return [
        *_kinds(trial, "forms", "by the form of the answer"),
        *_kinds(trial, "domains", "by domain"),
    ]


def _kinds(trial: Trial, key: str, caption: str) -> list[Table]:
    told = [{row["kind"]: row for row in told_rows(result, key)} for result in trial.results]
    counts = {kind: row["questions"] for each in told for kind, row in each.items()}
    if len(counts) < 2:
        return []
    name = model_namer(trial.results)
    return [
        Table(
            columns=[
                Column(title="model"),
                *(
                    Column(title=f"{kind} ({count})", fields=(kind,))
                    for kind, count in counts.items()
                ),
            ],
            rows=[
                [
                    name(result),
                    *(_rank(rows[kind]["score"] if kind in rows else None) for kind in counts),
                ]
                for result, rows in zip(trial.results, told, strict=True)
            ],
            caption=f"{trial.title}: normalised rank {caption}",
            notes=["In brackets, how many questions."],
        )
    ]


def worst_table(trial: Trial, items: ItemsLoader) -> list[Table]:
    """Return the questions that the best model answers worst, with what came first instead.

    Beside its ranks those of other models, where their item tables tell them.
    """
    shown = compared(trial, _MODELS)
    best = next((each for each in shown if told_rows(each, "worst")), None)
    if best is None:
        return []
    worst = [row for row in told_rows(best, "worst") if row["rank"] < 1][:_QUESTIONS]
    if not worst:
        return []
    others = [each for each in shown if each is not best]
    ranks = [_ranks(each, items) for each in others]
    name = model_namer(trial.results)
    rows: list[list[Cell | Scalar]] = [
        [
            *(Cell(text=cut(row[key]), values=(row[key],)) for key in _SENTENCES),
            _rank(row["rank"]),
            *(_rank(each.get((row["question"], row["answer"]))) for each in ranks),
        ]
        for row in worst
    ]
    return [
        Table(
            columns=[
                *(Column(title=title, fields=(key,)) for key, title in _SENTENCES.items()),
                *(model_column(name(result)) for result in (best, *others)),
            ],
            rows=rows,
            caption=f"{trial.title}: the questions that {name(best)} answers worst",
            notes=[
                "Normalised rank of the answer: 0 if every other sentence of the document is more "
                f"similar to the question. What came first: by {name(best)}.",
                *cut_note(trial, shown),
            ],
        )
    ]


def _ranks(result: Result, items: ItemsLoader) -> dict[tuple[str, str], float]:
    """Return the rank of each question and answer, none without an item table."""
    table = items(result)
    if table is None or not {"question", "answer", "value"} <= set(table.columns):
        return {}
    columns = (table[name].to_list() for name in ("question", "answer", "value"))
    return {(question, answer): value for question, answer, value in zip(*columns, strict=True)}


def separation_tables(results: Sequence[Result]) -> list[Table]:
    """Return, for each set of data, the table of its task: the paper's Tables 1 and 3."""
    return [table for trial in trials(results) for table in _tables(trial)]


def _tables(trial: Trial) -> list[Table]:
    task = trial.results[0].details.get("task")
    if task == "relation":
        return [relation_table(trial)]
    if task == "qa":
        return [answers_table(trial), *kinds_tables(trial)]
    if task == "pairs":
        return [results_table(trial.results), *phenomena_table(trial)]
    return [results_table(trial.results)]
