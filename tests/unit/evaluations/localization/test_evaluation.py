from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from lydite.corpora.paraphrases.groups import ParaphraseGroups
from lydite.errors import (
    FormatError,
    InputError,
    ResourceError,
    SpecError,
    UndefinedScoreError,
    UnsuitableModelError,
)
from lydite.evaluations.localization.evaluation import (
    Localization,
    LocalizationDetails,
    drawn_groups,
)
from lydite.models.baselines import BagOfWords
from lydite.models.combination import Ensemble
from lydite.models.principal_components import PrincipalComponents
from lydite.resources.catalogue import locate
from lydite.results.compare import compare_results
from lydite.runner import Evaluated, ask
from lydite.spaces.space import Space
from lydite.spec import Value, write_parameters
from lydite.stats.means import difference_interval, mean_interval
from lydite.types import Mask, Vectors

Groups = Mapping[str, Sequence[str]]

CLASSIFIERS = ("svm", "centroid", "neighbour")
GEOMETRY = ("alignment", "uniformity")

#: Three groups of three sentences of words of their own.
PETS = {
    "cats": ["the cat sleeps", "a cat sleeps", "the cat is asleep"],
    "rain": ["rain falls", "it rains rain", "rain falls today"],
    "debts": ["banks owe much", "banks owe a lot", "much is owed by banks"],
}


def written(folder: Path, groups: Groups = PETS) -> str:
    path = folder / "groups.jsonl"
    rows = ({"group": name, "text": text} for name, texts in groups.items() for text in texts)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def asked(model: object, path: str, seed: int = 0, **parameters: Value) -> Evaluated:
    question = write_parameters("localization", {"repeats": 1, **parameters})
    return ask(model, question, path, seed=seed)


class Told:
    """Vectors by text."""

    spec = "told"

    def __init__(self, vectors: Mapping[str, Sequence[float]]) -> None:
        self.vectors = vectors

    def encode(self, texts: Sequence[str], /) -> Vectors:
        return np.array([self.vectors[text] for text in texts], dtype=np.float32)


class Remembers(Told):
    """A model that was trained on some texts."""

    def __init__(self, vectors: Mapping[str, Sequence[float]], seen: Sequence[str]) -> None:
        super().__init__(vectors)
        self.seen = seen

    def saw(self, texts: Sequence[str], /) -> Mask:
        return np.array([text in self.seen for text in texts])


def in_place(groups: Groups = PETS) -> dict[str, Sequence[float]]:
    """Return one vector a group."""
    axes = np.eye(len(groups)).tolist()
    return {text: axes[i] for i, texts in enumerate(groups.values()) for text in texts}


def mean_ends(values: Sequence[float], groups: Sequence[int]) -> tuple[float, float]:
    interval = mean_interval(values, groups)
    assert interval is not None
    return interval.low, interval.high


def many(groups: int = 12, size: int = 4) -> dict[str, list[str]]:
    return {f"g{g}": [f"sentence {s} of {g}" for s in range(size)] for g in range(groups)}


@pytest.mark.parametrize("metric", ["svm", "centroid", "neighbour"])
def test_one_place_a_meaning_is_perfect(tmp_path: Path, metric: str) -> None:
    found = asked(Told(in_place()), written(tmp_path), metric=metric, repeats=2)
    result = found.result
    assert (result.metric, result.score) == (metric, 1)
    # Nothing is wrong, and yet nine sentences in three groups prove little: Wilson's interval with
    # t(5) is 1 / (1 + t² / 9) to 1.
    assert result.ends == pytest.approx((1 / (1 + 2.570582**2 / 9), 1))
    assert {metric, *result.others} == {*CLASSIFIERS, *GEOMETRY, "mean_of_groups", "groups"}
    assert result.others["alignment"] == 0
    # 36 pairs of 9 sentences, 9 of them within groups at distance 0, 27 at a squared distance of 2.
    assert result.others["uniformity"] == pytest.approx(np.log((9 + 27 * np.exp(-4)) / 36))
    assert result.others["groups"] == 3
    assert (result.n_items, result.n_covered) == (9, 9)
    assert result.details["repeats"] == [1, 1]
    assert result.details["histogram"] == {"3": 3}
    assert result.details["confused"] == []
    assert json.loads(result.to_json())["metric"] == metric
    assert found.items["group"] == [name for name in PETS for _ in range(3)]
    assert found.items["taken_for"] == found.items["group"]
    assert list(found.items) == [
        "item", "group", "taken_for", "value", "covered",
        *(f"taken_for_by_{name}" for name in ("svm", "centroid", "neighbour") if name != metric),
    ]  # fmt: skip


