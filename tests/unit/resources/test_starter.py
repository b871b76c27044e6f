"""The starter data keep the promises their comments make."""

import json
import re
from collections import Counter
from fractions import Fraction
from importlib.resources import files

WORD = re.compile(r"[a-z]+")
RELATIONS = {
    4: {"synonym"},
    3: {"sister", "kind"},
    2: {"part", "function", "cause", "association"},
    1: {"field"},
    0: {"unrelated"},
}
VERBS = """
    allow assassinate bake begin boil broadcast build buy chew choose commence comprehend
    conceal construct crochet detest devour die disappear divorce donate dream drink eat
    envy evaporate feed forbid fry gallop giggle glance guess hide itch kill knit laugh
    learn lease loathe marry memorize mend mourn mumble peel permit prohibit purchase reap
    repair roast scratch scribble select shout sip sleep sniff snore sob sow speak stroll
    swallow swim teach tickle trot understand vanish vomit walk weep whisper write yawn yell
"""
ADJECTIVES = """
    afraid angry ashamed bald big bitter blind blue bored brave courageous crimson crunchy
    curved dangerous dead deaf deceased dizzy drunk ecstatic enormous exhausted false famous
    foggy fortunate furious greedy green guilty happy hazardous huge humid hungry icy ill
    intoxicated jealous large lazy lonely lucky monthly muscular nervous odd pale pregnant
    proud purple quick rainy rapid rectangular red renowned rich sad scared shiny shy sick
    slippery sour starving strange sunny sweaty terrified tired triangular tropical untrue
    warm wealthy weary weekly wet
"""
NOUN_SUPERSENSES = (
    "Tops act animal artifact attribute body cognition communication event feeling food group "
    "location motive object person phenomenon plant possession process quantity relation shape "
    "state substance time"
)
VERB_SUPERSENSES = (
    "body change cognition communication competition consumption contact creation emotion motion "
    "perception possession social stative weather"
)
SUPERSENSES = {f"noun.{name}" for name in NOUN_SUPERSENSES.split()} | {
    f"verb.{name}" for name in VERB_SUPERSENSES.split()
}
FEWER_ALLOWED = {"noun.Tops", "noun.motive", "verb.weather"}

Pair = tuple[str, str, int, str]
Shares = dict[str, Fraction]


def lines(name: str) -> tuple[list[str], list[str]]:
    """Split a starter file into its leading comments and its rows."""
    text = (files("lydite.resources") / "starter" / name).read_text(encoding="utf-8")
    assert text.endswith("\n")
    every = text.removesuffix("\n").split("\n")
    rows = [line for line in every if not line.startswith("#")]
    comments = every[: len(every) - len(rows)]
    assert all(line.startswith("# ") for line in comments), "comments stand at the top only"
    return comments, rows


def pairs() -> list[Pair]:
    out: list[Pair] = []
    for row in lines("similarity.tsv")[1]:
        first, second, score, relation = row.split("\t")
        assert score in {"0", "1", "2", "3", "4"}, row
        out.append((first, second, int(score), relation))
    return out


def oracle() -> list[tuple[str, Shares]]:
    out: list[tuple[str, Shares]] = []
    for row in lines("supersenses.tsv")[1]:
        word, shares = row.split("\t")
        # Fractions of the written decimals, so that sums are exact.
        out.append((word, json.loads(shares, parse_float=Fraction, parse_int=Fraction)))
    return out


def test_comments_are_short_and_name_the_licence() -> None:
    for name in ("similarity.tsv", "supersenses.tsv"):
        comments, _ = lines(name)
        assert 1 <= len(comments) <= 8
        assert any("CC0" in line for line in comments)
        assert any("for Lydite" in line for line in comments)


def test_similarity_has_enough_pairs_in_every_grade() -> None:
    grades = Counter(score for _, _, score, _ in pairs())
    assert sum(grades.values()) >= 250
    assert set(grades) == set(RELATIONS)
    assert min(grades.values()) >= 50


def test_similarity_relations_fit_their_grades() -> None:
    wrong = [pair for pair in pairs() if pair[3] not in RELATIONS[pair[2]]]
    assert not wrong


def test_similarity_words_are_single_lower_case_tokens() -> None:
    assert all(WORD.fullmatch(word) for pair in pairs() for word in pair[:2])


def test_similarity_has_no_pair_twice_in_either_order() -> None:
    sets = Counter(frozenset(pair[:2]) for pair in pairs())
    assert all(len(words) == 2 for words in sets)
    assert [set(words) for words, count in sets.items() if count > 1] == []


def test_similarity_uses_no_word_more_than_four_times() -> None:
    uses = Counter(word for pair in pairs() for word in pair[:2])
    assert {word: count for word, count in uses.items() if count > 4} == {}


def test_similarity_is_ordered_by_grade_then_alphabet() -> None:
    rows = pairs()
    assert rows == sorted(rows, key=lambda pair: (-pair[2], pair[0], pair[1]))


def test_unrelated_pairs_reuse_the_words_of_related_pairs() -> None:
    related = {word for pair in pairs() if pair[2] > 0 for word in pair[:2]}
    unrelated = {word for pair in pairs() if pair[2] == 0 for word in pair[:2]}
    assert unrelated <= related


def test_similarity_has_verbs_and_adjectives() -> None:
    rows = pairs()
    verbs, adjectives = set(VERBS.split()), set(ADJECTIVES.split())
    assert sum(set(pair[:2]) <= verbs for pair in rows) >= 20
    assert sum(set(pair[:2]) <= adjectives for pair in rows) >= 20
    nouns = [pair for pair in rows if not set(pair[:2]) & (verbs | adjectives)]
    assert len(nouns) > len(rows) / 2


def test_supersense_words_are_many_unique_and_in_order() -> None:
    words = [word for word, _ in oracle()]
    assert len(words) >= 700
    assert words == sorted(set(words))
    assert all(WORD.fullmatch(word) for word in words)


def test_supersense_shares_are_steps_of_a_twentieth_that_sum_to_one() -> None:
    for word, shares in oracle():
        assert all(share > 0 and (share * 20).denominator == 1 for share in shares.values()), word
        assert sum(shares.values()) == 1, word


def test_supersense_keys_are_known_unique_and_in_order() -> None:
    for row in lines("supersenses.tsv")[1]:
        items = json.loads(row.split("\t")[1], object_pairs_hook=list)
        names = [name for name, _ in items]
        assert names == sorted(set(names)), row
        assert set(names) <= SUPERSENSES, row


def test_every_supersense_has_enough_words() -> None:
    assert len(SUPERSENSES) == 41
    main = Counter(
        name for _, shares in oracle() for name, share in shares.items() if share >= Fraction(1, 2)
    )
    few = {
        name: main[name] for name in SUPERSENSES if main[name] < (5 if name in FEWER_ALLOWED else 8)
    }
    assert few == {}


def test_supersenses_show_realistic_polysemy() -> None:
    rows = oracle()
    polysemous = sum(len(shares) >= 2 for _, shares in rows)
    assert polysemous >= Fraction(35, 100) * len(rows)
