"""The starter relations, answers and minimal pairs keep the promises their cards make."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import permutations, product
from pathlib import Path
from typing import NamedTuple

import pytest

from lydite.evaluations.separation.minimal_pairs import (
    alike_in_length,
    longest_common_subsequence,
    shared_words,
)
from lydite.resources.catalogue import locate

E_KINDS = {"plain", "lexical", "extra-arguments", "subcategorisation", "nominalisation", "voice"}
FORMS = {"active", "nominalisation", "passive", "plain", "synonym"}
FUNCTION_WORDS = """
    a an and as at be been before both but by did do does for from had has have he her him his how
    in into is it its long many much no not of on one or she some than that the their them then
    there they this to was were what when where which while who whom whose with
"""
REAL_NAMES = re.compile(
    r"\b(Adobe|Amazon|Apple|Bayer|Boeing|Cisco|Disney|Facebook|Google|IBM|Inktomi|Intel|Kafka|"
    r"Kraft|Merck|Microsoft|Mozart|Nestle|Novartis|Oracle|Paypal|Pfizer|Pixar|Roche|Siemens|Sony|"
    r"Unilever|Yahoo|YouTube|Berlin|Boston|Lisbon|London|Paris|Prague|Rome|Salzburg|Vienna)\b"
)
# Letters that do not sound as they are spelt: an hour, a used van.
WRONG_ARTICLE = re.compile(
    r"\ba (?!used\b|unit|uniform|union|one\b|once\b|European)[aeiou]"
    r"|\ban (?!hour|honest|honorary|heir)[^aeiou\W]"
    r"|\ba (?=hour|honest|honorary|heir)|\ban (?=used\b|union|one\b)",
    re.IGNORECASE,
)


class Sentence(NamedTuple):
    relation: str
    left: str
    right: str
    label: str
    text: str
    kind: str


class Question(NamedTuple):
    id: str
    domain: str
    question: str
    document: list[str]
    answer: int
    form: str


class Pair(NamedTuple):
    phenomenon: str
    source: str
    frame: str
    sentence: str
    same: str
    other: str


def table(name: str) -> list[list[str]]:
    text = locate(name).single().read_text("ascii")
    assert text.endswith("\n")
    return [line.split("\t") for line in text.removesuffix("\n").split("\n")]


def relations() -> list[Sentence]:
    header, *rows = table("starter-relations")
    assert tuple(header) == Sentence._fields
    return [Sentence(*row) for row in rows]


def answers() -> list[Question]:
    lines = locate("starter-answers").single().read_text("ascii").splitlines()
    out = [json.loads(line) for line in lines]
    assert {tuple(each) for each in out} == {Question._fields}
    return [Question(**each) for each in out]


def pairs() -> list[Pair]:
    header, *rows = table("starter-minimal-pairs")
    assert tuple(header) == Pair._fields
    return [Pair(*row) for row in rows]


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def content_words(text: str) -> list[str]:
    dropped = FUNCTION_WORDS.split()
    return [word for word in words(text) if word not in dropped]


def overlap(first: str, second: str) -> int:
    """Return how many words of each text are also in the other: equations 15 and 16."""
    one, two = content_words(first), content_words(second)
    return sum(word in two for word in one) + sum(word in one for word in two)


def auc(high: Sequence[float], low: Sequence[float]) -> float:
    wins = sum((one > two) + (one == two) / 2 for one, two in product(high, low))
    return wins / (len(high) * len(low))


def by_entities() -> dict[tuple[str, str, str], dict[str, list[str]]]:
    groups: dict[tuple[str, str, str], dict[str, list[str]]] = {}
    for row in relations():
        group = groups.setdefault((row.relation, row.left, row.right), {"E": [], "NE": []})
        group[row.label].append(row.text)
    return groups


def every_text() -> list[str]:
    said = [row.text for row in relations()]
    for question in answers():
        said += [question.question, *question.document]
    for pair in pairs():
        said += [pair.sentence, pair.same, pair.other]
    return said


class TestEveryText:
    def test_it_is_written_cleanly(self) -> None:
        for text in every_text():
            assert text == text.strip(), text
            assert not re.search(r"  |[ ][.,?;]|[\"\t]", text), text
            assert text[0].isupper() or text[0].isdigit(), text
            assert text[-1] in ".?", text

    def test_articles_fit_the_next_sound(self) -> None:
        assert [text for text in every_text() if WRONG_ARTICLE.search(text)] == []

    def test_the_check_of_articles_finds_wrong_ones(self) -> None:
        for wrong in ("a abrupt stop", "an modern boiler", "a honest answer", "an used van"):
            assert WRONG_ARTICLE.search(wrong), wrong
        for right in ("an abrupt stop", "a modern boiler", "an honest answer", "a used van"):
            assert not WRONG_ARTICLE.search(right), right

    def test_no_word_stands_twice_in_a_row(self) -> None:
        doubled = [text for text in every_text() if re.search(r"\b(\w+) \1\b", text.lower())]
        assert doubled == []

    def test_no_well_known_name_is_used(self) -> None:
        assert [text for text in every_text() if REAL_NAMES.search(text)] == []


class TestRelations:
    def test_two_relations_have_three_pairs_of_30_sentences_each(self) -> None:
        groups = by_entities()
        assert Counter(relation for relation, _, _ in groups) == {"acquires": 3, "was born in": 3}
        for entities, group in groups.items():
            assert len(group["E"]) + len(group["NE"]) == 30, entities
            assert len(group["E"]) in {14, 15}, entities

    def test_both_names_are_in_every_sentence(self) -> None:
        assert [row for row in relations() if row.left not in row.text] == []
        assert [row for row in relations() if row.right not in row.text] == []

    def test_no_sentence_stands_twice(self) -> None:
        texts = Counter(row.text.lower() for row in relations())
        assert max(texts.values()) == 1

    def test_every_pair_has_all_kinds_of_variation_and_many_of_near_miss(self) -> None:
        kinds: dict[tuple[str, str], set[str]] = defaultdict(set)
        for row in relations():
            kinds[row.left, row.label].add(row.kind)
        for (left, label), found in kinds.items():
            assert found == E_KINDS if label == "E" else len(found) >= 10, (left, found)
            assert label == "E" or not found & E_KINDS, left

    def test_companies_also_swap_roles_in_a_near_miss(self) -> None:
        swapped = {row.left for row in relations() if row.kind == "reversed"}
        assert swapped == {left for relation, left, _ in by_entities() if relation == "acquires"}

    def test_the_order_of_the_names_does_not_give_the_label_away(self) -> None:
        for entities, group in by_entities().items():
            _, left, right = entities
            first = {
                label: [float(text.index(left) < text.index(right)) for text in texts]
                for label, texts in group.items()
            }
            assert 0.35 <= auc(first["E"], first["NE"]) <= 0.65, entities

    def test_length_does_not_give_the_label_away(self) -> None:
        for entities, group in by_entities().items():
            length = {label: [len(words(text)) for text in texts] for label, texts in group.items()}
            assert 0.35 <= auc(length["E"], length["NE"]) <= 0.65, entities

    def test_shared_words_do_not_give_the_label_away(self) -> None:
        for entities, group in by_entities().items():
            high = [overlap(*both) for both in permutations(group["E"], 2)]
            low = [overlap(*both) for both in product(group["E"], group["NE"])]
            assert 0.45 <= auc(high, low) <= 0.7, entities


class TestAnswers:
    def test_there_are_76_questions_evenly_over_two_domains(self) -> None:
        assert Counter(each.domain for each in answers()) == {"biology": 38, "history": 38}

    def test_ids_and_questions_are_different(self) -> None:
        assert len({each.id for each in answers()}) == 76
        assert len({each.question for each in answers()}) == 76
        assert all(each.id.startswith(f"{each.domain}-") for each in answers())

    def test_32_documents_have_7_or_8_different_sentences(self) -> None:
        documents = {tuple(each.document) for each in answers()}
        assert len(documents) == 32
        assert {len(document) for document in documents} == {7, 8}
        sentences = [sentence for document in documents for sentence in document]
        assert len(set(sentences)) == len(sentences)

    def test_answers_point_into_their_documents(self) -> None:
        assert all(0 <= each.answer < len(each.document) for each in answers())
        places = Counter(each.answer for each in answers())
        assert max(places.values()) <= 76 / 4, "no place in the document is the usual one"

    def test_no_sentence_answers_two_questions(self) -> None:
        told = Counter(each.document[each.answer] for each in answers())
        assert max(told.values()) == 1

    def test_questions_are_questions_and_answers_are_not(self) -> None:
        assert all(each.question.endswith("?") for each in answers())
        assert all(line.endswith(".") for each in answers() for line in each.document)

    def test_forms_are_many_and_voice_alternates_often(self) -> None:
        forms = Counter(each.form for each in answers())
        assert set(forms) == FORMS
        assert min(forms.values()) >= 10
        assert forms["active"] + forms["passive"] >= 30

    @pytest.mark.parametrize(("form", "at_most"), [("plain", 1.0), ("nominalisation", 0.8)])
    def test_shared_words_find_plain_answers_better_than_nominalised_ones(
        self, form: str, at_most: float
    ) -> None:
        places = [place_by_overlap(each) for each in answers() if each.form == form]
        assert at_most - 0.2 <= sum(places) / len(places) <= at_most

    def test_shared_words_alone_leave_half_of_the_questions_open(self) -> None:
        perfect = sum(place_by_overlap(each) == 1 for each in answers())
        assert 0.25 <= perfect / 76 <= 0.6


CONTROLS = {
    "word order": longest_common_subsequence,
    "shared words": shared_words,
    "length": alike_in_length,
}


class TestMinimalPairs:
    def test_19_phenomena_have_96_items_each(self) -> None:
        counts = Counter(pair.phenomenon for pair in pairs())
        assert len(counts) == 19
        assert set(counts.values()) == {96}
        assert {"coreference", "modality"} <= set(counts)

    def test_each_is_made_from_eight_sources_or_more(self) -> None:
        sources: dict[str, set[str]] = defaultdict(set)
        for pair in pairs():
            sources[pair.phenomenon].add(pair.source)
        assert {len(each) for each in sources.values()} == {8, 12, 24}

    def test_no_item_stands_twice_and_its_sentences_differ(self) -> None:
        texts = [(pair.sentence, pair.same, pair.other) for pair in pairs()]
        assert max(Counter(texts).values()) == 1
        assert {len(set(each)) for each in texts} == {3}

    def test_no_two_sentences_are_both_the_same_and_something_else(self) -> None:
        same = {frozenset((pair.sentence, pair.same)) for pair in pairs()}
        other = {frozenset((pair.sentence, pair.other)) for pair in pairs()}
        assert same & other == set()

    def test_every_pair_is_asked_about_in_both_directions(self) -> None:
        asked = {(pair.sentence, pair.same) for pair in pairs()}
        assert {(same, sentence) for sentence, same in asked} == asked

    @pytest.mark.parametrize("control", CONTROLS)
    def test_what_knows_no_meaning_is_right_in_half_of_every_phenomenon(self, control: str) -> None:
        score = CONTROLS[control]
        won: dict[str, list[float]] = defaultdict(list)
        for pair in pairs():
            sentence, same, other = (words(text) for text in pair[3:])
            first, second = score(sentence, same), score(sentence, other)
            won[pair.phenomenon].append((first > second) + (first == second) / 2)
        assert {name: sum(each) / len(each) for name, each in won.items()} == dict.fromkeys(
            won, 0.5
        )

    def test_the_file_is_what_its_program_writes(self) -> None:
        path = Path(__file__).parents[3] / "studies" / "minimal_pairs.py"
        made = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True)
        assert made.stdout == locate("starter-minimal-pairs").single().read_text("ascii")


def place_by_overlap(each: Question) -> float:
    """Return 1 for the first place, 0 for the last, the middle of tied places: equation 14."""
    scores = [overlap(each.question, sentence) for sentence in each.document]
    told = scores[each.answer]
    above = sum(score > told for score in scores)
    tied = scores.count(told) - 1
    return 1 - (above + tied / 2) / (len(scores) - 1)
