from __future__ import annotations

import importlib.util
import math
import subprocess
import sys
from pathlib import Path

import pytest

from lydite.errors import FormatError, InputError, MissingExtraError
from lydite.lexicons.frequencies import ListedFrequencies, read_frequencies, wordfreq_frequencies
from lydite.storage import sha256_file

needs_wordfreq = pytest.mark.skipif(
    importlib.util.find_spec("wordfreq") is None, reason="wordfreq is not installed"
)


@pytest.mark.parametrize(
    "text",
    [
        "dog\t7\nice cream\t3\nDog\t1\n",
        "7\tdog\n3\tice cream\n1\tDog\n",
        "dog,7\nice cream,3\nDog,1\n",
        'word,count\ndog,7\n"ice cream",3\nDog,1\n',
        "7 dog\n3 ice cream\n1 Dog\n",
        "   7 dog\r\n   3 ice_cream\r\n   1 Dog\r\n",
        "dog 7\nice_cream 3\ndog 1\n",
        "word count\ndog 7\nice cream 3\nDog 1\n",
    ],
)
def test_lists_of_any_layout_say_the_same(tmp_path: Path, text: str) -> None:
    file = tmp_path / "list"
    file.write_text(text)
    found = read_frequencies(file)
    assert found.counts(["dog", "DOG", "ice cream", "ice_cream", "emu", ""]).tolist() == [
        *(8, 8, 3, 3, 0, 0)
    ]
    assert found.fingerprint == sha256_file(file)


def test_punctuation_and_numbers_are_words_too(tmp_path: Path) -> None:
    file = tmp_path / "vocabulary"
    file.write_text('</s> 0\n, 9\n1984 7\n" 5\n# 4\n_ 3\n')
    # The line that starts as a comment does is none.
    assert read_frequencies(file).counts([",", "1984", '"', "_", "</s>"]).tolist() == [
        *(9, 7, 5, 3, 0)
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "got none"),
        ("word\tcount\n", "got none"),
        ("dog\t1\ncat\n", "list:2: expected a word and a count, got 'cat'"),
        ("dog\t1\ncat\tnan\n", "list:2"),
        ("dog\t1\ncat\t-2\n", "list:2"),
        ("dog\t1\ncat\tn\t2\n", "list:2"),
        ("dog\t1\n2\tcat\n", "list:2"),
    ],
)
def test_faults_are_named(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "list"
    file.write_text(text)
    with pytest.raises(FormatError, match=message):
        read_frequencies(file)


def test_a_phrase_counts_by_its_own_entry_or_by_its_rarest_word() -> None:
    counts = {"ice": 9, "cream": 4, "new": 20, "York": 6, "New York": 2}
    phrases = ["ice cream", "new york", "ice emu", "cream ice cream", "emu"]
    assert ListedFrequencies.of(counts).counts(phrases).tolist() == [0, 2, 0, 0, 0]
    rarest = ListedFrequencies.of(counts, phrases="rarest")
    assert rarest.counts(phrases).tolist() == [4, 2, 0, 4, 0]
    assert rarest.counts([]).tolist() == []


@pytest.mark.parametrize("count", [-1, math.inf, math.nan])
def test_counts_are_finite_and_not_negative(count: float) -> None:
    with pytest.raises(InputError, match="counts of 0 or more"):
        ListedFrequencies.of({"dog": count})


def test_other_counts_have_another_fingerprint() -> None:
    prints = {ListedFrequencies.of({"dog": n}).fingerprint for n in (1, 2)}
    assert len(prints) == 2


@needs_wordfreq
def test_wordfreq_gives_shares_of_a_corpus() -> None:
    from wordfreq import word_frequency

    found = wordfreq_frequencies(corpus_size=1e6).counts(["dog", "Dog", "zzyzzyzzx", "", "..."])
    assert found.tolist() == [word_frequency("dog", "en") * 1e6] * 2 + [0, 0, 0]


@needs_wordfreq
def test_wordfreq_knows_no_phrases() -> None:
    phrases = ["ice cream", "ice-cream", "new_york", "ice zzyzzyzzx"]
    assert wordfreq_frequencies().counts(phrases).tolist() == [0, 0, 0, 0]
    rarest = wordfreq_frequencies(phrases="rarest")
    ice, cream, new, york = rarest.counts(["ice", "cream", "new", "york"]).tolist()
    least = min(ice, cream)
    assert rarest.counts(phrases).tolist() == [least, least, min(new, york), 0]
    assert rarest.fingerprint != wordfreq_frequencies().fingerprint


@needs_wordfreq
def test_a_language_that_wordfreq_does_not_have_is_refused() -> None:
    with pytest.raises(InputError, match="'tlh'"):
        wordfreq_frequencies("tlh")


def test_without_wordfreq_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    with pytest.raises(MissingExtraError, match=r"lydite\[frequencies\]"):
        wordfreq_frequencies()


@pytest.mark.parametrize("size", [0, -1, math.inf, math.nan])
def test_a_corpus_has_a_size(size: float) -> None:
    with pytest.raises(InputError, match="more than 0 words"):
        wordfreq_frequencies(corpus_size=size)


def test_wordfreq_is_imported_only_when_asked() -> None:
    code = "import sys, lydite.lexicons.frequencies; sys.exit('wordfreq' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
