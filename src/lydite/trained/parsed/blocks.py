"""Parsed sentences as arrays, with one scheme of relations and collapsed edges.

The scheme is that of collapsed Stanford dependencies (de Marneffe & Manning 2008), in which the
models that count triples were first described: a preposition or conjunction is no word of its own
but part of the name, ``prep_in(approve, may)``. Where the three notations differ in how finely they
divide, the coarser name stands for both.

=========  =======================================  =========================  ====================
here       Stanford                                 CLEAR (spaCy)              Universal Dep.
=========  =======================================  =========================  ====================
nsubj      nsubj                                    nsubj                      nsubj
nsubjpass  nsubjpass                                nsubjpass                  nsubj:pass
csubj      csubj                                    csubj                      csubj
csubjpass  csubjpass                                csubjpass                  csubj:pass
dobj       dobj                                     dobj                       obj
iobj       iobj                                     dative                     iobj
agent      agent                                    agent + pobj               obl (by) of a passive
amod       amod                                     amod                       amod
nn         nn, number                               compound, nmod, nn         compound, flat, nmod
                                                                               without case
num        num                                      nummod                     nummod
poss       poss                                     poss                       nmod:poss
appos      appos, abbrev                            appos                      appos
advmod     advmod, quantmod                         advmod, quantmod           advmod
neg        neg                                      neg                        advmod: not, never
npadvmod   tmod, measure, npadvmod                  npadvmod                   obl without case
prt        prt                                      prt                        compound:prt
vmod       partmod, infmod, vmod                    acl                        acl
rcmod      rcmod                                    relcl                      acl:relcl
advcl      advcl, purpcl                            advcl                      advcl
ccomp      ccomp                                    ccomp                      ccomp
xcomp      xcomp, acomp                             xcomp, oprd, acomp and     xcomp
                                                    attr of other verbs than
                                                    be
prep_X     prep_X                                   prep + pobj, dative + pobj obl, nmod with case
prepc_X    prepc_X                                  prep + pcomp               advcl, acl with a
                                                                               preposition as mark
conj_X     conj_X                                   conj with cc               conj with cc
=========  =======================================  =========================  ====================

No edge have: articles and other determiners, auxiliaries and copulas, marks and complementizers,
case, punctuation, conjunctions, expletives, interjections, the root, ``dep``, by which a parser
says that it does not know, and ``parataxis``. What all words take from a closed list says nothing
of a word, and the three notations agree least on it; of parataxis they see opposite heads: of "it
rains, he said" spaCy makes ``ccomp(say, rain)``. Any other label has no edge either.

Where the notations differ in what is the head:

- a copula is no head: of "he is a doctor" spaCy's ``nsubj(is, he)``, ``attr(is, doctor)`` becomes
  ``nsubj(doctor, he)``, as the other two have it; but before a preposition it is: "he is in Paris"
  is ``prep_in(be, paris)``, ``nsubj(be, he)``, as the other two have it;
- the last word of a name is its head: ``flat(Marie, Antoinette)`` becomes
  ``nn(antoinette, marie)``;
- all words that are coordinated depend on the first, where spaCy makes a chain of them;
- "in May and in June" has ``prep_in`` twice.

Reference: de Marneffe & Manning, "Stanford typed dependencies manual", 2008; Choi & Palmer,
"Guidelines for the CLEAR style constituent to dependency conversion", 2012.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.compiled import compiled, part
from lydite.types import Indices


@dataclass(frozen=True, kw_only=True, eq=False)
class ParsedBlock:
    """Some parsed sentences."""

    #: The different lemmas of the block, in lower case, in the order in which they are met.
    lemmas: tuple[str, ...]
    relations: tuple[str, ...]
    #: (t,): the number of each token's lemma; marks of punctuation are tokens too.
    tokens: Indices
    starts: Indices  # (s + 1,): the first token of each sentence, and t
    #: (e, 3): head, relation and dependent. Head and dependent are places among the tokens of
    #: the block; edges stand in the order of their dependents, at most one each but for parses that
    #: were collapsed before they were read.
    edges: Indices

    def triples(self) -> list[tuple[str, str, str]]:
        """Return head lemma, relation and dependent lemma of each edge, for looking at."""
        return [
            (self.lemmas[self.tokens[head]], self.relations[name], self.lemmas[self.tokens[word]])
            for head, name, word in self.edges.tolist()
        ]


#: Names that an edge takes as they are; what is not among them has a part in the name of another.
PLAIN: Final = (
    "nsubj",
    "nsubjpass",
    "csubj",
    "csubjpass",
    "dobj",
    "iobj",
    "agent",
    "amod",
    "nn",
    "num",
    "poss",
    "appos",
    "advmod",
    "neg",
    "npadvmod",
    "prt",
    "vmod",
    "rcmod",
    "advcl",
    "ccomp",
    "xcomp",
)

#: Kinds of labels that need a look at other words; they follow the plain ones.
_KINDS: Final = (
    "prep",
    "prepc",
    "conj",
    "none",
    "pobj",
    "dative",
    "by",
    "attr",
    "case",
    "mark",
    "cc",
    "cop",
    "auxpass",
    "expl",
    "flat",
    "fixed",
    "obl",
    "nmod",
)
CODES: Final = {name: code for code, name in enumerate((*PLAIN, *_KINDS))}

_LABELS: Final = {
    **{name: name for name in PLAIN},
    "nsubj:pass": "nsubjpass",
    "nsubj:outer": "nsubj",
    "csubj:pass": "csubjpass",
    "obj": "dobj",
    "agent": "by",
    "obl:agent": "by",
    "compound": "nn",
    "number": "nn",
    "nummod": "num",
    "nmod:poss": "poss",
    "abbrev": "appos",
    "quantmod": "advmod",
    "tmod": "npadvmod",
    "measure": "npadvmod",
    "obl:npmod": "npadvmod",
    "obl:tmod": "npadvmod",
    "obl:unmarked": "npadvmod",
    "nmod:npmod": "npadvmod",
    "nmod:tmod": "npadvmod",
    "nmod:unmarked": "npadvmod",
    "compound:prt": "prt",
    "partmod": "vmod",
    "infmod": "vmod",
    "acl": "vmod",
    "relcl": "rcmod",
    "acl:relcl": "rcmod",
    "advcl:relcl": "advcl",
    "purpcl": "advcl",
    "oprd": "xcomp",
    "acomp": "attr",
    "attr": "attr",
    "prep": "prep",
    "pcomp": "prepc",
    "pobj": "pobj",
    "dative": "dative",
    "case": "case",
    "mark": "mark",
    "conj": "conj",
    "cc": "cc",
    "cop": "cop",
    "auxpass": "auxpass",
    "aux:pass": "auxpass",
    "expl": "expl",
    "flat": "flat",
    "fixed": "fixed",
    "obl": "obl",
    "nmod": "nmod",
}

#: What no tree of Universal Dependencies has.
_WITH_CHAINS: Final = frozenset({"ROOT", "pobj", "prep", "pcomp"})

_AND = dict.fromkeys(("&", "+", "plus", "as", "well", "as_well"), "and")
_NOT = dict.fromkeys(("not", "n't", "rather", "rather_than", "instead", "instead_of"), "negcc")
_CONJUNCTIONS: Final = {**_AND, **_NOT, "and\\/or": "or", "and/or": "or", "/": "or"}


def code_of(label: str) -> int:
    """Return the code of a label of CLEAR, Universal Dependencies or uncollapsed Stanford.

    >>> PLAIN[code_of("obj")], PLAIN[code_of("compound:lvc")], code_of("det") == CODES["none"]
    ('dobj', 'nn', True)
    """
    known = _LABELS.get(label) or _LABELS.get(label.partition(":")[0], "none")
    return CODES[known]


def chains(labels: set[str]) -> bool:
    """Tell labels of trees that coordinate in chains, as spaCy's do."""
    return not _WITH_CHAINS.isdisjoint(labels)