#: Four times x against y, y, x: the last of the second group is always taken for the first, and the
#: others, whose nearest is one of their own, never.
ASTRAY = {"x": ["x one", "x two", "x three", "x four"], "y": ["y one", "y two", "y astray"]}
VECTORS = {
    text: [1.0, 0.0] if text[0] == "x" or "astray" in text else [0.0, 1.0]
    for texts in ASTRAY.values()
    for text in texts
}


@pytest.mark.parametrize("metric", ["centroid", "neighbour"])
def test_one_sentence_astray_by_hand(tmp_path: Path, metric: str) -> None:
    found = asked(Told(VECTORS), written(tmp_path, ASTRAY), metric=metric, repeats=3)
    result = found.result
    assert result.score == pytest.approx(6 / 7)
    assert result.others["mean_of_groups"] == pytest.approx((1 + 2 / 3) / 2)
    assert found.items["value"] == [1, 1, 1, 1, 1, 1, 0]
    assert found.items["taken_for"] == ["x", "x", "x", "x", "y", "y", "x"]
    assert result.details["repeats"] == pytest.approx([6 / 7] * 3)
    # Nine pairs within groups: six at 0, one at 0, two at a squared distance of 2.
    assert result.others["alignment"] == pytest.approx(4 / 9)
    (pair,) = result.details["confused"]
    assert pair["groups"] == ["x", "y"]
    assert (pair["times"], pair["forwards"], pair["backwards"]) == (3, 0, 3)
    assert pair["examples"] == [None, "y astray"]
    worst = result.details["groups"]
    assert [row["group"] for row in worst] == ["y", "x"]
    assert worst[0]["accuracy"] == pytest.approx(2 / 3)
    # Sentences of one group stand or fall together: two groups say little.
    assert result.ends == mean_ends(found.items["value"], [0] * 4 + [1] * 3)
    assert result.ends[0] < 0.3


def test_what_leads_changes_no_score(tmp_path: Path) -> None:
    path = written(tmp_path, many())
    results = {metric: asked(_random(), path, metric=metric).result for metric in CLASSIFIERS}
    for name, result in results.items():
        every = {**result.others, name: result.score}
        for other, theirs in results.items():
            again = {**theirs.others, other: theirs.score}
            assert {k: v for k, v in every.items() if k != "mean_of_groups"} == {
                k: v for k, v in again.items() if k != "mean_of_groups"
            }


def _random() -> object:
    from lydite.models.baselines import RandomModel

    return RandomModel(6)


def test_the_score_is_the_mean_of_the_items_and_of_the_repeats(tmp_path: Path) -> None:
    found = asked(_random(), written(tmp_path, many()), repeats=4)
    assert found.result.score == pytest.approx(np.mean(found.items["value"]))
    assert found.result.score == pytest.approx(np.mean(found.result.details["repeats"]))
    assert len(found.result.details["repeats"]) == 4
    assert len(set(found.result.details["repeats"])) > 1
    assert set(np.multiply(found.items["value"], 4)) <= {0, 1, 2, 3, 4}
    assert min(found.result.ends) <= found.result.score <= max(found.result.ends)


def test_random_vectors_are_near_chance_and_so_is_the_baseline(tmp_path: Path) -> None:
    groups = many(groups=20, size=4)
    found = asked(_random(), written(tmp_path, groups), repeats=2)
    result = found.result
    # 80 sentences at a chance of 1/20: four right, with a deviation of two.
    for score in (result.score, result.others["centroid"], result.others["neighbour"]):
        assert score < 0.2
    # Dealt out at random, each prediction is right with the share of its group.
    said, own = found.items["taken_for"], found.items["group"]
    expected = sum(said.count(g) * own.count(g) for g in groups) / len(own) ** 2
    assert result.baseline.mean == pytest.approx(expected, abs=0.005)


