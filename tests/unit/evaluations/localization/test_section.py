from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars
import pytest

from lydite.drawing.table import Table
from lydite.evaluations.catalogue import make_section
from lydite.evaluations.localization.section import section
from lydite.reports.page import render_report
from lydite.results.record import Result

Maker = Callable[..., Result]

TEXTS = ("Hi.", "Hello.", "Hey.", "Bye.", "Farewell.", "See you.")
GROUPS = ("greeting",) * 3 + ("parting",) * 3
DETAILS: dict[str, Any] = {
    "histogram": {"3": 2},
    "changes": {"entities mended": 1234, "groups merged": 2},
    "notes": [],
    "missing": [],
    "groups": [
        {
            "group": "greeting",
            "sentences": 3,
            "accuracy": 0.5,
            "unanswered": 0,
            "taken_for": "parting",
            "times": 3,
            "example": "Hey.",
            "returned": None,
        }
    ],
    "confused": [
        {
            "groups": ["greeting", "parting"],
            "times": 3,
            "forwards": 3,
            "backwards": 0,
            "examples": ["Hey.", None],
        }
    ],
}


def table(said: Sequence[str | None], texts: Sequence[str] = TEXTS) -> polars.DataFrame:
    """An item table: what each sentence is taken for, in the only repeat."""
    pairs = zip(said, GROUPS, strict=True)
    return polars.DataFrame(
        {
            "item": texts,
            "group": GROUPS,
            "taken_for": said,
            "value": [float(one == other) for one, other in pairs],
            "covered": [True] * len(texts),
        }
    )


RIGHT = table(GROUPS)
WRONG = table(["greeting", "parting", "parting", "parting", "parting", "greeting"])


@pytest.fixture
def make_localized(make_result: Maker) -> Maker:
    def make(model: str = "bow", **other: Any) -> Result:  # noqa: ANN401
        given = {
            "evaluation": "localization",
            "metric": "svm",
            "resource": "mine.csv",
            "score": 0.5,
            "n_items": 6,
            "n_covered": 6,
            "others": {"centroid": 0.4, "neighbour": 0.3, "alignment": 0.2, "uniformity": -1.5},
            "details": DETAILS,
        }
        return make_result(model, **{**given, **other})

    return make


def _texts(made: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in made.all_rows]


def _loader(tables: Mapping[str, polars.DataFrame]) -> Callable[[Result], Any]:
    return lambda result: tables.get(result.model)


def test_a_run_of_two_models_has_everything(make_localized: Maker) -> None:
    results = [make_localized("bow", score=1.0), make_localized("usem3")]
    made = section(results, _loader({"bow": RIGHT, "usem3": WRONG}))
    for figure, said in zip(
        made.figures, ("null baseline", "2 paraphrase groups", "agreement"), strict=True
    ):
        assert said in figure.caption
    for table, said in zip(
        made.tables, ("share of sentences", "most often", "least", "agreement"), strict=True
    ):
        assert said in table.caption
    assert made.notes[-1].endswith("entities mended: 1,234; groups merged: 2.")


def test_one_model_agrees_with_nobody(make_localized: Maker) -> None:
    made = section([make_localized()], _loader({"bow": WRONG}))
    assert len(made.figures) == 2
    assert not any("agreement" in each.caption for each in made.tables)


def test_without_item_tables_details_are_told(make_localized: Maker) -> None:
    made = section([make_localized("bow"), make_localized("usem3")], _loader({}))
    assert len(made.figures) == 2
    _, confused, worst = made.tables
    assert _texts(confused) == [["greeting: Hey.", "parting", "3", "3"]]
    assert _texts(worst) == [["greeting: Hey.", "0.50", "0.50", "parting", "6"]]


def test_without_details_scores_are_told(make_localized: Maker) -> None:
    made = section([make_localized(details={})], _loader({}))
    assert len(made.figures) == 1
    assert len(made.tables) == 1


def test_two_seeds_share_the_sizes_and_nothing_else(make_localized: Maker) -> None:
    results = [make_localized(model, seed=seed) for model in ("bow", "usem3") for seed in (0, 1)]
    made = section(results, _loader({"bow": RIGHT, "usem3": WRONG}))
    captions = [figure.caption for figure in made.figures]
    assert sum("seed 0" in caption for caption in captions) == 2
    assert sum("seed 1" in caption for caption in captions) == 2
    assert sum("paraphrase groups of" in caption for caption in captions) == 1
    scores = made.tables[0]
    columns, rows = scores.for_people()
    assert columns[-1].title == "seed"
    assert [(row[0].text, row[-1].text) for row in rows] == [
        ("bow", "0"),
        ("usem3", "0"),
        ("bow", "1"),
        ("usem3", "1"),
    ]


def test_two_sets_of_groups_stand_apart(make_localized: Maker) -> None:
    other = {**DETAILS, "histogram": {"4": 9}, "changes": {}}
    results = [make_localized(), make_localized(resource="other.csv", details=other)]
    captions = [figure.caption for figure in section(results, _loader({})).figures]
    first, second = captions[2:]
    assert first.startswith("mine.csv: 2 paraphrase groups of 6 sentences")
    assert second.startswith("other.csv: 9 paraphrase groups of 36 sentences")


def test_models_no_better_than_words_are_named(make_localized: Maker) -> None:
    results = [
        make_localized("bow", score=0.6),
        make_localized("bow(case=keep)", score=0.5),
        make_localized("mean(a)", score=0.6),
        make_localized("sum(a)", score=0.4),
        make_localized("usem3", score=0.7),
    ]
    note = section(results, _loader({})).notes[0]
    assert "no better than the bag of words (0.600)" in note
    assert note.endswith(": mean(a) (0.600), sum(a) (0.400).")


def test_that_there_is_no_bag_of_words_is_said(make_localized: Maker) -> None:
    notes = section([make_localized("pca(bow)")], _loader({})).notes
    assert notes[0].startswith("mine.csv: the bag of words is not among the models")


def test_the_section_is_registered_and_reads_plainly(make_localized: Maker) -> None:
    made = make_section("localization", [make_localized()], _loader({}))
    assert made.title.startswith("Localization: ")
    for word in ("chance", "bag of words", "Alignment", "uniformity", "ensemble", "95"):
        assert word in made.how_to_read


def test_hostile_text_does_nothing(make_localized: Maker, evil: tuple[str, ...]) -> None:
    texts = [text.encode(errors="replace").decode() for text in evil[:6]]
    details = {
        **DETAILS,
        "notes": list(evil),
        "missing": list(evil),
        "changes": {evil[0]: 1},
        "groups": [
            {**DETAILS["groups"][0], "group": one, "taken_for": other, "example": other}
            for one, other in zip(evil, reversed(evil), strict=True)
        ],
        "confused": [
            {**DETAILS["confused"][0], "groups": [one, one * 2], "examples": [one * 40, None]}
            for one in evil
        ],
    }
    models = [*(f"m{name}" for name in evil if name != "\ud800"), "bow"]
    page = render_report(
        [make_localized(model, details=details, n_covered=5) for model in models],
        [],
        title="hostile",
        suite_text=None,
        items=lambda _: table(GROUPS, texts),
    )
    page.encode()
    assert "could not be made" not in page
    for acting in ("<script", "<img", "\x1b", "\u202e", "</style><"):
        assert acting not in page
    assert "&lt;script&gt;alert(1)" in page
