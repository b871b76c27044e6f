from __future__ import annotations

import io

import pytest
from rich.console import Console

from lydite.cli import console
from lydite.cli.app import run_app
from lydite.progress import current_progress


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """A terminal that is written to at once."""
    written = io.StringIO()
    terminal = Console(file=written, force_terminal=True, width=80, color_system=None)
    monkeypatch.setattr(console, "err", terminal)
    monkeypatch.setattr(console, "_PATIENCE_SECONDS", 0.0)
    return written


def test_a_long_job_shows_how_far_it_is(screen: io.StringIO) -> None:
    with console.progress_bars(quiet=False) as bars:
        bars("reading [words]", 1, 4)
        current_progress()("reading [words]", 3, 4)
        current_progress()("counting", 1, None)
    assert "reading [words]" in screen.getvalue()
    assert "3/4" in screen.getvalue()
    assert "counting" in screen.getvalue()


def test_quiet_shows_nothing(screen: io.StringIO) -> None:
    with console.progress_bars(quiet=True) as bars:
        bars("reading", 1, 4)
    assert screen.getvalue() == ""


def test_a_quick_job_shows_nothing(screen: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "_PATIENCE_SECONDS", 60.0)
    with console.progress_bars(quiet=False) as bars:
        bars("reading", 1, 4)
    assert screen.getvalue() == ""


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(28, "No space left on device", "out.json"), "out.json: No space left"),
        (UnicodeEncodeError("utf-8", "\udc80", 0, 1, "surrogates"), "text that is not UTF-8"),
    ],
)
def test_what_the_system_refuses_is_said_in_words(
    error: Exception,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def refuse(text: str) -> None:
        raise error

    monkeypatch.setattr("typer.echo", refuse)
    assert run_app(["--version"]) == 2
    assert said in " ".join(capfd.readouterr().err.split())
