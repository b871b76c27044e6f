from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import importlib, pkgutil, sys
import lydite.stats
for module in pkgutil.iter_modules(lydite.stats.__path__):
    importlib.import_module("lydite.stats." + module.name)
print(sorted({name.partition(".")[0] for name in sys.modules} & {"scipy", "numba", "polars"}))
"""


def test_the_layer_is_light_to_import() -> None:
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"
