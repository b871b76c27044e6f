from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import pytest

from lydite.declare import Field, Inline, Param, State, fields_of, usage
from lydite.errors import InputError, SpecError
from lydite.models.catalogue import Model, bind
from lydite.progress import Progress, silent
from lydite.spec import parse

if TYPE_CHECKING:
    from decimal import Decimal


def everything(
    words: object,
    number: float = 1,
    *,
    kind: Literal["exact", "fold"] = "fold",
    limit: int | None = None,
    label: str = "50",
    flag: bool = False,
    progress: Progress = silent,
) -> None: ...


def several(*models: str, **options: int) -> None: ...


def unresolved(amount: "Decimal", *, limit: int = 3) -> None: ...


def nothing() -> None: ...


def odd_default(words: str, callback: Progress = silent, limit: int = 3) -> None: ...


@pytest.mark.parametrize(
    ("factory", "expected"),
    [
        (everything, 'f(words, number=1, kind=fold, limit=none, label="50", flag=false)'),
        (several, "f(*models, **options)"),
        (unresolved, "f(amount, limit=3)"),
        (nothing, "f"),
        (odd_default, "f(words, callback=..., limit=3)"),
    ],
)
def test_usage_reads_like_a_spec(factory: Callable[..., Any], expected: str) -> None:
    assert usage(factory, "f") == expected


