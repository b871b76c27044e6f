from __future__ import annotations

import json
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar, Literal

import pytest

from lydite.cli.app import run_app
from lydite.cli.recipe_commands import recipe_command
from lydite.declare import Commas, Inline, Option, Param, Slot
from lydite.drawing.table import Table
from lydite.models import RECIPES
from lydite.recipe import Product, Recipe
from lydite.trained.glove import GloveTraining


@dataclass(frozen=True, kw_only=True)
class Boiling:
    minutes: Annotated[int, Param("How long.", least=1)] = 10
    fruit: Annotated[Literal["plum", "quince"], Param("Of what.")] = "plum"


@dataclass(frozen=True)
class Jam(Recipe):
    """Boil down fruit."""

    name: ClassVar[str] = "jam"
    prints: ClassVar[bool] = True
    note: ClassVar[str] = "It keeps for a year."
    examples: ClassVar[tuple[str, ...]] = ("train jam garden.txt --out jar",)

    gardens: Annotated[tuple[str, ...], Slot("gardens", "Where it grows.", metavar="GARDEN...")]
    _: KW_ONLY
    out: Annotated[Path, Param("The jar.")]
    boiling: Annotated[Boiling, Inline()] = field(default_factory=lambda: Boiling(minutes=20))
    sizes: Annotated[tuple[int, ...], Commas("Of jars.", metavar="N,...", option="size")] = (1, 2)
    spices: Annotated[tuple[str, ...], Param("What else.")] = ()
    sugar: Annotated[bool, Option("sugar", "With sugar.", kind=bool)] = False

    def run(self) -> Product:
        self.out.write_text("jam")
        parts = [*self.gardens, *self.spices, *map(str, self.sizes), str(self.boiling.minutes)]
        said = Table(columns=("jars", "sugar"), rows=[[len(self.sizes), str(self.sugar)]])
        more = Table(columns=("spice",), rows=[[spice] for spice in self.spices])
        return Product(line=" ".join(parts), data={"parts": parts}, tables=(said, more), leading=1)


@pytest.fixture(autouse=True)
def _a_stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(RECIPES._targets, "jam", f"{__name__}:Jam")


def test_a_recipe_gets_its_command(capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--size", "3, 4,5", "--spices", "clove", "mace", "--sugar", "--minutes", "7")
    assert run_app(["train", "jam", "a", "b", *given, "--out", "jar", "-f", "json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == {"parts": ["a", "b", "clove", "mace", "3", "4", "5", "7"]}
    assert err == "a b clove mace 3 4 5 7\n"
    assert Path("jar").read_text() == "jam"


def test_what_is_not_given_is_as_declared(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(["train", "jam", "a", "-o", "jar", "-f", "csv", "--spices", "clove"]) == 0
    # Of two kinds of tables, CSV has room for one.
    assert capsys.readouterr() == ('"spice"\n"clove"\n', "a clove 1 2 20\n")
    assert run_app(["train", "jam", "a", "-o", "jar", "-f", "markdown", "-q"]) == 0
    out, err = capsys.readouterr()
    assert "| jars | sugar |" in out
    assert "\n\n| spice |" in out
    assert err == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--size", "3,x"), "expected whole numbers separated by commas for --size, got '3,x'"),
        (("--fruit", "qince"), "jam: expected fruit to be one of plum, quince, got 'qince'"),
        (("--minutes", "0"), "greater than or equal to 1"),
        ((), "Missing option '--out'"),
    ],
)
def test_calls_that_are_refused(
    options: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ("--out", "jar") if options else ()
    assert run_app(["train", "jam", "a", *options, *out]) == 2
    assert message in " ".join(capsys.readouterr().err.split())
    assert not Path("jar").exists()


def test_help_is_what_was_declared(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(["train", "--help"]) == 0
    listed = capsys.readouterr().out
    assert "Boil down fruit." in listed
    assert run_app(["train", "jam", "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for text in ("GARDEN...", "It keeps for a year.", "plum|quince", "lydite train jam garden.txt"):
        assert text in shown
    assert "--no-sugar" not in shown


def test_a_name_that_no_recipe_has_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(["train", "jelly"]) == 2
    assert "No such command 'jelly'" in capsys.readouterr().err


@pytest.mark.parametrize("name", [name for name in RECIPES if name != "jam"])
def test_every_option_of_every_recipe_says_what_it_is(name: str) -> None:
    command = recipe_command(name)
    assert RECIPES.get(name).name == name
    assert command.help is not None
    assert command.help.startswith(RECIPES.summary(name))
    assert [each.name for each in command.params if not getattr(each, "help", None)] == []


def test_what_two_parts_of_a_recipe_share_is_one_option_for_both() -> None:
    values = {"corpus": ("a.txt",), "out": Path("x.safetensors"), "seed": 7, "size": 3}
    family = GloveTraining.of_options(values).family
    assert (family.fit.seed, family.windows.seed, family.windows.size) == (7, 7, 3)
    assert family.recipe["window"] == 3
    names = [each.name for each in recipe_command("glove").params]
    assert names.count("seed") == 1
