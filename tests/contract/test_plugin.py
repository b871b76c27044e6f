"""A package of somebody else's is installed and used like what Lydite brings itself.

The plugin is one file. Its evaluation declares itself once; its command, completion, place in the
reference and section of the report follow from that.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

_ROOT = Path(__file__).parents[2]
_PLUGIN = _ROOT / "tests" / "plugin"
_WORDS = "a\nbb\naab\nabab\nxyzzy\nbusiness\n"

_ASK = """
import json, logging
logging.basicConfig(format="%(levelname)s %(name)s %(message)s")
import lydite
from lydite.evaluations import EVALUATIONS
from lydite.evaluations.catalogue import make_evaluation
from lydite.models import MODELS
from lydite.resources.catalogue import names
model = lydite.load("letters(ab)")
result = lydite.evaluate(model, "separation-by-length(norm=l1)", "six-words")
print(json.dumps({
    "models": list(MODELS),
    "evaluations": list(EVALUATIONS),
    "resources": names(),
    "random": type(lydite.load("random(3)")).__name__,
    "default": lydite.load("letters").spec,
    "spec": model.spec,
    "vectors": model.encode(["aab"]).tolist(),
    "evaluation": make_evaluation("separation-by-length").spec,
    "file": lydite.locate("six-words").single().name,
    "result": json.loads(result.to_json()),
}))
"""

_DESCRIBE = f"""
import json, runpy
from lydite.cli.app import all_commands
from lydite.evaluations import EVALUATIONS
from lydite.models import MODELS
script = runpy.run_path({str(_ROOT / "docs" / "generate.py")!r})
name = "separation-by-length"
print(json.dumps({{
    "evaluation": script["describe_evaluation"](name, EVALUATIONS.get(name)),
    "command": script["describe"](name, dict(all_commands())[name]),
    "model": script["describe_model"]("letters", MODELS.get("letters")),
    "own": [*script["evaluation_sections"](), *script["command_sections"]()],
}}))
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


def _run(code: str, site: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    data = site.parent / "data-of-plugin"
    data.mkdir(exist_ok=True)
    (data / "six-words.txt").write_text(_WORDS, "ascii")
    path = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "PYTHONPATH": path, "LYDITE_DATA": str(data), "COLUMNS": "120", **more},
        capture_output=True,
        text=True,
        check=False,
    )


