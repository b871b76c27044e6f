from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lydite.errors import (
    FormatError,
    InputError,
    MissingWordError,
    UndefinedScoreError,
    UnsuitableModelError,
)
from lydite.evaluations.subsumption.evaluation import METRICS, Subsumption
from lydite.evaluations.subsumption.inventory import write_inventory
from lydite.models.baselines import RandomModel
from lydite.models.catalogue import load
from lydite.resources.catalogue import Located, locate
from lydite.results.record import Outcome
from lydite.runner import ask as ask_by_name
from lydite.spaces.space import Space
from lydite.types import Floats, Vectors

EDGES = "sparrow\tbird\nbird\tanimal\noak\ttree\ntree\tplant\n"


def degrees(**angles: float) -> Space:
    radians = {word.replace("_", " "): np.deg2rad(angle) for word, angle in angles.items()}
    return Space.of({word: [np.cos(r), np.sin(r)] for word, r in radians.items()}, spec="plane")


# sparrow, bird, animal go round by 30 degrees each and keep both conditions. An oak is nearer to
# the plant (50 degrees) than to the tree (90), the plant nearer to the tree (40) than to the oak.
PLANE = degrees(sparrow=0, bird=30, animal=60, oak=0, tree=90, plant=50)


@dataclass(frozen=True)
class Scorer:
    """A pair model: the cosine of the plane, or what depends on names alone."""

    spec = "scorer"

    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        a, b = PLANE.lookup(left), PLANE.lookup(right)
        cosines = (a.vectors * b.vectors).sum(axis=1).astype(np.float64)
        return np.where(a.found & b.found, cosines, np.nan)


@dataclass(frozen=True)
class Encoder:
    spec = "encoder"

    def encode(self, texts: Sequence[str], /) -> Vectors:
        return RandomModel(8).encode(texts)


def file(folder: Path, text: str, name: str = "edges.tsv") -> Located:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return locate(path)


def ask(
    folder: Path,
    model: object,
    text: str = EDGES,
    *,
    pairs: str = "",
    seed: int = 1,
    **how: Any,  # noqa: ANN401
) -> Outcome:
    resources = [file(folder, text)]
    if pairs:
        resources.append(file(folder, pairs, "pairs.tsv"))
    return Subsumption(**how).run(model, resources, seed=seed)


def test_two_triples_by_hand(tmp_path: Path) -> None:
    outcome = ask(tmp_path, PLANE)
    assert (outcome.metric, outcome.score, outcome.statistic) == ("ss", 0.5, "mean")
    assert outcome.others == {
        "rss": 1.0,
        "both": 0.5,
        "as": 0.5,
        "ras": 1.0,
        "aggregate-both": 0.5,
    }
    assert (outcome.n_items, outcome.n_covered, outcome.oov) == (2, 2, "skip")
    items = outcome.items
    assert items["item"] == ["sparrow\tbird\tanimal", "oak\ttree\tplant"]
    assert items["value"] == items["ss"] == [1.0, 0.0]
    assert items["rss"] == [1.0, 1.0]
    assert items["ab"] == pytest.approx([np.sqrt(0.75), 0], abs=1e-7)
    assert items["ac"] == pytest.approx([0.5, np.cos(np.deg2rad(50))])
    assert items["aggregate_bc"] == items["bc"]
    assert outcome.details["violations"][0]["sentence"] == (
        "oak is closer to plant (0.64) than to tree (0.00)"
    )
    assert [step["count"] for step in outcome.details["funnel"]] == [6, 6, 2, 2, 2]
    assert outcome.details["funnel"][-1]["name"] == "covered by the model"


@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_may_lead(tmp_path: Path, metric: str) -> None:
    outcome = ask(tmp_path, PLANE, metric=metric)
    every = {**outcome.others, outcome.metric: outcome.score}
    assert set(every) == set(METRICS)
    assert every == {**ask(tmp_path, PLANE).others, "ss": 0.5}
    assert outcome.score == np.mean(outcome.items["value"])
    assert outcome.items["value"] == outcome.items[metric]
    told = outcome.details["scores"][metric]
    ends = None if outcome.interval is None else outcome.interval.low
    assert (told["score"], told["low"]) == (outcome.score, ends)
    assert outcome.baseline.low <= outcome.baseline.mean <= outcome.baseline.high


