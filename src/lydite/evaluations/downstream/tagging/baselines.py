"""What words give away without a model: their most frequent tags."""

from __future__ import annotations

import numpy as np

from lydite.corpora.tagging.task import TaggingTask
from lydite.types import Mask


def majority_right(task: TaggingTask) -> Mask:
    """Return which test words have the tag that is most frequent for them in training, (n,).

    A word that training does not have gets the tag most frequent of all; of equally frequent tags
    it is the first.
    """
    count = len(task.tags)
    seen = np.zeros((len(task.words), count), dtype=np.int64)
    np.add.at(seen, (task.train.words, task.train.tags), 1)
    guesses = np.where(seen.any(axis=1), seen.argmax(axis=1), seen.sum(axis=0).argmax())
    return np.asarray(guesses[task.test.words] == task.test.tags)
