"""The suites in the folder of examples."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite.evaluations.catalogue import Evaluation
from lydite.runner import run
from lydite.suite import read_suite
from lydite.trained.zoo.training import Zoo

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: str(path.stem))
def test_a_suite_can_be_asked(path: Path, tmp_path: Path) -> None:
    suite = read_suite(path)
    for task in suite.tasks:
        assert isinstance(task.evaluation, Evaluation)
    copy = tmp_path / path.name
    copy.write_text(suite.to_toml())
    assert read_suite(copy) == suite


def test_the_spaces_of_tsvetkov_2016() -> None:
    zoo = read_suite(EXAMPLES / "tsvetkov-2016.toml").zoo
    assert zoo is not None
    assert isinstance(zoo, Zoo)
    members = zoo.grid.members()
    # Seven families of three sizes, and two of them retrofitted as well.
    assert len(members) == len(zoo.models) == 7 * 3 + 2 * 3
    assert {"skipgram-100d-w5", "glove-300d-w5-ppdb-xl"} <= {member.slug for member in members}


def test_tsvetkov_2016_in_small(
    shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not (shared_data / "corpora/wikipedia-2014-20m.txt.gz").exists():
        pytest.skip("the corpus is not at hand")
    monkeypatch.chdir(tmp_path)
    suite = read_suite(EXAMPLES / "tsvetkov-2016-small.toml")
    finished = run(suite, out="run", processes=1)
    assert finished.failures == ()
    asked = sum(len(task.resources) for task in suite.tasks)
    assert len(finished.results) == 4 * asked
    scores = {
        (Path(result.model).stem, result.resource): result.score for result in finished.results
    }
    # Counts learn from two million words what prediction needs many more for.
    assert scores["lsa-50d", "men"] > 0.25
    assert all(score > 0.5 for (_, resource), score in scores.items() if resource == "sst-binary")
    assert run(suite, out="run", processes=1).resumed == len(finished.results)
