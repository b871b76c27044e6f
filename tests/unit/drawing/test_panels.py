from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from lydite.drawing import palette
from lydite.drawing.figures import WIDTH
from lydite.drawing.panels import Margins, Mark, name_rows, panels


def _size(svg: str) -> tuple[float, float]:
    box = ElementTree.fromstring(svg).attrib["viewBox"].split()
    return float(box[2]) / 72, float(box[3]) / 72


def test_a_figure_is_as_high_as_its_panels_and_margins() -> None:
    with panels([1.0, 0.5], margins=Margins(left=1.0, top=0.3, bottom=0.4), gaps=(0, 0.2)) as drawn:
        heights = [axes.get_position().height * 2.4 for axes in drawn.all]
        assert heights == pytest.approx([1.0, 0.5])
        assert _size(drawn.to_svg()) == pytest.approx((WIDTH, 2.4))


def test_many_panels_make_a_figure_wider() -> None:
    with panels([1.0], 8, margins=Margins(left=1.0, right=0.1), least=1.5) as drawn:
        assert drawn.across == 1.5
        # 1.0 + 8 * 1.5 + 7 * 0.2 + 0.1
        assert _size(drawn.to_svg())[0] == pytest.approx(14.5)


def test_points_without_a_value_are_left_out() -> None:
    mark = Mark(name="kind", colour=palette.ACCENT, marker="o")
    with panels([1.0], margins=Margins(left=0.5)) as drawn:
        mark.draw(drawn.axes, [(0.5, 1), (None, 2), (0.25, 3)])
        (line,) = drawn.axes.get_lines()
        assert np.array_equal(np.asarray(line.get_xydata()), [(0.5, 1), (0.25, 3)])


def test_the_first_row_is_at_the_top_and_the_legend_names_the_marks() -> None:
    marks = [Mark(name="one", colour=palette.ACCENT), Mark(name="<two>", colour=palette.GOLD)]
    with panels([1.0], 2, margins=Margins(left=0.5), share="y") as drawn:
        name_rows(drawn.axes, ["top", "bottom"])
        low, high = drawn.grid[0][1].get_ylim()
        assert low > high
        drawn.legend(marks)
        svg = drawn.to_svg()
    assert ">one<" in svg
    assert "&lt;two&gt;" in svg
    assert svg.count(">top<") == 1
