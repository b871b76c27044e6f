"""Task 2, restricted question answering: where the sentence with the answer comes.

The sentences of a document are ordered by how similar they are to the question, and the score is
the normalised rank of the one that answers: 1 if it is the most similar, 0 if the least.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lydite.corpora.separation.questions import Question
from lydite.errors import MissingExtraError, ResourceError, UndefinedScoreError
from lydite.evaluations.separation.curves import densities, thinned_curve
from lydite.evaluations.separation.scoring import Unit, unit_scores
from lydite.models.catalogue import load
from lydite.models.crossing import Crossed, cross_each
from lydite.results.record import Outcome
from lydite.stats.auc import auc
from lydite.stats.bootstrap import bootstrap_interval
from lydite.stats.null import summarise_null
from lydite.stats.ranks import midranks
from lydite.stats.seeds import child_seed
from lydite.types import Floats, Mask, Plain

_DRAWS = 1000


def qa_outcome(
    model: object, questions: Sequence[Question], subset: str, name: str, seed: int
) -> Outcome:
    """Rank the sentences of every question's document.

    Parameters
    ----------
    subset
        The model whose imperfect questions are also scored apart, ``overlap`` in the paper; empty
        for none.
    name
        Of the data, for messages.
    """
    if len({each.document for each in questions}) < 2:
        raise UndefinedScoreError(
            f"{name}: expected questions on at least two documents, got {len(questions)} on "
            f"{len({each.document for each in questions})}",
            hint="add questions on other documents",
        )
    units: list[Unit] = [((each.text,), each.document) for each in questions]
    hard, notes = _imperfect(subset, units, questions)
    crossed = unit_scores(
        model, units, lambda i, scores: normalised_rank(scores[0], questions[i].answers), seed
    )
    ranks = np.array(
        [
            normalised_rank(each.scores[0], question.answers)
            for each, question in zip(crossed, questions, strict=True)
        ]
    )
    known = _known(crossed, questions)
    # Questions on one document are not independent: documents are drawn.
    numbers = {each: i for i, each in enumerate(dict.fromkeys(q.document for q in questions))}
    documents = [numbers[each.document] for each in questions]
    draws = _random_sentences(crossed, questions, child_seed(seed, "baseline"))
    return Outcome(
        metric="norm_rank",
        score=float(ranks.mean()),
        interval=bootstrap_interval(
            lambda items: ranks[items].mean(axis=1),
            len(ranks),
            clusters=documents,
            seed=child_seed(seed, "interval"),
        ),
        baseline=summarise_null(draws, kind="a random sentence"),
        n_items=len(questions),
        n_covered=int(known.sum()),
        oov="zero",
        statistic="mean",
        items={
            "item": [each.name for each in questions],
            "group": [str(each) for each in documents],
            "question": [each.text for each in questions],
            "answer": [
                question.document[_best(each.scores[0], question.answers)]
                for each, question in zip(crossed, questions, strict=True)
            ],
            "first": [
                question.document[int(each.scores[0].argmax())]
                for each, question in zip(crossed, questions, strict=True)
            ],
            "form": [each.form for each in questions],
            "domain": [each.domain for each in questions],
            "value": ranks.tolist(),
            "covered": known.tolist(),
        },
        others={
            "first_place": float((ranks == 1).mean()),
            **({"subset": float(ranks[hard].mean())} if hard is not None and hard.any() else {}),
        },
        details={
            "task": "qa",
            "subset": None if hard is None else {"model": subset, "questions": int(hard.sum())},
            "notes": notes,
            "forms": _by(ranks, [each.form for each in questions]),
            "domains": _by(ranks, [each.domain for each in questions]),
            "missing": [
                each.text for each, found in zip(questions, known, strict=True) if not found
            ][:10],
            "worst": _worst(questions, crossed, ranks),
            **_curves(crossed, questions),
        },
    )


def normalised_rank(scores: Floats, answers: Sequence[int]) -> float:
    """Return the normalised rank of the best of the sentences that answer (equation 14).

    1 - answer / (length - 1), where answer is the place, from 0, in the order of falling scores;
    tied sentences share the middle one of their places.

    Parameters
    ----------
    scores
        Shape (m,): of the sentences of a document.
    answers
        The places in the document of those that answer. The paper has one. Of several, the best
        counts, and the others are left out of the document.

    Examples
    --------
    The answer ties with one sentence, below one and above one: place 1.5 of 0 to 3.

    >>> normalised_rank(np.array([0.2, 0.5, 0.9, 0.5]), [1])
    0.5
    """
    best = _best(scores, answers)
    kept = np.array([i for i in range(len(scores)) if i == best or i not in answers])
    ranks = midranks(scores[kept])
    return float((ranks[kept == best][0] - 1) / (len(kept) - 1))


def _best(scores: Floats, answers: Sequence[int]) -> int:
    """Return the answer with the highest score, of equals the first."""
    return max(answers, key=lambda place: (scores[place], -place))


def _first_other(scores: Floats, question: Question) -> str:
    """Return the sentence that comes first of those that do not answer."""
    others = [place for place in range(len(scores)) if place not in question.answers]
    return question.document[max(others, key=lambda place: (scores[place], -place))]


def _known(crossed: Sequence[Crossed], questions: Sequence[Question]) -> Mask:
    """Return which questions the model knows, together with a sentence that answers."""
    return np.array(
        [
            each.left_known[0] and each.right_known[list(question.answers)].any()
            for each, question in zip(crossed, questions, strict=True)
        ],
        dtype=np.bool_,
    )


def _imperfect(
    subset: str, units: Sequence[Unit], questions: Sequence[Question]
) -> tuple[Mask | None, list[str]]:
    """Return which questions a simple model does not answer perfectly.

    One that is not installed or not at hand is a note; one that cannot be is an error.
    """
    if not subset:
        return None, []
    try:
        crossed = cross_each(load(subset), units)
    except (MissingExtraError, ResourceError) as error:
        return None, [f"the subset where {subset} is not perfect is left out: {error.message}"]
    ranks = [
        normalised_rank(each.scores[0], question.answers)
        for each, question in zip(crossed, questions, strict=True)
    ]
    return np.array(ranks) < 1, []


def _random_sentences(
    crossed: Sequence[Crossed], questions: Sequence[Question], seed: int
) -> Floats:
    """Draw sentences of each document in place of the answers, as many as there are."""
    generator = np.random.default_rng(seed)
    draws = np.zeros(_DRAWS)
    for each, question in zip(crossed, questions, strict=True):
        ranks, count = midranks(each.scores[0]), len(question.answers)
        dealt = generator.random((_DRAWS, len(ranks))).argsort(axis=1)[:, :count]
        drawn = ranks[dealt]
        best = drawn.max(axis=1)
        # What else was drawn is left out: it is below the best one, or tied with it.
        tied = (drawn == best[:, None]).sum(axis=1) - 1
        draws += (best - 1 - (count - 1 - tied) - tied / 2) / (len(ranks) - count)
    return draws / len(crossed)


def _by(ranks: Floats, names: Sequence[str]) -> list[dict[str, Plain]]:
    """Average over the questions of each kind."""
    kinds = [name for name in dict.fromkeys(names) if name]
    rows = []
    for kind in kinds:
        of_kind = np.array([name == kind for name in names])
        rows.append(
            {"kind": kind, "questions": int(of_kind.sum()), "score": float(ranks[of_kind].mean())}
        )
    return sorted(rows, key=lambda row: str(row["kind"]))


def _worst(
    questions: Sequence[Question], crossed: Sequence[Crossed], ranks: Floats, most: int = 8
) -> list[dict[str, Plain]]:
    """Tell the questions whose answer came last, and what came first."""
    return [
        {
            "question": questions[i].text,
            "rank": float(ranks[i]),
            "answer": questions[i].document[_best(crossed[i].scores[0], questions[i].answers)],
            "first": _first_other(crossed[i].scores[0], questions[i]),
        }
        for i in np.argsort(ranks, kind="stable")[:most]
    ]


def _curves(crossed: Sequence[Crossed], questions: Sequence[Question]) -> dict[str, Plain]:
    """Return ROC curve and densities of H and L, of all questions together."""
    high = np.concatenate(
        [each.scores[0][list(q.answers)] for each, q in zip(crossed, questions, strict=True)]
    )
    low = np.concatenate(
        [
            np.delete(each.scores[0], list(q.answers))
            for each, q in zip(crossed, questions, strict=True)
        ]
    )
    return {
        "pooled_auc": auc(high, low),
        "curve": thinned_curve(high, low),
        "densities": densities(high, low),
    }
