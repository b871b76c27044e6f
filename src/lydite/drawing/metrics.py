"""What the metrics are called, how many digits they get, and how far their axes run."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from lydite.results.record import Result

#: Coverage below this is marked wherever a score is shown.
ENOUGH_COVERAGE = 0.95

_LADDER = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)


@dataclass(frozen=True, kw_only=True)
class Metric:
    """How a metric is shown.

    Attributes
    ----------
    title
        For people.
    digits
        Decimals of its scores.
    """

    title: str
    digits: int = 3

    def write(self, value: float) -> str:
        """Write a score.

        >>> metric_named("qvec").write(8.08639)
        '8.0864'
        """
        # Adding zero turns a rounded -0.0 into 0.0.
        return f"{round(value, self.digits) + 0.0:.{self.digits}f}"


_KNOWN = {
    "spearman": Metric(title="Spearman ρ"),
    "pearson": Metric(title="Pearson r"),
    "cca": Metric(title="mean canonical correlation"),
    "cca-first": Metric(title="first canonical correlation"),
    "qvec": Metric(title="sum of correlations", digits=4),
    "held_out": Metric(title="held out"),
    "ss": Metric(title="subsumption kept (SS)"),
    "rss": Metric(title="reverse kept (RSS)"),
    "both": Metric(title="both kept"),
    "as": Metric(title="aggregate (AS)"),
    "ras": Metric(title="aggregate reverse (RAS)"),
    "aggregate-both": Metric(title="aggregate both"),
    "identification": Metric(title="mean reciprocal place"),
    "identification_median": Metric(title="median place", digits=1),
    "identification_first": Metric(title="share in first place"),
    "identification_chance": Metric(title="chance"),
    "cosine": Metric(title="cosine"),
    "cosine_median": Metric(title="median cosine"),
    "different_terms_cosine": Metric(title="cosine of different terms"),
    "rank": Metric(title="mean reciprocal rank"),
    "rank_mean": Metric(title="mean rank", digits=2),
    "different_terms_rank_mean": Metric(title="mean rank of different terms", digits=2),
    "different_terms_rank_first": Metric(title="rank 1 of different terms"),
    "rank_median": Metric(title="median rank", digits=1),
    "rank_first": Metric(title="share of rank 1"),
    "mrr": Metric(title="mean reciprocal rank", digits=4),
    "median_rank": Metric(title="median rank", digits=1),
    "mean_spearman": Metric(title="mean Spearman ρ"),
    "svm": Metric(title="accuracy (linear SVM)"),
    "centroid": Metric(title="accuracy (nearest centroid)"),
    "neighbour": Metric(title="accuracy (nearest neighbour)"),
    "mean_of_groups": Metric(title="mean accuracy of groups"),
    "alignment": Metric(title="alignment"),
    "uniformity": Metric(title="uniformity"),
    "groups": Metric(title="groups", digits=0),
    "auc": Metric(title="AUC"),
    "norm_rank": Metric(title="normalised rank"),
    "subset": Metric(title="normalised rank, subset"),
    "first_place": Metric(title="share in first place"),
    "entity_pairs": Metric(title="entity pairs", digits=0),
    "similar_pairs": Metric(title="similar pairs", digits=0),
    "accuracy": Metric(title="accuracy"),
    "majority": Metric(title="majority"),
    "random_vectors": Metric(title="random vectors"),
    "not_in_training": Metric(title="texts not in training"),
    "word_coverage": Metric(title="words found"),
    "known": Metric(title="known words"),
    "unknown": Metric(title="unknown words"),
    "no_vector": Metric(title="no vector"),
    "sentences_right": Metric(title="whole sentences"),
    "uas": Metric(title="heads right (UAS)"),
    "las": Metric(title="LAS"),
    "label_accuracy": Metric(title="relations right"),
    "right_branching": Metric(title="right branching"),
    "left_branching": Metric(title="left branching"),
    "exact": Metric(title="whole trees"),
    "background_cosine": Metric(title="cosine to background"),
    "background_rank": Metric(title="rank in background", digits=0),
    "size_matched_cosine": Metric(title="cosine, size-matched"),
    "size_matched_identification": Metric(title="place, size-matched"),
    "shuffled_contexts_cosine": Metric(title="cosine, shuffled"),
    "shuffled_contexts_identification": Metric(title="place, shuffled"),
}


def metric_named(name: str) -> Metric:
    """Return how a metric is shown; one that is not known keeps its name and gets 3 decimals."""
    return _KNOWN.get(name, Metric(title=name))


def axis(results: Iterable[Result]) -> tuple[float, float]:
    """Return the ends of an axis that holds all scores, intervals and null baselines.

    It starts at 0 unless something is negative, and ends at 1 unless something is larger, so that
    correlations and shares always stand on the same axis.
    """
    least, most = extent(results)
    high = 1.0 if most <= 1.0 else _round_up(most)
    low = 0.0 if least >= 0.0 else -max(_round_up(-least), high / 10)
    return low, high


def extent(results: Iterable[Result]) -> tuple[float, float]:
    """Return the least and the largest of all scores, interval ends and null baselines."""
    values = [
        value
        for result in results
        for value in (
            result.score,
            result.interval.low,
            result.interval.high,
            result.baseline.low,
            result.baseline.high,
        )
    ]
    return min(values), max(values)


def _round_up(value: float) -> float:
    power = 10.0 ** math.floor(math.log10(value))
    # A power of ten that was rounded down would leave the last step just short of the value.
    return next((step * power for step in _LADDER if step * power >= value), 10.0 * power)


def write_share(part: int, whole: int) -> str:
    r"""Write a share in per cent, rounded down so that 100 % means all.

    >>> write_share(999, 1000), write_share(3, 3), write_share(1999, 2000)
    ('99.9\xa0%', '100\xa0%', '99.9\xa0%')
    """
    if part == whole:
        return "100\u00a0%"
    # In whole numbers, so that 29 of 100 does not become 28.9.
    return f"{1000 * part // whole / 10:.1f}\u00a0%"
