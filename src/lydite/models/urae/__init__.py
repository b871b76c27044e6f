"""The unfolding recursive autoencoder (Socher et al. 2011)."""
