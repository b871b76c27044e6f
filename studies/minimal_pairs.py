"""Write `starter-minimal-pairs`: sentences that say the same in another form, or nearly the same.

Every source gives two meanings, each in one plain form and in two others. A plain sentence B1 and
its like with the other meaning, B2, meet P1 and P2, which say the same as B1 and as B2:

====== ========= ====== ======
item   sentence  same   other
====== ========= ====== ======
forth  B1        P1     P2
back   P1        B1     B2
forth  B2        P2     P1
back   P2        B2     B1
====== ========= ====== ======

P1 and P2 have the same words, or as many that B1 lacks, so shared words and length say nothing.
Where the order of words differs, one of the two other forms (``order with``) keeps that of the
plain sentence in the paraphrase, the other (``order against``) keeps it in what says something
else: whoever goes by order alone is right in one half and wrong in the other.

    python studies/minimal_pairs.py > src/lydite/resources/starter/minimal-pairs.tsv
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import NamedTuple


class Item(NamedTuple):
    """A sentence, what says the same, and what does not."""

    phenomenon: str
    source: str
    frame: str
    sentence: str
    same: str
    other: str


def square(name: str, source: str, frame: str, *forms: str) -> Iterator[Item]:
    """Yield the four items of B1, B2, P1 and P2."""
    b1, b2, p1, p2 = (each[:1].upper() + each[1:] for each in forms)
    for sentence, same, other in ((b1, p1, p2), (p1, b1, b2), (b2, p2, p1), (p2, b2, b1)):
        yield Item(name, source, frame, sentence, same, other)


def an(noun: str) -> str:
    """Put the indefinite article before a noun."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


#: Agent, verb in the past, participle, patient.
PASSIVE = """
nurse thanked thanked baker|farmer blamed blamed plumber|pilot hired hired sailor
lawyer beat beaten gardener|teacher saw seen miller|painter forgave forgiven priest
judge rescued rescued butcher|cook chose chosen librarian|poet taught taught juggler
guard insulted insulted porter|banker paid paid tailor|captain misled misled surgeon
"""


def passive() -> Iterator[Item]:
    for a, verb, done, b in rows(PASSIVE):
        plain = (f"the {a} {verb} the {b}.", f"the {b} {verb} the {a}.")
        yield from square(
            "passive", a, "passive, order against", *plain,
            f"the {b} was {done} by the {a}.", f"the {a} was {done} by the {b}.",
        )  # fmt: skip
        yield from square(
            "passive", a, "by whom, order with", *plain,
            f"the {a} is the one by whom the {b} was {done}.",
            f"the {b} is the one by whom the {a} was {done}.",
        )  # fmt: skip


#: Giver, verb, taker, thing.
DATIVE = """
plumber;gave;cook;a book|teacher;sent;singer;a letter|dancer;handed;painter;a hammer
gardener;passed;captain;the salt|singer;offered;mechanic;a job|poet;read;waiter;the story
tailor;wrote;potter;a note|clerk;lent;banker;some money|sailor;paid;fisherman;the rent
librarian;promised;judge;a share|nurse;showed;farmer;the map|miller;sold;barber;a mule
"""


def dative() -> Iterator[Item]:
    for a, verb, b, thing in rows(DATIVE, ";"):
        plain = (f"the {a} {verb} the {b} {thing}.", f"the {b} {verb} the {a} {thing}.")
        yield from square(
            "dative", a, "preposition, order with", *plain,
            f"the {a} {verb} {thing} to the {b}.", f"the {b} {verb} {thing} to the {a}.",
        )  # fmt: skip
        yield from square(
            "dative", a, "to whom, order against", *plain,
            f"the {b} is the one to whom the {a} {verb} {thing}.",
            f"the {a} is the one to whom the {b} {verb} {thing}.",
        )  # fmt: skip


