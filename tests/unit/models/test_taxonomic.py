from __future__ import annotations

import functools
import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.lexicons.information_content import InformationContent, collect, intrinsic, own_counts
from lydite.lexicons.taxonomy import Taxonomy, TaxonomyBuilder
from lydite.models import taxonomic
from lydite.models.protocols import PairModel
from lydite.models.taxonomic import (
    JiangConrathSimilarity,
    LinSimilarity,
    PathSimilarity,
    ResnikSimilarity,
    TaxonomicSimilarity,
)
from lydite.types import Floats

EDGES = "animal\tentity\npet\tentity\ndog\tanimal\ndog\tpet\ncat\tpet\ncat\tanimal\nrock\tentity\n"
#: With these counts dog has 5, cat 3, rock 2, pet 8, animal 9 and entity 11.
COUNTS = {"dog": 5, "cat": 3, "rock": 2, "animal": 1}
CONCEPTS = ["entity", "animal", "pet", "dog", "cat", "rock"]
KINDS: dict[str, Any] = {
    kind.name: kind
    for kind in (PathSimilarity, ResnikSimilarity, LinSimilarity, JiangConrathSimilarity)
}
MEASURES = list(KINDS)


def things(letters: dict[str, str] | None = None, more: str = "") -> Taxonomy:
    builder = TaxonomyBuilder(name="things", sha256="0")
    for line in (EDGES + more).splitlines():
        for concept in line.split("\t"):
            builder.add_concept(concept, [concept], part_of_speech=(letters or {}).get(concept, ""))
        builder.add_edge("is-a", *line.split("\t"))
    builder.add_concept("dog", ["tom"])
    builder.add_concept("rock", ["tom"])
    return builder.build()


def counted(taxonomy: Taxonomy, words: dict[str, int]) -> InformationContent:
    numbers = np.array(list(words.values()), dtype=np.float64)
    own = own_counts(taxonomy, list(words), numbers, "resnik")
    counts, values = collect(taxonomy, own, "hypernymy")
    return InformationContent(name="", fingerprint="", counts=counts, values=values)


def model(
    measure: str,
    taxonomy: Taxonomy | None = None,
    counts: dict[str, int] | None = None,
    pos: str | None = None,
) -> TaxonomicSimilarity:
    taxonomy = taxonomy or things()
    content = {} if measure == "path" else {"content": counted(taxonomy, counts or COUNTS)}
    made: TaxonomicSimilarity = KINDS[measure](taxonomy, pos=pos, **content)
    return made


def score(made: TaxonomicSimilarity, left: str, right: str) -> float:
    return float(made.score([left], [right])[0])


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("dog", "dog", 1),
        ("dog", "animal", 1 / 2),
        ("dog", "entity", 1 / 3),
        ("dog", "cat", 1 / 3),  # dog, pet, cat
        ("animal", "pet", 1 / 3),  # only through entity: the way down is no way
        ("dog", "rock", 1 / 4),
    ],
)
def test_path_counts_the_concepts_on_the_way(left: str, right: str, expected: float) -> None:
    assert score(model("path"), left, right) == pytest.approx(expected)


def test_resnik_takes_the_most_informative_subsumer() -> None:
    # Of the two parents of dog and cat, pet (8 of 11) says more than animal (9 of 11).
    assert score(model("resnik"), "dog", "cat") == pytest.approx(math.log(11 / 8))
    assert score(model("resnik"), "dog", "dog") == pytest.approx(math.log(11 / 5))
    assert score(model("resnik"), "dog", "rock") == 0


def test_lin_and_jiang_conrath_by_hand() -> None:
    dog, cat, pet = math.log(11 / 5), math.log(11 / 3), math.log(11 / 8)
    assert score(model("lin"), "dog", "cat") == pytest.approx(2 * pet / (dog + cat))
    assert score(model("jiang-conrath"), "dog", "cat") == pytest.approx(1 / (dog + cat - 2 * pet))
    assert score(model("jiang-conrath"), "dog", "entity") == pytest.approx(1 / dog)
    assert score(model("lin"), "entity", "entity") == 1
    assert score(model("jiang-conrath"), "dog", "dog") == 1e9


@pytest.mark.parametrize("measure", MEASURES)
def test_a_word_is_as_similar_as_its_most_similar_sense(measure: str) -> None:
    made = model(measure)
    of_tom = made.score(["tom"] * 6, CONCEPTS)
    of_senses = [made.score([sense] * 6, CONCEPTS) for sense in ("dog", "rock")]
    np.testing.assert_array_equal(of_tom, np.maximum(*of_senses))


@pytest.mark.parametrize("measure", MEASURES)
def test_scores_are_symmetric_finite_and_highest_for_the_same(measure: str) -> None:
    made = model(measure)
    left, right = zip(*((a, b) for a in CONCEPTS for b in CONCEPTS), strict=True)
    table = made.score(left, right).reshape(6, 6)
    np.testing.assert_array_equal(table, table.T)
    assert np.isfinite(table).all()
    assert (table <= np.diag(table)[:, None]).all()
    if measure in {"path", "lin"}:
        assert (table >= 0).all()
        assert (np.diag(table) == 1).all()


