from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars
import pytest

from lydite.errors import InputError
from lydite.reports.page import render_report, write_report
from lydite.results.record import Failure, Result

_VOID = {"meta", "hr", "br", "img", "input", "link", "path", "rect", "circle", "use", "image"}
_LOADING = {"src", "srcset", "data", "action", "poster", "background", "ping", "formaction"}


class Page(HTMLParser):
    """A page taken apart: elements with their attributes, ids, references and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.said: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.said.append(data)

    @property
    def tags(self) -> list[str]:
        return [tag for tag, _ in self.elements]

    @property
    def text(self) -> str:
        return re.sub(r"[ \n]+", " ", " ".join(self.said))


def _report(
    results: list[Result],
    failures: list[Failure] | None = None,
    *,
    items: Callable[[Result], Any] = lambda _: None,
    suite_text: str | None = None,
    title: str = "starter",
) -> str:
    return render_report(results, failures or [], title=title, suite_text=suite_text, items=items)


def _check_whole(text: str) -> Page:
    """Check what holds of every report: well-formed, ids once, nothing from outside."""
    page = Page(text)
    assert page.open == []
    ids = [name for _, attributes in page.elements if (name := attributes.get("id")) is not None]
    assert len(ids) == len(set(ids))
    for tag, attributes in page.elements:
        assert tag not in {"script", "link", "iframe", "object", "embed", "base", "form", "img"}
        assert not _LOADING & set(attributes)
        assert not any(name.startswith("on") for name in attributes)
        target = attributes.get("href")
        assert target is None or (target.startswith("#") and target[1:] in ids)
    assert not re.search(r"url\((?!#)|@import", text)
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:" in text
    return page


def _grid(make_result: Callable[..., Result], models: int, tests: int) -> list[Result]:
    return [
        make_result(f"model-{m}", resource=f"pairs-{t}.tsv", score=0.9 - 0.03 * m)
        for m in range(models)
        for t in range(tests)
    ]


def test_one_by_one(
    make_result: Callable[..., Result], make_items: Callable[..., polars.DataFrame]
) -> None:
    text = _report([make_result()], items=lambda _: make_items(), suite_text='name = "x"\n')
    page = _check_whole(text)
    assert "1 model · 1 test · 1 result" in page.text
    assert 'name = "x"' in page.text
    assert "lydite run suite.toml" in page.text
    assert "Ratings run from 0 to 9" in page.text


def test_twelve_by_twelve(
    make_result: Callable[..., Result], make_failure: Callable[..., Failure]
) -> None:
    results = _grid(make_result, 12, 12)[:-1]
    page = _check_whole(_report(results, [make_failure("model-11", resource="pairs-11.tsv")]))
    assert "12 models · 12 tests · 143 results · 1 failed" in page.text
    # One drawing a cell and one in the legend.
    assert text_count(page, "svg", "bar") == 144
    assert page.tags.count("figure") == 12


def text_count(page: Page, tag: str, kind: str) -> int:
    return sum(
        name == tag and attributes.get("class") == kind for name, attributes in page.elements
    )


def test_no_results_and_only_failures(make_failure: Callable[..., Failure]) -> None:
    assert "There are no results." in _check_whole(_report([])).text
    page = _check_whole(_report([], [make_failure()]))
    assert "failed" in page.text
    assert "FormatError: broken.txt:3: expected 2 numbers\nhint: mend the line" in "".join(
        page.said
    )


def test_a_failed_cell_says_why(
    make_result: Callable[..., Result], make_failure: Callable[..., Failure]
) -> None:
    page = Page(_report([make_result("a")], [make_failure("b")]))
    titles = [attributes.get("title") for tag, attributes in page.elements if tag == "td"]
    assert r"broken.txt:3: expected 2 numbers\nhint: mend the line" in titles
    assert "a" in page.text


def test_every_word_is_escaped(
    make_result: Callable[..., Result],
    make_failure: Callable[..., Failure],
    make_items: Callable[..., polars.DataFrame],
    make_alignment: Callable[..., dict[str, Any]],
    evil: tuple[str, ...],
) -> None:
    words = tuple(word for word in evil if word != "\ud800")
    details = make_alignment(evil, evil)
    results = [
        made
        for word in evil
        for made in (
            make_result(word, resource=word, n_covered=50, details={"missing": list(evil)}),
            make_result(word, evaluation="qvec", metric="cca", details=details, n_covered=9),
            make_result(
                word, evaluation=f"plugin({word}", metric=word, others={word: 0.5}, oov=word
            ),
        )
    ]
    failures = [make_failure(word, resource=word, message=word) for word in evil]
    text = _report(
        results,
        failures,
        items=lambda _: make_items(words),
        suite_text="\n".join(evil),
        title=evil[7],
    )
    text.encode("utf-8")
    page = _check_whole(text)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
    assert "<script>alert(1)</script>" in page.text
    assert "</style><img src=x onerror=alert(1)>" in page.text
    assert "{{ 7*7 }}" in page.text
    assert "$x_1^2$" in page.text
    assert r"\u202egnp.exe" in page.text


def test_the_same_results_give_the_same_bytes(
    make_result: Callable[..., Result], make_items: Callable[..., polars.DataFrame]
) -> None:
    results = _grid(make_result, 3, 2)
    first = _report(results, items=lambda _: make_items(n=700))
    assert first == _report(results, items=lambda _: make_items(n=700))


def test_a_run_like_the_starter_stays_small(
    make_result: Callable[..., Result],
    make_items: Callable[..., polars.DataFrame],
    make_alignment: Callable[..., dict[str, Any]],
) -> None:
    details = make_alignment(tuple(f"noun.feature{i}" for i in range(41)), ("cat", "dog", "car"))
    results = _grid(make_result, 4, 3) + [
        make_result(f"model-{m}", evaluation="qvec", metric="cca", details=details)
        for m in range(4)
    ]
    text = _report(results, items=lambda _: make_items(n=3000))
    assert len(text.encode()) < 1_500_000
    figures = re.findall(r"<figure>.*?</figure>", text, re.DOTALL)
    assert len(figures) == 8
    assert max(map(len, figures)) < 150_000


def test_items_that_cannot_be_read_do_not_cost_the_report(
    make_result: Callable[..., Result], heard: pytest.LogCaptureFixture
) -> None:
    def items(result: Result) -> object:
        raise InputError("the file is gone")

    assert _check_whole(_report([make_result()], items=items)).tags.count("figure") == 1
    assert "the file is gone" in heard.text


def test_the_file_is_written_whole(make_result: Callable[..., Result], tmp_path: Path) -> None:
    path = tmp_path / "run" / "report.html"
    write_report([make_result()], [], path, title="t", suite_text=None, items=lambda _: None)
    assert path.read_text("utf-8").rstrip().endswith("</html>")
    assert [each.name for each in path.parent.iterdir()] == ["report.html"]


def test_coverage_bold_and_chance_show_in_the_verdict(make_result: Callable[..., Result]) -> None:
    page = Page(
        _report(
            [
                make_result("best", score=0.9),
                make_result("poor", score=0.5, n_covered=60),
                make_result("none", score=0.01),
            ]
        )
    )
    assert text_count(page, "strong", "score") == 1
    assert text_count(page, "td", "chance") == 1
    # One badge in the table, two in the legend.
    assert text_count(page, "span", "coverage") == 3
    assert "covers 60.0\u00a0%" in page.text


def test_few_known_words_show_in_the_verdict(make_result: Callable[..., Result]) -> None:
    few = dataclasses.replace(make_result("few"), others={"word_coverage": 0.694})
    most = dataclasses.replace(make_result("most"), others={"word_coverage": 0.96})
    page = Page(_report([few, most]))
    assert "knows 69.4\u00a0% of words" in page.text
    assert "knows 96" not in page.text