#: Two persons of whom each may have the other, and what one did.
GENITIVE = """
sister;doctor;called at noon|neighbour;lawyer;wrote to the council|rival;editor;won the prize
brother;landlord;sings in a choir|aunt;barber;keeps bees|partner;banker;resigned on Friday
cousin;teacher;speaks six languages|servant;uncle;hid the silver|friend;tailor;bought the mill
daughter;nurse;lives abroad|son;gardener;collects old coins|nephew;dentist;broke a leg
"""


def genitive() -> Iterator[Item]:
    for a, b, did in rows(GENITIVE, ";"):
        possessive = (f"the {b}'s {a} {did}.", f"the {a}'s {b} {did}.")
        yield from square(
            "genitive", a, "possessive, order against",
            f"the {a} of the {b} {did}.", f"the {b} of the {a} {did}.", *possessive,
        )  # fmt: skip
        yield from square(
            "genitive", a, "has, order with", *possessive,
            f"the {b} has {an(a)} who {did}.", f"the {a} has {an(b)} who {did}.",
        )  # fmt: skip


#: Giver, verb of giving, thing, verb of taking, taker.
CONVERSE = """
baker;sold;a horse;bought;captain|lawyer;sold;the mill;bought;mechanic
clerk;sold;two goats;bought;porter|painter;lent;a saw;borrowed;waiter
judge;lent;some money;borrowed;potter|cook;lent;an axe;borrowed;widow
sailor;lent;a boat;borrowed;guard|butcher;rented;a cottage;leased;singer
shepherd;sold;the old piano;bought;surgeon|dancer;lent;a violin;borrowed;poet
farmer;sold;a clock;bought;priest|juggler;lent;the ladder;borrowed;miner
"""


def were(thing: str) -> str:
    """Return the verb that agrees with a thing."""
    return "were" if thing.startswith("two ") else "was"


def converse() -> Iterator[Item]:
    for a, gave, thing, took, b in rows(CONVERSE, ";"):
        plain = (f"the {a} {gave} {thing} to the {b}.", f"the {b} {gave} {thing} to the {a}.")
        yield from square(
            "converse", a, "converse verb, order against", *plain,
            f"the {b} {took} {thing} from the {a}.", f"the {a} {took} {thing} from the {b}.",
        )  # fmt: skip
        yield from square(
            "converse", a, "from whom, order with", *plain,
            f"the {a} is the one from whom {thing} {were(thing)} {took} by the {b}.",
            f"the {b} is the one from whom {thing} {were(thing)} {took} by the {a}.",
        )  # fmt: skip


#: Symmetric: a verb b. Not symmetric: c verb d.
SYMMETRY = """
painter;married;widow;judge;hired;cook|barber;met;clerk;nurse;paid;guard
miller;resembled;tailor;poet;envied;sailor|dancer;debated with;mechanic;butcher;waited for;priest
captain;collided with;porter;doctor;ran after;lawyer
potter;had lunch with;baker;editor;made lunch for;plumber
singer;lived near;farmer;teacher;worked for;pilot
gardener;agreed with;dentist;waiter;listened to;surgeon
fisherman;danced with;queen;banker;looked at;juggler
librarian;played chess with;shepherd;miner;bought bread from;monk
author;corresponded with;actor;soldier;apologized to;mayor
brewer;disagreed with;smith;driver;learned from;grocer
"""


def symmetry() -> Iterator[Item]:
    for a, equal, b, c, verb, d in rows(SYMMETRY, ";"):
        for frame, order in (("symmetric clause first", 1), ("symmetric clause last", -1)):
            b1, p1, b2, p2 = (
                " and ".join((f"the {x} {equal} the {y}", f"the {u} {verb} the {v}")[::order])
                for (x, y), (u, v) in (
                    ((a, b), (c, d)), ((b, a), (c, d)), ((a, b), (d, c)), ((b, a), (d, c)),
                )
            )  # fmt: skip
            made = [f"{each[:1].upper()}{each[1:]}." for each in (b1, p1, b2, p2)]
            b1, p1, b2, p2 = made
            # What says something else has the other clause swapped, and that one alone.
            for sentence, same, other in ((b1, p1, b2), (p1, b1, p2), (b2, p2, b1), (p2, b2, p1)):
                yield Item("symmetry", a, frame, sentence, same, other)


