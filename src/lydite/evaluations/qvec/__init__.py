"""QVEC and QVEC-CCA: how much linguistic knowledge the dimensions hold."""
