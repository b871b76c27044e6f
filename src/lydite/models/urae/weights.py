"""What the network learns, as one vector and as matrices."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.types import Floats

#: float32 in use, float64 where gradients are checked.
Reals: TypeAlias = NDArray[np.floating[Any]]


class Weights(NamedTuple):
    """The matrices of a network of d dimensions over word vectors of w.

    Attributes
    ----------
    encoder, encoder_bias
        Shapes (d, 2d) and (d,): two children to their parent.
    decoder, decoder_bias
        Shapes (2d, d) and (2d,): a parent back to its children.
    leaf, leaf_bias
        Shapes (d, w) and (d,): a word to a leaf; without elements if d = w, where words are leaves.
    back, back_bias
        Shapes (w, d) and (w,): a leaf back to a word; likewise.
    """

    encoder: Reals
    encoder_bias: Reals
    decoder: Reals
    decoder_bias: Reals
    leaf: Reals
    leaf_bias: Reals
    back: Reals
    back_bias: Reals


def weights_over(vector: Reals, dim: int, width: int) -> Weights:
    """Return the matrices whose numbers stand in a vector one after the other, as views."""
    shapes = _shapes(dim, width)
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])
    parts = np.split(vector, ends[:-1])
    return Weights(*(part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)))


def count_weights(dim: int, width: int) -> int:
    """Return how many numbers there are to learn.

    >>> count_weights(200, 50)
    180850
    """
    return sum(int(np.prod(shape)) for shape in _shapes(dim, width))


def first_weights(dim: int, width: int, *, seed: int) -> Floats:
    """Draw the numbers to begin with.

    Matrices are uniform in ± sqrt(6 / (rows + columns)), after Glorot & Bengio (2010), biases 0.
    """
    random = np.random.default_rng(seed)
    vector = np.zeros(count_weights(dim, width))
    drawn = weights_over(vector, dim, width)
    for matrix in (drawn.encoder, drawn.decoder, drawn.leaf, drawn.back):
        if matrix.size:
            bound = np.sqrt(6 / sum(matrix.shape))
            matrix[:] = random.uniform(-bound, bound, matrix.shape)
    return vector


def _shapes(dim: int, width: int) -> tuple[tuple[int, ...], ...]:
    own = dim if dim != width else 0
    back = width if dim != width else 0
    return (
        (dim, 2 * dim),
        (dim,),
        (2 * dim, dim),
        (2 * dim,),
        (own, width),
        (own,),
        (back, dim),
        (back,),
    )
