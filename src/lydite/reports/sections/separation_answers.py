"""Question answering in tables: the paper's Table 3, kinds of questions, and the worst of them."""

from __future__ import annotations

from statistics import fmean

from lydite.reports.metrics import metric_named
from lydite.reports.sections import ItemsLoader
from lydite.reports.sections.separation_models import compared, cut_note, mixture_of, told_rows
from lydite.reports.table import Cell, Column, Scalar, Table, covered_cell, model_column
from lydite.reports.trials import Trial
from lydite.reports.visible import cut
from lydite.results.naming import model_namer
from lydite.results.record import Result

_WRITE = metric_named("norm_rank").write
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
            text=f"{_WRITE(result.score)} [{_WRITE(low)}, {_WRITE(high)}]",
            values=(result.score, low, high),
        ),
        _rank(subset),
    ]


def _rank(value: float | None) -> Cell:
    return Cell(text="" if value is None else _WRITE(value), values=(value,))


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
