"""What the commands that train on running text share: options, and how corpora are found."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer

from lydite.cli.arguments import complete_resources
from lydite.corpora.preparation import FormulaChoice, NumberChoice, Preparation, SentenceCut
from lydite.errors import InputError
from lydite.resources.catalogue import Located
from lydite.results.provenance import versions
from lydite.storage import user_path
from lydite.trained.cooccurrence import Dynamics
from lydite.trained.zoo.training import running_text

CorpusOption = Annotated[
    list[str],
    typer.Option(
        "--corpus",
        metavar="NAME|FILE...",
        help="Running text: files, folders or names; gz, xz, zst, lines of JSON.",
        autocompletion=complete_resources,
    ),
]
OutFileOption = Annotated[
    Path, typer.Option("--out", "-o", help="The file to write; ends in .safetensors.")
]
DimOption = Annotated[int, typer.Option(min=1, help="Dimensions.")]
WindowOption = Annotated[int, typer.Option(min=1, help="Words on either side of a word.")]
NegativeOption = Annotated[int, typer.Option(min=1, help="Negative samples.")]
LeastOption = Annotated[int, typer.Option(min=1, help="Words that are rarer are left out.")]
EpochsOption = Annotated[int, typer.Option(min=1, help="Passes over the corpus.")]
SampleOption = Annotated[
    float, typer.Option(min=0, help="Drop words more frequent than this; 0: none.")
]
AlphaOption = Annotated[float, typer.Option(help="The learning rate.")]
WorkersOption = Annotated[
    int, typer.Option(min=1, help="Threads; with more than one, no two runs are equal.")
]
VocabularyOption = Annotated[
    int | None, typer.Option(min=2, help="Keep only so many words, the most frequent.")
]
DynamicsOption = Annotated[
    Dynamics, typer.Option(help="Near contexts count more: on average, or by drawn windows.")
]
DeleteOption = Annotated[bool, typer.Option(help="Dropped and rare words leave no gap.")]
ExponentOption = Annotated[float, typer.Option(help="Exponent of the singular values.")]
NormaliseOption = Annotated[bool, typer.Option(help="Vectors of length 1.")]
LowerOption = Annotated[bool, typer.Option(help="Write words in small letters.")]
SingleOption = Annotated[bool, typer.Option(help="Leave out words of one character.")]
PunctuationOption = Annotated[bool, typer.Option(help="Keep punctuation.")]
FormulasOption = Annotated[FormulaChoice, typer.Option(help="Formulas: one token for all.")]
NumbersOption = Annotated[NumberChoice, typer.Option(help="Numbers.")]
TokenizerOption = Annotated[str, typer.Option(help="words, or whitespace for tokenised text.")]
SentencesOption = Annotated[
    SentenceCut, typer.Option(help="How sentences are found; lines: one a line.")
]
LanguageOption = Annotated[str, typer.Option(help="Whose rules cut sentences.")]
EncodingOption = Annotated[
    str | None, typer.Option(help="Of the files; by default UTF-8, or what they say themselves.")
]
FieldOption = Annotated[str, typer.Option(help="What holds the text in lines of JSON.")]
ExcludeOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME|FILE",
        help="Paraphrase groups whose sentences are not trained on; may be given several times.",
        autocompletion=complete_resources,
        show_default=False,
    ),
]

#: The option of each field of a preparation, in the order of the help.
_PREPARATION: dict[str, Any] = {
    "lower": LowerOption,
    "drop_single": SingleOption,
    "punctuation": PunctuationOption,
    "formulas": FormulasOption,
    "numbers": NumbersOption,
    "tokenizer": TokenizerOption,
    "sentences": SentencesOption,
    "language": LanguageOption,
}


def prepares(command: Callable[..., None]) -> Callable[..., None]:
    """Offer an option for each field of a command's parameter ``preparation``, in its place.

    They are by default what the parameter is by default.
    """
    signature = inspect.signature(command, eval_str=True)
    parameters = list(signature.parameters.values())
    place = list(signature.parameters).index("preparation")
    usual = parameters[place].default
    parameters[place : place + 1] = [
        parameters[place].replace(name=name, annotation=option, default=getattr(usual, name))
        for name, option in _PREPARATION.items()
    ]

    @functools.wraps(command)
    def prepared(**given: Any) -> None:  # noqa: ANN401 - whatever the command takes
        chosen = Preparation(**{name: given.pop(name) for name in _PREPARATION})
        command(**given, preparation=chosen)

    # Where typer looks for options.
    prepared.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return prepared


def corpora_for(corpus: Sequence[str], out: Path) -> list[Located]:
    """Find the corpora; refuse one that is no running text, or that would be written over."""
    target = user_path(out)
    located = running_text(corpus)
    for source in located:
        if target.exists() and any(target.samefile(path) for path in source.paths):
            raise InputError(
                f"{out}: expected another file to write to than one that is read",
                hint="write to a new name, then rename",
            )
    return located


def paths_of(located: Sequence[Located]) -> list[Path]:
    """Return all files, in order."""
    return [path for source in located for path in source.paths]


def named(located: Sequence[Located]) -> list[dict[str, str]]:
    """Return which data were read, for a file's provenance."""
    return [{"name": each.name, "sha256": each.sha256} for each in located]


def versions_with_gensim() -> dict[str, str]:
    """Return the versions that trained with gensim depends on."""
    return {**versions(), "gensim": version("gensim")}