@pytest.mark.parametrize(
    "model",
    [
        BagOfWords(),
        PrincipalComponents.open(BagOfWords(), dim=4),
        Ensemble.open(BagOfWords(), _random(), by="scores"),
    ],
)
def test_a_seed_gives_the_same_bits_and_another_no_other_answer(
    tmp_path: Path, model: object
) -> None:
    path = written(tmp_path, many(groups=6))
    one, again, other = (asked(model, path, seed=seed) for seed in (1, 1, 2))
    assert one.items == again.items
    for field in ("score", "interval", "baseline", "others", "details", "key"):
        assert getattr(one.result, field) == getattr(again.result, field)
    assert one.result.key != other.result.key
    assert one.result.baseline != other.result.baseline
    assert (one.items, one.result.interval) == (other.items, other.result.interval)


def test_both_solvers_predict_the_same(tmp_path: Path) -> None:
    path = written(tmp_path, many(groups=8))
    newton, theirs = (asked(_random(), path, solver=solver) for solver in ("newton", "liblinear"))
    assert newton.items == theirs.items


def test_zero_vectors_for_some_are_counted(tmp_path: Path) -> None:
    vectors = {**in_place(), "rain falls": [0.0, 0.0, 0.0]}
    found = asked(Told(vectors), written(tmp_path), metric="neighbour")
    assert (found.result.n_items, found.result.n_covered) == (9, 8)
    assert found.result.coverage == pytest.approx(8 / 9)
    assert found.result.oov == "zero"
    assert found.result.details["missing"] == ["rain falls"]
    place = found.items["item"].index("rain falls")
    assert [i for i, known in enumerate(found.items["covered"]) if not known] == [place]
    # Without an answer it counts as wrong.
    assert found.items["taken_for"][place] is None
    assert found.result.score == pytest.approx(8 / 9)
    assert found.result.others["alignment"] == 0


def test_zero_vectors_for_all_have_no_score(tmp_path: Path) -> None:
    zeros = {text: [0.0, 0.0] for text in in_place()}
    said = "told has the zero vector for 9 of 9 sentences.*the first is 'the cat sleeps'"
    with pytest.raises(UndefinedScoreError, match=said):
        asked(Told(zeros), written(tmp_path))
    one_each = {**zeros, **{texts[0]: [1.0, float(i)] for i, texts in enumerate(PETS.values())}}
    with pytest.raises(UndefinedScoreError, match="6 of 9 sentences, and no group has two others"):
        asked(Told(one_each), written(tmp_path))


def test_a_group_that_cannot_be_split_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, {**PETS, "small": ["one of few", "another of few"]})
    said = (
        "groups.jsonl: group 'small' has 2 sentences and cannot be split into 3 folds.*'one of few'"
    )
    with pytest.raises(InputError, match=said) as caught:
        asked(BagOfWords(), path, minimum=2)
    assert "minimum=3" in str(caught.value.hint)
    assert asked(BagOfWords(), path).result.details["changes"] == {
        "groups under three dropped": 1,
        "sentences dropped with them": 2,
    }
    with pytest.raises(FormatError, match="got 2 in group 'small'"):
        asked(BagOfWords(), path, mend=False)


@pytest.mark.parametrize("mend", [True, False])
def test_one_group_alone_is_refused(tmp_path: Path, mend: bool) -> None:
    path = written(tmp_path, {"lonely": PETS["cats"]})
    with pytest.raises(InputError, match=r"at least two groups of 3 .* got one, 'lonely'"):
        asked(BagOfWords(), path, mend=mend)


def test_a_sentence_in_two_groups_is_asked_about(tmp_path: Path) -> None:
    shared = {**PETS, "sky": ["Rain falls.", "drops come down", "it is wet", "clouds"]}
    path = written(tmp_path, shared)
    with pytest.raises(
        FormatError, match=r"got 'Rain falls.' in 'sky' and as 'rain falls' in 'rain' \(line 4\)"
    ) as caught:
        asked(BagOfWords(), path)
    assert "shared=merge" in str(caught.value.hint)
    merged = asked(BagOfWords(), path, shared="merge").result.details
    assert merged["changes"] == {
        "groups merged": 1,
        "sentences equal but for case or final marks dropped": 1,
    }
    assert merged["histogram"] == {"3": 2, "6": 1}
    first = asked(BagOfWords(), path, shared="first").result.details
    assert first["changes"] == {"sentences of two groups kept in the first": 1}
    assert first["histogram"] == {"3": 4}
    dropped = asked(BagOfWords(), path, shared="drop").result.details
    assert dropped["changes"] == {
        "sentences of two groups dropped": 1,
        "groups under three dropped": 1,
        "sentences dropped with them": 2,
    }
    with pytest.raises(FormatError, match=r"'Rain falls\.' in the groups 'rain' and 'sky'"):
        asked(BagOfWords(), path, mend=False)