def conjunction(word: str) -> str:
    """Return the name of a coordination by this word; empty is none.

    >>> conjunction("or"), conjunction("&"), conjunction("")
    ('conj_or', 'conj_and', 'conj')
    """
    return f"conj_{_CONJUNCTIONS.get(word, word)}" if word else "conj"


def stanford_name(label: str) -> str | None:
    """Return the name of a relation of collapsed Stanford dependencies; None if it has no edge.

    >>> stanford_name("prep_in"), stanford_name("partmod"), stanford_name("det")
    ('prep_in', 'vmod', None)
    """
    kind, joined, word = label.partition("_")
    if joined and kind == "conj":
        return conjunction(word.lower())
    if joined and kind in {"prep", "prepc"}:
        return label.lower()
    if label in {"agent", "conj"}:
        return label
    if label == "acomp":
        return "xcomp"
    code = code_of(label)
    return PLAIN[code] if code < len(PLAIN) else None


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

    - ``tokens`` (t,): the number of each token's lemma.
    - ``flags``: what each lemma is, of `BE` and so on.
    - ``starts`` (s + 1,): the first token of each sentence.
    - ``chained``: whether coordinated words depend on the one before them, rather than all on the
      first.
    - ``heads`` (t,): the place of each token's head, -1 for a root. Overwritten.
    - ``codes`` (t,): the codes of their labels. Overwritten.
    - ``edges`` (t, 3): filled with head, key of the relation and dependent.

    Returns how many edges there are.
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


