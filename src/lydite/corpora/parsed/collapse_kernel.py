"""Compiled collapsing of dependency trees: prepositions and conjunctions become names of edges."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.corpora.parsed.relations import CODES
from lydite.spaces.compiled import compiled, part

#: What a lemma can be besides a word.
BE: Final = 1
NOT: Final = 2
#: A preposition that Universal Dependencies call a mark before a clause without a subject.
BEFORE_CLAUSE: Final = 4
BY: Final = 8
SUCH: Final = 16

#: Where the words of a name stand in the key of a relation, above which its code stands.
WORD_BITS: Final = 28

_NSUBJ: Final = CODES["nsubj"]
_NSUBJPASS: Final = CODES["nsubjpass"]
_CSUBJPASS: Final = CODES["csubjpass"]
_IOBJ: Final = CODES["iobj"]
_AGENT: Final = CODES["agent"]
_NN: Final = CODES["nn"]
_ADVMOD: Final = CODES["advmod"]
_NEG: Final = CODES["neg"]
_NPADVMOD: Final = CODES["npadvmod"]
_VMOD: Final = CODES["vmod"]
_ADVCL: Final = CODES["advcl"]
_XCOMP: Final = CODES["xcomp"]
_PREP: Final = CODES["prep"]
_PREPC: Final = CODES["prepc"]
_CONJ: Final = CODES["conj"]
_NONE: Final = CODES["none"]
_POBJ: Final = CODES["pobj"]
_DATIVE: Final = CODES["dative"]
_BY: Final = CODES["by"]
_ATTR: Final = CODES["attr"]
_CASE: Final = CODES["case"]
_MARK: Final = CODES["mark"]
_CC: Final = CODES["cc"]
_COP: Final = CODES["cop"]
_AUXPASS: Final = CODES["auxpass"]
_EXPL: Final = CODES["expl"]
_FLAT: Final = CODES["flat"]
_FIXED: Final = CODES["fixed"]
_OBL: Final = CODES["obl"]
_NMOD: Final = CODES["nmod"]

Ids: TypeAlias = NDArray[np.int32]
Int64s: TypeAlias = NDArray[np.int64]
Codes: TypeAlias = NDArray[np.uint8]


class Links(NamedTuple):
    """What each token has above and below it; -1 where there is none."""

    tops: Ids
    pobj: Ids
    pcomp: Ids
    cases: Ids
    second_cases: Ids
    marks: Ids
    subjects: Ids
    passives: Ids


@part
def _first_children(heads: Ids, codes: Codes, code: int, first: Ids) -> None:
    """Fill in the first child of each token that has this code, -1 where there is none."""
    first[:] = -1
    for t in range(heads.shape[0] - 1, -1, -1):
        if codes[t] == code and heads[t] >= 0:
            first[heads[t]] = t


@part
def _last_of_names(heads: Ids, codes: Codes, moved: Ids) -> None:
    """Make the last word of a name its head."""
    moved[:] = -1
    for t in range(heads.shape[0]):
        if codes[t] == _FLAT and heads[t] >= 0 and heads[t] < t:
            moved[heads[t]] = t
    for t in range(heads.shape[0]):
        last = moved[t]
        if last >= 0:
            heads[last], codes[last] = heads[t], codes[t]
            heads[t], codes[t] = last, _NN
    for t in range(heads.shape[0]):
        if codes[t] == _FLAT:
            codes[t] = _NN
        if heads[t] >= 0 and moved[heads[t]] >= 0 and moved[heads[t]] != t:
            heads[t] = moved[heads[t]]


@part
def _lift_predicates(
    tokens: Ids, flags: Codes, heads: Ids, codes: Codes, moved: Ids, first: Ids
) -> None:
    """Make what is said by means of "be" the head of its clause; after "there" it is the subject.

    Of other verbs it is a complement.
    """
    _first_children(heads, codes, _EXPL, first)
    moved[:] = -1
    for t in range(heads.shape[0]):
        verb = heads[t]
        if codes[t] != _ATTR:
            continue
        codes[t] = _XCOMP
        if verb < 0 or flags[tokens[verb]] & BE == 0:
            continue
        if first[verb] >= 0:
            codes[t] = _NSUBJ
        elif moved[verb] < 0:
            moved[verb] = t
    for t in range(heads.shape[0]):
        predicate = moved[t]
        if predicate >= 0:
            heads[predicate], codes[predicate] = heads[t], codes[t]
            heads[t], codes[t] = predicate, _COP
    for t in range(heads.shape[0]):
        if heads[t] >= 0 and moved[heads[t]] >= 0 and moved[heads[t]] != t:
            heads[t] = moved[heads[t]]


@part
def _is_of_clause(code: int) -> bool:
    return code <= _CSUBJPASS or code in (
        _ADVMOD,
        _NEG,
        _NPADVMOD,
        _ADVCL,
        _MARK,
        _EXPL,
        _OBL,
    )


@part
def _lower_prepositional(heads: Ids, codes: Codes, moved: Ids, first: Ids) -> None:
    """Make "be" the head of a clause whose predicate has a preposition."""
    _first_children(heads, codes, _CASE, first)
    moved[:] = -1
    for t in range(heads.shape[0]):
        if codes[t] == _COP and heads[t] >= 0 and first[heads[t]] >= 0:
            moved[heads[t]] = t
    for t in range(heads.shape[0]):
        head = heads[t]
        if head >= 0 and moved[head] >= 0 and moved[head] != t and _is_of_clause(codes[t]):
            heads[t] = moved[head]
    for t in range(heads.shape[0]):
        verb = moved[t]
        if verb >= 0:
            heads[verb], codes[verb] = heads[t], codes[t]
            heads[t], codes[t] = verb, _OBL


@part
def _first_conjuncts(heads: Ids, codes: Codes, chained: bool, tops: Ids) -> None:
    """Fill in the first of the words that a token is coordinated with; itself if there is none."""
    for t in range(heads.shape[0]):
        top = t
        steps = 0
        while codes[top] == _CONJ and heads[top] >= 0 and steps < 1000:
            top = heads[top]
            steps += 1
            if not chained:
                break
        tops[t] = top


@part
def _conjunction_of(t: int, start: int, stop: int, heads: Ids, codes: Codes, tops: Ids) -> int:
    """Return the conjunction before a conjunct, or else the next of the same list; -1 if none."""
    top = tops[t]
    at = t - 1
    while at >= start and at > top and not (codes[at] == _CONJ and tops[at] == top):
        if codes[at] == _CC and heads[at] >= 0 and (tops[heads[at]] == top or heads[at] == top):
            return at
        at -= 1
    for at in range(t + 1, stop):
        if codes[at] == _CC and heads[at] >= 0 and (tops[heads[at]] == top or heads[at] == top):
            return at
    return -1


@part
def _key(code: int, word: int, second: int) -> int:
    return (code << (2 * WORD_BITS)) | ((word + 1) << WORD_BITS) | (second + 1)


@part
def _after_preposition(
    t: int, tokens: Ids, flags: Codes, heads: Ids, codes: Codes, links: Links
) -> tuple[int, int]:
    """Return head and key of a word that depends on a preposition of its own (CLEAR)."""
    given = heads[t]
    word, second = tokens[given], -1
    upper = links.tops[given]
    above = heads[upper]
    if codes[t] == _POBJ and above >= 0 and codes[above] == _PREP and links.pobj[above] < 0:
        # Of "out of" and "due to" the first part depends on the head, the second on the first.
        word, second = tokens[above], tokens[given]
        upper = links.tops[above]
        above = heads[upper]
    elif codes[t] == _POBJ and links.pcomp[given] == given + 1:
        # Of "because of" both parts are joined, and the first has the object.
        second = tokens[given + 1]
    elif given > 0 and heads[given - 1] == given and flags[tokens[given - 1]] & SUCH:
        word, second = tokens[given - 1], tokens[given]
    code = _PREPC if codes[t] == _PREPC else _PREP
    if codes[upper] == _BY and code == _PREP:
        return above, _key(_AGENT, -1, -1)
    return above, _key(code, word, second)


@part
def _with_case(t: int, head: int, tokens: Ids, flags: Codes, codes: Codes, links: Links) -> int:
    """Return the key of a word that has its preposition below it (Universal Dependencies)."""
    case = links.cases[t]
    by = flags[tokens[case]] & BY != 0
    passive = head >= 0 and (links.passives[head] >= 0 or codes[head] == _VMOD)
    if by and (codes[t] == _BY or passive):
        return _key(_AGENT, -1, -1)
    second = links.second_cases[t]
    return _key(_PREP, tokens[case], tokens[second] if second >= 0 else -1)


@part
def _plain(t: int, tokens: Ids, flags: Codes, codes: Codes, links: Links) -> int:
    """Return the key of a word whose label is its relation, but for a few cases; -1 if none."""
    code, mark = int(codes[t]), links.marks[t]
    if code == _DATIVE:
        return _key(_IOBJ, -1, -1)
    if code == _ADVMOD and flags[tokens[t]] & NOT:
        return _key(_NEG, -1, -1)
    clause = code in (_ADVCL, _VMOD) and mark >= 0 and links.subjects[t] < 0
    if clause and flags[tokens[mark]] & BEFORE_CLAUSE:
        return _key(_PREPC, tokens[mark], -1)
    return _key(code, -1, -1) if code < _PREP else -1


@part
def _relation(
    t: int, start: int, stop: int, tokens: Ids, flags: Codes, heads: Ids, codes: Codes, links: Links
) -> tuple[int, int]:
    """Return head and key of a word; the key is -1 if it has no edge."""
    head, code = heads[t], codes[t]
    if code == _POBJ or (code == _PREPC and links.pobj[head] < 0):
        return _after_preposition(t, tokens, flags, heads, codes, links)
    if code in (_OBL, _NMOD, _BY):
        if links.cases[t] >= 0:
            return head, _with_case(t, head, tokens, flags, codes, links)
        return head, -1 if code == _BY else _key(_NPADVMOD if code == _OBL else _NN, -1, -1)
    if code == _CONJ:
        top = links.tops[t]
        if links.cases[t] >= 0 and links.cases[top] >= 0 and codes[top] in (_OBL, _NMOD):
            return heads[top], _with_case(t, heads[top], tokens, flags, codes, links)
        word = _conjunction_of(t, start, stop, heads, codes, links.tops)
        return top, _key(_CONJ, tokens[word] if word >= 0 else -1, -1)
    return head, _plain(t, tokens, flags, codes, links)


@part
def _second_cases(heads: Ids, codes: Codes, cases: Ids, second: Ids) -> None:
    """Fill in the second word of each token's preposition: "because of", "out of"."""
    second[:] = -1
    for t in range(heads.shape[0]):
        head = heads[t]
        if head < 0:
            continue
        if codes[t] == _FIXED and codes[head] == _CASE and heads[head] >= 0:
            head = heads[head]
        elif codes[t] != _CASE or cases[head] == t:
            continue
        if second[head] < 0:
            second[head] = t


