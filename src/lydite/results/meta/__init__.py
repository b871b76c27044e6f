"""Whether intrinsic scores foretell downstream ones: correlations over models."""
