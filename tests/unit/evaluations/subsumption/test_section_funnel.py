from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from lydite.drawing import palette
from lydite.evaluations.subsumption.inventory import Step
from lydite.evaluations.subsumption.section import Made, choices_note, funnel_figure, inventories
from lydite.results.record import Result
from lydite.results.trials import trials

Maker = Callable[..., Result]
Details = Callable[..., dict[str, Any]]


def _made(results: list[Result]) -> list[Made]:
    return inventories(trials(results))


def test_the_last_step_is_told_for_each_model(make_answer: Maker) -> None:
    (made,) = _made([make_answer("a", n_covered=40), make_answer("b", n_covered=90)])
    assert [(row.name, row.count) for row in made.rows[-3:]] == [
        ("triples", 100),
        ("covered by a", 40),
        ("covered by b", 90),
    ]
    (same,) = _made([make_answer("a"), make_answer("b")])
    assert same.rows[-1] == Step(name="covered by each model", count=100, unit="triples")


def test_other_choices_make_another_inventory(make_answer: Maker, make_details: Details) -> None:
    first, second = _made(
        [
            make_answer("a"),
            make_answer("b", details=make_details(level="sense")),
            make_answer("c", details={}),
        ]
    )
    assert (first.title, second.title) == ("mine.tsv", "mine.tsv, senses")
    assert list(first.results) == ["a"]


def test_a_title_says_what_was_asked_where_the_resource_does_not_tell(
    make_answer: Maker, make_details: Details
) -> None:
    made = _made(
        [
            make_answer(),
            make_answer(
                evaluation="subsumption(senses=first)", details=make_details(senses="first")
            ),
        ]
    )
    assert [each.title for each in made] == ["mine.tsv", "mine.tsv, subsumption(senses=first)"]


def _lengths(svg: str) -> list[float]:
    """The lengths of the bars of pairs and triples."""
    lengths = []
    for path in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}path"):
        style = path.attrib.get("style", "")
        if palette.FAINT.light in style or palette.ACCENT.light in style:
            across = [float(x) for x in re.findall(r"[ML] (\S+)", path.attrib["d"])]
            lengths.append(max(across) - min(across))
    return lengths


def test_units_and_samples_have_scales_of_their_own(
    make_answer: Maker, make_details: Details
) -> None:
    details = make_details()
    # Of 1,337 pairs 1,149 have a path; of 20,000 triples 100 are drawn, and 25 of these covered.
    details["funnel"][2:] = [
        {"name": "triples", "count": 20_000, "unit": "triples"},
        {"name": "drawn at random", "count": 100, "unit": "triples"},
        {"name": "covered by the model", "count": 25, "unit": "triples"},
    ]
    (made,) = _made([make_answer(details=details, n_covered=25)])
    svg = funnel_figure(made).svg
    longest, *others = _lengths(svg)
    shares = [round(length / longest, 3) for length in others]
    assert shares == [0.859, 1.0, 1.0, 0.25]
    assert "20,000 triples" in svg


def test_many_models_are_cut_and_it_is_said(make_answer: Maker) -> None:
    (made,) = _made([make_answer(f"m{i}", n_covered=i + 1) for i in range(14)])
    assert "12 of 14 models" in funnel_figure(made).caption


def test_an_empty_funnel_can_be_drawn(make_answer: Maker, make_details: Details) -> None:
    details = make_details()
    details["funnel"] = [{"name": "triples", "count": 0, "unit": "of another kind"}] * 2
    (made,) = _made([make_answer(details=details)])
    ElementTree.fromstring(funnel_figure(made).svg)


def test_choices_are_told_as_far_as_they_are_known(
    make_answer: Maker, make_details: Details
) -> None:
    details = make_details(inferred="word", min_count=1000, min_ic=0, exclude=["entity", "object"])
    details["inventory"]["frequencies"] = "folder/counts.tsv"
    (made,) = _made([make_answer(details=details)])
    told = choices_note(made).partition(": ")[2].split("; ")
    # Neither lemmas, paths, part of speech nor information content are told of.
    assert len(told) == 6
    for choice, fact in zip(
        told,
        ("wordnet-3.0", "hypernymy", "all senses", "not asserted", "entity, object", "1,000 times"),
        strict=True,
    ):
        assert fact in choice
    assert told[-1].endswith("counts.tsv.")
    del details["inventory"]
    (unknown,) = _made([make_answer(details=details)])
    assert choices_note(unknown) == ""
