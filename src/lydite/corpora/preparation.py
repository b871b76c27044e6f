"""How running text becomes sentences of tokens."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from lydite.corpora.formulas import replace_formulas
from lydite.corpora.sentences import split_sentences
from lydite.corpora.tokens import Tokenizer
from lydite.corpora.tokens import tokenizer as find_tokenizer

#: The token that stands for a formula.
FORMULA: Final = "<formula>"
#: The token that stands for a number.
NUMBER: Final = "<number>"

SentenceCut: TypeAlias = Literal["detect", "split", "lines"]
FormulaChoice: TypeAlias = Literal["placeholder", "keep"]
NumberChoice: TypeAlias = Literal["keep", "placeholder", "drop"]

# A character of private use, which tokenizers leave in one piece.
_MARK = "\ue000"


@dataclass(frozen=True, kw_only=True)
class Preparation:
    """How running text becomes sentences of tokens.

    Parameters
    ----------
    lower
        Write tokens in small letters.
    drop_single
        Leave out tokens of one character. Bloem et al. (2019, section 4) do so because formal
        texts are full of variables and symbols, which a general background hardly knows and which
        would pull the vectors of all terms to one corner of the space.
    punctuation
        Keep tokens without a letter or digit; with ``drop_single`` only longer ones.
    formulas
        ``placeholder`` puts `FORMULA` in the place of each, as found by
        :func:`~lydite.corpora.formulas.replace_formulas`; ``keep`` leaves them to the tokenizer.
    numbers
        ``keep`` them, put a ``placeholder`` (`NUMBER`) in their place, or ``drop`` them.
    tokenizer
        A name in :data:`lydite.corpora.tokens.TOKENIZERS`.
    sentences
        ``split`` cuts paragraphs into sentences, ``lines`` takes each line for one, ``detect``
        looks at the file: lines that hold a sentence each are not cut any further.
    language
        Whose rules cut sentences, see :func:`~lydite.corpora.sentences.split_sentences`.

    Examples
    --------
    >>> list(Preparation().cut("If p ⊃ q, then 3 of them agree. A proof follows."))
    [('if', '<formula>', 'then', 'of', 'them', 'agree'), ('proof', 'follows')]
    """

    lower: bool = True
    drop_single: bool = True
    punctuation: bool = False
    formulas: FormulaChoice = "placeholder"
    numbers: NumberChoice = "keep"
    tokenizer: str = "words"
    sentences: SentenceCut = "detect"
    language: str = "en"

    def cut(self, paragraph: str) -> Iterator[tuple[str, ...]]:
        """Yield the tokens of each sentence of a paragraph that has any."""
        for sentence in self.split(paragraph):
            tokens = self.tokens(sentence)
            if tokens:
                yield tokens

    def split(self, paragraph: str) -> list[str]:
        """Cut a paragraph, whose lines may be wrapped, into sentences."""
        if self.sentences == "lines":
            return [line for line in map(str.strip, paragraph.split("\n")) if line]
        return split_sentences(" ".join(paragraph.split()), self.language)

    def tokens(self, sentence: str) -> tuple[str, ...]:
        """Cut a sentence into tokens and choose among them."""
        if self.formulas == "placeholder":
            sentence = replace_formulas(sentence, f" {_MARK} ")
        tokenize, choose = _tools(self)
        tokens = tokenize(sentence.lower() if self.lower else sentence)
        return tuple([token for token in map(choose, tokens) if token])

    def _chosen(self, token: str) -> str:
        """Return what stands for a token, or nothing."""
        if token == _MARK:
            return FORMULA
        if self.drop_single and len(token) == 1:
            return ""
        if not any(map(str.isalnum, token)):
            return token if self.punctuation else ""
        if self.numbers != "keep" and _is_number(token):
            return NUMBER if self.numbers == "placeholder" else ""
        return token


@functools.lru_cache(maxsize=16)
def _tools(preparation: Preparation) -> tuple[Tokenizer, Callable[[str], str]]:
    """Return the tokenizer, and a choice among tokens that remembers the frequent ones."""
    choose = functools.lru_cache(maxsize=1 << 16)(preparation._chosen)
    return find_tokenizer(preparation.tokenizer), choose


def _is_number(token: str) -> bool:
    return token.replace(".", "").replace(",", "").isdecimal()
