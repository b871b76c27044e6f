"""The same sentences, parsed by hand in three notations, give the same triples."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from lydite.trained.parsed.blocks import CODES, code_of, stanford_name
from lydite.trained.parsed.load import open_parsed


class Case(NamedTuple):
    """A sentence as ``form/lemma`` words; heads and labels as ``2:nsubj`` for each; relations."""

    words: str
    universal: str
    clear: str
    stanford: str
    triples: str


CASES = {
    "passive": Case(
        "The/the drug/drug was/be approved/approve by/by the/the agency/agency in/in May/may",
        "2:det 4:nsubj:pass 4:aux:pass 0:root 7:case 7:det 4:obl 9:case 4:obl",
        "2:det 4:nsubjpass 4:auxpass 0:ROOT 4:agent 7:det 5:pobj 4:prep 8:pobj",
        "det(drug-2, The-1) nsubjpass(approved-4, drug-2) auxpass(approved-4, was-3) "
        "det(agency-7, the-6) agent(approved-4, agency-7) prep_in(approved-4, May-9)",
        "approve nsubjpass drug, approve agent agency, approve prep_in may",
    ),
    "by without a passive": Case(
        "He/he slept/sleep by/by trees/tree",
        "2:nsubj 0:root 4:case 2:obl",
        "2:nsubj 0:ROOT 2:prep 3:pobj",
        "nsubj(slept-2, He-1) prep_by(slept-2, trees-4)",
        "sleep nsubj he, sleep prep_by tree",
    ),
    "reduced passive": Case(
        "Cells/cell affected/affect by/by stress/stress die/die",
        "5:nsubj 1:acl 4:case 2:obl 0:root",
        "5:nsubj 1:acl 2:agent 3:pobj 0:ROOT",
        "nsubj(die-5, Cells-1) partmod(Cells-1, affected-2) agent(affected-2, stress-4)",
        "die nsubj cell, cell vmod affect, affect agent stress",
    ),
    "nominal predicate": Case(
        "He/he is/be a/a good/good doctor/doctor",
        "5:nsubj 5:cop 5:det 5:amod 0:root",
        "2:nsubj 0:ROOT 5:det 5:amod 2:attr",
        "nsubj(doctor-5, He-1) cop(doctor-5, is-2) det(doctor-5, a-3) amod(doctor-5, good-4)",
        "doctor nsubj he, doctor amod good",
    ),
    "predicate inside a clause": Case(
        "We/we know/know she/she is/be happy/happy now/now",
        "2:nsubj 0:root 5:nsubj 5:cop 2:ccomp 5:advmod",
        "2:nsubj 0:ROOT 4:nsubj 2:ccomp 4:acomp 4:advmod",
        "nsubj(know-2, We-1) nsubj(happy-5, she-3) cop(happy-5, is-4) ccomp(know-2, happy-5) "
        "advmod(happy-5, now-6)",
        "know nsubj we, happy nsubj she, know ccomp happy, happy advmod now",
    ),
    "prepositional predicate": Case(
        "He/he is/be in/in Paris/paris",
        "4:nsubj 4:cop 4:case 0:root",
        "2:nsubj 0:ROOT 2:prep 3:pobj",
        "nsubj(is-2, He-1) prep_in(is-2, Paris-4)",
        "be nsubj he, be prep_in paris",
    ),
    "existential": Case(
        "There/there is/be a/a book/book",
        "2:expl 0:root 4:det 2:nsubj",
        "2:expl 0:ROOT 4:det 2:attr",
        "expl(is-2, There-1) det(book-4, a-3) nsubj(is-2, book-4)",
        "be nsubj book",
    ),
    "name and list": Case(
        "Marie/marie Antoinette/antoinette kept/keep cats/cat ,/, dogs/dog and/and birds/bird",
        "3:nsubj 1:flat 0:root 3:obj 6:punct 4:conj 8:cc 4:conj",
        "2:compound 3:nsubj 0:ROOT 3:dobj 4:punct 4:conj 6:cc 6:conj",
        "nn(Antoinette-2, Marie-1) nsubj(kept-3, Antoinette-2) dobj(kept-3, cats-4) "
        "conj_and(cats-4, dogs-6) conj_and(cats-4, birds-8)",
        "antoinette nn marie, keep nsubj antoinette, keep dobj cat, cat conj_and dog, "
        "cat conj_and bird",
    ),
    "two conjunctions": Case(
        "Cats/cat or/or dogs/dog and/and birds/bird",
        "0:root 3:cc 1:conj 5:cc 1:conj",
        "0:ROOT 1:cc 1:conj 3:cc 3:conj",
        "conj_or(Cats-1, dogs-3) conj_and(Cats-1, birds-5)",
        "cat conj_or dog, cat conj_and bird",
    ),
    "two prepositional phrases": Case(
        "He/he sang/sing in/in May/may and/and in/in June/june",
        "2:nsubj 0:root 4:case 2:obl 7:cc 7:case 4:conj",
        "2:nsubj 0:ROOT 2:prep 3:pobj 3:cc 3:conj 6:pobj",
        "nsubj(sang-2, He-1) prep_in(sang-2, May-4) conj_and(sang-2, sang-2') "
        "prep_in(sang-2', June-7)",
        "sing nsubj he, sing prep_in may, sing prep_in june",
    ),
    "prepositions of two words": Case(
        "She/she ran/run out/out of/of drugs/drug such/such as/as aspirin/aspirin "
        "because/because of/of war/war",
        "2:nsubj 0:root 5:case 5:case 2:obl 8:case 6:fixed 5:nmod 11:case 9:fixed 2:obl",
        "2:nsubj 0:ROOT 2:prep 3:prep 4:pobj 7:amod 5:prep 7:pobj 2:prep 9:pcomp 9:pobj",
        "nsubj(ran-2, She-1) prep_out_of(ran-2, drugs-5) prep_such_as(drugs-5, aspirin-8) "
        "prep_because_of(ran-2, war-11)",
        "run nsubj she, run prep_out_of drug, drug prep_such_as aspirin, run prep_because_of war",
    ),
    "preposition that was a participle": Case(
        "It/it rained/rain according/accord to/to him/he",
        "2:nsubj 0:root 5:case 3:fixed 2:obl",
        "2:nsubj 0:ROOT 2:prep 3:prep 4:pobj",
        "nsubj(rained-2, It-1) prep_according_to(rained-2, him-5)",
        "rain nsubj it, rain prep_according_to he",
    ),
    "clause after a preposition": Case(
        "It/it works/work by/by using/use salt/salt",
        "2:nsubj 0:root 4:mark 2:advcl 4:obj",
        "2:nsubj 0:ROOT 2:prep 3:pcomp 4:dobj",
        "nsubj(works-2, It-1) prepc_by(works-2, using-4) dobj(using-4, salt-5)",
        "work nsubj it, work prepc_by use, use dobj salt",
    ),
    "clause with a subject": Case(
        "It/it rains/rain since/since he/he left/leave",
        "2:nsubj 0:root 5:mark 5:nsubj 2:advcl",
        "2:nsubj 0:ROOT 5:mark 5:nsubj 2:advcl",
        "nsubj(rains-2, It-1) mark(left-5, since-3) nsubj(left-5, he-4) advcl(rains-2, left-5)",
        "rain nsubj it, leave nsubj he, rain advcl leave",
    ),
    "two objects": Case(
        "He/he gave/give her/she two/two books/book",
        "2:nsubj 0:root 2:iobj 5:nummod 2:obj",
        "2:nsubj 0:ROOT 2:dative 5:nummod 2:dobj",
        "nsubj(gave-2, He-1) iobj(gave-2, her-3) num(books-5, two-4) dobj(gave-2, books-5)",
        "give nsubj he, give iobj she, book num two, give dobj book",
    ),
    "to instead of the indirect object": Case(
        "He/he gave/give it/it to/to her/she",
        "2:nsubj 0:root 2:obj 5:case 2:obl",
        "2:nsubj 0:ROOT 2:dobj 2:dative 4:pobj",
        "nsubj(gave-2, He-1) dobj(gave-2, it-3) prep_to(gave-2, her-5)",
        "give nsubj he, give dobj it, give prep_to she",
    ),
    "negation, other copula, particle": Case(
        "She/she did/do not/not look/look up/up happy/happy",
        "4:nsubj 4:aux 4:advmod 0:root 4:compound:prt 4:xcomp",
        "4:nsubj 4:aux 4:neg 0:ROOT 4:prt 4:acomp",
        "nsubj(look-4, She-1) aux(look-4, did-2) neg(look-4, not-3) prt(look-4, up-5) "
        "acomp(look-4, happy-6)",
        "look nsubj she, look neg not, look prt up, look xcomp happy",
    ),
    "possessor, relative clause, apposition, time": Case(
        "Pfizer/pfizer 's/'s firm/firm Rinat/rinat which/which grew/grow left/leave today/today",
        "3:nmod:poss 1:case 7:nsubj 3:appos 6:nsubj 3:acl:relcl 0:root 7:obl:unmarked",
        "3:poss 1:case 7:nsubj 3:appos 6:nsubj 3:relcl 0:ROOT 7:npadvmod",
        "poss(firm-3, Pfizer-1) nsubj(left-7, firm-3) appos(firm-3, Rinat-4) "
        "nsubj(grew-6, which-5) rcmod(firm-3, grew-6) tmod(left-7, today-8)",
        "firm poss pfizer, leave nsubj firm, firm appos rinat, grow nsubj which, firm rcmod grow, "
        "leave npadvmod today",
    ),
}


def words_of(case: Case) -> list[list[str]]:
    return [word.rsplit("/", 1) for word in case.words.split()]


def conllu(case: Case, arcs: str) -> str:
    lines = []
    for number, ((form, lemma), arc) in enumerate(
        zip(words_of(case), arcs.split(), strict=True), 1
    ):
        head, _, label = arc.partition(":")
        lines.append(f"{number}\t{form}\t{lemma}\t_\t_\t_\t{head}\t{label}\t_\t_\n")
    return "".join(lines) + "\n"


def write_stanford(case: Case, folder: Path) -> None:
    relations = case.stanford.replace(") ", ")\n")
    (folder / "1.dep").write_text(relations + "\n\n")
    (folder / "1.input").write_text("".join(f"{form}_X\n" for form, _ in words_of(case)))
    (folder / "1.morph").write_text("".join(f"{lemma}\n" for _, lemma in words_of(case)))


def triples(path: Path) -> list[str]:
    (block,) = open_parsed([path]).blocks()
    return sorted(" ".join(triple) for triple in block.triples())


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("notation", ["universal", "clear", "stanford"])
def test_three_notations_give_the_same_triples(name: str, notation: str, tmp_path: Path) -> None:
    case = CASES[name]
    if notation == "stanford":
        write_stanford(case, tmp_path)
        found = triples(tmp_path)
    else:
        path = tmp_path / "one.conllu"
        path.write_text(conllu(case, getattr(case, notation)))
        found = triples(path)
    assert found == sorted(case.triples.split(", "))


def test_nested_coordination_of_universal_dependencies_stays_nested(tmp_path: Path) -> None:
    # Cats and (dogs or birds): all of a list depend on its first word, and "dogs" heads a list.
    case = Case("Cats/cat and/and dogs/dog or/or birds/bird", "", "", "", "")
    path = tmp_path / "one.conllu"
    path.write_text(conllu(case, "0:root 3:cc 1:conj 5:cc 3:conj"))
    assert triples(path) == ["cat conj_and dog", "dog conj_or bird"]


def test_list_without_a_conjunction(tmp_path: Path) -> None:
    case = Case("And/and cats/cat dogs/dog", "", "", "", "")
    path = tmp_path / "one.conllu"
    # A conjunction before the list belongs to the sentence.
    path.write_text(conllu(case, "2:cc 0:root 2:conj"))
    assert triples(path) == ["cat conj dog"]


@pytest.mark.parametrize("arcs", ["2:conj 1:conj", "2:flat 1:flat", "2:attr 1:attr"])
def test_heads_in_a_circle_end(arcs: str, tmp_path: Path) -> None:
    path = tmp_path / "one.conllu"
    path.write_text(conllu(Case("is/be was/be", "", "", "", ""), arcs))
    list(open_parsed([path]).blocks())


def test_dash_is_no_preposition(tmp_path: Path) -> None:
    path = tmp_path / "one.conllu"
    path.write_text(conllu(Case("5/5 -/- 6/6", "", "", "", ""), "0:root 3:case 1:nmod"))
    assert triples(path) == []


def test_labels_without_an_edge() -> None:
    for label in ("det", "aux", "punct", "root", "ROOT", "dep", "parataxis", "unheard-of"):
        assert code_of(label) == CODES["none"]
    for label in ("det", "cop", "dep", "xsubj", "prep", "pobj", "mark", "attr"):
        assert stanford_name(label) is None


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("conj_negcc", "conj_negcc"),
        ("conj_+", "conj_and"),
        ("conj_and\\/or", "conj_or"),
        ("conj", "conj"),
        ("prepc_In", "prepc_in"),
        ("abbrev", "appos"),
    ],
)
def test_stanford_names(label: str, name: str) -> None:
    assert stanford_name(label) == name