@pytest.mark.parametrize("measure", MEASURES)
def test_unknown_words_have_no_score(measure: str) -> None:
    scores = model(measure).score(["emu", "dog", "emu", "dog"], ["dog", "emu", "emu", "dog"])
    assert np.isnan(scores).tolist() == [True, True, True, False]
    assert model(measure).score([], []).shape == (0,)
    assert np.isnan(model(measure).score(["emu"], ["emu"])).all()


@pytest.mark.parametrize("measure", MEASURES)
def test_parts_of_speech_are_not_compared(measure: str) -> None:
    letters = dict.fromkeys(CONCEPTS, "n") | {"rock": "v"}
    made = model(measure, things(letters))
    assert math.isnan(score(made, "dog", "rock"))
    nouns = model(measure, things(letters), pos="n")
    assert math.isnan(score(nouns, "tom", "rock"))
    assert score(nouns, "tom", "cat") == score(nouns, "dog", "cat")


def test_what_nothing_lies_above_shares_nothing() -> None:
    apart = things(more="sloth\tsin\n")
    counts = {**COUNTS, "sloth": 4}
    assert math.isnan(score(model("path", apart), "dog", "sloth"))
    assert score(model("resnik", apart, counts), "dog", "sloth") == 0
    assert score(model("lin", apart, counts), "dog", "sloth") == 0
    # Of 15 counted, dog has 5 and sloth 4.
    expected = 1 / (math.log(15 / 5) + math.log(15 / 4))
    assert score(model("jiang-conrath", apart, counts), "dog", "sloth") == pytest.approx(expected)


def test_what_the_corpus_never_met_is_like_itself_only() -> None:
    counts = {"dog": 5, "rock": 2}
    assert score(model("resnik", counts=counts), "cat", "dog") == pytest.approx(math.log(7 / 5))
    assert score(model("resnik", counts=counts), "cat", "cat") == pytest.approx(math.log(7 / 5))
    assert math.isnan(score(model("lin", counts=counts), "cat", "dog"))
    assert math.isnan(score(model("jiang-conrath", counts=counts), "cat", "dog"))
    assert score(model("lin", counts=counts), "cat", "cat") == 1
    assert score(model("jiang-conrath", counts=counts), "cat", "cat") == 1e9
    # The same count all the way up: nothing tells dog from animal and pet.
    assert score(model("jiang-conrath", counts=counts), "dog", "pet") == 1e9


@pytest.mark.parametrize("measure", ["resnik", "lin", "jiang-conrath"])
def test_concepts_that_the_source_does_not_know_have_no_score(measure: str) -> None:
    taxonomy = things(more="sloth\tsin\n")
    values: Floats = counted(taxonomy, {**COUNTS, "sloth": 1}).values
    values[taxonomy.concepts.find(["sloth", "sin"])] = math.nan
    content = InformationContent(name="", fingerprint="", counts=values, values=values)
    made = KINDS[measure](taxonomy, content=content)
    assert np.isnan(made.score(["sloth", "sloth", "dog"], ["sloth", "dog", "sin"])).all()


def test_all_agree_with_looking_at_pairs_one_by_one() -> None:
    draw = random.Random(8)
    names = [f"c{i}" for i in range(25)]
    parents = {name: draw.sample(names[:i], min(i, 2)) for i, name in enumerate(names)}
    more = "".join(f"{name}\t{parent}\n" for name in names for parent in parents[name])
    taxonomy = things(more=more)
    counts = {name: draw.randrange(4) for name in names}

    @functools.cache
    def steps(name: str) -> dict[str, int]:
        found = {name: 0}
        for parent in parents[name]:
            for above, far in steps(parent).items():
                found[above] = min(found.get(above, 99), far + 1)
        return found

    @functools.cache
    def content(name: str) -> float:
        below = sum(counts[other] for other in names if name in steps(other))
        return -math.log(below / sum(counts.values())) if below else math.inf

    def expected(a: str, b: str) -> list[float]:
        common = steps(a).keys() & steps(b).keys()
        shared = max(content(c) for c in common if content(c) < math.inf)
        way = min(steps(a)[c] + steps(b)[c] for c in common)
        total = content(a) + content(b)
        if a == b:
            return [1, shared, 1, 1e9]
        if total == math.inf:
            return [1 / (way + 1), shared, math.nan, math.nan]
        far = total - 2 * shared
        return [
            1 / (way + 1),
            shared,
            2 * shared / total if total else 1,
            min(1e9, 1 / (far or 1e-9)),
        ]

    left, right = zip(*((a, b) for a in names for b in names), strict=True)
    wanted = np.array([expected(a, b) for a, b in zip(left, right, strict=True)])
    assert np.isinf([content(name) for name in names]).any()
    for measure, column in zip(MEASURES, wanted.T, strict=True):
        found = model(measure, taxonomy, counts).score(left, right)
        np.testing.assert_allclose(found, column, rtol=1e-9)
        assert measure != "lin" or (found[~np.isnan(found)] <= 1 + 1e-12).all()


