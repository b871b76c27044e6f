from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lydite.cli.app import run_app


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "vectors.txt").write_text("cat 1 0\ndog 1 1\ncar 0 1\nbus 0.2 1\n")
    (tmp_path / "pairs.tsv").write_text("cat\tdog\t3\ncat\tcar\t0\ncar\tbus\t4\ndog\tcar\t1\n")


def run(*arguments: str) -> int:
    return run_app(list(arguments))


def test_json_is_one_object_of_results_and_failures(capsys: pytest.CaptureFixture[str]) -> None:
    code = run("similarity", "vectors.txt", "--pairs", "pairs.tsv", "--format", "json")
    data = json.loads(capsys.readouterr().out)
    assert code == 0
    assert set(data) == {"results", "failures"}
    (result,) = data["results"]
    # Cosines: cat-dog 0.707, cat-car 0, car-bus 0.981, dog-car 0.707: with the tie of the first
    # and the last at rank 2.5, gold ranks 3, 1, 4, 2: rho = 1 - 6 * 0.5 / 60, corrected for the
    # tie: Pearson of (2.5, 1, 4, 2.5) and (3, 1, 4, 2) = 4.5 / sqrt(4.5 * 5) = 0.9487.
    assert result["score"] == pytest.approx(4.5 / (4.5 * 5) ** 0.5)
    assert (result["n_items"], result["n_covered"], result["oov"]) == (4, 4, "skip")