#: Agent, verb, noun with its preposition, patient, when.
NOMINALISATION = """
shepherd;attacked;attack on;farmer;on Monday|barber;rescued;rescue of;baker;at dawn
mayor;betrayed;betrayal of;gardener;in March|porter;pursued;pursuit of;doctor;after dark
waiter;interrogated;interrogation of;miller;on Friday
clerk;assaulted;assault on;librarian;at midnight
plumber;murdered;murder of;juggler;by the river|sailor;arrested;arrest of;painter;in the harbor
widow;visited;visit to;priest;in autumn|guard;abducted;abduction of;banker;last winter
singer;replaced;replacement of;dancer;in May|captain;deceived;deception of;lawyer;before the war
"""


def nominalisation() -> Iterator[Item]:
    for a, verb, noun, b, when in rows(NOMINALISATION, ";"):
        plain = (f"the {a} {verb} the {b} {when}.", f"the {b} {verb} the {a} {when}.")
        yield from square(
            "nominalisation", a, "possessive agent, order with", *plain,
            f"the {a}'s {noun} the {b} took place {when}.",
            f"the {b}'s {noun} the {a} took place {when}.",
        )  # fmt: skip
        yield from square(
            "nominalisation", a, "agent with by, order against", *plain,
            f"the {noun} the {b} by the {a} took place {when}.",
            f"the {noun} the {a} by the {b} took place {when}.",
        )  # fmt: skip


#: Two things, a comparative and its opposite.
COMPARISON = """
church older newer mill|poplar taller shorter willow|rope longer shorter chain
train faster slower bus|kitchen warmer cooler cellar|lantern brighter dimmer candle
ferry cheaper costlier plane|oak harder softer pine|cave darker lighter tunnel
razor sharper duller scythe|trunk heavier lighter suitcase|river wider narrower canal
"""


def comparison() -> Iterator[Item]:
    for a, more, less, b in rows(COMPARISON):
        plain = (f"the {a} is {more} than the {b}.", f"the {b} is {more} than the {a}.")
        yield from square(
            "comparison", a, "opposite adjective, order against", *plain,
            f"the {b} is {less} than the {a}.", f"the {a} is {less} than the {b}.",
        )  # fmt: skip
        yield from square(
            "comparison", a, "compared with, order with", *plain,
            f"compared with the {a}, the {b} is {less}.",
            f"compared with the {b}, the {a} is {less}.",
        )  # fmt: skip


#: Two events.
ORDER = """
the bell rang;the lights went out|the band played;the mayor spoke
the bridge closed;the train left|the milk boiled;the toast burned
the door opened;the dog barked|the shop moved;the baker retired
the judge entered;the crowd rose|the river froze;the geese left
the bill passed;the strike ended|the baby woke;the kettle whistled
the rain stopped;the guests arrived|the king died;the walls fell
"""


def order() -> Iterator[Item]:
    for a, b in rows(ORDER, ";"):
        plain = (f"{a} before {b}.", f"{b} before {a}.")
        yield from square(
            "order", a, "before first, order against", *plain,
            f"before {b}, {a}.", f"before {a}, {b}.",
        )  # fmt: skip
        yield from square(
            "order", a, "after first, order with", *plain, f"after {a}, {b}.", f"after {b}, {a}."
        )


#: Who, verb, particle, thing, particle, thing.
PARTICLE = """
mayor turned on lamp off radio|porter switched off fan on heater|juggler carried in table out bench
clerk rolled up carpet out map|nurse handed in forms out pencils|lawyer turned off tap on stove
cook sent in sandwiches out drinks|gardener wheeled in piano out trolley
"""


