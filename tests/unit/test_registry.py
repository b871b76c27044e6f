import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from lydite import registry
from lydite.errors import InputError, UnknownNameError
from lydite.registry import Registry, nearest, unknown_name

_GROUP = "lydite.things"


def _things(group: str | None = None) -> Registry[object]:
    things: Registry[object] = Registry("thing", group=group, hint="'lydite things' lists them")
    things.register("join", "posixpath:join")
    things.register("lazy", "lydite_module_that_is_absent:anything")
    return things


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Registry[object]]:
    """Make a registry with the given entry points, as if packages had brought them."""

    def with_points(**values: str) -> Registry[object]:
        points = EntryPoints(
            EntryPoint(name.replace("_", "-"), value, _GROUP) for name, value in values.items()
        )
        monkeypatch.setattr(registry, "entry_points", lambda *, group: points.select(group=group))
        return _things(_GROUP)

    return with_points


def test_get_imports_what_the_name_stands_for() -> None:
    import posixpath

    assert _things().get("join") is posixpath.join


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    things = _things()
    assert "lazy" in things
    assert list(things) == ["join", "lazy"]
    with pytest.raises(ModuleNotFoundError, match="lydite_module_that_is_absent"):
        things.get("lazy")


def test_a_name_is_given_once() -> None:
    with pytest.raises(InputError, match="the thing 'join' is registered twice"):
        _things().register("join", "os:join")


def test_an_unknown_name_brings_near_ones() -> None:
    with pytest.raises(UnknownNameError) as caught:
        _things().get("Joyn")
    assert caught.value.message == "there is no thing called 'Joyn'"
    assert caught.value.hint == "did you mean join? 'lydite things' lists them"


def test_a_name_like_no_other_brings_the_hint_alone() -> None:
    with pytest.raises(UnknownNameError) as caught:
        _things().get("xxxxxxxx")
    assert caught.value.hint == "'lydite things' lists them"


def test_nearest_looks_past_case_and_keeps_the_order() -> None:
    assert nearest("SIMLEX999", ["simlex-999", "men", "SimLex-99"]) == ["simlex-999", "SimLex-99"]
    assert nearest("abcd", ["abcx", "abcy", "abcz", "abcw"], most=2) == ["abcz", "abcy"]


def test_several_near_names_are_joined() -> None:
    error = unknown_name("thing", "abcd", ["abcx", "abcy"], hint="look")
    assert error.hint == "did you mean abcy or abcx? look"


def test_a_plugin_is_listed_and_loaded(plugins: Callable[..., Registry[object]]) -> None:
    things = plugins(split="posixpath:split")
    import posixpath

    assert list(things) == ["join", "lazy", "split"]
    assert things.get("split") is posixpath.split


def test_a_plugin_that_fails_to_load_is_a_warning(
    plugins: Callable[..., Registry[object]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    (tmp_path / "plugin_that_raises.py").write_text("1 / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    things = plugins(
        raises="plugin_that_raises:x",
        no_module="absent_plugin:x",
        no_attribute="posixpath:absent",
        split="posixpath:split",
    )
    assert list(things) == ["join", "lazy", "split"]
    assert caplog.messages == [
        "plugin plugin_that_raises:x could not be loaded: division by zero",
        "plugin absent_plugin:x could not be loaded: No module named 'absent_plugin'",
        "plugin posixpath:absent could not be loaded: module 'posixpath' has no attribute 'absent'",
    ]
    assert {record.levelname for record in caplog.records} == {"WARNING"}
    with pytest.raises(UnknownNameError):
        things.get("raises")


def test_plugins_are_read_once(
    plugins: Callable[..., Registry[object]], caplog: pytest.LogCaptureFixture
) -> None:
    things = plugins(absent="absent_plugin:x")
    for _ in range(3):
        assert "absent" not in things
    assert len(caplog.records) == 1


def test_a_plugin_cannot_take_the_name_of_a_builtin(
    plugins: Callable[..., Registry[object]], caplog: pytest.LogCaptureFixture
) -> None:
    things = plugins(join="posixpath:split")
    import posixpath

    assert list(things) == ["join", "lazy"]
    assert things.get("join") is posixpath.join
    assert caplog.messages == [
        "plugin posixpath:split: the thing 'join' already exists; the plugin's is ignored"
    ]


def test_asking_for_a_builtin_imports_no_plugin(
    plugins: Callable[..., Registry[object]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plugin_that_is_heavy.py").write_text("def x() -> None: ...\n")
    monkeypatch.syspath_prepend(tmp_path)
    things = plugins(heavy="plugin_that_is_heavy:x")
    assert "join" in things
    things.get("join")
    assert "plugin_that_is_heavy" not in sys.modules
    assert callable(things.get("heavy"))


def test_without_a_group_there_are_no_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "entry_points", lambda **_: pytest.fail("asked for plugins"))
    assert list(_things()) == ["join", "lazy"]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("import sys; sys.exit(0)", "could not be loaded: it calls sys.exit(0)"),
        ("model = 3", "expected a class or a function for the model 'odd', got int"),
        ("1 / 0", "could not be loaded: division by zero"),
    ],
)
def test_a_plugin_that_is_no_callable_or_ends_the_process_is_a_warning(
    body: str,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    name = f"plugin_{abs(hash(body))}"
    (tmp_path / f"{name}.py").write_text(body)
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint(name="odd", value=f"{name}:model", group="lydite.tests")
    monkeypatch.setattr("lydite.registry.entry_points", lambda group: [point])
    registry: Registry[object] = Registry("model", group="lydite.tests")
    assert list(registry) == []
    assert told in caplog.text
