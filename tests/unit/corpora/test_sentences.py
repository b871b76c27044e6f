from __future__ import annotations

import pytest

from lydite.corpora.preparation import split_sentences

# A bar stands where a sentence is to end.
ENGLISH = [
    "One sentence only.",
    "No mark at the end",
    "It rains. | It pours.",
    "Is it so? | It is! | Very well.",
    "What?! | No.",
    "Mr. Allen promises much.",
    "So says Mrs. Hill. | Dr. Reinsch was careful.",
    "Messrs. Allen and Spencer invoke it.",
    "Prof. James and St. Thomas agree.",
    "They met Gen. Lee and Col. Hay there.",
    "W. James wrote it.",
    "It was edited by L. A. Selby-Bigge in Oxford.",
    "C. S. Peirce and J. S. Mill differ.",
    "He quotes G. E. Moore. | The reply is short.",
    "So did I. | The rest followed.",
    "The vitamin is C. | The other is not.",
    "Some animals, e.g. Dogs, bark.",
    "The latter, i.e. Hume, denied it.",
    "Compare cf. Kant on this.",
    "It was Smith vs. Jones again.",
    "See p. 5 and pp. 7 ff. for more.",
    "See vol. ii. p. 7 of it.",
    "This is in Psychology, i. 460. | See also the next.",
    "See Fig. 3 and Eq. 4 there.",
    "Read chap. XIV before it.",
    "It is No. 5 of the series.",
    "Is there any? | No. | Does it matter?",
    "We prefer science to art. | The one is cold.",
    "Apples, pears, etc. were sold.",
    "Apples, pears, etc. | The rest was eaten.",
    "Smith et al. Found nothing.",
    "Smith et al. | They found nothing.",
    "It was founded by Brown Bros. Ltd. in 1905.",
    "He lives in the U.S. Army barracks.",
    "He lives in the U.S. | He likes it.",
    "She came at 5 p.m. on Monday.",
    "She came at 5 p.m. | Then she left.",
    "It weighs 3.5 kg and costs 1,000.50 in all.",
    "The value is 3.14. | That is pi.",
    "It happened in 1905. | Three men saw it.",
    "It happened in 1905. | 300 men saw it.",
    "Version 2.0.1 is out. | Get it.",
    "Open www.example.org or a file.txt now.",
    '"Is it true?" he asked.',
    '"It is true!" cried she. | "It is."',
    '"It is true." | He left.',
    'He said, "Go." | She went.',
    "“It is true.” | “Is it?” | “Yes.”",
    "'Tis so.' | He nodded.",
    "He came (see below). | She went.",
    "He came. | (She did not.) | They left.",
    "It ended . . . and began anew.",
    "It ended. . . . | The next began.",
    "He paused... then went on.",
    "He paused... | Then he went on.",
    "He paused… | Then he went on.",
    "1. Moral philosophy is first.",
    "II. We may hold that it is. | III. We may not.",
    "a. The first case is easy.",
    "It is one thing: The other is another.",
    "He left; She stayed.",
    "So it goes.--The end is near.",
    "The book is done.[3] | The next begins.",
    "The work _ended._ | _Another_ began.",
    "Ph.D. students read it.",
    "It was in Jan. 1905 that he left.",
    "The year 44 B.C. was bad.",
    "Is 'what is it?' a question? | Perhaps.",
    "Élan is French. | Über is German.",
    "He wrote to Sir J. Smith, Esq. of London.",
    "The editor, Univ. Press, has it.",
    "The line ends -- so. | -- Another starts.",
    "The I. W. W. was founded.",
    "He came in. | Peter sat. | Mary left.",
    "Buy Yahoo! shares now.",
]

OTHERS = [
    ("de", "Das ist gut. | Das ist besser! | Oder?"),
    ("de", "Dr. Meier kam am 3. Mai an."),
    ("de", "Er bringt Bücher usw. mit, z. B. das von Prof. Müller. | Gut."),
    ("de", "Das steht in Kap. 3 des 2. Bandes. | Im 19. Jahrhundert war es anders."),
    ("de", "Er war 19. | Dann ging er. | Ludwig XIV. war König."),
    ("de", "»Kommst du?« fragte sie. | Er sagte: „Nein. | Ich bleibe.“ | Dann ging sie."),
    ("fr", "Il vient… | Elle part."),
    ("fr", "M. Swann est venu hier. | Mme Verdurin l'attendait."),
    ("fr", "«Vous venez?» dit-il. | «Non!» répondit Mlle Vinteuil. | «Je reste. | Adieu.» | Bon."),
    ("es", "El Sr. García vive en Madrid. | ¿Quién lo sabe? | ¡Nadie!"),
    ("it", "Il Dott. Rossi è arrivato. | È tardi."),
    ("ja", "今日は。| 行きます。"),
    ("zh", "他说：“好。”| 走了！"),
    ("hi", "यह अच्छा है। | वह भी।"),
]


def sentences(marked: str) -> list[str]:
    return [each.strip() for each in marked.split("|")]


@pytest.mark.parametrize("marked", ENGLISH)
def test_english_is_cut_where_a_reader_would(marked: str) -> None:
    assert split_sentences(marked.replace("| ", "")) == sentences(marked)


@pytest.mark.parametrize(("language", "marked"), OTHERS)
def test_other_languages_are_cut_at_their_marks(language: str, marked: str) -> None:
    joined = marked.replace("| ", "").replace("|", "")
    assert split_sentences(joined, language) == sentences(marked)


@pytest.mark.parametrize("blank", ["", "   ", "\n"])
def test_nothing_has_no_sentences(blank: str) -> None:
    assert split_sentences(blank) == []


def test_nothing_is_lost() -> None:
    text = " ".join(marked.replace("| ", "") for marked in ENGLISH)
    assert " ".join(split_sentences(text)) == text
