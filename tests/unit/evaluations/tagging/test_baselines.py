from __future__ import annotations

from lydite.corpora.annotated import Token
from lydite.evaluations.tagging.data import tagging_task
from lydite.evaluations.tagging.evaluation import majority_right


def test_a_word_takes_its_most_frequent_tag_and_a_new_one_that_of_all() -> None:
    train = [Token("run", "V"), Token("run", "N"), Token("run", "V"), Token("a", "D")]
    train += [Token("cat", "N"), Token("dog", "N")]
    test = [Token("run", "V"), Token("run", "N"), Token("emu", "N"), Token("fly", "V")]
    task = tagging_task({"train": [train], "test": [test, [Token("a", "D")]]})
    # run is V two of three times; N is the most frequent tag of all, three of six.
    assert majority_right(task).tolist() == [True, False, True, False, True]


def test_of_equally_frequent_tags_the_first_is_said() -> None:
    train = [Token("run", "V"), Token("run", "N")]
    task = tagging_task({"train": [train], "test": [[Token("run", "V")], [Token("run", "N")]]})
    assert majority_right(task).tolist() == [False, True]