def test_details_are_plain_data(tmp_path: Path) -> None:
    for model in (PLANE, Scorer()):
        details = ask(tmp_path, model).details
        assert json.loads(json.dumps(details, allow_nan=False)) == details


def test_a_pair_model_gives_what_its_vectors_give(tmp_path: Path) -> None:
    scored, vectors = ask(tmp_path, Scorer()), ask(tmp_path, PLANE)
    assert scored.score == vectors.score
    assert scored.others == {"rss": 1.0, "both": 0.5}
    assert scored.items["ac"] == pytest.approx(vectors.items["ac"])
    assert scored.details["level"] == "pair"
    assert scored.baseline.kind == "random scores"
    with pytest.raises(InputError, match="as needs vectors of sister lemmas, got a model of pairs"):
        ask(tmp_path, Scorer(), metric="as")


def test_an_encoder_is_asked_words(tmp_path: Path) -> None:
    outcome = ask(tmp_path, Encoder())
    assert (outcome.details["level"], outcome.n_covered) == ("word", 2)


def test_a_model_without_vectors_or_scores_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnsuitableModelError):
        ask(tmp_path, object())


def test_absent_words_are_left_out_and_counted(tmp_path: Path) -> None:
    more = EDGES + "trout\tfish\nfish\tanimal\n"
    outcome = ask(tmp_path, PLANE, more)
    assert (outcome.n_items, outcome.n_covered, outcome.score) == (3, 2, 0.5)
    i = outcome.items["item"].index("trout\tfish\tanimal")
    assert outcome.items["covered"][i] is False
    assert [outcome.items[name][i] for name in ("value", "ab", "aggregate_ac")] == [None] * 3
    assert outcome.details["missing"] == ["trout", "fish"]
    assert outcome.details["words_found"] == pytest.approx(6 / 8)
    with pytest.raises(
        MissingWordError, match=r"1 of 3 triples.*plane.*first <trout, fish, animal>"
    ):
        ask(tmp_path, PLANE, more, oov="error")
    assert ask(tmp_path, PLANE, oov="error").score == 0.5


def test_the_order_of_edges_and_pairs_does_not_matter(tmp_path: Path) -> None:
    pairs = "sparrow\tanimal\noak\tplant\n"
    one = ask(tmp_path, PLANE, pairs=pairs, metric="both")
    lines, others = (sorted(text.splitlines()) for text in (EDGES, pairs))
    other = ask(tmp_path, PLANE, "\n".join(lines), pairs="\n".join(others), metric="both")
    assert (one.score, one.others) == (other.score, other.others)
    assert set(one.items["item"]) == set(other.items["item"])


# Two senses of bank, of two lemmas; the word has the vector of the river, as words have.
BANKS = (
    "bank (river)\tslope\nslope\tland\nbank (money)\tfirm\nfirm\tgroup\n"
    "oak\ttree\ntree\tplant\nfirm\tbusiness\tsynonym\n"
)
SENSES = {
    "bank (river)": 0,
    "slope": 20,
    "land": 40,
    "bank (money)": 180,
    "firm": 200,
    "group": 220,
    "oak": 0,
    "tree": 90,
    "plant": 50,
}


def test_a_space_of_senses_is_known_by_its_names(tmp_path: Path) -> None:
    radians = {name: np.deg2rad(angle) for name, angle in SENSES.items()}
    tagged = {
        # Names that are no words, so that only concepts are found.
        name.replace("slope", "slope (n)"): [np.cos(r), np.sin(r)]
        for name, r in radians.items()
    }
    edges = BANKS
    for word in ("slope", "land", "firm", "group", "oak", "tree", "plant"):
        edges = re.sub(rf"\b{word}\b", f"{word} (n)", edges)
    space = Space.of(
        {n if "(" in n else f"{n} (n)": vector for n, vector in tagged.items()}, spec="senses"
    )
    outcome = ask(tmp_path, space, edges)
    assert outcome.details["level"] == "sense"
    assert (outcome.n_items, outcome.n_covered) == (3, 3)
    assert outcome.items["item"][0] == "bank (river)\tslope (n)\tland (n)"
    assert outcome.score == pytest.approx(2 / 3)
    assert set(outcome.others) == {"rss", "both"}
    assert ask(tmp_path, space, edges, level="sense").score == outcome.score
    with pytest.raises(UndefinedScoreError, match="senses covers none of the triples"):
        ask(tmp_path, space, edges, level="word")
    with pytest.raises(InputError, match="ras needs vectors of sister lemmas, got a space of s"):
        ask(tmp_path, space, edges, metric="ras")


