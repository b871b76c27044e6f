"""The documentation builds into a site that has no dead link and fetches nothing from elsewhere."""

from __future__ import annotations

import importlib.util
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import cast
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))

#: Where an element says what a browser loads without being asked; a link of a text is not one.
LOADED = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src"}

needs_zensical = pytest.mark.skipif(
    importlib.util.find_spec("zensical") is None, reason="Zensical is not installed"
)


class Page(HTMLParser):
    """What a page of the site loads, links to, and can be linked at."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in LOADED and LOADED[tag] in given:
            self.loaded.append(given[LOADED[tag]])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        self.anchors |= {given[name] for name in ("id", "name") if name in given}


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    """Build the site of a folder as ``make docs`` does."""
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    shutil.copy(ROOT / "mkdocs.yml", folder)
    shutil.copytree(DOCS, folder / "docs")
    (folder / "src").symlink_to(ROOT / "src")
    done = build(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "site"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in sorted(site.rglob("*.html"))}


@needs_zensical
def test_every_page_is_built(site: Path) -> None:
    addresses = [re.sub(r"(index)?\.md$", "", page) for page in PAGES]
    assert not [each for each in addresses if not (site / each / "index.html").is_file()]


@needs_zensical
def test_every_link_of_the_site_leads_somewhere(site: Path, pages: Mapping[Path, Page]) -> None:
    dead = []
    for path, page in pages.items():
        for link in [*page.links, *page.loaded]:
            parts = urlsplit(link)
            # The page of errors is served from any address: its links begin at the root.
            if parts.scheme or parts.netloc or path.name == "404.html":
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            file = target / "index.html" if target.is_dir() else target
            known = pages[file].anchors if file in pages else set()
            if not file.is_file() or (parts.fragment and unquote(parts.fragment) not in known):
                dead.append(f"{path.relative_to(site)}: {link}")
    assert not dead


@needs_zensical
def test_no_page_loads_anything_from_elsewhere(site: Path, pages: Mapping[Path, Page]) -> None:
    found = [
        f"{path.relative_to(site)}: {address}"
        for path, page in pages.items()
        for address in page.loaded
        if urlsplit(address).scheme in ("http", "https") or address.startswith("//")
    ]
    for style in [*site.rglob("*.css"), *pages]:
        text = style.read_text("utf-8")
        fetched = re.findall(r"(?:url\(|@import)\s*[\"']?((?:https?:)?//[^\"')\s]*)", text)
        found += [f"{style.relative_to(site)}: {address}" for address in fetched]
    # The theme's script would fetch what draws these, and asks for nothing else.
    needy = re.compile(r'class="[^"]*\b(mermaid|glightbox|pyodide)\b')
    found += [
        f"{path.relative_to(site)}" for path in pages if needy.search(path.read_text("utf-8"))
    ]
    assert not found


@needs_zensical
@pytest.mark.parametrize("link", ["[page](gone.md)", "[place](#gone)"])
def test_a_dead_link_fails_the_build(link: str, tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text("site_name: one page\n", "utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text(f"# One page\n\n{link}\n", "utf-8")
    assert build(tmp_path).returncode != 0


def test_every_page_is_in_the_navigation() -> None:
    listed = re.findall(
        r"^ +- .*?([\w/.-]+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE
    )
    assert sorted(listed) == PAGES


def test_generated_pages_are_up_to_date() -> None:
    script = runpy.run_path(str(DOCS / "generate.py"))
    made = cast("Callable[[], dict[Path, str]]", script["pages"])()
    stale = [page.name for page, text in made.items() if page.read_text("utf-8") != text]
    assert not stale, f"python docs/generate.py renews {', '.join(stale)}"


def test_what_is_written_by_hand_survives(tmp_path: Path) -> None:
    script = runpy.run_path(str(DOCS / "generate.py"))
    renew = cast("Callable[[Path, Mapping[str, str]], str]", script["renew"])
    page = tmp_path / "page.md"
    page.write_text(renew(page, {"# Page": "old", "## `a`": "old"}), "utf-8")
    text = (
        page.read_text("utf-8").replace("## `a`\n", "## `a`\n\nBefore.\n") + "\nAfter.\n\n## Own\n"
    )
    page.write_text(text, "utf-8")
    assert renew(page, {"# Page": "old", "## `a`": "old"}) == text
    renewed = renew(page, {"# Page": "new", "## `a`": "new", "## `b`": "new"})
    assert "old" not in renewed
    places = [renewed.index(part) for part in ("Before.", "After.", "## Own", "## `b`")]
    assert places == sorted(places)
    with pytest.raises(SystemExit, match="is gone"):
        renew(page, {"# Page": "new"})