def particle() -> Iterator[Item]:
    for who, verb, x, a, y, b in rows(PARTICLE):
        plain = (
            f"the {who} {verb} {x} the {a} and {verb} {y} the {b}.",
            f"the {who} {verb} {y} the {a} and {verb} {x} the {b}.",
        )
        yield from square(
            "particle", who, "particles last, order alike", *plain,
            f"the {who} {verb} the {a} {x} and {verb} the {b} {y}.",
            f"the {who} {verb} the {a} {y} and {verb} the {b} {x}.",
        )  # fmt: skip
        yield from square(
            "particle", who, "objects first, order with", *plain,
            f"the {a} is what the {who} {verb} {x} and the {b} is what the {who} {verb} {y}.",
            f"the {a} is what the {who} {verb} {y} and the {b} is what the {who} {verb} {x}.",
        )  # fmt: skip
        yield from square(
            "particle", who, "clauses swapped, order against", *plain,
            f"the {who} {verb} {y} the {b} and {verb} {x} the {a}.",
            f"the {who} {verb} {x} the {b} and {verb} {y} the {a}.",
        )  # fmt: skip


#: Who, and two things that may be done.
SCOPE = """
teacher;wash;the cups;sweep;the floor|sailor;lock;the door;shut;the window
gardener;read;the book;see;the film|singer;pay;the bill;thank;the cook
doctor;check;the tires;change;the oil|tailor;buy;the bread;fetch;the milk
banker;take;the train;miss;the meeting|priest;see;the fox;hear;the owl
librarian;answer;the letter;send;the gift|mechanic;sign;the form;read;the contract
farmer;feed;the hens;milk;the cow|painter;clean;the brushes;fold;the ladder
"""


def scope() -> Iterator[Item]:
    for who, do, a, act, b in rows(SCOPE, ";"):
        plain = (
            f"the {who} did {do} {a} but did not {act} {b}.",
            f"the {who} did not {do} {a} but did {act} {b}.",
        )
        yield from square(
            "scope", who, "clauses swapped, order against", *plain,
            f"the {who} did not {act} {b} but did {do} {a}.",
            f"the {who} did {act} {b} but did not {do} {a}.",
        )  # fmt: skip
        yield from square(
            "scope", who, "objects first, order with", *plain,
            f"{a} the {who} did {do}, but {b} the {who} did not {act}.",
            f"{a} the {who} did not {do}, but {b} the {who} did {act}.",
        )  # fmt: skip


IT_CLEFT = """
cook admired tailor|gardener questioned priest|miller welcomed surgeon|poet contradicted widow
clerk recognized porter|butcher disappointed pilot|captain amused lawyer|librarian cheated teacher
sailor punished fisherman|banker woke mayor|nurse found singer|farmer feared judge
"""


def it_cleft() -> Iterator[Item]:
    for a, verb, b in rows(IT_CLEFT):
        plain = (f"the {a} {verb} the {b}.", f"the {b} {verb} the {a}.")
        yield from square(
            "it-cleft", a, "subject, order with", *plain,
            f"it was the {a} who {verb} the {b}.", f"it was the {b} who {verb} the {a}.",
        )  # fmt: skip
        yield from square(
            "it-cleft", a, "object, order against", *plain,
            f"it was the {b} that the {a} {verb}.", f"it was the {a} that the {b} {verb}.",
        )  # fmt: skip


WH_CLEFT = """
dancer;ordered;a salad;a steak|butcher;wanted;a rest;a quarrel|shepherd;bought;a lamp;a kettle
barber;painted;a fence;a gate|surgeon;repaired;a clock;a radio|porter;stole;a horse;a cart
waiter;heard;a wolf;a fox|dentist;dropped;a cup;a spoon|nurse;built;a wall;a shed
farmer;wrote;a play;a poem|clerk;lost;a key;a wallet|judge;planted;a pine;a birch
"""


