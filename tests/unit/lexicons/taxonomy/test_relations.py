import pytest

from lydite.lexicons.taxonomy_files import edge_kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("is_a", "is-a"), ("is-a", "is-a"), ("IS A", "is-a"), ("hypernym", "is-a"),
        ("hypernymy", "is-a"), ("broader", "is-a"), ("subclass of", "is-a"),
        ("instance", "instance"), ("instance_of", "instance"), ("part_of", "part"),
        ("part-of", "part"), ("meronym", "part"), ("Meronymy", "part"), ("part", "part"),
        ("member", "member"), ("member_of", "member"), ("substance", "substance"),
        ("substance_of", "substance"), ("Positively  regulates", "positively-regulates"),
        ("has_part", "has-part"),
    ],
)  # fmt: skip
def test_names_of_relations(name: str, kind: str) -> None:
    assert edge_kind(name) == kind