@pytest.mark.parametrize("measure", MEASURES)
def test_blocks_do_not_change_scores(measure: str, monkeypatch: pytest.MonkeyPatch) -> None:
    terms = [*CONCEPTS, "tom", "emu"]
    left, right = zip(*((a, b) for a in terms for b in terms), strict=True)
    whole = model(measure).score(left, right)
    monkeypatch.setattr(taxonomic, "_BLOCK", 3)
    np.testing.assert_array_equal(model(measure).score(left, right), whole)


def test_a_cycle_does_no_harm() -> None:
    # Entity lies below dog as well, so that dog lies above rock.
    made = model("path", things(more="entity\tdog\n"))
    assert score(made, "dog", "rock") == pytest.approx(1 / 3)


def test_pairs_have_two_sides() -> None:
    assert isinstance(model("path"), PairModel)
    with pytest.raises(InputError, match="got 1 terms and 2"):
        model("path").score(["dog"], ["dog", "cat"])


@pytest.mark.parametrize("measure", MEASURES)
def test_they_open_files(measure: str, tmp_path: Path) -> None:
    file = tmp_path / "things.tsv"
    file.write_text(EDGES)
    options = {"relation": "is-a"} if measure == "path" else {"ic": "intrinsic", "relation": "is-a"}
    made: TaxonomicSimilarity = KINDS[measure].open(str(file), **options)
    said = ", ".join(f"{key}={value}" for key, value in options.items())
    assert made.spec == f"{measure}({file}, {said})"
    content = {} if measure == "path" else {"content": intrinsic(things())}
    expected = KINDS[measure](things(), **content)
    assert score(made, "dog", "cat") == pytest.approx(score(expected, "dog", "cat"))
    assert made.fingerprint == KINDS[measure].open(str(file), **options).fingerprint
    file.write_text(EDGES + "emu\tanimal\n")
    assert made.fingerprint != KINDS[measure].open(str(file), **options).fingerprint


def test_what_a_taxonomy_does_not_have_is_refused_when_it_is_opened(tmp_path: Path) -> None:
    file = tmp_path / "things.tsv"
    file.write_text(EDGES)
    with pytest.raises(InputError, match="no edge of the relation 'meronymy'"):
        PathSimilarity.open(str(file), relation="meronymy")
    # Without parts of speech there is none to miss.
    assert score(PathSimilarity.open(str(file), pos="q"), "dog", "pet") == 0.5
    with pytest.raises(InputError, match="lin needs information content"):
        LinSimilarity(things()).score(["dog"], ["dog"])


def test_the_information_content_is_part_of_what_a_model_is(tmp_path: Path) -> None:
    taxonomy, content = tmp_path / "things.tsv", tmp_path / "ic.tsv"
    taxonomy.write_text(EDGES)
    content.write_text("dog\t2\n")
    prints = {
        made.fingerprint
        for made in (
            PathSimilarity.open(str(taxonomy)),
            ResnikSimilarity.open(str(taxonomy), ic="intrinsic"),
            ResnikSimilarity.open(str(taxonomy), ic=str(content)),
        )
    }
    assert len(prints) == 3


# Values of NLTK 3.10.4 with ic-brown.dat: path_similarity(simulate_root=False), res_similarity,
# lin_similarity, jcn_similarity.
NLTK = [
    ("dog.n.01", "cat.n.01", 0.2, 7.911666509036577, 0.8768009843733973, 0.4497755285516739),
    ("car.n.01", "bicycle.n.01", 0.2, 6.452256731675716, 0.7662072925301481, 0.2539648929429355),
    ("seashore.n.01", "shore.n.01", 0.5, 9.415743905812851, 0.9632173804623256, 1.3905833398673364),
    (
        "king.n.01",
        "cabbage.n.01",
        1 / 13,
        0.8017591149538994,
        0.08665047534890641,
        0.0591643422637276,
    ),
    ("run.v.01", "walk.v.01", 0.25, 3.6968927834763368, 0.505000311412175, 0.13798118459144168),
    ("eat.v.01", "devour.v.03", 0.5, 7.831111414250788, 0.8370190208261599, 0.32790271010148725),
    (
        "money.n.01",
        "depository_financial_institution.n.01",
        1 / 12,
        0.5962292078977726,
        0.06713151066123384,
        0.06034798220985163,
    ),
]
# The best pair of noun senses.
NLTK_WORDS = [
    ("journey", "voyage", 0.5, 6.825957625204375),
    ("coast", "shore", 0.5, 9.415743905812851),
    ("glasses", "mice", 1 / 6, 4.076481475394825),
    ("noon", "string", 1 / 12, 0.5962292078977726),
]


def test_it_agrees_with_nltk(shared_data: Path) -> None:
    left, right, *expected = zip(*NLTK, strict=True)
    models = [kind.open("wordnet-3.0") for kind in KINDS.values()]
    for made, values in zip(models, expected, strict=True):
        np.testing.assert_allclose(made.score(left, right), values, rtol=1e-12)
    left, right, *expected = zip(*NLTK_WORDS, strict=True)
    for made, values in zip(models[:2], expected, strict=True):
        np.testing.assert_allclose(made.score(left, right), values, rtol=1e-12)