def test_a_space_of_words_stays_one(tmp_path: Path) -> None:
    space = degrees(bank=0, slope=20, land=40, firm=200, group=220, oak=0, tree=90, plant=50)
    outcome = ask(tmp_path, space, BANKS)
    assert outcome.details["level"] == "word"
    # The triple with business, the other lemma of firm, is not covered.
    assert (outcome.n_items, outcome.n_covered) == (4, 3)
    # A bank is nearer to the group (140 degrees) than to the firm (160).
    assert outcome.score == pytest.approx(1 / 3)


@pytest.mark.parametrize("level", ["word", "sense"])
@pytest.mark.parametrize("model", ["random(20)", "plane"])
def test_a_saved_inventory_gives_the_same_results(tmp_path: Path, level: str, model: str) -> None:
    edges = file(tmp_path, EDGES + BANKS)
    how: dict[str, Any] = {"level": level}
    made = Subsumption(**how, sample=5)
    path = tmp_path / "saved.tsv"
    write_inventory(made.inventory([edges], level=how["level"], seed=7), path)
    used = PLANE if model == "plane" else load(model)
    if level == "sense" and model == "plane":
        used = Space.of(
            {word: PLANE.lookup([word]).vectors[0].tolist() for word in PLANE.vocabulary}
        )
    first = made.run(used, [edges], seed=7)
    again = Subsumption(**how).run(used, [locate(path)], seed=7)
    assert again == first
    # What it is of need not be said again.
    assert Subsumption().run(used, [locate(path)], seed=7).items == first.items


def test_an_inventory_of_words_never_turns_into_one_of_senses(tmp_path: Path) -> None:
    text = (
        "# Lydite inventory 1\na\tb\tc\nsparrow\tbird\tanimal\noak\ttree\tplant\nu\tv\tw\nx\ty\tz\n"
    )
    outcome = ask(tmp_path, PLANE, text + "r\ts\tt\nl\tm\tn\n")
    # Less than half of the words are known, so that senses would be tried.
    assert (outcome.score, outcome.n_items, outcome.n_covered) == (0.5, 6, 2)
    assert outcome.details["funnel"][0]["name"] == "triples in the file"
    assert outcome.details["breakdown"] == {}


def told(excerpt: str) -> str:
    return re.escape(excerpt)


@pytest.mark.parametrize(
    ("pairs", "how", "message", "hint"),
    [
        (
            "unicorn\thorse\n",
            {},
            "1 pairs -> 0 with senses -> 0 with a path -> 0 inferred, not asserted "
            "-> 0 with something between -> 0 triples",
            "not in the taxonomy",
        ),
        ("animal\tsparrow\n", {}, "1 pairs -> 1 with senses -> 0 with a path", "specific word f"),
        (
            "sparrow\tbird\n",
            {},
            "1 with a path -> 0 inferred, not asserted",
            "all pairs are direct edges",
        ),
        (
            "sparrow\tbird\n",
            {"inferred": "any"},
            "1 inferred, not asserted -> 0 with something between",
            "nothing lies between",
        ),
        (
            "sparrow\tanimal\noak\tplant\n",
            {"exclude": "bird, tree"},
            "2 pairs -> 2 with senses -> 2 with a path -> 2 inferred, not asserted "
            "-> 2 with something between -> 2 triples -> 0 without bird, tree",
            "loosen the filter 'without bird, tree'",
        ),
        ("", {"min_ic": 99, "ic": "intrinsic"}, "-> 2 triples -> 0 information content", "loosen"),
        (
            "",
            {"exclude": "bird,plant"},
            "6 concepts -> 6 with a path -> 2 inferred, not asserted -> 2 triples "
            "-> 0 without bird, plant",
            "loosen",
        ),
    ],
)
def test_an_empty_inventory_says_where_the_last_triple_was_lost(
    tmp_path: Path, pairs: str, how: dict[str, Any], message: str, hint: str
) -> None:
    with pytest.raises(UndefinedScoreError, match=told(message)) as caught:
        ask(tmp_path, PLANE, pairs=pairs, **how)
    assert "no triples are left from" in caught.value.message
    assert hint in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("edges", "hint"),
    [
        ("sparrow\tbird\noak\ttree\n", "too flat"),
        ("sparrow\tbird\nbird\tanimal\nanimal\tsparrow\n", "the edge that closes it"),
    ],
)
def test_a_whole_taxonomy_is_not_told_to_change_its_pairs(
    tmp_path: Path, edges: str, hint: str
) -> None:
    with pytest.raises(UndefinedScoreError, match="-> 0 triples") as caught:
        ask(tmp_path, PLANE, edges)
    assert hint in (caught.value.hint or "")
    assert "--pairs" not in (caught.value.hint or "")


