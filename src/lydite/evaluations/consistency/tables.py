"""Consistency in tables: what is decided of which terms, and the tables of Bloem et al. (2019)."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from lydite.drawing.section import ItemsLoader
from lydite.drawing.table import (
    Cell,
    Column,
    Scalar,
    Table,
    Tone,
    count_cell,
    covered_cell,
    interval_cell,
    number_cell,
    score_column,
)
from lydite.drawing.text import shorten
from lydite.evaluations.catalogue import Shown
from lydite.evaluations.consistency.background import Beside, DomainGroup, Nearness
from lydite.evaluations.consistency.drift import DriftDetails, DriftTerm
from lydite.evaluations.consistency.evaluation import (
    ConsistencyDetails,
    Neighbours,
    Size,
    Term,
)
from lydite.evaluations.consistency.folds import DEALS, DRAWS, FOLDS
from lydite.evaluations.consistency.plan import (
    SENTENCES,
    SHARES,
    Usual,
    Wished,
    needed_for,
)
from lydite.evaluations.consistency.reliability import EVEN, SHOWN, SIZE, Verdict
from lydite.evaluations.consistency.rivals import AMONG, RIVALS
from lydite.results.metrics import metric_named
from lydite.results.record import Result
from lydite.results.trials import Trial, model_namer, resource_title, trials

T = TypeVar("T")
Row: TypeAlias = list[Cell | Scalar]

#: How many terms of a reason are named, and how many of all a command shows.
_DROPPED, _SHOWN_TERMS = 8, 30
#: How many terms are shown of which none, or fewer, drift.
_CLEAREST = 8

VERDICTS: tuple[Verdict, ...] = ("consistent", "not consistent", "undecided")
_TONES: dict[Verdict, Tone] = {
    "consistent": "strong",
    "not consistent": "warning",
    "undecided": "plain",
}
#: What stands beside each other in one column of the summary.
_BESIDE = {
    "chance / first": ("identification_chance", "identification_first"),
    "cosine / different terms": ("cosine", "different_terms_cosine"),
    "size-matched / shuffled": ("size_matched_cosine", "shuffled_contexts_cosine"),
    "rank: mean / median / first": ("rank_mean", "rank_median", "rank_first"),
    "different terms: rank / first": ("different_terms_rank_mean", "different_terms_rank_first"),
    "to background: own / others / rank": (
        "background_cosine",
        "background_others",
        "background_rank",
    ),
}

#: What the columns are, where their titles do not say it.
_EXPLAINED = {
    "cosine / different terms": "Cosine of two vectors of a term, beside that of vectors of "
    "different terms.",
    "size-matched / shuffled": "Size-matched and shuffled: the cosine where the sentences, or the "
    "words, of all terms were redistributed at random.",
    "rank: mean / median / first": "Rank of one vector among all words of the background, by "
    "cosine to the other: mean, median, share of rank 1.",
    "to background: own / others / rank": "To background: cosine with the background's own vector "
    "of the term, that to be expected from other terms, and its mean rank.",
}


@dataclass(frozen=True)
class Learner:
    """A result, and what it tells beside its scores."""

    result: Result
    details: ConsistencyDetails

    def score(self, name: str) -> float | None:
        """Return one of the scores, leading or not; None if there is none of that name."""
        leads = self.result.metric == name
        return self.result.score if leads else self.result.others.get(name)

    @property
    def judged(self) -> bool:
        """Whether its terms were judged by their reliability."""
        return self.result.metric == "reliability"

    @property
    def leading(self) -> float:
        """What learners are ordered by, whichever of the paper's measures led."""
        return self.score("reliability" if self.judged else "identification") or 0.0

    @property
    def chance(self) -> float:
        """The mean reciprocal place of a blind choice, 0 if it is unknown."""
        return self.score("identification_chance") or 0.0

    def verdicts(self) -> Counter[Verdict]:
        """Count what is decided of its terms."""
        return Counter(
            row.verdict for row in self.details.terms if row.verdict and row.value is not None
        )


@dataclass(frozen=True, kw_only=True)
class Text:
    """A text, or samples of one, and all who learned its terms."""

    title: str  # of the text; with the parameters of the question if it was asked in several ways
    learners: Mapping[str, Learner]  # by name, the best first

    @property
    def judged(self) -> bool:
        """Whether its terms were judged by their reliability."""
        return all(each.judged for each in self.learners.values())

    def told(self, read: Callable[[ConsistencyDetails], T]) -> dict[str, T]:
        """Return a detail of each learner that has it."""
        return {
            name: found for name, each in self.learners.items() if (found := read(each.details))
        }