def _lydite(site: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command line in a process that has the plugin."""
    return _run("from lydite.cli import main; main()", site, *arguments, **more)


def _complete(site: Path, line: str) -> list[str]:
    """Return what the shell offers for the last word of a line."""
    place = str(len(line.split(" ")) - 1)
    done = _lydite(site, _LYDITE_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=place)
    return done.stdout.split()


@pytest.fixture(scope="module")
def asked(site: Path) -> tuple[dict[str, Any], list[str]]:
    """What a process with the plugin says, and what it warns of."""
    done = _run(_ASK, site)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr.splitlines()


def test_the_guide_shows_this_plugin() -> None:
    [file] = (_PLUGIN / "src").iterdir()
    guide = (_ROOT / "docs" / "guides" / "plugins.md").read_text("utf-8")
    assert f"```python\n{file.read_text('utf-8')}```\n" in guide


def test_all_that_it_brings_is_listed(asked: tuple[dict[str, Any], list[str]]) -> None:
    said, _ = asked
    assert "letters" in said["models"]
    assert "separation-by-length" in said["evaluations"]
    assert "six-words" in said["resources"]
    assert said["models"] == sorted(said["models"])


def test_its_model_is_made_from_a_spec(asked: tuple[dict[str, Any], list[str]]) -> None:
    said, _ = asked
    assert (said["spec"], said["default"]) == ("letters(alphabet=ab)", "letters")
    assert said["vectors"] == [[2.0, 1.0]]


def test_its_resource_is_found(asked: tuple[dict[str, Any], list[str]]) -> None:
    assert asked[0]["file"] == "six-words.txt"


def test_its_evaluation_gives_a_result(asked: tuple[dict[str, Any], list[str]]) -> None:
    said, _ = asked
    result = said["result"]
    assert said["evaluation"] == "separation-by-length"
    assert result["evaluation"] == "separation-by-length(norm=l1)"
    assert (result["model"], result["resource"]) == ("letters(alphabet=ab)", "six-words")
    # Of a, bb, aab, abab and business the last two are the longer ones, with 4 and 1 letters of the
    # alphabet; the vectors of aab and abab are, with 3 and 4. On a, bb and abab both agree.
    assert result["score"] == pytest.approx(3 / 5)
    assert (result["n_items"], result["n_covered"]) == (6, 5)


def test_what_is_broken_is_a_warning(asked: tuple[dict[str, Any], list[str]]) -> None:
    said, warnings = asked
    assert "broken" not in said["models"]
    assert (
        "WARNING lydite.registry plugin lydite_test_plugin:absent could not be loaded: "
        "module 'lydite_test_plugin' has no attribute 'absent'"
    ) in warnings


def test_a_name_that_is_taken_is_a_warning(asked: tuple[dict[str, Any], list[str]]) -> None:
    said, warnings = asked
    assert said["random"] == "RandomModel"
    assert (
        "WARNING lydite.registry plugin lydite_test_plugin:Letters: "
        "the model 'random' already exists; the plugin's is ignored"
    ) in warnings
    assert len(warnings) == 2


def test_the_broken_model_is_unknown_by_name(site: Path) -> None:
    done = _run("import lydite; lydite.load('broken')", site)
    assert done.returncode != 0
    assert "UnknownNameError: there is no model called 'broken'" in done.stderr


def test_parameters_are_checked_like_those_of_builtins(site: Path) -> None:
    done = _run("import lydite; lydite.load('letters(alphabt=xyz)')", site)
    assert "SpecError: letters(alphabt=xyz): there is no parameter called 'alphabt'" in done.stderr
    assert "hint: did you mean alphabet? expected letters(alphabet=abc)" in done.stderr


def test_the_command_line_lists_it(site: Path) -> None:
    code = "run_app(['models', 'ls']); print(';', flush=True); run_app(['evaluations', 'ls'])"
    done = _run(f"from lydite.cli.app import run_app; {code}", site)
    models, evaluations = done.stdout.split("\n;\n")
    assert "letters" in models, done.stderr
    assert "separation-by-length" in evaluations, done.stderr


def test_its_command_is_in_the_help_and_has_help(site: Path) -> None:
    listed = " ".join(_lydite(site, "--help").stdout.split())
    assert "separation-by-length Ask whether the longer half of the words" in listed
    done = _lydite(site, "separation-by-length", "--help")
    assert done.returncode == 0, done.stderr
    for said in (
        "Often it has the shorter half",
        "--words",
        "Lists of words, one per line.",
        "--norm",
        "l1|l2",
        "How the length of a vector is measured.",
        "--each",
        "lydite separation-by-length vectors.txt --words words.txt",
    ):
        assert said in done.stdout


def test_its_command_runs_on_its_data(site: Path) -> None:
    command = ["separation-by-length", "letters(ab)", "letters", "--words", "six-words"]
    done = _lydite(site, *command, "--norm", "l1", "--format", "json")
    results = json.loads(done.stdout)["results"]
    assert [result["model"] for result in results] == ["letters(alphabet=ab)", "letters"]
    assert [result["score"] for result in results] == [pytest.approx(0.6)] * 2
    assert results[0]["evaluation"] == "separation-by-length(norm=l1)"


def test_its_view_shows_more(site: Path) -> None:
    command = ["separation-by-length", "letters(ab)", "--words", "six-words", "--format", "csv"]
    plain, each = _lydite(site, *command), _lydite(site, *command, "--each")
    assert '"model","evaluation"' in plain.stdout
    # The letters a and b: two of a and one of b make the square root of 5.
    rows = dict(line.split(",") for line in each.stdout.splitlines())
    assert [*rows] == ['"word"', *(f'"{word}"' for word in _WORDS.split())]
    assert float(rows['"aab"']) == pytest.approx(5**0.5)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--words", "six-words", "--norm", "l3"), "expected norm to be one of l1, l2, got 'l3'"),
        ((), "separation-by-length: expected --words, got nothing"),
        (("--words", "six-word"), "there is no resource called 'six-word'"),
    ],
)
def test_its_command_says_what_was_wrong(site: Path, arguments: tuple[str, ...], said: str) -> None:
    done = _lydite(site, "separation-by-length", "letters", *arguments)
    assert done.returncode == 2
    assert said in done.stderr


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("lydite separation-", ["separation-by-length"]),
        ("lydite separation-by-length let", ["letters"]),
        ("lydite separation-by-length letters --words six", ["six-words"]),
        ("lydite separation-by-length letters --words starter-simi", []),
        ("lydite separation-by-length letters --norm l", ["l1", "l2"]),
        ("lydite separation-by-length letters --ea", ["--each"]),
    ],
)
def test_the_shell_completes_what_it_declares(site: Path, line: str, offered: list[str]) -> None:
    assert _complete(site, line) == offered


def test_the_reference_describes_it_from_its_declaration(site: Path) -> None:
    done = _run(_DESCRIBE, site)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert "separation-by-length(norm=l2)" in said["evaluation"]
    for row in (
        "| `norm` | `l1`, `l2` | `l2` | How the length of a vector is measured. |",
        "| `--words` | [`lexicon`](resources.md#lexicon) | Lists of words, one per line. |",
        "| `agreement` | words in the same half | higher |",
    ):
        assert row in said["evaluation"]
    assert "lydite separation-by-length [OPTIONS] MODEL..." in said["command"]
    assert "| `--each` |  | off | Print the length of each word's vector. |" in said["command"]
    assert "| `alphabet` | `abc` | The letters that count. |" in said["model"]
    # The pages of Lydite itself leave plugins out.
    assert not [heading for heading in said["own"] if "separation-by-length" in heading]


def test_the_report_has_a_section_from_its_declaration(site: Path, tmp_path: Path) -> None:
    command = ["separation-by-length", "letters(ab)", "letters(abs)", "--words", "six-words"]
    done = _lydite(site, *command, "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "Ask whether the longer half of the words has the longer half of the vectors." in page
    assert "words in the same half" in page
    assert "shuffled lengths" in page
    assert "Six words" in page