def wh_cleft() -> Iterator[Item]:
    for who, verb, a, b in rows(WH_CLEFT, ";"):
        plain = (f"the {who} {verb} {a}, not {b}.", f"the {who} {verb} {b}, not {a}.")
        yield from square(
            "wh-cleft", who, "what, order with", *plain,
            f"what the {who} {verb} was {a}, not {b}.", f"what the {who} {verb} was {b}, not {a}.",
        )  # fmt: skip
        yield from square(
            "wh-cleft", who, "not but, order against", *plain,
            f"it was not {b} but {a} that the {who} {verb}.",
            f"it was not {a} but {b} that the {who} {verb}.",
        )  # fmt: skip


#: Who, verb in the past, verb, the rest.
NEGATION = """
farmer;locked;lock;the gate|pilot;found;find;the ring|teacher;knew;know;the answer
sailor;wrote;write;the letter|painter;swam;swim;across the bay|singer;took;take;the blame
doctor;ate;eat;the mushrooms|guard;heard;hear;the shot|banker;lost;lose;the case
priest;spoke;speak;to the press|widow;sold;sell;the farm|clerk;saw;see;the comet
"""


def negation() -> Iterator[Item]:
    for who, did, do, what in rows(NEGATION, ";"):
        plain = (f"the {who} really {did} {what}.", f"the {who} never {did} {what}.")
        yield from square(
            "negation", who, "did", *plain,
            f"the {who} did indeed {do} {what}.", f"the {who} did not {do} {what}.",
        )  # fmt: skip
        yield from square(
            "negation", who, "true or false", *plain,
            f"it is true that the {who} {did} {what}.",
            f"it is false that the {who} {did} {what}.",
        )  # fmt: skip


#: What, and two words of which exactly one holds.
DOUBLE_NEGATION = """
gate open shut|patient alive dead|repair possible impossible|crack visible invisible
ticket valid invalid|guard asleep awake|room occupied vacant|vase intact damaged
post permanent temporary|answer correct wrong|water safe unsafe|witness present absent
"""


def double_negation() -> Iterator[Item]:
    for what, a, b in rows(DOUBLE_NEGATION):
        plain = (f"the {what} was {a}.", f"the {what} was {b}.")
        yield from square(
            "double-negation", what, "not the opposite, words against", *plain,
            f"the {what} was not {b}.", f"the {what} was not {a}.",
        )  # fmt: skip
        yield from square(
            "double-negation", what, "not true that not, words with", *plain,
            f"it is not true that the {what} was not {a}.",
            f"it is not true that the {what} was not {b}.",
        )  # fmt: skip


def triple(
    name: str, source: str, first: tuple[str, str], second: tuple[str, str]
) -> Iterator[Item]:
    """Yield the items of a text, its equal and two that say something else.

    ``first`` are the text and what differs from it, in one form; ``second`` the same in another.
    """
    (b1, b2), (p1, p2) = first, second
    for frame, before in (("alone", ""), ("turned out", "It turned out that ")):
        long = [f"{before}{each}" if before else sentence(each) for each in (p1, p2)]
        short = [sentence(each) for each in (b1, b2)]
        yield Item(name, source, frame, short[0], *long)
        yield Item(name, source, frame, long[0], *short)


def sentence(text: str) -> str:
    """Begin with a capital letter."""
    return text[:1].upper() + text[1:]


#: A text with a gap, a word, its equal, its opposite.
ANTONYM = """
the river is _ at this point;wide;broad;narrow|the miller was a _ man;rich;wealthy;poor
the water was _ that morning;icy;freezing;hot|the witness looked _ in court;calm;composed;nervous
the shop will _ at noon;close;shut;open|the council _ street music;allowed;permitted;banned
the crowd _ the new song;loved;adored;hated|the farmer _ the lower field;bought;purchased;sold
the lawyer spoke _ all evening;fast;quickly;slowly|the lecture _ at ten;began;started;ended
the boy gave a _ answer;silly;foolish;wise|the soup smelled _;awful;dreadful;delicious
the child was _ in the dark;afraid;scared;fearless|the path to the mill is _;dangerous;perilous;safe
the new porter is _;lazy;idle;busy|the queen _ the offer;refused;declined;accepted
the singer is _ abroad;famous;renowned;unknown|the captain _ the error;hid;concealed;revealed
the cup was _ by noon;empty;drained;full|the price of salt will _;rise;increase;fall
the nurse was _ with the children;gentle;tender;rough|the room was _ at night;silent;quiet;noisy
the judge thought the story _;false;untrue;true|the smith has a _ son;small;little;big
"""