def test_a_saved_inventory_without_triples_says_so(tmp_path: Path) -> None:
    with pytest.raises(UndefinedScoreError, match="0 triples in the file") as caught:
        ask(tmp_path, PLANE, "# Lydite inventory 1\na\tb\tc\n")
    assert "loosen" not in (caught.value.hint or "")


def test_unknown_words_only(tmp_path: Path) -> None:
    funnel = "6 concepts -> 6 with a path -> 2 inferred, not asserted -> 2 triples -> 0 covered"
    with pytest.raises(UndefinedScoreError, match=told(funnel)):
        ask(tmp_path, degrees(moineau=0, oiseau=30))


@pytest.mark.parametrize(
    ("space", "how", "said", "hint"),
    [
        (degrees(moineau=0), {}, "no sparrow, no bird", "another language"),
        (degrees(animal=0, plant=0), {}, "no house sparrow, no old oak", "mean(MODEL)"),
        (degrees(moineau=0), {"level": "sense"}, "no house sparrow", "level=word"),
    ],
)
def test_what_is_not_covered_is_named(
    tmp_path: Path, space: Space, how: dict[str, Any], said: str, hint: str
) -> None:
    edges = EDGES
    if "sparrow, no bird" not in said:
        edges = edges.replace("sparrow", "house sparrow").replace("oak", "old oak")
        edges = edges.replace("bird", "wild bird").replace("tree", "tall tree")
    with pytest.raises(UndefinedScoreError, match="-> 0 covered; it has ") as caught:
        ask(tmp_path, space, edges, **how)
    assert all(part in caught.value.message for part in said.split(", "))
    assert hint in (caught.value.hint or "")


def test_one_word_a_has_a_score_and_no_interval(tmp_path: Path) -> None:
    edges = "sparrow\tbird\nbird\tanimal\nanimal\tthing\n"
    outcome = ask(tmp_path, degrees(sparrow=0, bird=30, animal=60), edges)
    assert (outcome.score, outcome.n_covered, outcome.interval) == (1.0, 1, None)
    assert outcome.details["scores"]["rss"]["low"] is None


def test_sisters_in_another_case_are_taken_where_that_is_asked(tmp_path: Path) -> None:
    # bush the plant and Bush the president: with fold the centroid of bush has Dubya in it.
    edges = (
        "bush\tshrub\nshrub\tplant\nplant\tthing\nBush\tpresident\npresident\tperson\n"
        "person\tbeing\nBush\tDubya\tsynonym\n"
    )
    space = degrees(bush=0, shrub=20, plant=40, thing=60, president=80, person=100, being=120,
                    Bush=5, Dubya=90)  # fmt: skip
    exact, fold = (ask(tmp_path, space, edges, sisters=case) for case in ("exact", "fold"))
    told = exact.details["inventory"]["sisters"]
    # bush has Bush and Dubya, Bush has bush, Dubya (whose word it also is) has none of its own.
    assert told["words_in_another_case"] == 2
    assert told["lemmas_in_another_case"] == 3
    place = exact.items["item"].index("bush\tshrub\tplant")
    # bush alone at 0 degrees; with Bush at 5 and Dubya at 90 the mean lies further on.
    assert exact.items["aggregate_ab"][place] == pytest.approx(np.cos(np.deg2rad(20)))
    mean = sum(np.exp(1j * np.deg2rad(each)) for each in (0, 5, 90))
    expected = np.cos(np.angle(mean) - np.deg2rad(20))
    assert fold.items["aggregate_ab"][place] == pytest.approx(expected)
    assert fold.items["ab"] == exact.items["ab"]


