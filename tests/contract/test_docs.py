"""The documentation is true: its examples run, its links lead somewhere, nothing is left out.

Every fenced block of a page counts, in order, within one folder of its own:

- ``title="name"`` after the language: the block is written to that file;
- ``python``: executed, as doctest where it holds ``>>>``; the blocks of a page share their names;
- ``console``: each line after ``$`` is run; what is shown below it, if anything, is compared with
  standard output and error together, where ``...`` stands for anything and white space does not
  count. A command must end with exit code 0 unless ``$ echo $?`` follows it;
- ``{needs=...}``: run by itself, with the page's files, where what it needs is at hand.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import doctest
import io
import os
import pkgutil
import re
import shlex
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

import lydite
from lydite.cli import console
from lydite.cli.app import all_commands, run_app
from lydite.evaluations import EVALUATIONS
from lydite.models import MODELS

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
WIDTH = 120

#: What a block may need, and whether it is there.
NEEDS: dict[str, Callable[[], bool]] = {
    "LYDITE_DATA": lambda: bool(os.environ.get("LYDITE_DATA")),
    "network": lambda: False,
}


@dataclass(frozen=True, kw_only=True)
class Block:
    """A fenced block of a page."""

    page: Path
    line: int
    language: str
    text: str
    title: str | None
    needs: str | None

    def __str__(self) -> str:
        return f"{name_of(self.page)}:{self.line}"


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text("utf-8")
    found = []
    for match in FENCE.finditer(text):
        title = re.search(r'title="([^"]+)"', match[2])
        needs = re.search(r"\{needs=(\w+)\}", match[2])
        found.append(
            Block(
                page=page,
                line=text.count("\n", 0, match.start()) + 1,
                language=match[1],
                text=match[3],
                title=title[1] if title else None,
                needs=needs[1] if needs else None,
            )
        )
    return found


BLOCKS = [block for page in PAGES for block in blocks_of(page)]
NEEDY = [block for block in BLOCKS if block.needs]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def folder(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give an empty working folder, and the settings that the examples were written with."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LYDITE_CACHE", str(cache))
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    for stream in (console.out, console.err):
        monkeypatch.setattr(stream, "width", WIDTH)
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_examples_of_a_page(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LYDITE_DATA", raising=False)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks_of(page):
        if block.needs is None:
            run_block(block, folder, names)


@pytest.mark.parametrize("block", NEEDY, ids=str)
def test_examples_that_need_something(block: Block, folder: Path) -> None:
    assert block.needs is not None
    if not NEEDS[block.needs]():
        pytest.skip(f"needs {block.needs}")
    for other in blocks_of(block.page):
        if other.title:
            write_file(other, folder)
    run_block(block, folder, {"__name__": "__main__"})


def run_block(block: Block, folder: Path, names: dict[str, object]) -> None:
    if block.title:
        write_file(block, folder)
    elif block.language == "python":
        run_python(block, names)
    elif block.language == "console":
        run_console(block, folder)


def write_file(block: Block, folder: Path) -> None:
    path = folder / str(block.title)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text, "utf-8")


def run_python(block: Block, names: dict[str, object]) -> None:
    if ">>>" not in block.text:
        code = compile(block.text, str(block), "exec", dont_inherit=True)
        exec(code, names)
        return
    test = doctest.DocTestParser().get_doctest(
        block.text, names, str(block), str(block.page), block.line
    )
    report = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test, out=report.write, clear_globs=False)
    names.update(test.globs)
    assert not runner.failures, report.getvalue()


def run_console(block: Block, folder: Path) -> None:
    commands = list(commands_of(block.text))
    code = 0
    for place, (command, shown) in enumerate(commands):
        if command == "echo $?":
            assert shown.strip() == str(code), (
                f"{block}: {commands[place - 1][0]} ended with {code}"
            )
            continue
        code, printed = run_command(command, folder)
        asked = place + 1 < len(commands) and commands[place + 1][0] == "echo $?"
        assert asked or code == 0, f"{block}: {command} ended with {code}:\n{printed}"
        if shown.strip():
            message = f"{block}: {command}\nexpected\n{shown}\ngot\n{printed}"
            assert agrees(shown, printed), message


def agrees(shown: str, printed: str) -> bool:
    """Tell whether a text is as shown; ``...`` stands for anything, white space does not count."""
    first, *others = (" ".join(part.split()) for part in shown.split("..."))
    rest = " ".join(printed.split())
    if not others:
        return rest == first
    if not rest.startswith(first):
        return False
    rest = rest[len(first) :]
    for part in others[:-1]:
        at = rest.find(part)
        if at < 0:
            return False
        rest = rest[at + len(part) :]
    return rest.endswith(others[-1])


@pytest.mark.parametrize(
    ("shown", "printed", "expected"),
    [
        ("a  b", "a b\n", True),
        ("a b", "a b c", False),
        ("...\nb\n...", "a\nb", True),
        ("...\nb\n...", "a\nc", False),
        ("a ... c ... e", "a b c d e", True),
        ("a ... c ... e", "a d e", False),
        ("a...", "b a", False),
        ("... a ... a", "a", False),
    ],
)
def test_what_is_shown_agrees_with_what_is_printed(
    shown: str, printed: str, expected: bool
) -> None:
    assert agrees(shown, printed) is expected


def commands_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield each command and what is shown below it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        joined = part.replace("\\\n", " ")
        command, _, shown = joined.partition("\n")
        yield command.strip(), shown


def run_command(command: str, folder: Path) -> tuple[int, str]:
    """Run a command, Lydite's in this process, and return its exit code and all that it printed."""
    words = shlex.split(command)
    if words[0] != "lydite":
        done = subprocess.run(
            ["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        code = run_app(words[1:])
    return code, printed.getvalue()


def test_a_console_block_is_cut_into_commands() -> None:
    text = "$ lydite data \\\n    ls\nname\n$ echo $?\n0\n"
    assert list(commands_of(text)) == [("lydite data      ls", "name\n"), ("echo $?", "0\n")]


def test_a_wrong_example_is_noticed(folder: Path) -> None:
    wrong = [
        ("console", "$ lydite --version\nlydite 9.9\n", "expected"),
        ("console", "$ lydite data path no-such-data\n", "ended with 2"),
        ("console", "$ lydite --version\n$ echo $?\n1\n", "ended with 0"),
        ("python", ">>> 1 + 1\n3\n", "Expected"),
    ]
    for language, text, message in wrong:
        block = Block(page=PAGES[0], line=1, language=language, text=text, title=None, needs=None)
        with pytest.raises(AssertionError, match=message):
            run_block(block, folder, {})


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    prose = FENCE.sub("", page.read_text("utf-8"))
    for target in LINK.findall(prose):
        if re.match(r"https?://", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{name_of(page)}: {target}"
        assert not anchor or anchor in anchors(file), f"{name_of(page)}: {target}"


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_page_is_reached_from_the_map() -> None:
    index = ROOT / "docs" / "index.md"
    linked = {
        (index.parent / target.partition("#")[0]).resolve()
        for target in LINK.findall(index.read_text("utf-8"))
        if not target.startswith("http")
    }
    pages = {page.resolve() for page in PAGES if page.parent != ROOT and page != index}
    assert pages <= linked


#: What documentation may import of this package: the public face, and that for authors of plugins.
PUBLIC = {"lydite", "lydite.plugin"}
MODULES = {f"lydite.{module.name}" for module in pkgutil.iter_modules(lydite.__path__)}
SCRIPTS = sorted((ROOT / "examples").rglob("*.py"))


@pytest.mark.parametrize("page", [*PAGES, *SCRIPTS], ids=name_of)
def test_examples_import_public_names_alone(page: Path) -> None:
    if page.suffix == ".py":
        sources = {name_of(page): page.read_text("utf-8")}
    else:
        sources = {str(block): python_of(block) for block in blocks_of(page)}
    deep = [
        f"{where}: {name}"
        for where, source in sources.items()
        for name in modules_of(ast.parse(source, where))
        if name.startswith("lydite.") and name not in PUBLIC
    ]
    assert not deep


def python_of(block: Block) -> str:
    """Return the code of a Python block, without what it prints."""
    if block.language not in {"python", "py"}:
        return ""
    if ">>>" not in block.text:
        return block.text
    return "".join(example.source for example in doctest.DocTestParser().get_examples(block.text))


def modules_of(tree: ast.AST) -> Iterator[str]:
    """Yield the modules that code imports, and those of this package that it reaches by a dot."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield str(node.module)
            inside = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name for name in inside if name in MODULES)
        elif isinstance(node, ast.Attribute) and ast.unparse(node) in MODULES:
            yield ast.unparse(node)


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import lydite.spec", ["lydite.spec"]),
        ("from lydite import spec, load", ["lydite", "lydite.spec"]),
        ("from lydite.spaces.space import Space", ["lydite.spaces.space"]),
        ("import lydite\nlydite.errors.InputError\nlydite.load", ["lydite", "lydite.errors"]),
    ],
)
def test_deep_modules_are_noticed(code: str, found: list[str]) -> None:
    assert list(modules_of(ast.parse(code))) == found


def test_blocks_are_marked_with_needs_that_are_known() -> None:
    assert {block.needs for block in NEEDY} <= NEEDS.keys()


COMMANDS = dict(all_commands())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_in_the_reference(name: str) -> None:
    section = section_of(ROOT / "docs" / "reference" / "cli.md", f"lydite {name}")
    options = [
        option
        for parameter in COMMANDS[name].params
        if parameter.param_type_name == "option"
        for option in parameter.opts
        if option.startswith("--") and option != "--help"
    ]
    missing = [option for option in options if f"`{option}" not in section]
    assert not missing


def section_of(page: Path, heading: str) -> str:
    """Return the text below a heading, up to the next one of any level."""
    pattern = rf"^#+ `?{re.escape(heading)}`?\n(.*?)(?=^#+ |\Z)"
    found = re.search(pattern, page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert found, f"{name_of(page)} has no section {heading!r}"
    return found[1]


def own(registry: Mapping[str, object] | Sequence[str], get: Callable[[str], object]) -> list[str]:
    """Return the names that this package registers, without those of plugins."""
    return [name for name in registry if _module(get(name)).startswith("lydite.")]


def _module(thing: object) -> str:
    return str(getattr(thing, "__module__", ""))


@pytest.mark.parametrize("name", own(list(EVALUATIONS), EVALUATIONS.get))
def test_every_evaluation_has_a_page_with_its_parameters(name: str) -> None:
    page = (ROOT / "docs" / "concepts" / f"{name}.md").read_text("utf-8")
    parameters = [field.name for field in dataclasses.fields(EVALUATIONS.get(name))]
    assert not [parameter for parameter in parameters if f"`{parameter}`" not in page]


@pytest.mark.parametrize("name", own(list(MODELS), MODELS.get))
def test_every_model_is_in_the_reference(name: str) -> None:
    assert section_of(ROOT / "docs" / "reference" / "models.md", name)
