"""Whether a score predicts use: intrinsic scores against downstream ones."""