def test_what_merging_leaves_alone_is_one_group(tmp_path: Path) -> None:
    path = written(tmp_path, {"a": ["s", "t", "u"], "b": ["u", "v", "w"]})
    with pytest.raises(InputError, match="got one, 'a'"):
        asked(BagOfWords(), path, shared="merge")


def test_six_sentences_in_two_groups_have_an_interval_as_wide_as_they_are_few(
    tmp_path: Path,
) -> None:
    # It was .867 [.867, .867] once: both groups had the same share right.
    path = written(tmp_path, {"a": ["a b", "a c", "a d"], "b": ["e f", "e g", "e h"]})
    result = asked(BagOfWords(), path, repeats=5).result
    assert result.interval is not None
    assert result.interval.high - result.interval.low > 0.4


def test_sentences_are_drawn_from_the_largest_groups(tmp_path: Path) -> None:
    groups = {**many(groups=4, size=10), "small": ["one", "two", "three", "four"]}
    found = asked(_random(), written(tmp_path, groups), sentences=25)
    # Five of each large group and the four of the small one are 24; six would be 28.
    sizes = {name: found.items["group"].count(name) for name in groups}
    assert sizes == {**dict.fromkeys(list(groups)[:4], 5), "small": 4}
    assert found.result.details["notes"] == [
        "24 of 44 sentences were drawn at random, at most 5 of a group; sentences=0 takes all"
    ]
    listed = [text for texts in groups.values() for text in texts]
    kept = set(found.items["item"])
    assert list(found.items["item"]) == [text for text in listed if text in kept]
    # No group is left with fewer than the folds need.
    least = asked(_random(), written(tmp_path, groups), sentences=5).result
    assert least.details["histogram"] == {"3": 5}
    assert asked(_random(), written(tmp_path, groups), sentences=0).result.n_items == 44


def test_a_curve_ends_in_the_score(tmp_path: Path) -> None:
    groups = {**many(groups=6, size=7), "small": ["one", "two", "three"]}
    found = asked(_random(), written(tmp_path, groups), curve=True, repeats=2).result
    curve = LocalizationDetails.of(found).curve
    # Seven sentences leave four at least to learn from, three leave two.
    assert [(each.examples, each.groups) for each in curve] == [
        (1, 7), (2, 7), (4, 6), (None, 7),
    ]  # fmt: skip
    assert (curve[-1].accuracy, curve[-1].low, curve[-1].high) == (found.score, *found.ends)
    assert asked(_random(), written(tmp_path, groups)).result.details["curve"] == []


def _times(factor: float) -> Told:
    """Vectors of six groups of five, all times a factor; groups lie near each other."""
    generator = np.random.default_rng(3)
    centres = generator.normal(size=(6, 8))
    return Told(
        {
            text: (factor * (generator.normal(size=8) + centre)).tolist()
            for centre, texts in zip(centres, many(groups=6, size=5).values(), strict=True)
            for text in texts
        }
    )


@pytest.mark.parametrize("power", range(-6, 7))
def test_a_factor_changes_nothing(tmp_path: Path, power: int) -> None:
    # All of a model's vectors times 10^k: the same answers, sentence by sentence.
    path = written(tmp_path, many(groups=6, size=5))
    one, other = (asked(_times(factor), path, repeats=2, curve=True) for factor in (1, 10.0**power))
    assert one.items == other.items
    assert 0.3 < one.result.score < 1
    for field in ("score", "interval", "baseline"):
        assert getattr(one.result, field) == getattr(other.result, field)
    for field in ("prices", "curve", "repeats"):
        assert one.result.details[field] == other.result.details[field]


def test_as_the_paper_has_it_a_factor_is_another_price(tmp_path: Path) -> None:
    path = written(tmp_path, many(groups=6, size=5))

    def taken_for(factor: float, C: float) -> object:
        found = asked(_times(factor), path, repeats=2, C=C, scale="none")
        assert found.result.details["prices"] == {f"{C:g}": 6}
        return found.items["taken_for"]

    assert taken_for(1, 1.0) != taken_for(0.01, 1.0)


