"""A plugin in one file: an evaluation, a model and a data set."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from lydite.plugin import (
    Card,
    CardFile,
    Evaluation,
    ItemsLoader,
    Located,
    Metric,
    Model,
    Outcome,
    Param,
    Progress,
    Result,
    Shown,
    Slot,
    Table,
    UndefinedScoreError,
    Vectors,
    View,
    child_seed,
    find_words,
    mean_interval,
    null_baseline,
    numbered_lines,
    only_resource,
    silent,
)


@dataclass(frozen=True, kw_only=True)
class SeparationByLength(Evaluation):
    """Ask whether the longer half of the words has the longer half of the vectors.

    Often it has the shorter half: long words are rare, and the vectors of rare words are short.
    """

    name: ClassVar[str] = "separation-by-length"
    slots: ClassVar[tuple[Slot, ...]] = (
        Slot("words", "Lists of words, one per line.", accepts=("lexicon",)),
    )
    views: ClassVar[tuple[View, ...]] = (View("each", "Print the length of each word's vector."),)
    metrics: ClassVar[tuple[Metric, ...]] = (Metric("agreement", "words in the same half"),)
    examples: ClassVar[tuple[str, ...]] = ("separation-by-length vectors.txt --words words.txt",)

    norm: Annotated[Literal["l1", "l2"], Param("How the length of a vector is measured.")] = "l2"

    def run(
        self,
        model: object,
        resources: Sequence[Located],
        *,
        seed: int,
        progress: Progress = silent,
    ) -> Outcome:
        """Score the model on a list of words."""
        words = [line for _, line in numbered_lines(only_resource(self.name, resources).single())]
        known = find_words(model, words)
        if not known.found.any():
            raise UndefinedScoreError(f"{self.name}: the model has none of the {len(words)} words")
        norms = np.linalg.norm(known.vectors, ord={"l1": 1, "l2": 2}[self.norm], axis=1)
        letters = np.array([len(word) for word in words])[known.found]
        long, strong = (part > np.median(part) for part in (letters, norms[known.found]))
        same = (long == strong).astype(float)
        values = np.full(len(words), np.nan)
        values[known.found] = same
        return Outcome(
            metric="agreement",
            score=float(same.mean()),
            interval=mean_interval(same),
            baseline=null_baseline(
                lambda generator: float((long == generator.permutation(strong)).mean()),
                seed=child_seed(seed, "baseline"),
                kind="shuffled lengths",
            ),
            n_items=len(words),
            n_covered=int(known.found.sum()),
            oov="skip",
            statistic="mean",
            items={
                "item": words,
                "value": [None if np.isnan(value) else value for value in values.tolist()],
                "covered": known.found.tolist(),
                "length": norms.tolist(),
            },
        )

    @classmethod
    def tables(
        cls, results: Sequence[Result], items: ItemsLoader, shown: Shown
    ) -> Sequence[Table] | None:
        """Print the words of each model where ``--each`` asks for them, else the usual table."""
        if not shown.options["each"]:
            return None
        return [
            Table(
                columns=("word", "length"),
                rows=items(result).select("item", "length").rows(),
                caption=f"{result.model} on {result.resource}",
            )
            for result in results
        ]


@dataclass(frozen=True)
class Letters(Model):
    """Count the letters of an alphabet in a text."""

    name: ClassVar[str] = "letters"
    #: Changes whenever the same text would get another vector.
    fingerprint: ClassVar[str] = "1"

    alphabet: Annotated[str, Param("The letters that count.")] = "abc"

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector per text, (n, letters)."""
        return np.array(
            [[text.count(letter) for letter in self.alphabet] for text in texts], dtype=np.float32
        )


def cards() -> list[Card]:
    """Return the data sets that this plugin adds; whoever uses them brings the files."""
    words = CardFile(
        path="six-words.txt",
        sha256="aec8a79826d14f7b4d54beeaf0ae33a097a74fc94357323410ce401fd2d927e4",
        bytes=29,
    )
    return [
        Card(
            name="six-words",
            title="Six words",
            kind="lexicon",
            format="one word per line",
            licence="CC0 1.0",
            redistributable=True,
            citation="none",
            source="this plugin",
            files=(words,),
        )
    ]