@pytest.mark.parametrize(
    ("spec", "args", "kwargs"),
    [
        ("f(x)", ("x",), {}),
        ("f(words=x)", ("x",), {}),
        ("f(3, 2)", (3, 2), {}),
        ("f(x, 0.5, kind=exact)", ("x", 0.5), {"kind": "exact"}),
        ("f(g(y), limit=none, flag=true)", (parse("g(y)"),), {"limit": None, "flag": True}),
        ('f(x, label="3", limit=3)', ("x",), {"label": "3", "limit": 3}),
    ],
)
def test_arguments_that_fit(spec: str, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
    bound = bind(parse(spec), everything)
    assert (bound.args, bound.kwargs) == (args, kwargs)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("f", "f: missing a required argument: 'words'"),
        ("f(a, 1, 2)", "f(a, 1, 2): too many positional arguments"),
        ("f(a, words=b)", "f(a, words=b): multiple values for argument 'words'"),
        ("f(a, much)", "f(a, much): expected number to be a number, got much"),
        ("f(a, true)", "f(a, true): expected number to be a number, got true"),
        ("f(a, limit=x)", "f(a, limit=x): expected limit to be a whole number or none, got x"),
        (
            "f(a, limit=1.5)",
            "f(a, limit=1.5): expected limit to be a whole number or none, got 1.5",
        ),
        (
            "f(a, limit=true)",
            "f(a, limit=true): expected limit to be a whole number or none, got true",
        ),
        ("f(a, label=3)", "f(a, label=3): expected label to be text, got 3"),
        ("f(a, label=g(x))", "f(a, label=g(x)): expected label to be text, got g(x)"),
        ("f(a, flag=yes)", "f(a, flag=yes): expected flag to be true or false, got yes"),
        ("f(a, flag=1)", "f(a, flag=1): expected flag to be true or false, got 1"),
        ("f(a, kind=7)", "f(a, kind=7): expected kind to be one of exact, fold, got 7"),
        ("f(a, zzz=1)", "f(a, zzz=1): there is no parameter called 'zzz'"),
        ("f(a, progress=1)", "f(a, progress=1): there is no parameter called 'progress'"),
    ],
)
def test_arguments_that_do_not_fit(spec: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        bind(parse(spec), everything)
    assert caught.value.message == message
    assert caught.value.hint == f"expected {usage(everything, 'f')}"


@pytest.mark.parametrize(
    ("spec", "meant"), [("f(a, lable=x)", "label"), ("f(a, kind=folded)", "fold")]
)
def test_did_you_mean(spec: str, meant: str) -> None:
    with pytest.raises(SpecError) as caught:
        bind(parse(spec), everything)
    assert caught.value.hint == f"did you mean {meant}? expected {usage(everything, 'f')}"


def test_stars_take_any_number() -> None:
    bound = bind(parse("f(a, b(c), 3, x=1, y=z)"), several)
    assert bound.args == ("a", parse("b(c)"), 3)
    assert bound.kwargs == {"x": 1, "y": "z"}


def test_annotations_that_cannot_be_resolved_are_the_factorys_affair() -> None:
    assert bind(parse("f(x, limit=y)"), unresolved).kwargs == {"limit": "y"}


def test_positions_stay_what_they_are() -> None:
    assert bind(parse("f(a, b, 3)"), odd_default).args == ("a", "b", 3)


@dataclass(frozen=True, kw_only=True)
class Rates:
    """How fast."""

    alpha: Annotated[float, Param("The first rate.", above=0)] = 0.5
    decay: Annotated[float, Param("How it falls.")] = 2.0


@dataclass(frozen=True)
class Everything(Model):
    """A model with parameters of all kinds."""

    name: ClassVar[str] = "f"

    words: Annotated[object, Param("The words.", key="of")]
    _: KW_ONLY
    label: Annotated[str, Param("What it is called.")]
    kind: Annotated[Literal["exact", "fold"], Param("How.")] = "fold"
    level: Annotated[Literal[False, True, "half"], Param("How much.")] = False
    limit: Annotated[int | None, Param("How many.", least=1, most=9)] = None
    epochs: Annotated[int, Param("How often.", always=True)] = 3
    rates: Annotated[Rates, Inline(unset=True)] = Rates()
    cache: Annotated[bool, Param("Whether to keep it.", spec=False)] = True
    weights: Annotated[tuple[float, ...], State] = ()

    def spec_value(self, field: Field) -> Any:  # noqa: ANN401
        """Return none for a rate that is the usual one."""
        value = super().spec_value(field)
        return None if field.path and value == getattr(Rates(), field.name) else value


@dataclass(frozen=True)
class Several(Model):
    """A model of others."""

    name: ClassVar[str] = "s"

    models: Annotated[tuple[object, ...], Param("The others.")]
    _: KW_ONLY
    by: Annotated[str, Param("How.")] = "sum"


class Named:
    """A model that says what it is called."""

    spec = "mean(v.txt, case=exact)"


def test_the_usage_of_a_declared_model_names_all_but_its_state() -> None:
    assert usage(Everything, "f") == (
        "f(of, label, kind=fold, level=false, limit=none, epochs=3, alpha=none, decay=none, "
        "cache=true)"
    )
    assert usage(Several, "s") == "s(*models, by=sum)"


def test_help_is_read_from_the_fields() -> None:
    said = {each.name: each.param.help for each in fields_of(Everything)}
    assert (said["words"], said["alpha"]) == ("The words.", "The first rate.")
    assert "weights" not in said


def test_the_spec_names_what_has_no_default_or_is_not_at_it() -> None:
    plain = Everything("v.txt", label="l", cache=False, weights=(1.0,))
    assert plain.spec == "f(v.txt, label=l, epochs=3)"
    other = Everything(
        Named(), label="50", kind="exact", level="half", limit=2, rates=Rates(alpha=1)
    )
    assert other.spec == (
        'f(mean(v.txt, case=exact), label="50", kind=exact, level=half, limit=2, epochs=3, alpha=1)'
    )
    assert Several((Named(), "bow"), by="x").spec == "s(mean(v.txt, case=exact), bow, by=x)"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"label": 3}, "f: expected label to be text, got 3"),
        ({"kind": "folded"}, "f: expected kind to be one of exact, fold, got 'folded'"),
        ({"level": 1}, "f: expected level to be one of false, true, half, got 1"),
        ({"limit": 0}, "f: expected limit to be a whole number from 1 to 9, got 0"),
        ({"limit": 10}, "f: expected limit to be a whole number from 1 to 9, got 10"),
        ({"epochs": 1.5}, "f: expected epochs to be a whole number, got 1.5"),
        ({"cache": 1}, "f: expected cache to be one of true, false, got 1"),
    ],
)
def test_values_are_checked_when_a_model_is_made(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        Everything(**{"words": "v.txt", "label": "l", **options})
    assert caught.value.message == message


def test_a_spec_gives_a_declared_model_its_arguments_by_position_or_by_name() -> None:
    for text in ("f(v.txt, label=l)", "f(of=v.txt, label=l)"):
        bound = bind(parse(text), Everything)
        assert (bound.args, bound.kwargs) == (("v.txt",), {"label": "l"})
    assert bind(parse("s(a, b(c), by=x)"), Several).args == ("a", parse("b(c)"))
    with pytest.raises(SpecError, match="f\\(v, l\\): too many positional arguments"):
        bind(parse("f(v, l)"), Everything)
    with pytest.raises(SpecError, match="there is no parameter called 'weights'"):
        bind(parse("f(v, label=l, weights=3)"), Everything)
