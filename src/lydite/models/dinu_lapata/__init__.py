"""Words as mixtures of latent senses, which their contexts shift (Dinu & Lapata 2010)."""
