from __future__ import annotations

import pytest

from lydite.drawing.svg import inline
from lydite.errors import InputError

_HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'viewBox="0 0 30 15">'
)


def _inlined(inside: str, prefix: str = "f1-") -> str:
    return str(inline(f"{_HEAD}{inside}</svg>", prefix=prefix, title="what it shows").svg)


def test_used_ids_get_the_prefix_and_others_go() -> None:
    text = _inlined(
        '<defs><clipPath id="c"><rect id="unused" width="1" height="1"/></clipPath></defs>'
        '<g clip-path="url(#c)"><use xlink:href="#m"/></g><path id="m" d="M0 0"/>'
    )
    assert 'id="f1-0"' in text
    assert 'clip-path="url(#f1-0)"' in text
    assert 'href="#f1-1"' in text
    assert "unused" not in text


def test_colours_and_fonts_become_the_page_s() -> None:
    text = _inlined(
        "<text style=\"font: 700 12px 'DejaVu Sans', sans-serif; fill: #0072b2\">a</text>"
        '<path stroke="#606873" d="M 1.23456 2.00001"/>'
    )
    assert 'style="font-size:12px;font-weight:700;fill:var(--accent)"' in text
    assert 'stroke="var(--muted)"' in text
    assert 'd="M 1.23 2"' in text


def test_text_from_data_is_left_alone() -> None:
    word = 'style="font: 12px x" #0072b2 1.23456 url(#c)'
    assert f">{word}</text>" in _inlined(f"<text>{word}</text>")
    assert "&lt;script&gt;" in _inlined("<text>&lt;script&gt;</text>")


@pytest.mark.parametrize(
    "inside",
    [
        "<script>alert(1)</script>",
        "<g><script>alert(1)</script></g>",
        '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml">alert</body></foreignObject>',
        "<style>@import url(https://alert.example)</style>",
        '<g onclick="alert(1)" onLoad="alert(1)"/>',
        '<a xlink:href="https://alert.example"><g/></a>',
        '<image xlink:href="https://alert.example/x.png"/>',
        '<image href="data:image/svg+xml;base64,alert"/>',
        '<use href="alert.svg#x"/>',
        '<rect fill="url(https://alert.example)"/>',
        '<rect style="fill: url( &quot;https://alert.example&quot; )"/>',
        '<rect style="fill: u\\72l(//alert.example)"/>',
        '<animate attributeName="href" to="alert"/>',
        '<set attributeName="href" to="alert"/>',
    ],
)
def test_nothing_acts_or_loads(inside: str) -> None:
    assert "alert" not in _inlined(inside)


def test_a_picture_keeps_images_of_its_own_and_says_what_it_shows() -> None:
    made = inline(
        f'{_HEAD}<image xlink:href="data:image/png;base64,AAAA"/></svg>', prefix="p", title='a "b"'
    )
    assert 'href="data:image/png;base64,AAAA"' in made.svg
    assert 'aria-label="a &quot;b&quot;"' in made.svg
    # 30 by 15 points are 40 by 20 pixels.
    assert 'width="40" height="20"' in made.svg
    assert made.height == pytest.approx(20.0)


def test_what_is_no_svg_is_an_error() -> None:
    with pytest.raises(InputError, match="expected a figure as SVG"):
        inline("<svg", prefix="p", title="")
