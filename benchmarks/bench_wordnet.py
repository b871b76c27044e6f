"""First read and second open of WordNet 3.0, beside NLTK's reader of the same files.

NLTK walks all synsets with their names, lemmas, sense keys, hypernyms, instance hypernyms,
holonyms and meronyms. Each reading runs in a fresh process, in turns; peak memory is that of the
whole process. The files are in the page cache for both.
"""

from __future__ import annotations

import tempfile
from statistics import median

from benchmarks.measure import Row, in_process, publish

_OURS = """
from lydite.lexicons.wordnet.database import open_wordnet
files = sorted(Path(sys.argv[1]).iterdir())
start = time.perf_counter()
wordnet = open_wordnet(files, sha256='0' * 64, name='wordnet-3.0')
seconds = time.perf_counter() - start
assert len(wordnet) == 117659, len(wordnet)
assert len(wordnet.parents['is-a'].items) == 89089
"""
_NLTK = """
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
for synset in WordNetCorpusReader(sys.argv[1], None).all_synsets():
    names.append(synset.name())
    keys += [(lemma.name(), lemma.key()) for lemma in synset.lemmas()]
    for relation in relations:
        edges[relation] += len(getattr(synset, relation)())
seconds = time.perf_counter() - start
assert len(names) == 117659, len(names)
assert edges['hypernyms'] == 89089
"""
_OPEN_SECONDS = 0.3


def main() -> bool:
    from lydite.resources.catalogue import locate

    files = str(locate("wordnet-3.0").folder)
    first, second, peer = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(3):
            cache = f"{folder}/cache{turn}"
            first.append(in_process(_OURS, files, LYDITE_CACHE=cache))
            peer.append(in_process(_NLTK, files))
            second.append(in_process(_OURS, files, LYDITE_CACHE=cache))
    peer_seconds = median(seconds for seconds, _ in peer)
    again = median(seconds for seconds, _ in second)
    return publish(
        "wordnet",
        [
            Row(
                job="first read of WordNet 3.0",
                peer="NLTK WordNetCorpusReader, all synsets",
                ours_seconds=median(seconds for seconds, _ in first),
                peer_seconds=peer_seconds,
                target=8,
                memory=(
                    f"peak {median(peak for _, peak in first):.0f} MB, "
                    f"NLTK {median(peak for _, peak in peer):.0f} MB"
                ),
            ),
            Row(
                job="second open of WordNet 3.0",
                peer="NLTK WordNetCorpusReader, all synsets",
                ours_seconds=again,
                peer_seconds=peer_seconds,
                target=peer_seconds / _OPEN_SECONDS,
                memory=f"peak {median(peak for _, peak in second):.0f} MB",
                note=f"the target is {_OPEN_SECONDS} s: NLTK parses anew each time",
            ),
        ],
        [
            "imports of lydite and of NLTK are left out",
            "ours checks that data, index and pointers agree, and writes a cache; NLTK does not",
        ],
    )


if __name__ == "__main__":
    main()