@pytest.mark.parametrize(
    ("form", "sign"), [("csv", '"model"'), ("latex", "\\toprule"), ("markdown", "| model")]
)
def test_other_formats_are_written_to_standard_output(
    form: str, sign: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("similarity", "vectors.txt", "--pairs", "pairs.tsv", "--format", form) == 0
    assert sign in capsys.readouterr().out


def test_several_pairs_may_follow_one_option(capsys: pytest.CaptureFixture[str]) -> None:
    (Path("more.tsv")).write_text("cat\tdog\t1\ncat\tbus\t2\ndog\tbus\t3\n")
    code = run("similarity", "vectors.txt", "--pairs", "pairs.tsv", "more.tsv", "--format", "json")
    data = json.loads(capsys.readouterr().out)
    assert code == 0
    assert [result["resource"] for result in data["results"]] == ["pairs.tsv", "more.tsv"]


def test_a_wrong_name_is_exit_2_with_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("similarity", "glove-6b-5d", "--pairs", "pairs.tsv") == 2
    error = capsys.readouterr().err
    assert "there is no model called 'glove-6b-5d'" in error
    assert "did you mean glove-6b-50d?" in error
    assert run("similarity", "vectors.txt", "--pairs", "simlex-99") == 2
    assert "did you mean simlex-999" in capsys.readouterr().err


def test_a_wrong_command_is_exit_2_with_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("similarty", "vectors.txt") == 2
    assert "similarity" in capsys.readouterr().err


def test_a_wrong_parameter_is_exit_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("qvec", "vectors.txt", "--method", "ccca") == 2
    assert "expected method to be one of explained, cca, cca-first, qvec" in capsys.readouterr().err


def test_a_score_that_does_not_exist_is_exit_1(capsys: pytest.CaptureFixture[str]) -> None:
    Path("two.tsv").write_text("cat\tdog\t3\ncat\tcar\t0\n")
    assert run("similarity", "vectors.txt", "--pairs", "two.tsv") == 1
    shown = capsys.readouterr()
    assert "at least 3 pairs" in shown.err
    assert shown.out == ""


def test_a_dirty_file_is_named_with_its_line_and_read_with_lenient(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with Path("vectors.txt").open("a") as file:
        file.write("emu 1.5 2 3.5\nowl 1\nfox 2 1\n")
    assert run("similarity", "vectors.txt", "--pairs", "pairs.tsv") == 2
    error = capsys.readouterr().err
    assert "vectors.txt:5: expected 2 numbers after the word, got 3" in error
    assert "--lenient" in error
    assert run("similarity", "vectors.txt", "--pairs", "pairs.tsv", "--lenient") == 0
    assert "2 ragged" in capsys.readouterr().err


def test_out_keeps_results_items_and_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("similarity", "vectors.txt", "--pairs", "pairs.tsv", "--out", "kept") == 0
    assert {path.name for path in Path("kept").iterdir()} == {
        "results.jsonl",
        "items",
        "suite.toml",
        "report.html",
    }
    assert "report: kept/report.html" in capsys.readouterr().err
    assert run("report", "kept", "-o", "again.html", "--quiet") == 0
    assert "<script" not in Path("again.html").read_text()


def test_a_suite_runs_resumes_and_is_compared(capsys: pytest.CaptureFixture[str]) -> None:
    Path("suite.toml").write_text(
        'models = ["vectors.txt", "random(4)"]\n'
        '[[evaluations]]\nevaluation = "similarity"\nresources = ["pairs.tsv"]\n'
    )
    assert run("run", "suite.toml", "--out", "mine", "--jobs", "1") == 0
    assert run("run", "suite.toml", "--out", "mine", "--jobs", "1") == 0
    assert "2 results already existed" in capsys.readouterr().err
    assert run("compare", "mine", "--format", "json") == 0
    (row,) = json.loads(capsys.readouterr().out)["comparisons"]
    assert row["n_shared"] == 4
    assert run("compare", "mine", "--format", "csv") == 0
    assert capsys.readouterr().out.startswith('"evaluation"')


def test_models_are_counted_as_they_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    Path("vectors.txt").rename("one.txt")
    Path("two.txt").write_bytes(Path("one.txt").read_bytes())
    asked = '[[evaluations]]\nevaluation = "similarity"\nresources = ["pairs.tsv"]\n'
    wrapped = asked + 'wrap = "vectors({}, case=fold)"\n'
    Path("suite.toml").write_text('models = ["one.txt", "two.txt"]\n' + asked + wrapped)
    assert run("run", "suite.toml", "--out", "mine", "--jobs", "1") == 0
    assert "suite: 2 models, 2 tests, into mine" in capsys.readouterr().err


def test_a_suite_with_a_failure_ends_with_exit_1(capsys: pytest.CaptureFixture[str]) -> None:
    Path("suite.toml").write_text(
        'models = ["vectors.txt", "nothing.txt"]\n'
        '[[evaluations]]\nevaluation = "similarity"\nresources = ["pairs.tsv"]\n'
    )
    assert run("run", "suite.toml", "--out", "mine", "--jobs", "1", "--format", "json") == 1
    data = json.loads(capsys.readouterr().out)
    assert len(data["results"]) == len(data["failures"]) == 1
    assert "nothing.txt" in data["failures"][0]["message"]


def test_interpret_names_feature_and_top_words(capsys: pytest.CaptureFixture[str]) -> None:
    Path("oracle.tsv").write_text(
        'cat\t{"animal": 1}\ndog\t{"animal": 1}\ncar\t{"vehicle": 1}\nbus\t{"vehicle": 1}\n'
    )
    command = ("qvec", "vectors.txt", "--oracle", "oracle.tsv", "--method", "qvec", "--interpret")
    assert run(*command, "--format", "csv") == 0
    lines = capsys.readouterr().out.splitlines()
    # Dimension 0 is 1, 1, 0, 0.2 for cat, dog, car, bus: animal. Its top word is cat.
    assert lines[0] == '"dimension","feature","correlation","top words"'
    assert len(lines) == 3
    assert any(line.startswith('0,"animal",0.98') and '"cat dog' in line for line in lines)


def test_convert_writes_what_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("convert", "vectors.txt", "copy.safetensors.zst", "--limit", "3") == 0
    assert "3 words of 2 dimensions" in capsys.readouterr().err
    assert run("convert", "copy.safetensors.zst", "back.txt", "--quiet") == 0
    assert Path("back.txt").read_text().startswith("3 2\ncat 1.0 0.0\n")
    assert run("convert", "vectors.txt", "copy.docx") == 2
    assert ".safetensors" in capsys.readouterr().err


def test_lists_name_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("models", "ls", "--format", "csv") == 0
    assert '"glove-6b-50d"' in capsys.readouterr().out
    assert run("evaluations", "ls", "--format", "csv") == 0
    assert '"qvec"' in capsys.readouterr().out
    assert run("data", "ls", "--format", "json") == 0
    names = [row["name"] for row in json.loads(capsys.readouterr().out)["rows"]]
    assert {"simlex-999", "starter-similarity"} <= set(names)


def test_data_path_and_verify(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("data", "path", "starter-similarity") == 0
    assert capsys.readouterr().out.strip().endswith("similarity.tsv")
    assert run("data", "verify", "starter-similarity", "--format", "csv") == 0
    assert '"ok"' in capsys.readouterr().out


@pytest.mark.parametrize("command", ["run", "similarity", "qvec", "compare", "report", "convert"])
def test_a_command_has_help_with_an_example(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command, "--help") == 0
    assert f"lydite {command}" in capsys.readouterr().out.split("Options")[-1]


def test_output_into_a_closed_pipe_is_no_error() -> None:
    code = "from lydite.cli import main; main()"
    done = subprocess.run(
        f'"{sys.executable}" -c "{code}" data ls | head -1',
        shell=True,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Traceback" not in done.stderr


# What the shell asks for, one line after the other: each would be a process of its own.
_COMPLETE = """
import contextlib, os, sys
from lydite.cli import main

for words in sys.argv[1:]:
    os.environ.update(COMP_WORDS=f"lydite {words}", COMP_CWORD=str(len(words.split())))
    with contextlib.suppress(SystemExit):
        main()
    print("\\0", end="")
"""


def test_the_shell_completes_commands_models_and_resources() -> None:
    lines = [
        "simi",
        "similarity glo",
        "similarity x --pairs simlex",
        "qvec x --oracle semcor-supersenses+ptb",
    ]
    done = subprocess.run(
        [sys.executable, "-c", _COMPLETE, *lines],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"_LYDITE_COMPLETE": "complete_bash"},
    )
    command, model, pairs, oracle, rest = (said.split() for said in done.stdout.split("\0"))
    assert command == ["similarity"]
    assert "glove-6b-50d" in model
    assert pairs == ["simlex-999"]
    assert "semcor-supersenses+ptb-pos-tags" in oracle
    assert rest == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "pairs.tsv:1: expected UTF-8"),
        (b"", "expected rated word pairs, got none"),
        (b"cat\tdog\tmuch\ncat\tcar\tlittle\n", "pairs.tsv:2: expected two words and a rating"),
    ],
)
def test_a_wrong_file_is_exit_2_with_the_error_on_standard_error(
    content: bytes, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("pairs.tsv").write_bytes(content)
    assert run("similarity", "vectors.txt", "--pairs", "pairs.tsv") == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.out == ""


@pytest.mark.parametrize("command", ["models ls", "evaluations ls", "data ls", "data verify"])
def test_json_is_for_every_list(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    extra = ["starter-similarity"] if "verify" in command else []
    assert run(*command.split(), *extra, "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["rows"]


def test_an_output_that_cannot_be_written_is_an_error_in_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for out in ("pairs.tsv", "pairs.tsv/below"):
        assert run("similarity", "vectors.txt", "--pairs", "pairs.tsv", "--out", out) == 2
        assert "pairs.tsv" in capsys.readouterr().err
    assert run("convert", "vectors.txt", "pairs.tsv/x.bin") == 2
    assert "error:" in capsys.readouterr().err


def test_convert_does_not_overwrite_what_it_reads(capsys: pytest.CaptureFixture[str]) -> None:
    before = Path("vectors.txt").read_bytes()
    assert run("convert", "vectors.txt", "./vectors.txt", "--limit", "2") == 2
    assert "must not be the input file" in capsys.readouterr().err
    assert Path("vectors.txt").read_bytes() == before


def test_quiet_says_nothing_but_results(capsys: pytest.CaptureFixture[str]) -> None:
    command = ("similarity", "vectors.txt", "--pairs", "pairs.tsv", "--out", "kept", "--quiet")
    assert run(*command) == 0
    assert capsys.readouterr().err == ""


def test_limit_and_lenient_reach_files_inside_specs(capsys: pytest.CaptureFixture[str]) -> None:
    with Path("vectors.txt").open("a") as file:
        file.write("owl 1\n")
    command = ("similarity", "mean(vectors.txt)", "--pairs", "pairs.tsv", "--format", "json")
    assert run(*command) == 2
    capsys.readouterr()
    assert run(*command, "--lenient") == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert result["model"] == "mean(vectors(vectors.txt, lenient=true))"
    assert run("similarity", "random(5)", "--pairs", "pairs.tsv", "--limit", "3") == 0
    assert "random(5) is not a vector file" in capsys.readouterr().err


def test_a_report_shows_all_results_of_its_folder(capsys: pytest.CaptureFixture[str]) -> None:
    for model in ("vectors.txt", "random(5)"):
        assert run("similarity", model, "--pairs", "pairs.tsv", "--out", "both") == 0
    page = Path("both/report.html").read_text()
    assert 0 < page.index("random(5)") < page.index("vectors.txt")


def test_the_name_of_a_suite_does_not_lead_out_of_the_folder_of_runs() -> None:
    Path("suite.toml").write_text(
        'name = "../../evil/x"\nmodels = ["random(5)"]\n'
        '[[evaluations]]\nevaluation = "similarity"\nresources = ["pairs.tsv"]\n'
    )
    assert run("run", "suite.toml", "--jobs", "1", "--quiet") == 0
    assert (Path("lydite-runs") / "evil-x" / "results.jsonl").is_file()


def test_an_empty_resource_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("", "pairs.tsv+"):
        assert run("similarity", "vectors.txt", "--pairs", option) == 2
        assert "got none" in capsys.readouterr().err


def test_an_unknown_kind_of_data_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("data", "ls", "--kind", "oracel") == 2
    assert "did you mean oracle?" in capsys.readouterr().err


def test_interpret_names_every_dimension_of_a_large_space(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("qvec", "random(300)", "--method", "qvec", "--interpret", "--format", "csv") == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + 300
    assert run("qvec", "random(300)", "--method", "qvec", "--interpret", "--format", "json") == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert [row["dimension"] for row in result["details"]["dimensions"]] == list(range(300))
