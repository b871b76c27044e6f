"""Pictures put into a page: ids of their own, the page's colors and font, nothing that acts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.etree import ElementTree

from markupsafe import Markup

from lydite.drawing.palette import as_variable
from lydite.errors import InputError

#: Elements that a still picture needs; all others are dropped with what is in them.
_ELEMENTS = {
    *("svg", "g", "defs", "symbol", "use", "clipPath", "mask", "pattern", "marker"),
    *("path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "image"),
    *("text", "tspan", "title", "desc", "linearGradient", "radialGradient", "stop"),
}
_ATTRIBUTE = re.compile(r"(?!on)[a-z][\w-]*\Z", re.IGNORECASE)
_DROPPED = {"class", "base", "version", "space"}
_REFERENCE = re.compile(r"url\(\s*['\"]?#([^()'\"]*+)['\"]?\s*\)")
#: What could load from elsewhere; a backslash could hide any of it.
_OUTSIDE = re.compile(r"url|@import|image-set|\\", re.IGNORECASE)
_LONG_NUMBER = re.compile(r"-?(?<!\d)\d++\.\d{3,}+")
_FONT = re.compile(r"(?:(?P<weight>bold|[1-9]00)\s++)?(?P<size>(?<![\d.])[\d.]++)px")
_PIXELS_A_POINT = 4 / 3
_MEASURES = {"d", "x", "y", "width", "height", "transform", "points", "cx", "cy", "r"}


@dataclass(frozen=True, kw_only=True)
class Inlined:
    """A picture for a page, and how high it stands there, in pixels; 0 if it does not say."""

    svg: Markup
    height: float


def inline(svg: str, *, prefix: str, title: str) -> Inlined:
    """Return an SVG picture as part of an HTML page.

    Whatever could act or load is dropped: scripts, style sheets, handlers, foreign content, links
    and addresses outside the picture. Only ids that are used stay, each behind the prefix.

    The prefix must be unlike that of any other picture on the page; the title is for those who
    cannot see it.
    """
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as error:
        raise InputError(f"expected a figure as SVG, got: {error}") from error
    _drop_what_acts(root)
    for element in root.iter():
        _translate(element)
    _rename_ids(root, prefix)
    height = _describe(root, title)
    text = ElementTree.tostring(root, encoding="unicode", method="xml")
    return Inlined(svg=Markup(text), height=height)


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _drop_what_acts(parent: ElementTree.Element) -> None:
    for child in list(parent):
        if not isinstance(child.tag, str) or _local(child.tag) not in _ELEMENTS:
            parent.remove(child)
        else:
            _drop_what_acts(child)


def _translate(element: ElementTree.Element) -> None:
    """Take namespaces off, and rewrite the attributes that a page needs otherwise."""
    element.tag = _local(element.tag)
    attributes = {_local(name): value for name, value in element.attrib.items()}
    element.attrib.clear()
    for name, value in attributes.items():
        written = _written(name, value)
        if written is not None:
            element.set(name, written)


def _written(name: str, value: str) -> str | None:
    """Return what becomes of an attribute; None if it is dropped."""
    if not _ATTRIBUTE.match(name) or name in _DROPPED:
        return None
    if name == "href":
        return value if value.startswith(("#", "data:image/png;base64,")) else None
    if _OUTSIDE.search(_REFERENCE.sub("", value)):
        return None
    if name == "style":
        return _restyle(value)
    if name in _MEASURES:
        return _LONG_NUMBER.sub(_shorter, value)
    return as_variable(value) if name in {"fill", "stroke"} else value


def _restyle(style: str) -> str:
    kept = []
    for declaration in style.split(";"):
        name, colon, value = (part.strip() for part in declaration.partition(":"))
        if not colon:
            continue
        if name == "font":
            kept += _font(value)
        else:
            kept.append(f"{name}:{as_variable(_LONG_NUMBER.sub(_shorter, value))}")
    return ";".join(kept)


def _font(value: str) -> list[str]:
    """Keep the size and weight of a font; the family is the page's."""
    found = _FONT.search(value)
    if found is None:
        return []
    weight = [f"font-weight:{found['weight']}"] if found["weight"] else []
    return [f"font-size:{found['size']}px", *weight]


def _shorter(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def _rename_ids(root: ElementTree.Element, prefix: str) -> None:
    used: dict[str, str] = {}

    def renamed(name: str) -> str:
        return used.setdefault(name, f"{prefix}{len(used)}")

    for element in root.iter():
        for name, value in element.attrib.items():
            if name == "href" and value.startswith("#"):
                element.set(name, f"#{renamed(value[1:])}")
            elif name != "id":
                element.set(name, _REFERENCE.sub(lambda found: f"url(#{renamed(found[1])})", value))
    for element in root.iter():
        name = element.attrib.pop("id", "")
        if name in used:
            element.set("id", used[name])


def _describe(root: ElementTree.Element, title: str) -> float:
    """Name the picture, give it its size in pixels, and return its height."""
    root.set("role", "img")
    root.set("aria-label", title)
    box = re.findall(r"-?[\d.]+", root.attrib.get("viewBox", ""))
    if len(box) != 4:
        return 0.0
    width, height = float(box[2]) * _PIXELS_A_POINT, float(box[3]) * _PIXELS_A_POINT
    root.set("width", f"{width:.0f}")
    root.set("height", f"{height:.0f}")
    return height
