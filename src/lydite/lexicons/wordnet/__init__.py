"""Princeton WordNet as a taxonomy, read from its own database files."""

from lydite.lexicons.wordnet.cache import open_wordnet
from lydite.lexicons.wordnet.database import WordNet

__all__ = ["WordNet", "open_wordnet"]
