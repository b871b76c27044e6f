from __future__ import annotations

from pathlib import Path

from lydite.trained.trees import read_trees, text_key, tree_keys


def test_a_text_finds_its_tree_however_it_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "trees.txt"
    path.write_text("(2 (2 (2 (2 It) (2 ca)) (2 n't)) (2 (2 ``) (2 (2 be) (2 ''))))\n(2 yes)")
    keys = tree_keys(read_trees([path]))
    assert keys == [text_key('It can\'t "be"'), "yes"]
    assert text_key("it ca n't `` be ''") == keys[0]
    assert text_key("It can be") != keys[0]
