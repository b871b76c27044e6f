from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import pytest

from lydite.cli.arguments import complete_models, complete_resources
from lydite.cli.evaluation_commands import evaluation_command
from lydite.cli.generate import epilog, help_of, make_command, option_of, parameters_of
from lydite.declare import Option, Param, Slot, View
from lydite.errors import InputError
from lydite.evaluations.catalogue import Call, Evaluation, Shown
from lydite.results.record import Result


@dataclass(frozen=True, kw_only=True)
class Counted:
    """Count something.

    All of ``it``, or
    a part.

    Notes
    -----
    No part of the help.
    """

    how: Annotated[Literal["all", "some"], Param("How much is counted.")] = "all"
    least: Annotated[int, Param("At least so many.", least=2, option="at-least")] = 3
    loud: Annotated[bool, Param("Say it aloud.")] = False
    names: Annotated[tuple[str, ...], Param("Names.")] = ()
    hidden: Annotated[int, Param("Nobody chooses this.", command=False)] = 0


def called(*arguments: str) -> dict[str, Any]:
    """Return what a command hands over that was made from the declaration."""
    found: dict[str, Any] = {}
    command = make_command("count", found.update, parameters_of(Counted), help=help_of(Counted))
    command.main(list(arguments), standalone_mode=False)
    return found


def completed(command: str, option: str, incomplete: str) -> list[str]:
    """Return what the shell is offered for the value of an option."""
    made = evaluation_command(command)
    (parameter,) = [each for each in made.params if option in each.opts]
    with made.make_context(command, [], resilient_parsing=True) as context:
        return [each.value for each in parameter.shell_complete(context, incomplete)]


def test_fields_become_options_and_keep_their_defaults() -> None:
    assert called() == {"how": "all", "least": 3, "loud": False, "names": None}
    given = called("--how", "some", "--at-least", "5", "--loud", "--names", "a", "b", "--no-loud")
    assert given == {"how": "some", "least": 5, "loud": False, "names": ["a", "b"]}


def test_a_bound_is_the_options_too() -> None:
    with pytest.raises(Exception, match="greater than or equal to 2"):
        called("--at-least", "1")


def test_help_is_the_docstring_up_to_its_first_section() -> None:
    assert help_of(Counted) == "Count something.\n\nAll of it, or a part."


def test_examples_stand_below_the_help() -> None:
    assert epilog(()) is None
    assert epilog(["count a"]) == "Examples:\n\n  lydite count a\n"


def test_options_that_are_no_fields() -> None:
    flag, file, slot = map(
        option_of,
        (
            View("more", "Show more."),
            Option("save_it", "Where to.", kind=Path),
            Slot("data", "Data.", default=("a", "b")),
        ),
    )
    assert (flag.name, flag.default) == ("more", False)
    assert (file.name, file.default) == ("save_it", None)
    assert slot.default == ["a", "b"]
    assert "default: a, b" in slot.annotation.__metadata__[0].help


def test_completion_offers_what_a_slot_takes() -> None:
    groups = completed("localization", "--groups", "")
    assert "starter-groups" in groups
    assert "starter-treatise" not in groups
    assert completed("consistency", "--corpus", "starter-") == ["starter-treatise"]


def test_completion_goes_on_after_a_plus() -> None:
    assert completed("qvec", "--oracle", "mine+starter-") == ["mine+starter-supersenses"]


def test_completion_offers_choices_and_models() -> None:
    assert completed("qvec", "--method", "cca") == ["cca", "cca-first"]
    assert "glove-6b-50d" in completed("consistency", "--background", "glove")


def test_an_evaluation_that_declares_little(make_result: Callable[..., Result]) -> None:
    @dataclass(frozen=True, kw_only=True)
    class Bare(Evaluation):
        """Test nothing."""

        name: ClassVar[str] = "bare"

    with pytest.raises(InputError, match="bare: expected --data, got nothing"):
        Bare.plan(Call(models=("random(3)",), slots={"data": ()}, parameters={}))
    # What it does not declare it has all the same: the plain table, the plain section.
    result = make_result(evaluation="bare")
    assert Bare.tables([result], lambda _: None, Shown()) is None
    assert Bare().more(object(), (), Shown()) == {}
    made = Bare.section([result], lambda _: None)
    assert made.how_to_read.startswith("Test nothing. ")
    assert made.figures


def test_commands_made_by_hand_complete_names_too() -> None:
    assert complete_resources("starter-treat") == ["starter-treatise"]
    assert complete_resources("men+starter-treat") == ["men+starter-treatise"]
    assert complete_models("glove") == ["glove-6b-50d"]
