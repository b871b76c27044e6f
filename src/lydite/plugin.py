"""What the author of a plugin needs: to declare an evaluation, a model, a recipe, a data set.

A plugin is a package with entry points in the groups ``lydite.evaluations``, ``lydite.models``,
``lydite.recipes`` and ``lydite.resources``. What it declares gets its command, completion, place in
the lists and section of the report as if it were part of Lydite::

    from lydite.plugin import Evaluation, Outcome, Param, Slot

Everything here is defined elsewhere; here is where it stays. The names, by what they are for:

- **an evaluation**: `Evaluation` and what it declares, `Param`, `Slot`, `Option`, `View`, `Metric`;
  what its command is called with and does, `Call`, `Plan`, `Shown`, `build`;
- **its answer**: `Outcome` with `Items`, `Interval`, `Baseline`;
- **its data**: `Located`, `locate`, `only_resource`, `numbered_lines`, `text_lines`, `read_pairs`,
  `RatedPairs`, `Preparation`;
- **the model that it is asked of**: `load`, `model_spec`, `find_words`, `fill_absent`,
  `encode_texts`, `exact_cosine`;
- **its statistics**: `mean_interval`, `bootstrap_interval`, `null_baseline`, `summarize_null`,
  `spearman`, `pearson`, `auc`, `child_seed`;
- **how it is shown**: `Section`, `Figure`, `Table`, `Column`, `Cell`, `Result`, `ItemsLoader`,
  `Trial`, `trials`, `model_namer`, `plain_section`, `overview`, `further_scores`, `missing_notes`,
  `READING`;
- **a model**: `Model`, with `Param` for its parameters and `State` for what is none; the protocols
  `WordModel`, `TextModel`, `PairModel`, `TermLearner`, with `Lookup` and `Context`; `Space`; `Spec`
  and `parse`;
- **a recipe**, which gets a command of ``lydite train``: `Recipe` with `Param`, `Slot`, `ModelSlot`
  and `Inline` for its fields, and the `Product` that it makes;
- **a data set**: `Card`, `CardFile`, `Citation`, `read_card`;
- **arrays**: `Floats`, `Vectors`, `Indices`, `Mask`;
- **progress**: `Progress`, `silent`;
- **errors**: `LyditeError` and those below it.
"""

from __future__ import annotations

from lydite.corpora.preparation import Preparation
from lydite.declare import (
    Inline,
    Metric,
    ModelSlot,
    Option,
    Param,
    Slot,
    State,
    View,
    build,
)
from lydite.drawing.section import (
    READING,
    Figure,
    ItemsLoader,
    Section,
    further_scores,
    missing_notes,
    overview,
    plain_section,
)
from lydite.drawing.table import Cell, Column, Table
from lydite.errors import (
    ChecksumError,
    EndpointError,
    FormatError,
    InputError,
    LyditeError,
    MissingExtraError,
    MissingWordError,
    ResourceError,
    SpecError,
    UndefinedScoreError,
    UnknownNameError,
    UnsuitableModelError,
)
from lydite.evaluations.catalogue import Call, Evaluation, Plan, Shown, only_resource
from lydite.files.lines import numbered_lines, text_lines
from lydite.lexicons.pairs import RatedPairs, read_pairs
from lydite.models.catalogue import Model, load, model_spec
from lydite.models.protocols import PairModel, TermLearner, TextModel, WordModel
from lydite.models.texts import encode_texts
from lydite.models.words import fill_absent, find_words
from lydite.progress import Progress, silent
from lydite.recipe import Product, Recipe
from lydite.resources.card import Card, CardFile, Citation, read_card
from lydite.resources.catalogue import Located, locate
from lydite.results.record import Items, Outcome, Result
from lydite.results.trials import Trial, model_namer, trials
from lydite.spaces.cosine import exact_cosine
from lydite.spaces.space import Space
from lydite.spec import Spec, parse
from lydite.stats.auc import auc
from lydite.stats.bootstrap import Interval, bootstrap_interval
from lydite.stats.correlation import pearson, spearman
from lydite.stats.means import mean_interval
from lydite.stats.null import Baseline, null_baseline, summarize_null
from lydite.stats.seeds import child_seed
from lydite.types import Context, Floats, Indices, Lookup, Mask, Vectors

__all__ = [
    "READING",
    "Baseline",
    "Call",
    "Card",
    "CardFile",
    "Cell",
    "ChecksumError",
    "Citation",
    "Column",
    "Context",
    "EndpointError",
    "Evaluation",
    "Figure",
    "Floats",
    "FormatError",
    "Indices",
    "Inline",
    "InputError",
    "Interval",
    "Items",
    "ItemsLoader",
    "Located",
    "Lookup",
    "LyditeError",
    "Mask",
    "Metric",
    "MissingExtraError",
    "MissingWordError",
    "Model",
    "ModelSlot",
    "Option",
    "Outcome",
    "PairModel",
    "Param",
    "Plan",
    "Preparation",
    "Product",
    "Progress",
    "RatedPairs",
    "Recipe",
    "ResourceError",
    "Result",
    "Section",
    "Shown",
    "Slot",
    "Space",
    "Spec",
    "SpecError",
    "State",
    "Table",
    "TermLearner",
    "TextModel",
    "Trial",
    "UndefinedScoreError",
    "UnknownNameError",
    "UnsuitableModelError",
    "Vectors",
    "View",
    "WordModel",
    "auc",
    "bootstrap_interval",
    "build",
    "child_seed",
    "encode_texts",
    "exact_cosine",
    "fill_absent",
    "find_words",
    "further_scores",
    "load",
    "locate",
    "mean_interval",
    "missing_notes",
    "model_namer",
    "model_spec",
    "null_baseline",
    "numbered_lines",
    "only_resource",
    "overview",
    "parse",
    "pearson",
    "plain_section",
    "read_card",
    "read_pairs",
    "silent",
    "spearman",
    "summarize_null",
    "text_lines",
    "trials",
]
