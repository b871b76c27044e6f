"""Sentences composed of count vectors, by addition or multiplication (Mitchell & Lapata 2008)."""