def texts(results: Sequence[Result]) -> list[Text]:
    """Group results by text; questions that differ in the leading metric alone are one."""
    # The one that leads with identification has its interval.
    ordered = sorted(results, key=lambda result: result.metric != "identification")
    groups: dict[str, list[Trial]] = {}
    for trial in trials(ordered):
        groups.setdefault(_identity(trial.results[0]), []).append(trial)
    titles = [resource_title(group[0].results[0].resource) for group in groups.values()]
    several = Counter(titles)
    return [
        Text(
            title=group[0].title if several[title] > 1 else title,
            learners=_named([result for trial in group for result in trial.results]),
        )
        for title, group in zip(titles, groups.values(), strict=True)
    ]


def _identity(result: Result) -> str:
    source = result.provenance
    asked = {name: each for name, each in source.parameters.items() if name != "metric"}
    return json.dumps([asked, result.resource, source.seed, source.resource_sha256], sort_keys=True)


def _named(results: Sequence[Result]) -> dict[str, Learner]:
    """Call learners by their kind where no two share it, by their specs elsewhere."""
    full = model_namer(results)
    kinds = Counter(_kind(name) for name in {full(result) for result in results})
    learners = [Learner(result, ConsistencyDetails.of(result)) for result in results]
    found: dict[str, Learner] = {}
    for each in sorted(learners, key=lambda each: -each.leading):
        name = full(each.result)
        name = _kind(name) if kinds[_kind(name)] == 1 else name
        leads = each.result.metric == "identification"
        if name not in found or (leads and found[name].result.metric != "identification"):
            found[name] = each
    return found


def _kind(name: str) -> str:
    return name.partition("(")[0]


def all_rows(learners: Mapping[str, Mapping[str, object]]) -> list[str]:
    """Return the names of the rows that any learner has, in order of first appearance."""
    return list(dict.fromkeys(name for rows in learners.values() for name in rows))


def sizes_of(details: ConsistencyDetails) -> dict[str, Size]:
    """Return what was measured with so many sentences per sample, by their number, in order."""
    return {str(row.size): row for row in details.sizes}


def groups_of(details: ConsistencyDetails) -> dict[str, DomainGroup]:
    """Return the groups of terms by their frequency in the domain and the background."""
    return {row.group: row for row in details.domain_difference.groups}


def source_notes(text: Text) -> list[str]:
    """Say what a text gave, and which terms were left out and why; learners share it."""
    notes: list[str] = []
    for learner in text.learners.values():
        details = learner.details
        notes += [f"{text.title}: {note}." for note in details.notes]
        if details.problems:
            counts = ", ".join(f"{why} ({count:,})" for why, count in details.problems.items())
            notes.append(f"{text.title}: terms left out: {counts}.{_examples(details.dropped)}")
    return list(dict.fromkeys(notes))


def _examples(dropped: Mapping[str, str]) -> str:
    """Name a few of the terms of each reason."""
    by_reason: dict[str, list[str]] = {}
    for term, reason in dropped.items():
        by_reason.setdefault(reason, []).append(term)
    named = [
        f"{reason}: {', '.join(terms[:_DROPPED])}{' and others' if len(terms) > _DROPPED else ''}"
        for reason, terms in by_reason.items()
    ]
    return f" Among them, {'; '.join(named)}." if named else ""


@dataclass(frozen=True, kw_only=True)
class TermRow:
    """A term, and what each learner tells about it, by the learner's name."""

    term: str
    learners: Mapping[str, Term]

    @property
    def sentences(self) -> int | None:
        """How many sentences it was learned from, in all samples together, if that is known."""
        known = (each.sentences for each in self.learners.values())
        return max((count for count in known if count is not None), default=None)


def term_rows(text: Text) -> list[TermRow]:
    """Return the terms that any learner has, in the order of the best learner that has them."""
    found: dict[str, dict[str, Term]] = {}
    for name, learner in text.learners.items():
        for row in learner.details.terms:
            if row.value is not None:
                found.setdefault(row.term, {})[name] = row
    return [TermRow(term=term, learners=learners) for term, learners in found.items()]


def shown_note(shown: int, every: int) -> str:
    """Say that the first terms alone are shown; nothing if all of them are."""
    return "" if shown >= every else f"Shown: the first {shown} of {every:,}."


def decided(learner: Learner) -> str:
    """Say how many terms are decided, and how."""
    counts = learner.verdicts()
    return ", ".join(f"{counts[verdict]:,} {verdict}" for verdict in VERDICTS)


