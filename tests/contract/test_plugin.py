"""A package of somebody else's is installed and used like what Lydite brings itself."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

_PLUGIN = Path(__file__).parents[1] / "plugin"

_ASK = """
import json, logging
logging.basicConfig(format="%(levelname)s %(name)s %(message)s")
import lydite
from lydite.evaluations import EVALUATIONS
from lydite.evaluations.catalogue import make_evaluation
from lydite.models.catalogue import MODELS
from lydite.resources.catalogue import locate, names
model = lydite.load("letters(ab)")
result = lydite.evaluate(model, "separation-by-length(norm=l1)", "lydite-test-words")
print(json.dumps({
    "models": list(MODELS),
    "evaluations": list(EVALUATIONS),
    "resources": names(),
    "random": type(lydite.load("random(3)")).__name__,
    "default": lydite.load("letters").spec,
    "spec": model.spec,
    "vectors": model.encode(["aab"]).tolist(),
    "evaluation": make_evaluation("separation-by-length").spec,
    "file": locate("lydite-test-words").single().name,
    "result": json.loads(result.to_json()),
}))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the plugin installed in it."""
    folder = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-cache-dir", "install"]
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--no-compile"]
    done = subprocess.run(
        [*pip, *options, "--target", str(folder), str(_PLUGIN)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


def _run(code: str, site: Path) -> subprocess.CompletedProcess[str]:
    data = site / "lydite_test_plugin" / "data"
    path = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path, "LYDITE_DATA": str(data)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def asked(site: Path) -> tuple[dict[str, Any], list[str]]:
    """What a process with the plugin says, and what it warns of."""
    done = _run(_ASK, site)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr.splitlines()


def test_all_that_it_brings_is_listed(asked: tuple[dict[str, Any], list[str]]) -> None:
    said, _ = asked
    assert "letters" in said["models"]
    assert "separation-by-length" in said["evaluations"]
    assert "lydite-test-words" in said["resources"]
    assert said["models"] == sorted(said["models"])


def test_its_model_is_made_from_a_spec(asked: tuple[dict[str, Any], list[str]]) -> None:
    said, _ = asked
    assert (said["spec"], said["default"]) == ("letters(ab)", "letters(abc)")
    assert said["vectors"] == [[2.0, 1.0]]


def test_its_resource_is_found(asked: tuple[dict[str, Any], list[str]]) -> None:
    assert asked[0]["file"] == "lydite-test-words.txt"


def test_its_evaluation_gives_a_result(asked: tuple[dict[str, Any], list[str]]) -> None:
    said, _ = asked
    result = said["result"]
    assert said["evaluation"] == "separation-by-length"
    assert result["evaluation"] == "separation-by-length(norm=l1)"
    assert (result["model"], result["resource"]) == ("letters(ab)", "lydite-test-words")
    # Of a and b, aab has 3, bca has 2 and xyz has none: (3 + 2 + 0) / 3.
    assert result["score"] == pytest.approx(5 / 3)
    assert (result["n_items"], result["n_covered"]) == (3, 2)


def test_what_is_broken_is_a_warning(asked: tuple[dict[str, Any], list[str]]) -> None:
    said, warnings = asked
    assert "broken" not in said["models"]
    assert (
        "WARNING lydite.registry plugin lydite_test_plugin.absent:model could not be loaded: "
        "No module named 'lydite_test_plugin.absent'"
    ) in warnings


def test_a_name_that_is_taken_is_a_warning(asked: tuple[dict[str, Any], list[str]]) -> None:
    said, warnings = asked
    assert said["random"] == "RandomModel"
    assert (
        "WARNING lydite.registry plugin lydite_test_plugin.model:letters: "
        "the model 'random' exists already; the plugin's is left out"
    ) in warnings
    assert len(warnings) == 2


def test_the_broken_model_is_unknown_by_name(site: Path) -> None:
    done = _run("import lydite; lydite.load('broken')", site)
    assert done.returncode != 0
    assert "UnknownNameError: no model is called 'broken'" in done.stderr


def test_parameters_are_checked_like_those_of_builtins(site: Path) -> None:
    done = _run("import lydite; lydite.load('letters(alphabt=xyz)')", site)
    assert "SpecError: letters(alphabt=xyz): no parameter is called 'alphabt'" in done.stderr
    assert "hint: did you mean alphabet? expected letters(alphabet=abc)" in done.stderr


def test_the_command_line_lists_it(site: Path) -> None:
    code = "run_app(['models', 'ls']); print(';', flush=True); run_app(['evaluations', 'ls'])"
    done = _run(f"from lydite.cli.app import run_app; {code}", site)
    models, evaluations = done.stdout.split("\n;\n")
    assert "letters" in models, done.stderr
    assert "separation-by-length" in evaluations, done.stderr
