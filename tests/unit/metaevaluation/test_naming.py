from __future__ import annotations

import pytest

from lydite.metaevaluation.scores import (
    Measure,
    measure_names,
    model_names,
    short_name,
    write_correlation,
)
from lydite.spec import parse


def measure(
    evaluation: str,
    resource: str,
    metric: str = "accuracy",
    *,
    further: bool = False,
    form: str = "",
    data: str = "0" * 64,
) -> Measure:
    asked = parse(evaluation)
    return Measure(
        evaluation=evaluation,
        name=asked.name,
        parameters=dict(asked.params),
        resource=resource,
        data=data,
        metric=metric,
        further=further,
        form=form,
    )


@pytest.mark.parametrize(
    ("given", "name"),
    [
        (measure("similarity", "ws-353", "spearman"), "WS-353"),
        (measure("similarity", "simlex-999", "spearman"), "SimLex"),
        (measure("similarity", "folder/own.tsv", "spearman"), "own.tsv"),
        (measure("qvec(method=qvec)", "semcor-supersenses", "qvec"), "QVEC SST"),
        (measure("qvec(method=cca)", "ptb-pos-tags", "cca"), "QVEC-CCA PTB"),
        (measure("qvec", "semcor-supersenses+ptb-pos-tags", "cca"), "QVEC-CCA PTB+SST"),
        (measure("qvec", "ptb-pos-tags + semcor-supersenses", "cca"), "QVEC-CCA PTB+SST"),
        (
            measure("qvec(method=qvec)", "own.tsv", "explained", further=True),
            "QVEC own.tsv explained",
        ),
        (measure("classification(task=all)", "20news-bydate"), "20NG"),
        (measure("classification(task=sports)", "20news-bydate"), "20NG sports"),
        (measure("classification", "sst-binary"), "Senti"),
        (measure("tagging", "ud-ewt"), "POS"),
        (measure("parsing", "ud-ewt", "las", further=True), "Parse LAS"),
        (measure("subsumption", "starter-taxonomy", "ss"), "subsumption starter-taxonomy"),
    ],
)
def test_measures_are_called_as_in_the_paper(given: Measure, name: str) -> None:
    assert short_name(given) == name


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        (measure("tagging", "a"), measure("tagging", "b"), ["POS (a)", "POS (b)"]),
        (
            measure("similarity(metric=pearson)", "men", "pearson"),
            measure("similarity(metric=spearman)", "men", "spearman"),
            ["MEN (pearson)", "MEN (spearman)"],
        ),
        (
            measure("qvec(method=cca, normalize=true)", "ptb-pos-tags", "cca"),
            measure("qvec(method=cca, normalize=false)", "ptb-pos-tags", "cca"),
            ["QVEC-CCA PTB (normalize=True)", "QVEC-CCA PTB (normalize=False)"],
        ),
        (
            measure("localization", "x", "svm", form="mean(·)"),
            measure("localization", "x", "svm"),
            ["localization x (mean(·))", "localization x (itself)"],
        ),
        (
            measure("tagging", "a", data="1" * 64),
            measure("tagging", "a", data="2" * 64),
            ["POS (data=11111111)", "POS (data=22222222)"],
        ),
    ],
)
def test_namesakes_are_told_apart_by_what_differs(
    first: Measure, second: Measure, names: list[str]
) -> None:
    assert list(measure_names([first, second]).values()) == names


def test_all_names_differ() -> None:
    several = [
        measure(f"tagging(window={window})", resource, data=data * 64, form=form)
        for window in (1, 2)
        for resource in "ab"
        for data in "12"
        for form in ("", "mean(·)")
    ]
    assert len(set(measure_names(several).values())) == len(several)


def test_models_are_called_by_their_file_where_that_tells_them_apart() -> None:
    models = ["x/a.txt", "y/a.txt", "zoo/lsa-100d.safetensors", "glove-6b-50d", "hybrid(a, b.txt)"]
    assert list(model_names(models).values()) == [
        "x/a.txt",
        "y/a.txt",
        "lsa-100d",
        "glove-6b-50d",
        "hybrid(a, b.txt)",
    ]


def test_a_correlation_is_never_minus_nought() -> None:
    assert write_correlation(-0.001) == "0.00"
    assert write_correlation(-0.996) == "-1.00"


def test_tags_of_a_treebank_are_parts_of_speech() -> None:
    names = {
        resource: short_name(measure("tagging", resource))
        for resource in ("ud-ewt", "mine/corpus.conllu.gz", "mine/ner.tsv")
    }
    assert list(names.values()) == ["POS", "POS", "tagging ner.tsv"]
