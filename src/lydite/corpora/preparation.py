"""How running text becomes sentences of tokens.

English has rules for abbreviations, initials, numbers, quotations and brackets; other languages
have those of sentencex. Of English books sentencex leaves one boundary in ten out, within
quotations and brackets, where the rules here find it; of web text, whose sentences often start
with a small letter, it finds more (UD EWT, paragraphs of dev: F1 .873 against .851). Other
libraries do not suit long corpora: for a million words pysbd needs two minutes and syntok twenty
seconds, NLTK's Punkt needs data that have to be fetched, and BlingFire, which is fast, brings
99 MB. These rules need about a second.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, Final, Literal, TypeAlias

from lydite.corpora.languages import AUTO, ENGLISH, function_words, spaced_words
from lydite.corpora.tokens import Tokenizer
from lydite.corpora.tokens import tokenizer as find_tokenizer
from lydite.declare import Param

_SYMBOLS = (
    "=<>+±×÷¬~^|"
    "\u2190-\u21ff\u2200-\u22ff\u27c0-\u27ef\u27f0-\u27ff\u2900-\u2aff"  # arrows, operators
)
_WORTH_A_LOOK = re.compile(rf"[{_SYMBOLS}\\$]")
_DOLLARS = re.compile(r"(\$\$?)(?=[^$]*[\\^_=<>+])[^$\s](?:[^$]{0,300}[^$\s])?\1")
# A letter within a word, a hyphenated word, or an abbreviation such as "i.e." is no variable.
_BEFORE = r"(?<![\w’'-])(?<!\w\.)"
_AFTER = r"(?![\w’]|[-'](?=\w)|\.\w)"
_ITEM = re.compile(
    r"(?P<command>\\[A-Za-z]+(?:\{[^{}]*\})*)"
    rf"|(?P<symbol>[{_SYMBOLS}])"
    rf"|(?P<operand>{_BEFORE}(?:"
    r"\d+(?:[.,]\d+)*"
    r"|[^\W\d_](?:_?\d{1,2}|_\{?\w{1,3}\}?|[′″]+|'(?!\w))?"
    r"|(?!By|My|Ox|Ax)[A-Z][x-z]{1,3}|[x-z]{2,3}"
    rf"){_AFTER})"
    r"|(?P<bracket>[()\[\]{}])"
    r"|(?P<divider>[,.:;/*·−-])"
)
_PREFIXES = frozenset("∀∃∄¬~∼√∑∏∫∂∇")
_PAIRS = {")": "(", "]": "[", "}": "{"}


def replace_formulas(text: str, placeholder: str) -> str:
    r"""Put a placeholder in the place of every formula.

    A formula is a run of one-letter variables (``x``, ``x_1``, ``x′``, ``Fx``), numbers,
    mathematical and logical symbols, brackets and commands of LaTeX (``\alpha``), with at least
    one symbol that joins two of them or stands before one, or with a command; what stands between
    dollar signs as LaTeX has it is one as well. A letter by itself is none, nor is ``C++``.

    Examples
    --------
    >>> replace_formulas("From p ⊃ q and (∃x)Fx we infer x + y = z, not 2 by itself.", "F")
    'From F and F we infer F, not 2 by itself.'
    """
    if not _WORTH_A_LOOK.search(text):
        return text
    text = _DOLLARS.sub(lambda _: f" {placeholder} ", text) if "$" in text else text
    parts, end = [], 0
    for start, stop in _formulas(text):
        parts += [text[end:start], placeholder]
        end = stop
    return "".join([*parts, text[end:]])


def _formulas(text: str) -> Iterator[tuple[int, int]]:
    run: list[re.Match[str]] = []
    for match in _ITEM.finditer(text):
        if run and text[run[-1].end() : match.start()].strip():
            yield from _formula(run)
            run = []
        run.append(match)
    yield from _formula(run)


def _formula(run: list[re.Match[str]]) -> Iterator[tuple[int, int]]:
    """Yield the span of a run of items, if it is a formula, without what is loose at its ends."""
    run = _trimmed(run)
    kinds = [match.lastgroup for match in run]
    operands = kinds.count("operand")
    joined = "symbol" in kinds and operands > 1
    # A number after a tilde is an approximate one.
    before = any(
        match[0] in _PREFIXES and after.lastgroup != "symbol" and not after[0][0].isdigit()
        for match, after in pairwise(run)
    )
    if joined or (operands and before) or "command" in kinds:
        yield run[0].start(), run[-1].end()


def _trimmed(run: list[re.Match[str]]) -> list[re.Match[str]]:
    """Leave out dividers, joining symbols and brackets without a partner at both ends."""
    paired = _paired(run)
    first, last = 0, len(run)
    while first < last and _is_loose(run[first], first in paired, _PREFIXES):
        first += 1
    while first < last and _is_loose(run[last - 1], last - 1 in paired, frozenset()):
        last -= 1
    return run[first:last]


def _is_loose(match: re.Match[str], paired: bool, may_stand: frozenset[str]) -> bool:
    if match.lastgroup == "bracket":
        return not paired
    if match.lastgroup == "symbol":
        return match[0] not in may_stand
    return match.lastgroup == "divider"


def _paired(run: list[re.Match[str]]) -> set[int]:
    """Return the places of brackets that are opened and closed within a run."""
    paired: set[int] = set()
    opened: list[int] = []
    for place, match in enumerate(run):
        if match.lastgroup != "bracket":
            continue
        if match[0] not in _PAIRS:
            opened.append(place)
        elif opened and run[opened[-1]][0] == _PAIRS[match[0]]:
            paired |= {opened.pop(), place}
    return paired


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Never the end of a sentence: a name or an explanation follows.
_OPENING = _words(
    "mr mrs ms messrs mm mme mlle dr drs prof rev revd hon st ste sr sra gen col capt cpt lt lieut "
    "maj sgt cmdr adm gov pres sen rep supt fr pfc pvt vs viz cf e.g i.e eg ie ca approx camb univ "
    "dept ed eds trans transl op loc"
)
#: Not the end of a sentence if a number follows.
_NUMBERED = _words(
    "vol vols no nos nr p pp pg fig figs ch chap chaps sec sect secs sects eq eqs ex exs art arts "
    "bk bks pt pts par pars app tab thm prop props def defs lect lects ser bd s n nn l ll v vv c "
    "cc df tr cit ibid"
)
#: The end of a sentence where a word follows that often opens one.
_EITHER = _words(
    "etc al ff f jr sr inc ltd co corp bros esq a.m p.m am pm u.s u.k u.s.a u.n e.u d.c n.y ph.d "
    "b.a m.a m.d ll.d b.c a.d b.c.e c.e jan feb apr jun jul aug sept sep oct nov dec tue tues thu "
    "thurs fri ave blvd rd oz lb lbs hr hrs dep est fl"
)
_OPENERS = _words(
    "The A An This That These Those It He She They We You I There Here In On At By For From With "
    "Without But And Or Nor So Yet If When While Where Since As After Before Because Although "
    "Though However Moreover Thus Hence Then Now What Who Which Why How Whether Its His Her Their "
    "Our My Your Such Some Many Most All Each Every No Not Nothing One Two Both Another Other "
    "Under Over Let Is Are Was Were Do Does Did Can Could May Must Shall Should Will Would To Of "
    "Nevertheless Therefore Accordingly Consequently Indeed Perhaps Again Also Finally Even Only "
    "Once Until Unless Upon According"
)

_QUOTES = "\"'”’»)\\]}*_"
_CANDIDATE = re.compile(
    rf"(?P<mark>…|(?<![.!?])(?:\.(?:\s?\.)+|[.!?]+))(?P<close>[{_QUOTES}]*)(?:\[\d+\])?\s+"
    r"(?P<lead>(?:(?:--?|[–—])\s?|[*_\"'“‘«(\[{])*)(?P<next>[^\W_]\w*)?"
)
_WORD_BEFORE = re.compile(r"[^\W_](?:[\w.&-]*\w)?$")
_NUMERAL = re.compile(r"[\s(\[]{0,20}+(?:\d{1,3}|[IVXLC]{1,6}|[a-zA-Z])")
_A_NUMBER = re.compile(r"\d\w*|[IVXLC]{2,}|[VXLC]")
_SMALL_ROMAN = re.compile(r"[ivxlc]+")
_MARKS = str.maketrans({**dict.fromkeys('«»“”„‟"‹›', " "), "…": "."})
_OPENING_MARKS = re.compile(r"(?:(?<=\s)|^)[«»“„\"‹›(\[—–-]+\s*$")
_CLOSED = re.compile(r"[«»”“\"‹›]\s*$")
#: In these languages a number and a full stop are an ordinal: "im 19. Jahrhundert".
_WITH_ORDINALS = _words("cs da de et fi hr hu is lv nb nn no sk sl sr")
#: Characters of what follows a sentence that are looked at.
_FOLLOWING = 200
_ORDINAL = re.compile(r"(?<![\w.,])\d{1,2}\.\s*$")
_SHORT = re.compile(r"\W*(?:\w{1,3}|\d+)\.\s*")


def split_sentences(text: str, language: str = ENGLISH) -> list[str]:
    """Cut a paragraph without line breaks into sentences, without white space around them.

    English has rules of its own; other languages, about 300, have those of sentencex. None is
    empty.

    Examples
    --------
    >>> split_sentences('Mr. W. James said so, e.g. on p. 3. "Is it true?" he asked. It is.')
    ['Mr. W. James said so, e.g. on p. 3.', '"Is it true?" he asked.', 'It is.']
    >>> split_sentences("Dr. Meier kam am 3. Mai an. Er blieb.", language="de")
    ['Dr. Meier kam am 3. Mai an.', 'Er blieb.']
    >>> split_sentences("今日は。行きます。", language="ja")
    ['今日は。', '行きます。']
    """
    pieces = _english(text) if language in {ENGLISH, AUTO} else _other(text, language)
    return [piece for piece in map(str.strip, pieces) if piece]


def _other(text: str, language: str) -> Iterator[str]:
    """Cut as sentencex does, but also within quotations, which it leaves whole."""
    sentencex: Any = importlib.import_module("sentencex")
    start = end = 0
    for piece in sentencex.segment(language, text.translate(_MARKS)):
        end += len(piece)
        sentence, following = text[start:end], text[end : end + _FOLLOWING]
        if _goes_on(sentence, following, language):
            continue
        opening = _OPENING_MARKS.search(sentence) if following else None
        stop = start + opening.start() if opening else end
        yield text[start:stop]
        start = stop
    yield text[start:]


def _goes_on(sentence: str, following: str, language: str) -> bool:
    """Tell what sentencex cuts too early: "«Vous venez?» dit-il", "M. Swann", "2. Band"."""
    if _SHORT.fullmatch(sentence) or (following[:1].islower() and _CLOSED.search(sentence)):
        return True
    if language not in _WITH_ORDINALS or not _ORDINAL.search(sentence):
        return False
    word = next(iter(following.split(maxsplit=1)), "")
    return word.strip(",").lower() not in {"", *function_words(language)}


def _english(text: str) -> Iterator[str]:
    start = 0
    for match in _CANDIDATE.finditer(text):
        if _ends(text, start, match):
            stop = match.start("lead")
            yield text[start:stop]
            start = stop
    yield text[start:]


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    mark, following = match["mark"], match["next"]
    if following is None:
        return bool(match["lead"]) and mark != "."
    if following[0].islower():
        return False
    if mark != ".":
        return True
    word = _WORD_BEFORE.search(text, max(start, match.start() - 24), match.start())
    if word is None or match["close"]:
        return True
    if _NUMERAL.fullmatch(text, start, match.start()):
        return False  # the number of a paragraph: "1. Moral philosophy", "II. We may hold"
    return _ends_after(word[0], following)


def _ends_after(word: str, following: str) -> bool:
    """Tell whether a full stop after this word ends a sentence before a capital or a digit."""
    bare = word.lower()
    if bare in _OPENING:
        return False
    if _A_NUMBER.fullmatch(following) and (bare in _NUMBERED or _SMALL_ROMAN.fullmatch(word)):
        return False
    if len(word) == 1 and word.isalpha():
        # An initial, or else the pronoun and letters that stand for things.
        initial = word.isupper() and (word != "I" or len(following) == 1)
        return not initial or (following in _OPENERS and len(following) > 1)
    if bare in _EITHER or (word.count(".") and word.replace(".", "").isalpha()):
        return following in _OPENERS
    return True


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

    Tokens of one character are dropped as Bloem et al. (2019, section 4) do, because formal texts
    are full of variables and symbols, which a general background hardly knows and which would pull
    the vectors of all terms to one corner of the space; of punctuation that is kept, single marks
    are dropped with them. `FORMULA` stands for a formula, as found by `replace_formulas`, `NUMBER`
    for a number. Where sentences are to be detected, the file decides: lines that hold a sentence
    each are not cut any further.

    Examples
    --------
    >>> list(Preparation().cut("If p ⊃ q, then 3 of them agree. A proof follows."))
    [('if', '<formula>', 'then', 'of', 'them', 'agree'), ('proof', 'follows')]
    """

    lower: Annotated[bool, Param("Convert words to lower case.")] = True
    drop_single: Annotated[bool, Param("Leave out words of one character.")] = True
    punctuation: Annotated[bool, Param("Keep punctuation.")] = False
    formulas: Annotated[
        FormulaChoice, Param("Formulas: one token in the place of each, or as they are.")
    ] = "placeholder"
    numbers: Annotated[
        NumberChoice, Param("Numbers: as they are, one token in the place of each, or left out.")
    ] = "keep"
    tokenizer: Annotated[str, Param("words, or whitespace for tokenized text.")] = "words"
    sentences: Annotated[SentenceCut, Param("How sentences are found; lines: one per line.")] = (
        "detect"
    )
    language: Annotated[
        str,
        Param(
            "Language of the text, such as de: its rules split sentences and words.",
            metavar="auto|CODE",
        ),
    ] = AUTO

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
        sentence = spaced_words(sentence, self.language)
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