def antonym() -> Iterator[Item]:
    for gap, word, equal, opposite in rows(ANTONYM, ";"):
        text, like, unlike = (f"{gap.replace('_', each)}." for each in (word, equal, opposite))
        yield from triple("antonym", gap, (text, unlike), (like, unlike))


#: Plain, its equal, what else looks like the equal, what else looks like the plain one.
QUANTIFIERS = {
    "all": ("all of the", "every one of the", "only some of the", "few of the"),
    "none": ("none of the", "not one of the", "just one of the", "some of the"),
    "most": ("most of the", "more than half of the", "less than half of the", "few of the"),
    "least": ("at least three of the", "no fewer than three of the",
              "no more than three of the", "at most three of the"),
    "most two": ("at most two of the", "no more than two of the",
                 "no fewer than two of the", "at least two of the"),
    "few": ("few of the", "not many of the", "almost all of the", "most of the"),
}  # fmt: skip
QUANTIFIER = """
all;guests left early|all;boats reached the harbor|all;lamps went out|all;hens laid an egg
none;witnesses spoke the truth|none;keys fitted the lock|none;letters arrived|none;miners went home
most;voters stayed at home|most;trees lost their leaves|most;books burned|most;children can swim
least;windows faced the street|least;roads were blocked|least;actors fell ill|least;bells cracked
most two;horses finished the race|most two;singers knew the words|most two;clocks stopped
most two;ships sank
few;soldiers came back|few;seeds sprouted|few;students passed|few;shops stayed open
"""


def quantifier() -> Iterator[Item]:
    for kind, did in rows(QUANTIFIER, ";"):
        plain, equal, like_equal, like_plain = (f"{each} {did}." for each in QUANTIFIERS[kind])
        yield from triple("quantifier", did, (plain, like_plain), (equal, like_equal))


#: A text with a gap, a number, its equal, what looks like the equal, what looks like the number.
NUMBER = """
the siege lasted _ in all;ten years;a decade;a century;five years
the hen laid _ eggs;twelve;a dozen;a hundred;eleven
the shop was shut for _ in August;seven days;a week;a month;nine days
the heirs received _ of the estate;fifty percent;one half;one third;thirty percent
the tailor rang the bell _;two times;twice;once;three times
the patient takes the pill _ a day;one time;once;twice;four times
the lecture takes _ on average;sixty minutes;an hour;a day;ninety minutes
the ferry leaves _ after the train;thirty minutes;half an hour;half a day;forty minutes
the work took _ longer than planned;twelve months;a year;a week;nine months
the treaty lasted _;one hundred years;a century;a decade;two hundred years
the sack weighs _;one thousand grams;a kilogram;a pound;two thousand grams
the rope is _ long;one hundred centimeters;a meter;a mile;two hundred centimeters
the judge spoke for _;fifteen minutes;a quarter of an hour;a quarter of an afternoon;fifty minutes
the mason cut the price by _;twenty-five percent;one quarter;one third;thirty-five percent
the miller owns _ mules;two;a pair of;a herd of;six
the baker sold _ rolls;twenty-four;two dozen;two hundred;thirty-four
the town has _ churches;twelve;a dozen;a hundred;seven
the trial lasted _;fourteen days;two weeks;two years;forty days
the child is _ old;twenty-four months;two years;six years;thirty-four months
the loan runs for _;thirty-six months;three years;nine years;forty-six months
the battle took place _ ago;two centuries;200 years;500 years;five centuries
the ladder has _ rungs;twenty;a score of;a handful of;forty
the king reigned for _;twenty years;two decades;two months;thirty years
the race is _ long;one thousand meters;a kilometer;a mile;five thousand meters
"""


