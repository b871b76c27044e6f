"""Lexicons to retrofit to: lists of neighbors, or taxonomies with the relations that count."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, get_args

import numpy as np

from lydite.errors import InputError
from lydite.lexicons.neighbours import Neighbours, Relation, neighbours_in, read_neighbours
from lydite.lexicons.taxonomy import Lists
from lydite.lexicons.taxonomy_files import open_taxonomy
from lydite.registry import nearest
from lydite.resources.catalogue import Located, locate
from lydite.spaces.vocabulary import Vocabulary
from lydite.spec import Spec, parse
from lydite.storage import sha256_text, user_path

RELATIONS: Final[tuple[Relation, ...]] = get_args(Relation)
#: Kinds of data that vectors can be retrofitted to.
LEXICON_KINDS: Final = ("lexicon", "taxonomy")


@dataclass(frozen=True, kw_only=True)
class Lexicon:
    """Where neighbors come from.

    >>> lexicon = lexicon_of("wordnet-3.0(synonyms)")
    >>> lexicon.relations, lexicon.slug, lexicon.spec
    (('synonyms',), 'wordnet-3.0-synonyms', 'wordnet-3.0(synonyms)')
    """

    source: str  # The name of a resource, or a file: words with their neighbors, or a taxonomy
    #: Which words of a taxonomy are neighbors; none means all three kinds, and for a user's own
    #: file that it is a list of neighbors.
    relations: tuple[Relation, ...] = ()

    def __post_init__(self) -> None:
        for relation in self.relations:
            if relation not in RELATIONS:
                close = nearest(str(relation), RELATIONS, most=1)
                raise InputError(
                    f"{self.source}: expected relations among {', '.join(RELATIONS)}, "
                    f"got {relation!r}",
                    hint=f"did you mean {close[0]}?" if close else None,
                )

    @property
    def spec(self) -> str:
        """The text that names it."""
        return str(Spec(self.source, self.relations))

    @property
    def slug(self) -> str:
        """What it adds to the name of a file."""
        path = Path(self.source)
        stem = path.stem if path.suffix in {".txt", ".gz", ".tsv"} else path.name
        # Names of files are specs of models too, where brackets and commas mean something.
        return "-".join([re.sub(r"[^\w.+-]+", "-", stem), *self.relations])

    def locate(self) -> Located:
        """Find its files."""
        located = locate(self.source)
        if located.card is not None and located.card.kind not in LEXICON_KINDS:
            raise InputError(
                f"{self.source}: expected a lexicon or a taxonomy to retrofit to, got data of the "
                f"kind {located.card.kind}",
                hint="ppdb-xl, framenet and wordnet-3.0 will do; `lydite data ls` shows the kinds",
            )
        if located.card is not None and located.card.kind == "lexicon" and self.relations:
            raise InputError(
                f"{self.source}: expected a taxonomy where relations are named, got a list of "
                "neighbours",
                hint=f"leave the relations out: {self.source}",
            )
        return located

    def open(self) -> Neighbours:
        """Read it."""
        located = self.locate()
        kind = located.card.kind if located.card else None
        folder = user_path(self.source).is_dir()
        if kind == "taxonomy" or (kind is None and (self.relations or folder)):
            taxonomy = open_taxonomy(located.paths, name=located.name, sha256=located.sha256)
            return neighbours_in(taxonomy, self.relations or RELATIONS)
        return read_neighbours(located.single(), name=located.name)


def joined(parts: Sequence[Neighbours]) -> Neighbours:
    """Give each word its neighbors in all lexicons."""
    if len(parts) == 1:
        return parts[0]
    words = Vocabulary.of(dict.fromkeys(word for part in parts for word in part.words[:]))
    places = [words.find(part.words) for part in parts]
    owners = [each[part.lists.owners()] for each, part in zip(places, parts, strict=True)]
    items = [each[part.lists.items] for each, part in zip(places, parts, strict=True)]
    return Neighbours(
        words=words,
        lists=Lists.grouped(np.concatenate(owners), np.concatenate(items), len(words)),
        name=" + ".join(part.name for part in parts),
        fingerprint=sha256_text(" ".join(part.fingerprint for part in parts)),
    )


def lexicon_of(text: str) -> Lexicon:
    """Read what a lexicon is called: ``ppdb-xl``, ``lexicon.txt``, ``wordnet-3.0(synonyms)``."""
    spec = parse(text)
    if spec.params:
        raise InputError(
            f"{text}: expected relations alone in brackets, got {spec.params[0][0]}=",
            hint="wordnet-3.0(synonyms, hypernyms)",
        )
    return Lexicon(source=spec.name, relations=spec.args)  # type: ignore[arg-type]
