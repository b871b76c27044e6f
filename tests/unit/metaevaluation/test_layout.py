from __future__ import annotations

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.metaevaluation.evaluation import lay_out
from lydite.metaevaluation.scores import Measure, Scores
from lydite.spec import parse

WORDS = [("similarity", name, "spearman") for name in ("simlex-999", "ws-353", "men")]
ORACLES = ("semcor-supersenses", "ptb-pos-tags", "semcor-supersenses+ptb-pos-tags")
QVEC = [(f"qvec(method={m})", oracle, m) for oracle in ORACLES for m in ("cca", "qvec")]
TASKS = [("classification", "sst-binary", "accuracy"), ("classification", "20news-bydate", "acc")]
SYNTAX = [("parsing", "ud-ewt", "uas"), ("tagging", "ud-ewt", "accuracy")]
DOWNSTREAM = {evaluation for evaluation, _, _ in [*TASKS, *SYNTAX]}


def scores_of(*asked: tuple[str, str, str]) -> Scores:
    measures = tuple(
        Measure(
            evaluation=evaluation,
            name=parse(evaluation).name,
            parameters=dict(parse(evaluation).params),
            downstream=evaluation in DOWNSTREAM,
            resource=resource,
            data=resource,
            metric=metric,
        )
        for evaluation, resource, metric in asked
    )
    return Scores(models=("a",), measures=measures, values=np.zeros((1, len(measures))))


def test_the_papers_tables_have_their_rows_in_their_order() -> None:
    third, fourth, every = lay_out(scores_of(*WORDS, *QVEC, *TASKS, *SYNTAX))
    assert [row.name for row in third.rows] == ["WS-353", "MEN", "SimLex", "QVEC", "QVEC-CCA"]
    assert [column.name for column in third.columns] == ["20NG", "Senti"]
    assert third.missing == ("Metaphor",)
    assert [(row.group, row.name) for row in fourth.rows] == [
        ("", "WS-353"),
        ("", "MEN"),
        ("", "SimLex"),
        ("PTB", "QVEC"),
        ("PTB", "QVEC-CCA"),
        ("PTB+SST", "QVEC"),
        ("PTB+SST", "QVEC-CCA"),
    ]
    assert [column.name for column in fourth.columns] == ["POS", "Parse"]
    assert fourth.missing == ()
    assert (len(every.rows), len(every.columns)) == (9, 4)


def test_all_is_left_out_where_a_table_of_the_paper_says_everything() -> None:
    (only,) = lay_out(scores_of(*WORDS, *TASKS))
    assert only.key == "3"


def test_groups_of_the_whole_grid_are_not_torn_apart() -> None:
    (*_, every) = lay_out(
        scores_of(*QVEC[::2], *QVEC[1::2], ("subsumption", "t", "ss"), *TASKS, *SYNTAX)
    )
    assert [(row.group, row.name) for row in every.rows][:2] == [
        ("qvec SST", "QVEC-CCA"),
        ("qvec SST", "QVEC"),
    ]
    assert (every.rows[-1].group, every.rows[-1].name) == ("subsumption", "t")


def test_one_table_alone() -> None:
    (fourth,) = lay_out(scores_of(*WORDS, *QVEC, *TASKS, *SYNTAX), "4")
    assert len(fourth.pairs) == 14


def test_a_users_own_data_stand_in_the_whole_grid() -> None:
    own = scores_of(("similarity", "own.tsv", "spearman"), ("classification", "mine.csv", "acc"))
    (every,) = lay_out(own)
    assert (every.key, every.rows[0].name, every.columns[0].name) == ("all", "own.tsv", "mine.csv")


@pytest.mark.parametrize(("asked", "tables"), [(WORDS, "all"), (TASKS, "all"), (WORDS, "3")])
def test_nothing_to_correlate_is_refused(asked: list[tuple[str, str, str]], tables: str) -> None:
    with pytest.raises(InputError, match="expected intrinsic and downstream scores"):
        lay_out(scores_of(*asked), tables)  # type: ignore[arg-type]
