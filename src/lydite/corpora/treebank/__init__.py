"""Dependency treebanks as arrays: words, heads and relations."""