@part
def _link(heads: Ids, codes: Codes, chained: bool) -> Links:
    n = heads.shape[0]
    links = Links(
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.full(n, -1, np.int32),
        np.full(n, -1, np.int32),
    )
    _first_conjuncts(heads, codes, chained, links.tops)
    _first_children(heads, codes, _POBJ, links.pobj)
    _first_children(heads, codes, _PREPC, links.pcomp)
    _first_children(heads, codes, _CASE, links.cases)
    _second_cases(heads, codes, links.cases, links.second_cases)
    _first_children(heads, codes, _MARK, links.marks)
    for t in range(n):
        if heads[t] >= 0 and codes[t] in (_NSUBJPASS, _CSUBJPASS, _AUXPASS):
            links.passives[heads[t]] = t
        if heads[t] >= 0 and codes[t] <= _CSUBJPASS:
            links.subjects[heads[t]] = t
    return links


@compiled(lambda t: t.i8(t.i4[::1], t.u1[::1], t.i8[::1], t.b1, t.i4[::1], t.u1[::1], t.i8[:, ::1]))
def collapse(
    tokens: Ids,
    flags: Codes,
    starts: Int64s,
    chained: bool,
    heads: Ids,
    codes: Codes,
    edges: Int64s,
) -> int:
    """Turn trees into edges between words.

    Parameters
    ----------
    tokens
        Shape (t,): the number of each token's lemma.
    flags
        What each lemma is, of `BE` and so on.
    starts
        Shape (s + 1,): the first token of each sentence.
    chained
        Whether coordinated words depend on the one before them, rather than all on the first.
    heads
        Shape (t,): the place of each token's head, -1 for a root. Overwritten.
    codes
        Shape (t,): the codes of their labels. Overwritten.
    edges
        Shape (t, 3): filled with head, key of the relation and dependent.

    Returns
    -------
    How many edges there are.
    """
    spare, other = np.empty(heads.shape[0], np.int32), np.empty(heads.shape[0], np.int32)
    _last_of_names(heads, codes, spare)
    _lift_predicates(tokens, flags, heads, codes, spare, other)
    _lower_prepositional(heads, codes, spare, other)
    links = _link(heads, codes, chained)
    filled = 0
    for s in range(starts.shape[0] - 1):
        for t in range(starts[s], starts[s + 1]):
            if heads[t] < 0 or links.pobj[t] >= 0 or codes[t] == _NONE:
                continue
            head, key = _relation(t, starts[s], starts[s + 1], tokens, flags, heads, codes, links)
            if key >= 0 and head >= 0 and head != t and links.pobj[head] < 0:
                edges[filled, 0] = head
                edges[filled, 1] = key
                edges[filled, 2] = t
                filled += 1
    return filled
