from __future__ import annotations

import hashlib

from lydite.stats.seeds import child_seed


def test_child_seed_is_the_start_of_the_sha256_of_its_names() -> None:
    digest = hashlib.sha256(b'[7, "a", "b"]').hexdigest()
    assert child_seed(7, "a", "b") == int(digest[:12], 16)


def test_seeds_differ_by_seed_name_order_and_grouping() -> None:
    seeds = {
        child_seed(1),
        child_seed(1, "a"),
        child_seed(2, "a"),
        child_seed(1, "a", "b"),
        child_seed(1, "b", "a"),
        child_seed(1, "ab"),
        child_seed(1, 'a", "b'),
    }
    assert len(seeds) == 7


def test_seeds_are_exact_in_json() -> None:
    assert all(0 <= child_seed(seed, "é") < 2**53 for seed in range(100))