@pytest.mark.parametrize(
    ("encode", "said"),
    [
        (
            lambda texts: np.ones((len(texts) + 1, 2)),
            r"9 vectors from broken.*\(10, 2\).*'the cat s",
        ),
        (lambda texts: np.ones(len(texts)), r"got an array of shape \(9,\)"),
        (lambda texts: np.full((len(texts), 2), np.nan), "NaN .* first for 'the cat sleeps'"),
        (lambda texts: 1 / 0, "broken cannot encode 'the cat sleeps': ZeroDivisionError"),
    ],
)
def test_an_encoder_that_is_wrong_is_told_with_the_sentence(
    tmp_path: Path, encode: object, said: str
) -> None:
    class Broken:
        spec = "broken"

        def encode(self, texts: Sequence[str], /) -> Vectors:
            assert callable(encode)
            return encode(texts)  # type: ignore[no-any-return]

    for model in (
        Broken(),
        Ensemble.open(BagOfWords(), Broken()),
        Ensemble.open(Broken(), BagOfWords(), by="stacked"),
    ):
        with pytest.raises(InputError, match=said):
            asked(model, written(tmp_path))


def test_a_sentence_that_an_encoder_does_not_know_is_named(tmp_path: Path) -> None:
    knows_less = {text: v for text, v in in_place().items() if text != "rain falls today"}
    for model in (
        Told(knows_less),
        PrincipalComponents.open(Told(knows_less)),
        Ensemble.open(BagOfWords(), Told(knows_less)),
    ):
        with pytest.raises(InputError, match="told cannot encode 'rain falls today': KeyError"):
            asked(model, written(tmp_path))


def test_a_model_of_words_is_refused_with_a_hint(tmp_path: Path) -> None:
    words = Space.of({"cat": [1.0]}, spec="pets.txt")
    with pytest.raises(UnsuitableModelError) as caught:
        asked(words, written(tmp_path))
    assert "'mean(pets.txt)'" in str(caught.value.hint)


@pytest.mark.parametrize("wrap", ["itself", "pca", "ensemble", "both"])
def test_a_model_that_saw_sentences_is_refused_however_deep(tmp_path: Path, wrap: str) -> None:
    seen = Remembers(in_place(), ["a cat sleeps", "rain falls", "something else"])
    wrapped: dict[str, Callable[[], object]] = {
        "itself": lambda: seen,
        "pca": lambda: PrincipalComponents.open(seen, dim=2),
        "ensemble": lambda: Ensemble.open(BagOfWords(), seen),
        "both": lambda: Ensemble.open(
            BagOfWords(),
            PrincipalComponents.open(PrincipalComponents.open(seen, dim=3), dim=2),
            by="concatenation",
        ),
    }
    model = wrapped[wrap]()
    path = written(tmp_path)
    said = "told was trained on 2 of the 9 sentences, among them 'a cat sleeps'"
    with pytest.raises(InputError, match=said) as caught:
        asked(model, path)
    assert "seen=keep" in str(caught.value.hint)
    kept = asked(model, path, seen="keep").result
    assert kept.details["notes"] == [said]
    assert kept.n_items == 9


def test_a_model_that_saw_none_is_not_told_of(tmp_path: Path) -> None:
    model = Remembers(in_place(), ["something else"])
    assert asked(model, written(tmp_path)).result.details["notes"] == []


def test_where_one_sentence_is_left_nothing_is_chosen_by_it(tmp_path: Path) -> None:
    # Of two sentences a group, one is learned from: there is none to choose C or weights by.
    pairs = many(groups=5, size=2)
    path = written(tmp_path, pairs)
    found = asked(_random(), path, minimum=2, folds=2).result
    assert found.details["prices"] == {"1": 2}
    members = _random(), Told(in_place(pairs))
    stacked, scores = (
        asked(Ensemble.open(*members, by=by), path, minimum=2, folds=2)
        for by in ("stacked", "scores")
    )
    assert stacked.items["taken_for"] == scores.items["taken_for"]


