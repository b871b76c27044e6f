"""What the commands of evaluations that test learners of terms share."""

from __future__ import annotations

from lydite.declare import Option
from lydite.models.learners import BACKGROUND

LEARNERS = Option(
    "models",
    "additive, nonce2vec, ppmi-svd, 'pooled(TEXT_MODEL)', or a spec with parameters.",
    metavar="LEARNER...",
)
BACKGROUND_OPTION = Option(
    "background",
    f"Word vectors used by additive and nonce2vec.  \\[default: {BACKGROUND}]",
    metavar="SPACE",
)
