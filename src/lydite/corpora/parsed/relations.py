"""One scheme of relations for parses in three notations.

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

No edge have: articles and other determiners, auxiliaries and copulas, marks and complementisers,
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

from typing import Final

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
