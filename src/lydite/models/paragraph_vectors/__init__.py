"""Paragraph vectors: PV-DM and PV-DBOW (Le & Mikolov 2014), trained and inferred with gensim."""
