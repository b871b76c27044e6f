from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import pytest

from lydite.errors import SpecError
from lydite.models.catalogue import bind, usage
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
    assert usage("f", factory) == expected


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
        ("f(a, zzz=1)", "f(a, zzz=1): no parameter is called 'zzz'"),
        ("f(a, progress=1)", "f(a, progress=1): no parameter is called 'progress'"),
    ],
)
def test_arguments_that_do_not_fit(spec: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        bind(parse(spec), everything)
    assert caught.value.message == message
    assert caught.value.hint == f"expected {usage('f', everything)}"


@pytest.mark.parametrize(
    ("spec", "meant"), [("f(a, lable=x)", "label"), ("f(a, kind=folded)", "fold")]
)
def test_did_you_mean(spec: str, meant: str) -> None:
    with pytest.raises(SpecError) as caught:
        bind(parse(spec), everything)
    assert caught.value.hint == f"did you mean {meant}? expected {usage('f', everything)}"


def test_stars_take_any_number() -> None:
    bound = bind(parse("f(a, b(c), 3, x=1, y=z)"), several)
    assert bound.args == ("a", parse("b(c)"), 3)
    assert bound.kwargs == {"x": 1, "y": "z"}


def test_annotations_that_cannot_be_resolved_are_the_factorys_affair() -> None:
    assert bind(parse("f(x, limit=y)"), unresolved).kwargs == {"limit": "y"}


def test_positions_stay_what_they_are() -> None:
    assert bind(parse("f(a, b, 3)"), odd_default).args == ("a", "b", 3)