#: Prepositions before a clause without a subject, in which Stanford sees no subordination.
_BEFORE_CLAUSE: Final = (
    "about",
    "after",
    "against",
    "at",
    "before",
    "beside",
    "besides",
    "between",
    "beyond",
    "by",
    "despite",
    "during",
    "for",
    "from",
    "in",
    "into",
    "like",
    "of",
    "on",
    "over",
    "since",
    "through",
    "throughout",
    "toward",
    "towards",
    "under",
    "until",
    "upon",
    "via",
    "with",
    "within",
    "without",
)

#: Prepositions that once were participles, by their lemmas; Stanford keeps the form.
_PARTICIPLES: Final = {
    "accord": "according",
    "base": "based",
    "compare": "compared",
    "comprise": "comprising",
    "concern": "concerning",
    "consider": "considering",
    "contain": "containing",
    "depend": "depending",
    "exclude": "excluding",
    "follow": "following",
    "give": "given",
    "include": "including",
    "involve": "involving",
    "owe": "owing",
    "regard": "regarding",
}


def collapsed(
    lemmas: Sequence[str],
    labels: Sequence[str],
    tokens: NDArray[np.int32],
    names: NDArray[np.int32],
    heads: NDArray[np.int32],
    starts: Indices,
) -> ParsedBlock:
    """Return the block of some dependency trees.

    - ``names`` (t,): the number of its label.
    - ``heads`` (t,): the place of its head, -1 for a root.
    - ``starts`` (s + 1,): the first token of each sentence.
    """
    flags = _flags(lemmas)
    codes = np.array([code_of(label) for label in labels] or [0], dtype=np.uint8)[names]
    edges = np.empty((len(tokens), 3), dtype=np.int64)
    filled = collapse(tokens, flags, starts, chains(set(labels)), heads.copy(), codes, edges)
    keys, numbers = np.unique(edges[:filled, 1], return_inverse=True)
    relations, same = _named(keys, lemmas, WORD_BITS)
    edges[:filled, 1] = same[numbers]
    edges = edges[:filled][edges[:filled, 1] >= 0]
    return ParsedBlock(
        lemmas=tuple(lemmas),
        relations=relations,
        tokens=tokens.astype(np.int64),
        starts=starts,
        edges=edges,
    )


def _flags(lemmas: Sequence[str]) -> NDArray[np.uint8]:
    known = {
        **dict.fromkeys(_BEFORE_CLAUSE, BEFORE_CLAUSE),
        "by": BEFORE_CLAUSE | BY,
        "be": BE,
        "not": NOT,
        "n't": NOT,
        "never": NOT,
        "such": SUCH,
    }
    return np.array([known.get(lemma, 0) for lemma in lemmas], dtype=np.uint8)


def _named(keys: Indices, lemmas: Sequence[str], bits: int) -> tuple[tuple[str, ...], Indices]:
    """Return the different names of relations, and which of them each key has; -1 for none."""
    names: dict[str, int] = {}
    numbers = np.empty(len(keys), dtype=np.int64)
    mask = (1 << bits) - 1
    for place, key in enumerate(keys.tolist()):
        code, word, second = key >> 2 * bits, key >> bits & mask, key & mask
        name = _name(code, [lemmas[number - 1] for number in (word, second) if number])
        numbers[place] = -1 if name is None else names.setdefault(name, len(names))
    return tuple(names), numbers


def _name(code: int, words: list[str]) -> str | None:
    if code < len(PLAIN):
        return PLAIN[code]
    if code == CODES["conj"]:
        return conjunction("_".join(words))
    if not all(any(map(str.isalpha, word)) for word in words):
        # A dash between two numbers is a preposition to Universal Dependencies alone.
        return None
    kind = "prep" if code == CODES["prep"] else "prepc"
    return "_".join((kind, _PARTICIPLES.get(words[0], words[0]), *words[1:]))
