from __future__ import annotations

from pathlib import Path

import pytest

from lydite.errors import FormatError, InputError
from lydite.lexicons.oracle_sources import OracleRecipe, SourceOracle, oracle_of

SEMCOR = """<contextfile concordance=brown>
<s snum=1>
<wf cmd=done pos=NN lemma=fish wnsn=1 lexsn=1:05:00::>Fishes</wf>
<wf cmd=done pos=NN lemma=fish wnsn=2 lexsn=1:13:00::>fish</wf>
</s>
"""


def build(tmp_path: Path, text: str, recipe: OracleRecipe | None = None) -> SourceOracle:
    path = tmp_path / "source"
    path.write_text(text)
    return oracle_of([path], recipe or OracleRecipe(threshold=1), name="source", sha256="0" * 64)


@pytest.mark.parametrize(
    ("text", "kind", "words", "features"),
    [
        (SEMCOR, "supersenses", ("fish",), ("semcor.noun.animal", "semcor.noun.food")),
        ("(S (NN fish))", "tags", ("fish",), ("ptb.nn",)),
        ("The/at fish/nn ./.", "tags", (".", "fish", "the"), ("pos..", "pos.at", "pos.nn")),
        ("A\tDT\nfish\tNN\n\nA\tDT\n", "tags", ("a", "fish"), ("pos.dt", "pos.nn")),
        ("1\tIt\tit\tPRON\tPRP\t_\t_\t_\t_\t_\n", "tags", ("it",), ("upos.pron",)),
        ("fish\tanimal,food\nrun\tact\n", "lexicon", ("fish", "run"), ("act", "animal", "food")),
        ("# mine\nfish\tanimal\t0.5\nrun\tact\n", "lexicon", ("fish", "run"), ("act", "animal")),
        ('fish\t{"a": 1}\n', "oracle", ("fish",), ("a",)),
    ],
)  # fmt: skip
def test_a_source_is_told_by_its_content(
    tmp_path: Path, text: str, kind: str, words: tuple[str, ...], features: tuple[str, ...]
) -> None:
    found = build(tmp_path, text)
    assert (found.features, found.oracle.words) == (kind, words)
    assert found.oracle.features == features


def test_a_file_with_two_columns_is_what_one_says_it_is(tmp_path: Path) -> None:
    text = "fish\tNN\nfish\tVB\n"
    assert build(tmp_path, text).oracle.features == ("NN", "VB")
    tagged = build(tmp_path, text, OracleRecipe(features="tags", threshold=2))
    assert tagged.oracle.features == ("pos.nn", "pos.vb")


def test_other_recipes(tmp_path: Path) -> None:
    surface = build(tmp_path, SEMCOR, OracleRecipe(form="surface", threshold=1, lower=False))
    assert surface.oracle.words == ("Fishes", "fish")
    tags = build(tmp_path, SEMCOR, OracleRecipe(features="tags", threshold=1))
    assert tags.oracle.features == ("pos.nn",)


def test_the_threshold_is_not_asked_of_a_lexicon(tmp_path: Path) -> None:
    assert build(tmp_path, "fish\tanimal\n", OracleRecipe(threshold=9)).oracle.words == ("fish",)


def test_published_senses_need_wordnet(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"expected WordNet 3\.0"):
        build(tmp_path, SEMCOR, OracleRecipe(senses="published"))


@pytest.mark.parametrize("text", ["", "Just a text.\n", "PK\x03\x04"])
def test_a_source_that_says_nothing_of_words(tmp_path: Path, text: str) -> None:
    with pytest.raises(FormatError):
        build(tmp_path, text)


def test_no_senses_where_supersenses_are_asked_for(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected annotated words, got none"):
        build(tmp_path, "(S (NN fish))", OracleRecipe(features="supersenses", form="surface"))