def test_labels_choose_only_where_a_file_has_several(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is an edge list, where language=de would have no effect"):
        ask(tmp_path, PLANE, language="de")


def test_a_relation_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no edge of the relation 'meronymy'") as caught:
        ask(tmp_path, PLANE, relation="meronymy")
    assert "hypernymy" in (caught.value.hint or "")


def test_columns_that_are_missing(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="expected columns a, b and c, got a, c"):
        ask(tmp_path, PLANE, "# Lydite inventory 1\na\tc\nsparrow\tanimal\n")


@pytest.mark.parametrize(
    "parameters",
    [
        {"min_count": -1},
        {"min_ic": float("nan")},
        {"sample": -1},
        {"sample": 1.5},
        {"metric": "accuracy"},
        {"similarity": "manhattan"},
        {"paths": "longest"},
    ],
)
def test_parameters_that_make_no_sense_are_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Subsumption(**parameters)


def test_random_vectors_keep_half_and_both_conditions_in_a_third() -> None:
    resource = "starter-taxonomy"
    outcomes = [
        ask_by_name(RandomModel(30, seed=seed), "subsumption", resource, seed=seed).result
        for seed in range(4)
    ]
    for name, share in (("ss", 1 / 2), ("rss", 1 / 2), ("both", 1 / 3), ("aggregate-both", 1 / 3)):
        baselines = [result.details["scores"][name]["baseline"] for result in outcomes]
        assert baselines == pytest.approx([share] * 4, abs=0.02)
        scores = [result.details["scores"][name]["score"] for result in outcomes]
        assert np.mean(scores) == pytest.approx(share, abs=0.05)


def test_every_seed_draws_its_own_sample() -> None:
    drawn = [
        ask_by_name(RandomModel(5), "subsumption(sample=30)", "starter-taxonomy", seed=seed).items[
            "item"
        ]
        for seed in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(drawn[2]) == 30


@cache
def keyed_vectors() -> Any:  # noqa: ANN401
    reason = "gensim, the other implementation, is not installed"
    gensim = pytest.importorskip("gensim.models", reason=reason)
    space = load("glove-6b-50d")
    assert isinstance(space, Space)
    words = space.head(40_000)
    keyed = gensim.KeyedVectors(space.dim)
    keyed.add_vectors(list(words.vocabulary), np.asarray(words.vectors))
    return keyed, words


def decisions_of_gensim(
    outcome: Outcome, sisters: dict[str, tuple[str, ...]]
) -> tuple[list[tuple[bool, ...] | None], Floats]:
    """Decide triple by triple with gensim, and say how clear each decision was."""
    keyed, _ = keyed_vectors()

    def name(word: str) -> str | None:
        spellings = (word, word.lower(), word.replace(" ", "_"), word.lower().replace(" ", "_"))
        return next((spelling for spelling in spellings if spelling in keyed), None)

    @cache
    def similarities(left: str, right: str) -> tuple[float, float]:
        groups = [[name(s) for s in sisters[word] if name(s)] for word in (left, right)]
        return keyed.similarity(name(left), name(right)), keyed.n_similarity(*groups)

    decided: list[tuple[bool, ...] | None] = []
    margins = []
    for triple in zip(*(outcome.items[x] for x in "abc"), strict=True):
        if not all(map(name, triple)):
            decided.append(None)
            margins.append(np.inf)
            continue
        a, b, c = triple
        ab, bc, ac = (np.array(similarities(*pair)) for pair in ((a, b), (b, c), (a, c)))
        decided.append((*(ab >= ac).tolist(), *(bc >= ac).tolist()))
        margins.append(float(np.min(np.abs([ab - ac, bc - ac]))))
    return decided, np.array(margins)


@pytest.mark.parametrize("resource", ["starter-taxonomy", "wordnet-3.0+bless"])
def test_gensim_decides_every_triple_alike(resource: str, request: pytest.FixtureRequest) -> None:
    if resource != "starter-taxonomy":
        request.getfixturevalue("shared_data")
    _, words = keyed_vectors()
    resources = [locate(part) for part in resource.split("+")]
    question = Subsumption(sample=0)
    outcome = question.run(words, resources, seed=1)
    sisters = dict(question.inventory(resources).sisters)
    decided, margins = decisions_of_gensim(outcome, sisters)
    ours = list(zip(*(outcome.items[m] for m in ("ss", "as", "rss", "ras")), strict=True))
    # gensim's cosines are of float32: below 10^-6 its decisions are rounding.
    clear = margins > 1e-6
    assert clear.mean() > 0.99
    for i in np.flatnonzero(clear).tolist():
        found = None if ours[i][0] is None else ours[i]
        assert found == decided[i], outcome.items["item"][i]
