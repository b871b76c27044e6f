"""Separation in the report: curves and densities, what models are blind to, what misleads them."""

from __future__ import annotations

from collections.abc import Sequence

from lydite.reports.sections import ItemsLoader, Section
from lydite.reports.sections.plain import READING, further_scores, overview
from lydite.reports.sections.separation_answers import answers_table, kinds_tables, worst_table
from lydite.reports.sections.separation_bars import pairs_figure, phenomena_figure
from lydite.reports.sections.separation_curves import densities_figure, roc_figure
from lydite.reports.sections.separation_models import compared
from lydite.reports.sections.separation_notes import notes
from lydite.reports.sections.separation_phenomena import examples_table, phenomena_table
from lydite.reports.sections.separation_relation import pairs_table, relation_table
from lydite.reports.table import Table
from lydite.reports.trials import Trial, trials
from lydite.results.record import Result

_HOW_TO_READ = (
    "A model gives every two texts a score of how similar they are. H are pairs that should be "
    "similar, since they mean the same; L are pairs that should not. AUC is the share of all "
    "comparisons of a pair in H with one in L in which the one in H has the higher score, a tie "
    "counting half: 1 if the two never mix, 0.5 for blind guessing. Below 0.5 a model is worse "
    "than blind: pairs that differ in meaning look more alike to it than pairs that mean the same, "
    "as when changing one small word turns the meaning around and changing many words leaves it as "
    "it is. Of questions the score is the normalised rank: the sentences of a document are put in "
    "order by how similar they are to the question, and the one that answers it gets 1 if it comes "
    "first, 0 if last, and 0.5 on average by chance, or a little more if several answer it. Lemma "
    "overlap is the baseline to beat: it counts the words that two texts share and knows nothing "
    "of what they mean, yet texts that mean the same often share words. A model that does no "
    "better has shown no more than that. The subset has the questions that shared words do not "
    "answer; there one sees what a model adds. Mixed models add their scores to those of overlap: "
    "if they do better than either, each knows something that the other does not."
)


def section(results: Sequence[Result], items: ItemsLoader) -> Section:
    """Draw how scores come apart in each trial, and tell by what models are misled."""
    asked = trials(results)
    made = [
        # In order of their heights, so that those side by side leave no hole.
        *(each for trial in asked for each in (overview(trial), densities_figure(trial))),
        *map(roc_figure, asked),
        *map(pairs_figure, asked),
        *map(phenomena_figure, asked),
    ]
    return Section(
        title="Separation: is one meaning recognised under many forms?",
        how_to_read=f"{_HOW_TO_READ} {READING}",
        figures=[figure for figure in made if figure is not None],
        tables=[
            *(table for trial in asked for table in _tables(trial, items)),
            # Of the other tasks there are none but counts.
            *further_scores([trial for trial in asked if _task(trial) == "qa"]),
        ],
        notes=notes(asked),
    )


def _tables(trial: Trial, items: ItemsLoader) -> list[Table]:
    task = _task(trial)
    if task == "relation":
        return [relation_table(trial), *pairs_table(trial)]
    if task == "qa":
        return [answers_table(trial), *worst_table(trial, items), *kinds_tables(trial)]
    if task == "pairs":
        return [*phenomena_table(trial, compared(trial)), *examples_table(trial)]
    return []


def _task(trial: Trial) -> object:
    return trial.results[0].details.get("task")
