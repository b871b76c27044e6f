"""First read and second open of WordNet 3.0, beside NLTK's reader of the same files.

NLTK walks all synsets with their names, lemmas, sense keys, hypernyms, instance hypernyms,
holonyms and meronyms. Each reading runs in a fresh process, in turns; peak memory is that of the
whole process. The files are in the page cache for both.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import Job, Peer, Program
from lydite.resources.catalogue import locate

CAVEATS = [
    "imports of lydite and of NLTK are left out",
    "ours checks that data, index and pointers agree, and writes a cache; NLTK does not",
    "the target of the second open is 0.3 s: NLTK parses anew each time",
]

_OURS = """
from lydite.lexicons.wordnet.database import open_wordnet
files = sorted(Path(sys.argv[1]).iterdir())
start = time.perf_counter()
wordnet = open_wordnet(files, sha256='0' * 64, name='wordnet-3.0')
seconds = time.perf_counter() - start
value = [len(wordnet), len(wordnet.parents['is-a'].items)]
"""
_NLTK = """
import itertools
import warnings
import nltk
from nltk.corpus.reader.wordnet import WordNetCorpusReader
# NLTK reads below the folders of this list alone, and maps to a version that would have to be
# installed.
nltk.data.path.append(str(Path(sys.argv[1]).parent))
WordNetCorpusReader.map_wn = lambda self: None
warnings.simplefilter('ignore')
relations = [
    'hypernyms', 'instance_hypernyms', 'part_holonyms', 'member_holonyms', 'substance_holonyms',
    'part_meronyms', 'member_meronyms', 'substance_meronyms',
]
start = time.perf_counter()
names, keys, edges = [], [], {relation: 0 for relation in relations}
reader = WordNetCorpusReader(sys.argv[1], None)
for synset in itertools.islice(reader.all_synsets(), int(sys.argv[2])):
    names.append(synset.name())
    keys += [(lemma.name(), lemma.key()) for lemma in synset.lemmas()]
    for relation in relations:
        edges[relation] += len(getattr(synset, relation)())
seconds = time.perf_counter() - start
value = [len(names), edges['hypernyms']]
"""


@dataclass(frozen=True, kw_only=True)
class Size:
    """How many synsets NLTK reads, and seconds allowed for the second open."""

    synsets: int = 117_659
    seconds: float = 0.3


FULL = Size()
#: NLTK takes ten seconds to walk through WordNet.
SMALL = Size(synsets=100)


def jobs(size: Size, folder: Path) -> Iterator[Job]:
    files = locate("wordnet-3.0").folder
    turns = itertools.count()

    def new_cache() -> dict[str, str]:
        return {"LYDITE_CACHE": f"{folder}/cache{next(turns)}"}

    def again() -> None:
        from lydite.lexicons.wordnet.database import open_wordnet

        os.environ |= new_cache()
        open_wordnet(sorted(files.iterdir()), sha256="0" * 64, name="wordnet-3.0")

    nltk = Program(code=_NLTK, arguments=(files, size.synsets))
    yield Job(
        name="first read of WordNet",
        amount="3.0, all synsets",
        ours=Program(code=_OURS, arguments=(files,), environment=new_cache),
        peers=[Peer(name="NLTK WordNetCorpusReader", run=nltk, target=8)],
        agree=lambda ours, peers: _same(size, ours, peers),
        counted=again,
    )
    yield Job(
        name="second open of WordNet",
        amount="3.0",
        ours=Program(
            code=_OURS,
            arguments=(files,),
            environment=lambda: {"LYDITE_CACHE": f"{folder}/kept"},
        ),
        peers=[
            Peer(name=f"{size.seconds:g} s allowed", run=size.seconds, target=1, at_most=True),
        ],
    )


def _same(size: Size, ours: list[int], peers: Sequence[list[int] | None]) -> str:
    if peers[0] is None:
        return ""
    if size == FULL:
        assert ours == peers[0], f"{ours} and {peers[0]}"
    return f"{ours[0]:,} synsets, {ours[1]:,} hypernyms"