def verdicts_table(results: Sequence[Result]) -> Table | None:
    """Return one row per learner and text: what is decided, and what the other terms need."""
    known = [text for text in texts(results) if text.judged]
    if not known:
        return None
    folded = any(each.details.judgement.folded for t in known for each in t.learners.values())
    return Table(
        columns=[
            Column(title="learner"),
            Column(title="text", shown=len(known) > 1),
            *(Column(title=verdict, align="right") for verdict in VERDICTS),
            Column(
                title="sentences the undecided need: half of them / most",
                fields=("needed_median", "needed_upper"),
                align="right",
            ),
            score_column("reliability", "reliability"),
            Column(title="moved places", fields=("null", "null_consistent"), align="right"),
            Column(title="terms", fields=("n_covered", "n_items"), align="right"),
        ],
        rows=[
            [
                Cell(text=name, values=(learner.result.model,)),
                text.title,
                *(count_cell(learner.verdicts()[verdict]) for verdict in VERDICTS),
                _needs(learner),
                _reliability(learner),
                _moved(learner),
                covered_cell(learner.result),
            ]
            for text in known
            for name, learner in text.learners.items()
        ],
        caption="Consistency: what is decided",
        notes=[
            f"Consistent: the whole 95 % interval of reliability is above {EVEN:g}, where a vector "
            "is as much signal as noise. Not consistent: reliability is below that, and for "
            f"{SIZE} sentences the whole interval is. Undecided: the text is too short to tell; "
            "the sentences needed would tell in about four of five cases; most is the upper "
            "quarter. "
            "Consistent does not mean correct.",
            "Moved places: the mean reliability of the same places moved round the text, where "
            "there is no term, and the share of such pseudo-terms that are called consistent.",
            *([_FOLDED] if folded else []),
        ],
    )


