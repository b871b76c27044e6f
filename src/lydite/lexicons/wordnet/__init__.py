"""Princeton WordNet, read from its own database files.

The reader is the project's own: NLTK's makes an object of every synset, and a taxonomy is arrays,
which are mapped when WordNet is opened again (``benchmarks/bench_wordnet.py`` compares the two).
"""