def number() -> Iterator[Item]:
    for gap, *said in rows(NUMBER, ";"):
        one, equal, like_equal, like_one = (f"{gap.replace('_', each)}." for each in said)
        yield from triple("number", gap, (one, like_one), (equal, like_equal))


#: A woman, verb, a man, link, what one of them had done; or a man first.
COREFERENCE = """
widow;thanked;king;because;had won;she;he|duke;praised;queen;after;had spoken;he;she
nun;scolded;monk;because;had lied;she;he|uncle;visited;aunt;before;fell ill;he;she
bride;left;groom;because;was bored;she;he|waiter;warned;actress;because;was drunk;he;she
mother;called;son;when;woke up;she;he|father;hugged;daughter;after;came home;he;she
duchess;blamed;butler;although;was innocent;she;he|nephew;met;niece;before;moved abroad;he;she
grandmother;fed;grandson;because;felt hungry;she;he
prince;forgave;princess;although;was angry;he;she
"""


def coreference() -> Iterator[Item]:
    for a, verb, b, link, did, first, second in rows(COREFERENCE, ";"):
        yield from square(
            "coreference", a, "pronoun last",
            *(f"the {a} {verb} the {b} {link} {who} {did}."
              for who in (first, second, f"the {a}", f"the {b}")),
        )  # fmt: skip
        yield from square(
            "coreference", a, "clause first",
            f"the {a} {verb} the {b} {link} {first} {did}.",
            f"the {a} {verb} the {b} {link} {second} {did}.",
            f"{link} the {a} {did}, the {a} {verb} the {b}.",
            f"{link} the {b} {did}, the {a} {verb} the {b}.",
        )  # fmt: skip


#: Who, verb, verb in the past, the rest.
MODALITY = """
guest;leave;left;today|sailor;sell;sold;the boat|nurse;open;opened;the window
clerk;sign;signed;the form|lawyer;read;read;the file|gardener;cut;cut;the hedge
teacher;answer;answered;the question|driver;cross;crossed;the bridge|cook;use;used;the oven
soldier;wear;wore;the uniform|tenant;pay;paid;the rent|pilot;change;changed;the route
"""


def modality() -> Iterator[Item]:
    for who, do, did, what in rows(MODALITY, ";"):
        yield from square(
            "modality", who, "forbidden or not required",
            f"the {who} must not {do} {what}.", f"the {who} need not {do} {what}.",
            f"the {who} is not allowed to {do} {what}.",
            f"the {who} is not obliged to {do} {what}.",
        )  # fmt: skip
        yield from square(
            "modality", who, "certain or possible",
            f"the {who} certainly {did} {what}.", f"the {who} possibly {did} {what}.",
            f"there is no doubt that the {who} {did} {what}.",
            f"there is some chance that the {who} {did} {what}.",
        )  # fmt: skip


def rows(text: str, mark: str | None = None) -> Iterator[list[str]]:
    """Yield the fields of what stands between bars and line ends."""
    for line in text.replace("|", "\n").splitlines():
        if line.strip():
            yield line.strip().split(mark)


PHENOMENA = (
    passive, dative, genitive, converse, symmetry, nominalisation, comparison, order, particle,
    scope, it_cleft, wh_cleft, negation, double_negation, antonym, quantifier, number,
    coreference, modality,
)  # fmt: skip


def items() -> list[Item]:
    """Return all items."""
    return [item for phenomenon in PHENOMENA for item in phenomenon()]


if __name__ == "__main__":
    lines = ["\t".join(Item._fields), *("\t".join(item) for item in items())]
    sys.stdout.write("\n".join(lines) + "\n")