def _needs(learner: Learner) -> Cell:
    needed = sorted(
        row.needed
        for row in learner.details.terms
        if row.verdict == "undecided" and row.needed is not None
    )
    if not needed:
        return Cell(text="", values=(None, None))
    half, most = needed[len(needed) // 2], needed[3 * len(needed) // 4]
    return Cell(text=f"{math.ceil(half):,} / {math.ceil(most):,}", values=(half, most))


def _reliability(learner: Learner) -> Cell:
    ends = learner.result.interval
    low, high = (None, None) if ends is None else (ends.low, ends.high)
    return _interval((learner.result.score, low, high), "reliability")


def _moved(learner: Learner) -> Cell:
    mean, share = learner.result.baseline.mean, learner.details.judgement.null_consistent
    text = f"{mean:.3f}" + ("" if share is None else f" / {100 * share:.1f} %")
    return Cell(text=text, values=(mean, share))


def terms_table(results: Sequence[Result], *, most: int | None = 30) -> list[Table]:
    """Return, for each text, its terms: those decided first, and what the others need."""
    return [_terms(text, rows, most) for text in texts(results) if (rows := term_rows(text))]


def _terms(text: Text, rows: Sequence[TermRow], most: int | None) -> Table:
    shown = rows if most is None else rows[:most]
    several = len(text.learners) > 1
    make = _judged_columns if text.judged else _compared_columns
    columns = [
        (name, column, write)
        for name in text.learners
        for column, write in make(name, several=several)
        # What is told of no term, such as a passage where there is none, has no column.
        if any(write(row.learners.get(name, Term())).text for row in rows) or column.fields
    ]
    return Table(
        columns=[
            Column(title="no.", align="right"),
            Column(title="term"),
            Column(title="sentences", align="right"),
            *(column for _, column, _ in columns),
        ],
        rows=[
            [
                number,
                row.term,
                row.sentences,
                *(write(row.learners.get(name, Term())) for name, _, write in columns),
            ]
            for number, row in enumerate(shown, 1)
        ],
        caption=f"{text.title}: {_all_decided(text) if text.judged else 'terms'}",
        notes=[note for note in (shown_note(len(shown), len(rows)), *_terms_notes(text)) if note],
    )


def _all_decided(text: Text) -> str:
    """Say first of all how many terms are decided, by each learner."""
    if len(text.learners) == 1:
        return decided(next(iter(text.learners.values())))
    return "; ".join(f"{name}: {decided(each)}" for name, each in text.learners.items())


def _terms_notes(text: Text) -> list[str]:
    if not text.judged:
        return ["By the paper's procedure, of samples: another draw gives other numbers."]
    block = next(iter(text.learners.values())).details.judgement.block
    return [
        "Reliability: the cosine to be expected of two vectors learned from as much text, after "
        "what all text of the book shares was taken away, with its 95 % interval; no number hangs "
        f"on a seed. Block: {block}. Needed: sentences in all that would decide.",
        "Beyond passage: the same once the 100 sentences on either side are taken away. Rivals "
        f"beaten: of {RIVALS} words of the text that are as frequent (chance 0.5); place: mean "
        f"reciprocal place among {AMONG} (chance 0.18). Cosine and rank are the paper's, of "
        "vectors from every other block.",
    ]


_FOLDED = (
    f"A learner that does not sum was judged by {FOLDS} folds of each term's text: vectors of "
    "halves of them say what is to be expected, with a step of two to all the text, and single "
    "folds how surely that is known."
)
_IDENTIFICATION = (
    "Identification: mean reciprocal place of a term's second vector among those of all terms, "
    "beside that of a random choice and the share in first place."
)
_Writer: TypeAlias = Callable[[Term], Cell]


def _judged_columns(name: str, *, several: bool) -> list[tuple[Column, _Writer]]:
    title = f"{shorten(name, 28)}: " if several else ""
    leading: list[tuple[Column, _Writer]] = [
        (Column(title=f"{title}verdict", fields=(f"{name} verdict",)), _verdict),
        (score_column(f"{title}reliability", f"{name} reliability"), _own_interval),
        (Column(title="needed", fields=(f"{name} needed",), align="right"), _needed),
    ]
    if several:
        return leading
    return [
        *leading,
        (Column(title="blocks", align="right"), lambda row: count_cell(row.blocks)),
        (Column(title="at 30", align="right"), lambda row: _number(row.at_size, "reliability")),
        (
            Column(title="beyond passage", align="right"),
            lambda row: _number(row.topic, "reliability"),
        ),
        (
            Column(title="rivals beaten", align="right"),
            lambda row: _number(row.beaten, "beaten"),
        ),
        (
            Column(title="place", align="right"),
            lambda row: _number(row.place_among, "place_among_20"),
        ),
        (Column(title="cosine", align="right"), lambda row: _number(row.cosine, "cosine")),
        (Column(title="rank", align="right"), lambda row: _number(row.rank, "rank_mean")),
    ]


def _compared_columns(name: str, *, several: bool) -> list[tuple[Column, _Writer]]:
    title = shorten(name, 28) if several else "identification"
    fields = (f"{name} identification", f"{name} place")
    return [
        (Column(title=f"{title} (place)", fields=fields, align="right"), _place),
        (
            Column(title="cosine", fields=(f"{name} cosine",), align="right"),
            lambda row: _number(row.cosine, "cosine"),
        ),
    ]


def _verdict(row: Term) -> Cell:
    if row.verdict is None:
        return Cell(text="", values=(None,))
    return Cell(text=row.verdict, values=(row.verdict,), tone=_TONES[row.verdict])


def _own_interval(row: Term) -> Cell:
    return _interval((row.value, row.low, row.high), "reliability")


def _needed(row: Term) -> Cell:
    if row.needed is None or row.verdict != "undecided":
        return Cell(text="", values=(row.needed,))
    return _round(row.needed)


def _place(found: Term) -> Cell:
    value, place = found.identification, found.place
    if value is None:
        return Cell(text="", values=(None, None))
    text = f"{value:.3f}" + (f" ({place:,.1f})" if place is not None else "")
    return Cell(text=text, values=(value, place))


def plan_tables(results: Sequence[Result], wished: Wished | None = None) -> list[Table]:
    """Return how much text a wished reliability takes: words as usual here, then single terms."""
    wished = wished or Wished()
    return [
        table
        for text in texts(results)
        for name, learner in text.learners.items()
        if learner.details.judgement.usual is not None
        for table in (
            _plan_of_words(text, name, learner, wished),
            _plan_of_terms(text, name, learner, wished),
        )
    ]


def _plan_of_words(text: Text, name: str, learner: Learner, wished: Wished) -> Table:
    judgement = learner.details.judgement
    usual, filled = judgement.usual or Usual(), judgement.sentences_per_block or 1.0
    power = 1 / (judgement.growth or 1.0)
    rows: list[Row] = []
    for told, r in zip(SHARES, usual.quantiles(tuple(SHARES.values())), strict=True):
        counts = [filled * k**power for k in needed_for(r, usual, wished)]
        rows.append([told, Cell(text=f"{r:.3f}", values=(r,)), *map(_round, counts)])
    return Table(
        columns=[
            Column(title="a word of this text"),
            Column(title="of one block", fields=("r",), align="right"),
            *_wish_columns(wished),
        ],
        rows=rows,
        caption=f"{text.title}: sentences that a reliability takes, by {name}",
        notes=[
            f"Sentences that use the word. {_explained(wished)} Words are those of this text; of "
            "another by the same author they are likely alike, of another kind they need not be."
        ],
    )


def _wish_columns(wished: Wished) -> list[Column]:
    titles = [f"for {wish:g}" for wish in wished.reliabilities]
    titles += ["to be decided", f"for ± {wished.precision:g}"]
    return [Column(title=title, align="right") for title in titles]


def _explained(wished: Wished) -> str:
    return (
        "To be decided: to be shown consistent, in about four of five cases. "
        f"For ± {wished.precision:g}: until the interval of its reliability is about that wide."
    )


def planned_table(wished: Wished) -> Table:
    """Return how much text a wished reliability takes where there is no text yet."""
    usual = Usual()
    asked = {f"r = {r:g}": r for r in wished.of_paragraphs} or dict(
        zip(SHARES, usual.quantiles(tuple(SHARES.values())), strict=True)
    )
    source = (
        "r of a paragraph was given."
        if wished.of_paragraphs
        else "r of a paragraph is what is usual for words of nine books by Hume, James and "
        "Russell; give your own with --r, or a learner and a chapter with --corpus."
    )
    rows: list[Row] = []
    for unit, per in (("paragraphs", 1.0), ("sentences", SENTENCES)):
        for told, r in asked.items():
            counts = [per * k for k in needed_for(r, usual, wished)]
            rows.append([told, Cell(text=f"{r:.3f}", values=(r,)), unit, *map(_round, counts)])
    return Table(
        columns=[
            Column(title="a term", fields=("term",)),
            Column(title="of one paragraph", fields=("r",), align="right"),
            Column(title="takes", fields=("unit",)),
            *_wish_columns(wished),
        ],
        rows=rows,
        caption="Consistency: text that a reliability takes, before there is any",
        notes=[
            "Paragraphs that use the term, or sentences that do, of which such a paragraph has "
            f"{SENTENCES:g} in books. {_explained(wished)}",
            f"{source} Half of the words of one book differ in r by a factor of four or more: take "
            "a range.",
        ],
    )


def _plan_of_terms(text: Text, name: str, learner: Learner, wished: Wished) -> Table:
    judgement = learner.details.judgement
    tokens, power = judgement.tokens or 0, 1 / (judgement.growth or 1.0)
    best = max(wished.reliabilities)
    # To be decided takes `SHOWN` times the blocks that make 0.5.
    times = (best / (1 - best) / SHOWN) ** power
    rows: list[Row] = []
    for row in learner.details.terms:
        if row.needed is None or row.value is None or not row.sentences:
            continue
        more = max(row.needed - row.sentences, 0.0) if row.verdict == "undecided" else 0.0
        words = row.needed * tokens / row.sentences
        rows.append(
            [
                row.term,
                row.verdict,
                row.sentences,
                _round(row.needed),
                _round(more),
                Cell(text=f"{words:,.0f}", values=(words,)),
                Cell(text=f"{words / max(tokens, 1):,.1f}", values=(words / max(tokens, 1),)),
                _round(row.needed * times),
            ]
        )
    titles = ("sentences", "needed", "more", "words of text", "such texts", f"for {best:g}")
    return Table(
        columns=["term", "verdict", *(Column(title=title, align="right") for title in titles)],
        rows=rows,
        caption=f"{text.title}: text that terms take, by {name}",
        notes=[
            "Needed to be shown consistent, in about four of five cases, from what was measured of "
            "the term and what is usual in the text. Words of text, if the term stays as frequent "
            f"as it is; this text has {tokens:,}. For {best:g}: sentences that a reliability of "
            f"{best:g} takes."
        ],
    )


def _round(count: float) -> Cell:
    # What is whole but for rounding is whole.
    return Cell(text=f"{math.ceil(count - 1e-9):,}", values=(count,))


def summary_table(results: Sequence[Result]) -> Table:
    """Return one row per learner and text: the paper's measures, beside what gives them meaning."""
    known = texts(results)
    compared = any(not text.judged for text in known)
    scores = [each.score for text in known for each in text.learners.values()]
    beside = {
        title: names
        for title, names in _BESIDE.items()
        if any(score(name) is not None for score in scores for name in names)
    }
    return Table(
        columns=[
            Column(title="learner"),
            Column(title="text", shown=len(known) > 1),
            *([score_column("identification", "identification")] if compared else []),
            *(Column(title=t, fields=each, align="right") for t, each in beside.items()),
            Column(title="terms", fields=("n_covered", "n_items"), align="right"),
        ],
        rows=[
            [
                Cell(text=name, values=(learner.result.model,)),
                text.title,
                *([_identification(learner)] if compared else []),
                *(_beside(learner, names) for names in beside.values()),
                covered_cell(learner.result),
            ]
            for text in known
            for name, learner in text.learners.items()
        ],
        caption="Consistency: the paper's measures",
        notes=[
            *([_IDENTIFICATION] if compared else []),
            " ".join(_EXPLAINED[title] for title in beside if title in _EXPLAINED),
        ],
    )


def _identification(learner: Learner) -> Cell:
    leads = learner.result.metric == "identification"
    low, high = (learner.result.ends if leads else ()) or (None, None)
    return _interval((learner.score("identification"), low, high), "identification")


def _beside(learner: Learner, names: Sequence[str]) -> Cell:
    values = [learner.score(name) for name in names]
    known = any(value is not None for value in values)
    written = [_number(value, name).text or "–" for value, name in zip(values, names, strict=True)]
    return Cell(text=" / ".join(written) if known else "", values=tuple(values))


def _interval(values: tuple[float | None, float | None, float | None], metric: str) -> Cell:
    return interval_cell(*values, metric_named(metric, "consistency"))


def _number(value: float | None, metric: str) -> Cell:
    return number_cell(value, metric_named(metric, "consistency"))


def sizes_table(results: Sequence[Result]) -> list[Table]:
    """Return, for each text, what is to be expected by the number of sentences (Table 2)."""
    return [_sizes(text, rows) for text in texts(results) if (rows := text.told(sizes_of))]


def _sizes(text: Text, learners: Mapping[str, Mapping[str, Size]]) -> Table:
    rows: list[Row] = []
    for size in all_rows(learners):
        found = [each.get(size, Size()) for each in learners.values()]
        rows.append(
            [
                size,
                next((row.terms for row in found if row.terms), None),
                *(
                    cell
                    for row in found
                    for cell in (_reliability_of(row), _number(row.cosine, "cosine"))
                ),
            ]
        )
    drawn = any(row.drawn is not None for each in learners.values() for row in each.values())
    return Table(
        columns=[
            Column(title="sentences", fields=("size",), align="right"),
            Column(title="terms", align="right"),
            *(
                column
                for name in learners
                for column in (
                    score_column(_headed(name, "reliability", learners), f"{name} reliability"),
                    Column(
                        title=_headed(name, "cosine", learners),
                        fields=(f"{name} cosine",),
                        align="right",
                    ),
                )
            ),
        ],
        rows=rows,
        caption=f"{text.title}: by number of sentences",
        notes=[
            "What is to be expected of two vectors learned from so many sentences each, by "
            "Spearman and Brown's formula from all sentences: nothing was drawn. Cosine: the "
            "paper's, with nothing taken away, of learners that sum.",
            *([_DRAWN] if drawn else []),
        ],
    )


_DRAWN = (
    f"For a learner that does not sum, two samples of so many sentences were drawn {DRAWS} times "
    "and learned, of terms that have twice as many; of one that learns all samples together, all "
    f"sentences of a term were dealt to such samples {DEALS} times. The draws are always the same; "
    "other ones change the second digit of the mean by one at most. Of terms with fewer sentences "
    "it follows by formula."
)


def _reliability_of(row: Size) -> Cell:
    metric = metric_named("reliability", "consistency")
    if row.drawn:
        metric = replace(metric, digits=2)
    return interval_cell(row.reliability, row.low, row.high, metric)


def _headed(name: str, title: str, learners: Mapping[str, object]) -> str:
    return f"{shorten(name, 28)}: {title}" if len(learners) > 1 else title


def background_table(results: Sequence[Result]) -> list[Table]:
    """Return how near what was learned stays to the background's own vectors (Table 6)."""
    found = [(result, ConsistencyDetails.of(result).background) for result in results]
    rows: list[Row] = [
        [
            result.model,
            _number(near.cosine, "cosine"),
            _number(near.others, "cosine"),
            _difference(near),
            near.verdict or _TOO_FEW,
            _number(near.rank, "rank_mean"),
            _number(near.median, "rank_median"),
            near.terms,
        ]
        for result, near in found
        if near.terms
    ]
    if not rows:
        return []
    return [
        Table(
            columns=[
                "learner",
                Column(title="own cosine", fields=("cosine",)),
                Column(title="other terms'", fields=("others",)),
                score_column("difference", "difference"),
                Column(title="nearer to their own?", fields=("verdict",)),
                "mean rank",
                "median rank",
                "terms",
            ],
            rows=rows,
            caption="Learned vectors and the background's own vectors of the same terms",
            notes=[
                f"{_BESIDE_OTHERS} Rank of the term's own word among all words, by cosine to the "
                "learned vector."
            ],
        )
    ]


_TOO_FEW = "too few terms"
_BESIDE_OTHERS = (
    "Cosine of a learned vector with the background's vector of the term itself, beside that to be "
    "expected from how near the vector is to other terms' words, and the word to other terms' "
    "vectors; their difference with its interval over terms (jackknife). Only a difference whose "
    "interval lies above 0 shows that what was learned is near to the general meaning of these "
    "words, and not just to words of this kind."
)


def _difference(row: Beside) -> Cell:
    return interval_cell(row.difference, row.low, row.high, metric_named("cosine", "consistency"))


_NEARNESS: dict[Nearness, str] = {
    "nearer": "nearer to the background's vectors of their own words than to those of other terms",
    "not shown": "not shown to be nearer to their own words in the background than to others'",
    "farther": "farther from the background's vectors of their own words than from others'",
}


def nearness_notes(text: Text) -> list[str]:
    """Say in words whether what was learned is near to the general meaning of the terms."""
    notes = []
    for name, learner in text.learners.items():
        domain = groups_of(learner.details).get("all terms", DomainGroup())
        found: dict[str, Beside] = {
            "": learner.details.background,
            " learned from all their sentences": domain,
        }
        notes += [
            f"{text.title}, {name}: terms{which} are {_NEARNESS[row.verdict]}: difference "
            f"{_difference(row).text}."
            for which, row in found.items()
            if row.verdict is not None
        ]
    return notes


def term_sizes_table(results: Sequence[Result], term: str) -> list[Table]:
    """Return what is to be expected of one term by the number of sentences; none without sizes."""
    found = [(result, ConsistencyDetails.of(result)) for result in results]
    if not any(details.sizes for _, details in found):
        return []
    rows: list[Row] = [
        [
            result.model,
            str(row.size),
            _number(row.by_term[term].reliability, "reliability"),
            _number(row.by_term[term].cosine, "cosine"),
        ]
        for result, details in found
        for row in details.sizes
        if term in row.by_term
    ]
    return [
        Table(
            columns=["learner", "sentences", "reliability", "cosine"],
            rows=rows,
            caption=f"{term}: by number of sentences",
            notes=[] if rows else [_unmeasured([details for _, details in found], term)],
        )
    ]


def _unmeasured(found: Sequence[ConsistencyDetails], term: str) -> str:
    """Say why a term has no numbers."""
    for details in found:
        if term in details.dropped:
            return f"Left out: {details.dropped[term]}."
    return "It is not among the terms, as they are written in the first table."


def domain_table(results: Sequence[Result]) -> list[Table]:
    """Return, for each text, how far its terms are from the background, by group (Table 5)."""
    return [_domain(text, rows) for text in texts(results) if (rows := text.told(groups_of))]


def _domain(text: Text, learners: Mapping[str, Mapping[str, DomainGroup]]) -> Table:
    several = len(learners) > 1
    return Table(
        columns=[
            *(["learner"] if several else []),
            Column(title="terms, by their frequency", fields=("group",)),
            Column(title="terms", align="right"),
            Column(title="own cosine", fields=("cosine",), align="right"),
            Column(title="other terms'", fields=("others",), align="right"),
            score_column("difference", "difference"),
            Column(title="nearer to their own?", fields=("verdict",)),
        ],
        rows=[
            [
                *([name] if several else []),
                group,
                count_cell(row.terms or 0),
                _number(row.cosine, "cosine"),
                _number(row.others, "cosine"),
                _difference(row),
                row.verdict or (_TOO_FEW if row.terms else ""),
            ]
            for name, rows in learners.items()
            for group, row in rows.items()
        ],
        caption=f"{text.title}: domain and background",
        notes=[
            f"{_BESIDE_OTHERS} A small difference means that the domain uses the terms in a sense "
            "of its own, or that there is too little text. Vectors are learned from all sentences "
            "of a term. Terms that are neither rare nor frequent are only in the first row."
        ],
    )


def drift_table(results: Sequence[Result]) -> list[Table]:
    """Return, for each text and learner, which terms drift, beside what pseudo-terms give."""
    return [
        _drift(text, f", by {name}" if len(text.learners) > 1 else "", learner.details.drift)
        for text in texts(results)
        for name, learner in text.learners.items()
        if learner.details.drift.by
    ]


def _drift(text: Text, whose: str, details: DriftDetails) -> Table:
    found = sum(row.found for row in details.terms)
    shown = details.terms[: max(found, _CLEAREST)]
    return Table(
        columns=[
            "term",
            Column(title="p", align="right"),
            Column(title="adjusted p", fields=("adjusted",), align="right"),
            Column(title="share between parts", fields=("share",), align="right"),
            Column(title=_plural(details.block), fields=("blocks",), align="right"),
            Column(title="parts", align="right"),
            Column(title="drift", fields=("found",)),
        ],
        rows=[
            [
                row.term,
                Cell(text=f"{row.p:.2g}", values=(row.p,)),
                Cell(text=f"{row.adjusted:.2g}", values=(row.adjusted,)),
                Cell(text=f"{row.share:.3f}", values=(row.share,)),
                count_cell(row.blocks),
                row.parts,
                _found(row, details),
            ]
            for row in shown
        ],
        caption=f"{text.title}: drift between {details.by}{whose}",
        notes=[
            drift_verdict(details),
            "A sentence counts by what it adds beyond the 100 sentences on either side, so that "
            f"the topics of the text are no drift; whole {_plural(details.block)} were dealt to "
            f"parts at random. Adjusted for {details.tested} terms (Benjamini and Hochberg, 10 %). "
            "The share of what they differ by that lies between parts is less what chance puts "
            "there.",
            *(
                [f"Shown: {len(shown)} of {details.tested} terms, the clearest."]
                if len(shown) < (details.tested or 0)
                else []
            ),
        ],
    )


def _plural(block: str | None) -> str:
    return "paragraphs" if block == "paragraph" else "runs of sentences"


def _found(row: DriftTerm, details: DriftDetails) -> Cell:
    if not row.found:
        return Cell(text="not shown", values=(False,), tone="quiet")
    if not details.shown:
        return Cell(text="no more than chance", values=(False,))
    return Cell(text="drifts", values=(True,), tone="warning")


def drift_verdict(details: DriftDetails) -> str:
    """Say in words what was found, beside the pseudo-terms."""
    found, tested = details.found or 0, details.tested or 0
    beside = (
        f"{details.shifts} shifts of all places round the text found {details.pseudo_found:g} "
        f"pseudo-terms on average and at most {details.pseudo_most}; false positive rate "
        f"{details.false_positives or 0:.3f} at the level 0.05."
    )
    if not tested:
        return f"No term has enough {_plural(details.block)} in two parts to be tested."
    if details.shown:
        some = "1 term drifts" if found == 1 else f"{found} terms drift"
        return f"{some}, of {tested} tested. {beside}"
    if not found:
        return f"No drift shown: none of {tested} terms found. {beside}"
    return (
        f"No drift shown: {found} of {tested} terms found, which is not clearly more than where "
        f"there are no terms. {beside}"
    )


def neighbours_table(results: Sequence[Result]) -> list[Table]:
    """Return, for each learner and text, the neighbors of both vectors of some terms (Table 7)."""
    return [
        Table(
            columns=["term", "cosine", "nearest to one", "nearest to the other", "in both"],
            rows=[_neighbours(row) for row in rows],
            caption=f"{text.title}: neighbours of two vectors of a term, by {name}",
            notes=["The most and the least consistent terms, two vectors of each."],
        )
        for text in texts(results)
        for name, rows in text.told(lambda details: details.neighbours).items()
    ]


def _neighbours(row: Neighbours) -> Row:
    one, other = ([word for word, _ in side] for side in row.neighbours)
    shared = len(set(one) & set(other))
    return [
        row.term,
        _number(row.cosine, "cosine"),
        ", ".join(one),
        ", ".join(other),
        Cell(text=f"{shared} of {max(len(one), len(other))}", values=(shared,)),
    ]


def funnel_table(results: Sequence[Result]) -> list[Table]:
    """Return, for each text, how many terms were left after each step; the last is a learner's."""
    tables = []
    for text in texts(results):
        learners = text.told(lambda details: details.funnel)
        if not learners:
            continue
        first = next(iter(learners.values()))
        steps = [(step.name, step.count) for step in first[:-1]]
        for name, funnel in learners.items():
            whose = f", by {name}" if len(learners) > 1 else ""
            steps.append((f"{funnel[-1].name}{whose}", funnel[-1].count))
        tables.append(
            Table(
                columns=["step", Column(title="terms left", align="right")],
                rows=[[name, count_cell(count)] for name, count in steps],
                caption=f"{text.title}: how many terms were left after each step",
            )
        )
    return tables


def command_tables(results: Sequence[Result], items: ItemsLoader, shown: Shown) -> list[Table]:
    """Return what the command prints: what is decided, and the tables that are asked for."""
    most = None if shown.whole else _SHOWN_TERMS
    first = verdicts_table(results)
    tables = [*terms_table(results, most=most), *([first] if first else [])]
    if shown.options.get("plan"):
        tables += plan_tables(results, Wished.of(shown.options))
    tables += [summary_table(results), *sizes_table(results)]
    terms = {str(result.provenance.parameters.get("term") or "") for result in results} - {""}
    for term in sorted(terms):
        tables += term_sizes_table(results, term)
    tables += [*drift_table(results), *domain_table(results)]
    if shown.options.get("to_background"):
        tables += background_table(results)
    if shown.options.get("show_neighbours"):
        tables += neighbours_table(results)
    funnels = funnel_table(results)
    if funnels:
        notes = [note for text in texts(results) for note in source_notes(text)]
        funnels[-1] = replace(funnels[-1], notes=notes)
    return [*tables, *funnels]
