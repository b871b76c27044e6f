"""What the source may not do, read from its syntax trees."""

import ast
import functools
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import lydite

SOURCE = Path(lydite.__file__).parent

#: Data flows down this list, imports point only up it. A layer may import from itself.
LAYERS: tuple[set[str], ...] = (
    {
        "boundary",
        "errors",
        "types",
        "progress",
        "registry",
        "spec",
        "storage",
        "threads",
        "compiled",
        "declare",
        "engine",
    },
    {"files"},
    {"stats"},
    {"spaces"},
    {"corpora"},
    {"lexicons"},
    {"resources"},
    {"models"},
    {"results"},
    {"drawing"},
    {"recipe"},
    {"evaluations"},
    {"metaevaluation"},
    {"trained"},
    {"suite"},
    {"runner"},
    {"reports"},
    {"__init__", "plugin"},
    {"cli", "__main__"},
)
#: Layers that these files may reach, wherever they stand, and nothing else outside of the layer.
RESERVED: dict[str, set[str]] = {"trained": {"models/__init__.py"}}
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}

_TARGET = re.compile(r"lydite\.([a-z_]+)[a-z_.0-9]*(:\w+)?")
_NO_NAMES = {"utils", "util", "helpers", "helper", "common", "misc"}
_NO_MODULES = {"pickle", "cPickle", "_pickle", "dill", "cloudpickle", "shelve", "marshal", "joblib"}

Offence = Callable[[ast.AST], str | None]


@functools.cache
def _modules() -> dict[str, ast.Module]:
    return {
        path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(SOURCE.rglob("*.py"))
    }


def _layer(file: str) -> str:
    return Path(file).parts[0].removesuffix(".py")


def _imported_layers(file: str, tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and layer of everything that a file imports or names as a target, at any depth."""
    package = ["lydite", *Path(file).parent.parts]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            names = [f"{module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            target = _TARGET.fullmatch(node.value)
            names = [f"lydite.{target[1]}"] if target and target[1] in RANK else []
        else:
            continue
        for name in names:
            first, _, rest = name.partition(".")
            if first == "lydite":
                layer = rest.partition(".")[0]
                yield node.lineno, layer if layer in RANK else "__init__"


def _wrong_imports(file: str, tree: ast.AST) -> list[str]:
    own = _layer(file)
    wrong = []
    for line, layer in _imported_layers(file, tree):
        if layer in RESERVED and layer != own:
            if file not in RESERVED[layer]:
                wrong.append(f"{file}:{line} reaches {layer}, which is reserved")
        elif RANK[layer] > RANK[own]:
            wrong.append(f"{file}:{line} reaches down to {layer}")
    return wrong


def _prints(node: ast.AST) -> str | None:
    named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return "print" if named and node.func.id == "print" else None  # type: ignore[attr-defined]


def _runs_foreign_code(node: ast.AST) -> str | None:
    match node:
        case ast.Import(names=names) if (
            found := {n.name.split(".")[0] for n in names} & _NO_MODULES
        ):
            return f"import {found.pop()}"
        case ast.ImportFrom(module=str(module)) if module.split(".")[0] in _NO_MODULES:
            return f"import {module}"
        case ast.Constant(value=str(text)) if text in _NO_MODULES:
            return f"the name {text}"
        case ast.Name(id="eval" | "exec" as name):
            return name
        case ast.keyword(arg="allow_pickle", value=value):
            plain = isinstance(value, ast.Constant) and value.value is False
            return None if plain else "allow_pickle"
    return None


def _offences(file: str, tree: ast.AST, offence: Offence) -> list[str]:
    found = ((node, offence(node)) for node in ast.walk(tree))
    return [f"{file}:{getattr(node, 'lineno', '?')} {what}" for node, what in found if what]


def test_every_module_has_a_layer() -> None:
    assert {_layer(file) for file in _modules()} - set(RANK) == set()


def test_imports_point_only_up() -> None:
    assert [
        wrong for file, tree in _modules().items() for wrong in _wrong_imports(file, tree)
    ] == []


@pytest.mark.parametrize(
    "code",
    [
        "import lydite.models",
        "import os, lydite.models.catalogue as c",
        "from lydite.models.catalogue import load",
        "from lydite import models",
        "from lydite import load",
        "import lydite",
        "from ..models import catalogue",
        "from .. import models",
        "def f():\n    from lydite.models.catalogue import load",
        "if TYPE_CHECKING:\n    from lydite.models.catalogue import load",
        "target = 'lydite.models.vectors:vectors'",
        "importlib.import_module('lydite.models.vectors')",
    ],
)
def test_an_import_that_points_down_is_seen(code: str) -> None:
    assert len(_wrong_imports("spaces/space.py", ast.parse(code))) == 1


@pytest.mark.parametrize(
    "code",
    [
        "from lydite.errors import InputError",
        "from lydite import errors",
        "from lydite.spaces.vocabulary import pack",
        "from .vocabulary import pack",
        "from . import vocabulary",
        "import os",
        "'see lydite.models for more'",
        "Registry('section', group='lydite.sections')",
    ],
)
def test_an_import_that_points_up_is_allowed(code: str) -> None:
    assert _wrong_imports("spaces/space.py", ast.parse(code)) == []


@pytest.mark.parametrize(
    ("file", "reserved"),
    [
        ("models/__init__.py", False),
        ("trained/glove.py", False),
        ("models/vectors.py", True),
        ("evaluations/similarity.py", True),
        ("cli/app.py", True),
    ],
)
def test_a_reserved_layer_is_reached_by_its_entrance_alone(file: str, reserved: bool) -> None:
    for code in ("from lydite.trained import glove", "target = 'lydite.trained.glove:glove'"):
        found = _wrong_imports(file, ast.parse(code))
        assert found == ([f"{file}:1 reaches trained, which is reserved"] if reserved else [])


def test_only_the_command_line_prints() -> None:
    others = {file: tree for file, tree in _modules().items() if _layer(file) != "cli"}
    assert [found for file in others for found in _offences(file, others[file], _prints)] == []


def test_no_foreign_code_is_ever_run() -> None:
    trees = _modules()
    found = [found for file in trees for found in _offences(file, trees[file], _runs_foreign_code)]
    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        "import pickle",
        "import os, pickle as p",
        "from pickle import loads",
        "import joblib.numpy_pickle",
        "importlib.import_module('pickle')",
        "eval('1')",
        "run = exec",
        "np.load(path, allow_pickle=True)",
        "np.load(path, allow_pickle=flag)",
    ],
)
def test_foreign_code_is_seen(code: str) -> None:
    assert len(_offences("x.py", ast.parse(code), _runs_foreign_code)) == 1


def test_printing_is_seen() -> None:
    assert _offences("x.py", ast.parse("def f():\n    print('x')"), _prints) == ["x.py:2 print"]


def test_every_module_is_named_after_an_idea() -> None:
    parts = {file: {part.removesuffix(".py") for part in Path(file).parts} for file in _modules()}
    assert [file for file, names in parts.items() if names & _NO_NAMES] == []