def test_two_groups_and_more_folds_than_groups(tmp_path: Path) -> None:
    groups = many(groups=2, size=5)
    found = asked(Told(in_place(groups)), written(tmp_path, groups), folds=5).result
    assert found.score == 1
    assert found.others["groups"] == 2


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("folds", 1),
        ("folds", 2.0),
        ("folds", True),
        ("repeats", 0),
        ("minimum", 1),
        ("most", -1),
        ("most", 1),
        ("C", -1.0),
        ("C", "1"),
        ("C", float("nan")),
        ("C", float("inf")),
        ("metric", "accuracy"),
        ("solver", "libsvm"),
        ("scale", "max"),
        ("weights", "equal"),
        ("seen", "drop"),
        ("shared", "keep"),
        ("sentences", -1),
        ("mend", 1),
    ],
)
def test_a_wrong_parameter_is_refused_by_name(parameter: str, value: object) -> None:
    with pytest.raises(InputError, match=f"localization: expected {parameter} to be"):
        Localization(**{parameter: value})  # type: ignore[arg-type]


def test_an_unknown_metric_and_an_unknown_parameter_have_a_hint(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="did you mean svm"):
        asked(BagOfWords(), written(tmp_path), metric="svn")
    with pytest.raises(SpecError, match="did you mean repeats"):
        asked(BagOfWords(), written(tmp_path), repeat=2)


def test_groups_are_drawn_in_their_order_and_told(tmp_path: Path) -> None:
    groups = many(groups=10, size=3)
    found = asked(_random(), written(tmp_path, groups), most=4)
    names = list(dict.fromkeys(found.items["group"]))
    assert len(names) == 4
    assert names == [name for name in groups if name in names]
    assert found.items["item"] == tuple(t for n in names for t in groups[n])
    assert found.result.details["notes"] == ["4 of 10 groups were drawn at random"]
    everything = asked(_random(), written(tmp_path, groups), most=0)
    assert everything.result.others["groups"] == 10
    assert everything.result.details["notes"] == []


def test_drawn_groups_keep_each_sentence_with_its_group() -> None:
    labels = np.array([0, 1, 2, 0, 1, 2, 3, 3])
    texts = tuple(f"{'abcd'[label]}{i}" for i, label in enumerate(labels))
    groups = ParaphraseGroups(texts=texts, labels=labels, names=tuple("abcd"), changes={})
    met = set()
    for seed in range(60):
        few = drawn_groups(groups, 2, seed)
        assert sorted(set(few.labels.tolist())) == [0, 1]
        assert all(few.names[g] == t[0] for g, t in zip(few.labels, few.texts, strict=True))
        met.add(few.names)
    assert len(met) == 6
    assert drawn_groups(groups, 4, 0) is groups
    assert drawn_groups(groups, 0, 0) is groups


def test_two_models_are_compared_by_groups(tmp_path: Path) -> None:
    import polars

    groups = many(groups=10)
    path = written(tmp_path, groups)
    entries = [
        (found.result, polars.DataFrame({k: list(v) for k, v in found.items.items()}))
        for found in (asked(Told(in_place(groups)), path), asked(_random(), path))
    ]
    (comparison,) = compare_results(entries, resamples=200)
    assert comparison.first_score == 1
    values = entries[1][1]["value"].to_numpy()
    assert comparison.second_score == pytest.approx(values.mean())
    # Sentences of one group stand or fall together, in a difference as well.
    expected = difference_interval(1 - values, np.repeat(np.arange(10), 4))
    assert expected is not None
    assert (comparison.low, comparison.high) == pytest.approx((expected.low, min(expected.high, 1)))


@pytest.mark.parametrize(
    ("name", "low", "high", "published"),
    [("msrp-grouped", 0.975, 0.99, 0.9837), ("opinosis-grouped", 0.60, 0.68, 0.6523)],
)
def test_bags_of_words_on_the_authors_groups(
    shared_data: Path, name: str, low: float, high: float, published: float
) -> None:
    try:
        locate(name)
    except ResourceError as error:
        pytest.skip(f"{name} is not in {shared_data}: {error.message}")
    result = asked(BagOfWords(), name, C=1, scale="none").result
    assert low <= result.score <= high
    assert low <= published <= high
    assert result.n_items == {"msrp-grouped": 859, "opinosis-grouped": 521}[name]
    assert result.baseline.high < 0.05
