"""Princeton WordNet as a taxonomy, read from its own database files."""

from lydite.lexicons.taxonomies.wordnet.cache import open_wordnet
from lydite.lexicons.taxonomies.wordnet.database import WordNet

__all__ = ["WordNet", "open_wordnet"]
