from __future__ import annotations

import csv
import dataclasses
import io
from pathlib import Path

import pytest
from typer.testing import CliRunner

import lydite
from lydite.cli.app import app
from lydite.cli.compare import _table
from lydite.suite import Suite, Task


def folder_of(tmp_path: Path, models: tuple[str, ...], evaluation: str, resource: str) -> str:
    task = Task(evaluation=evaluation, resources=(resource,))
    suite = Suite(name="t", models=models, tasks=(task,), seeds=(0, 1))
    lydite.run(suite, out=tmp_path / "run", processes=1)
    return str(tmp_path / "run")


@pytest.mark.parametrize("form", ["table", "markdown", "csv", "json"])
def test_quiet_keeps_cautions_on_standard_output(tmp_path: Path, form: str) -> None:
    models = ("random(10)", "random(20)")
    folder = folder_of(tmp_path, models, "qvec(method=cca)", "starter-supersenses")
    command = ["compare", folder, "--resamples", "100", "--format", form, "--quiet"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0
    assert "grows with dimensions" in done.stdout
    assert done.stderr == ""


def test_parameters_stay_in_the_evaluation_and_seeds_are_not_repeated(tmp_path: Path) -> None:
    models = ("random(10)", "random(20)")
    folder = folder_of(tmp_path, models, "similarity(metric=pearson)", "starter-similarity")
    command = ["compare", folder, "--resamples", "100", "--format", "csv"]
    (row,) = csv.DictReader(io.StringIO(CliRunner().invoke(app, command).stdout))
    assert (row["evaluation"], row["metric"]) == ("similarity(metric=pearson)", "pearson")
    assert row["seed"] == "0"
    assert float(row["p"]) >= float(row["p_permutation"])
    assert row["verdict"] in {"better", "worse", "undecided", "at the threshold"}


def test_a_p_at_the_threshold_is_said_to_be_undecided() -> None:
    task = Task(evaluation="similarity", resources=("starter-similarity",))
    suite = Suite(name="t", models=("random(10)", "random(20)"), tasks=(task,))
    (found,) = lydite.compare(lydite.run(suite, processes=1))
    near = dataclasses.replace(found, low=0.01, high=0.1, p_holm_low=0.0487, p_holm_high=0.0521)
    (note,) = _table([near]).notes
    assert "p (Holm) would lie from 0.0487 to 0.0521; take it for undecided" in str(note)
    assert _table([found]).notes == []
