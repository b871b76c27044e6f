"""Train a grid of spaces: one corpus read once, only what is missing; the table of a suite."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import logging
import platform
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Self

from lydite.corpora.preparation import Preparation
from lydite.corpora.tokens import tokenizer
from lydite.declare import Inline, Option, fields_of
from lydite.engine import current_engine
from lydite.errors import InputError, ResourceError
from lydite.files.plain import parse_json
from lydite.lexicons.neighbours import Neighbours
from lydite.models.vectors import VectorFile
from lydite.progress import Progress, current_progress, silent, watched_by
from lydite.recipe import Product, Recipe
from lydite.registry import nearest
from lydite.resources.catalogue import Located, remembered_sha256
from lydite.results.provenance import versions
from lydite.spaces.formats.safetensors import read_provenance
from lydite.spaces.formats.writing import write_space
from lydite.spaces.space import Space
from lydite.storage import check_output, locked, user_path
from lydite.trained.family import SpaceFamily
from lydite.trained.inputs import named, running_text
from lydite.trained.lexicons import Lexicon
from lydite.trained.parameters import check_kinds, parameters_by_key
from lydite.trained.retrofitting import retrofit
from lydite.trained.zoo.corpus import SharedCorpus, shared_corpus
from lydite.trained.zoo.families import FAMILIES, first_dimensions
from lydite.trained.zoo.grid import RETROFITTING, Grid, Member, Retrofitted
from lydite.types import PlainMapping

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Made:
    """Spaces on disk."""

    paths: tuple[Path, ...]
    trained: tuple[Path, ...]


def train_zoo(grid: Grid, folder: str | Path, *, about: PlainMapping | None = None) -> Made:
    """Train what is missing of a grid.

    The corpus is read once, and only if something has to be trained on it; co-occurrences are
    counted once for each kind of window, and factorized once for all dimensions. Each file is
    written as soon as its space is trained. A space whose file is whole and says that it was made
    from the same corpus by the same recipe is left as it is, any other is trained again. Lexicons
    that something has to be retrofitted to are read before anything is trained.

    - ``folder``: where the files go, ``NAME.safetensors`` each; made if absent. One process at a
      time trains into it, another one waits. If nothing is missing, nothing is written.
    """
    target = user_path(folder)
    if target.exists() and not target.is_dir():
        raise InputError(
            f"{folder}: expected a folder for the spaces, got a file", hint="name another folder"
        )
    corpora = running_text(grid.corpus)
    members = grid.members()
    for member in members:
        if isinstance(member, Retrofitted):
            member.lexicon.locate()
    with contextlib.closing(_Keeper(grid, corpora, target, about or {})) as keeper:
        # What is complete may be where nothing can be written.
        complete = all(map(keeper.has, members))
        trained = set() if complete else _train_missing(keeper, members, target)
    return Made(
        paths=tuple(map(keeper.path, members)),
        trained=tuple(keeper.path(member) for member in members if member.slug in trained),
    )


def _train_missing(keeper: _Keeper, members: Sequence[Member], folder: Path) -> set[str]:
    """Train what is missing, as the only one who does, and return what it is called."""
    trained: set[str] = set()
    done = 0
    for member in members:
        if not keeper.has(member):
            check_output(keeper.path(member))
    with _alone(folder):
        keeper.open_lexicons()
        for wave in _waves(members):
            missing = [part for part in wave if not all(map(keeper.has, part))]
            done += sum(map(len, wave)) - sum(map(len, missing))
            for part, made in _trained_parts(keeper, missing):
                current_progress()("spaces", done, len(members))
                trained.update(made)
                done += len(part)
        current_progress()("spaces", len(members), len(members))
    return trained


def _waves(members: Sequence[Member]) -> Iterator[list[tuple[Member, ...]]]:
    """Yield parts that can be trained at the same time: first the spaces, then those moved.

    One factorization gives all dimensions, so that spaces that differ in these are one part.
    """
    parts: list[list[Member]] = []
    for member in members:
        if not isinstance(member, SpaceFamily):
            continue
        for part in parts:
            first = part[0]
            if member.factorized and isinstance(first, SpaceFamily) and _alike(first, member):
                part.append(member)
                break
        else:
            parts.append([member])
    yield [tuple(part) for part in parts]
    yield [(member,) for member in members if isinstance(member, Retrofitted)]


def _trained_parts(
    keeper: _Keeper, parts: Sequence[tuple[Member, ...]]
) -> Iterator[tuple[tuple[Member, ...], list[str]]]:
    engine = current_engine()
    here = not engine.elsewhere and min(engine.width, len(parts)) <= 1
    if not here and parts:
        # Read once, here; workers that see the same cache map it.
        keeper.prepare()
    data = (keeper,) if here else (keeper.shared,)
    work = _make_here if here else _make_in_worker
    # With one process it is done here, and nothing is sent anywhere.
    with contextlib.closing(engine.run(work, parts, data=data, light=here)) as answers:
        for part, answer in answers:
            if isinstance(answer, Exception):
                raise answer
            yield part, answer


@dataclass(frozen=True, kw_only=True)
class _Shared:
    """What a worker needs to train some members of a grid."""

    grid: Grid
    folder: Path
    about: PlainMapping


def _make_here(part: tuple[Member, ...], keeper: _Keeper) -> list[str]:
    made = []
    for member in part:
        try:
            if keeper.make(member):
                made.append(member.slug)
        except InputError as error:
            # Of many spaces one is at fault: say which.
            raise InputError(f"{member.slug}: {error.message}", hint=error.hint) from error
    return made


#: What a worker keeps open: the corpus, its counts, its lexicons.
_kept: list[tuple[_Shared, _Keeper]] = []


def _make_in_worker(part: tuple[Member, ...], shared: _Shared) -> list[str]:
    if not (shared.folder / _LOCK).exists():
        raise ResourceError(
            f"{shared.folder} is not the folder of this zoo on the worker {platform.node()}",
            hint="train into a folder that all machines see at the same path",
        )
    if not _kept or _kept[0][0] != shared:
        corpora = running_text(shared.grid.corpus)
        while _kept:
            _kept.pop()[1].close()
        _kept.append((shared, _Keeper(shared.grid, corpora, shared.folder, shared.about)))
    return _make_here(part, _kept[0][1])


_LOCK: Final = ".lock"


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Be the only one that trains into a folder; wait for another one."""
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(locked(folder / _LOCK, wait=False))
        except BlockingIOError:
            logger.warning("%s: waiting for another training that is writing there", folder)
            held.enter_context(locked(folder / _LOCK))
        yield


def zoo_paths(grid: Grid, folder: str | Path) -> list[Path]:
    """Return where the spaces of a grid are, once they are trained."""
    return [user_path(folder) / f"{member.slug}.safetensors" for member in grid.members()]


class _Keeper:
    """Makes members that are missing or out of date."""

    def __init__(
        self,
        grid: Grid,
        corpora: Sequence[Located],
        folder: Path,
        about: PlainMapping,
    ) -> None:
        self._grid = grid
        self._folder = folder
        self._about = about
        # Removed with this object at the latest.
        self._work = tempfile.TemporaryDirectory(prefix="lydite-", ignore_cleanup_errors=True)
        self._corpus: SharedCorpus = shared_corpus(
            corpora, grid.preparation, Path(self._work.name), words=grid.words
        )
        self._source: dict[str, Any] = {
            "corpus": named(corpora),
            "preparation": dataclasses.asdict(grid.preparation),
            "first_words": grid.words,
        }
        self._factorized: tuple[SpaceFamily, Space] | None = None
        self._opened: dict[tuple[Lexicon, str], Neighbours] = {}

    @property
    def shared(self) -> _Shared:
        """What a worker needs to do the same."""
        return _Shared(grid=self._grid, folder=self._folder.absolute(), about=self._about)

    def close(self) -> None:
        """Remove what was kept while training."""
        self._work.cleanup()

    def prepare(self) -> None:
        """Read the corpus into the cache."""
        _ = self._corpus.encoded

    def path(self, member: Member) -> Path:
        return self._folder / f"{member.slug}.safetensors"

    def has(self, member: Member) -> bool:
        """Tell whether a member is there as it would be made."""
        if isinstance(member, Retrofitted) and not self.has(member.parent):
            return False
        path = self.path(member)
        return _same(read_provenance(path), self._facts(member)) and _is_whole(path)

    def open_lexicons(self) -> None:
        """Read the lexicons of what is missing: a broken one must not cost hours of training."""
        for member in self._grid.members():
            if isinstance(member, Retrofitted) and not self.has(member):
                self._neighbours(member.lexicon)

    def make(self, member: Member) -> bool:
        """Make a member unless it is there; tells whether it had to."""
        if self.has(member):
            return False
        logger.info("training %s", member.spec)
        facts = self._facts(member)
        if isinstance(member, Retrofitted):
            space, size = self._retrofitted(member)
        else:
            space, size = self._trained(member), {"text": self._corpus.size}
        write_space(
            space,
            self.path(member),
            provenance={**facts, **size, **self._about},
            progress=current_progress(),
        )
        return True

    def _facts(self, member: Member) -> dict[str, Any]:
        """Return what a member depends on; the parent of a retrofitted one has to be there."""
        facts = {**self._source, "recipe": member.recipe, "spec": member.spec}
        if isinstance(member, Retrofitted):
            facts["lexicon_sha256"] = member.lexicon.locate().sha256
            facts["parent_sha256"] = remembered_sha256(self.path(member.parent))
        return facts

    def _neighbours(self, lexicon: Lexicon) -> Neighbours:
        """Read a lexicon once, and again if its file is another by now."""
        key = lexicon, lexicon.locate().sha256
        if key not in self._opened:
            self._opened[key] = lexicon.open()
        return self._opened[key]

    def _retrofitted(self, member: Retrofitted) -> tuple[Space, dict[str, Any]]:
        how = dataclasses.asdict(member.retrofitting)
        parent = VectorFile.open(str(self.path(member.parent)))
        moved = retrofit(parent, self._neighbours(member.lexicon), **how)
        return moved.space, {"moved": moved.moved, "edges": moved.edges}

    def _trained(self, member: SpaceFamily) -> Space:
        if not member.factorized:
            return member.train(self._corpus)
        trained = [each for each in self._grid.members() if isinstance(each, SpaceFamily)]
        dims = [each["dim"] for each in trained if _alike(each, member)]
        # Of all dimensions of the grid, not those that are missing: so that a training that was
        # interrupted gives the same bits.
        largest = member.completed({"dim": max(dims)})
        if self._factorized is None or self._factorized[0] != largest:
            self._factorized = largest, largest.train(self._corpus)
        return first_dimensions(self._factorized[1], member["dim"], normalise=member["normalise"])


def _alike(one: SpaceFamily, other: SpaceFamily) -> bool:
    """Tell whether two members differ in their dimensions at most."""
    return {**one.recipe, "dim": 0} == {**other.recipe, "dim": 0}


def _same(found: PlainMapping | None, facts: PlainMapping) -> bool:
    """Tell whether a file says that it was made from the same by the same recipe."""
    if found is None:
        return False
    return _compared(found) == _compared(json.loads(json.dumps(facts)))


def _is_whole(path: Path) -> bool:
    """Tell whether a file has all the bytes that its beginning promises."""
    import safetensors

    try:
        with safetensors.safe_open(path, framework="np"):
            return True
    except safetensors.SafetensorError:
        return False


def _completed(recipe: Any) -> Any:  # noqa: ANN401 - whatever a file says
    """Add the parameters that came later, as usual: a file without them was made so."""
    if not isinstance(recipe, dict):
        return recipe
    kind = FAMILIES.get(str(recipe.get("architecture")))
    found = {"version": 1, **(kind.parameters if kind else {}), **recipe}
    return {**found, "parent": _completed(found["parent"])} if "parent" in found else found


def _compared(facts: PlainMapping) -> dict[str, Any]:
    names = ("preparation", "first_words", "lexicon_sha256", "parent_sha256")
    # Not the name of the corpus: a path may be written in many ways.
    digests = [each.get("sha256") for each in facts.get("corpus", ())]
    recipe = _completed(facts.get("recipe"))
    return {"corpus": digests, "recipe": recipe, **{name: facts.get(name) for name in names}}


_TABLES: Final = (*FAMILIES, RETROFITTING)


@dataclass(frozen=True, kw_only=True)
class Zoo(Recipe):
    """Train a grid of spaces: every model with every dimension and every window.

    The corpus is read once. Spaces that already exist, from the same corpus and recipe, are not
    trained again, so the same command continues after an interruption. Epochs, negative samples,
    subsampling, learning rate and threads apply to the skip-gram family; set those of the others
    with --set.
    """

    name: ClassVar[str] = "zoo"
    parallel: ClassVar[bool] = True
    examples: ClassVar[tuple[str, ...]] = (
        "train zoo --corpus book.txt --models skipgram,glove,lsa --dim 50,100 --out zoo",
        "train zoo --corpus wikipedia-2014-20m --models skipgram,cbow,glove --dim 100,200,300 "
        "--workers 2 --retrofit ppdb-xl --retrofitted glove --set glove.x_max=10 --out zoo",
        "similarity zoo/*.safetensors --pairs ws-353 men simlex-999",
    )

    # As the user wrote it.
    folder: Annotated[str, Option("folder", "The folder of the spaces.", kind=Path, option="out")]
    grid: Annotated[Grid, Inline()]

    @classmethod
    def of_options(cls, values: Mapping[str, Any]) -> Self:
        """Make a zoo of the values of a command's options."""
        written = {"folder": str(values["folder"]), "options": _settings(values["options"])}
        return super().of_options({**values, **written})

    @classmethod
    def of_table(cls, table: Mapping[str, Any]) -> Zoo:
        """Read the table ``[zoo]`` of a suite."""
        fields = [each.name for each in dataclasses.fields(Grid) if each.name != "options"]
        _check_keys("zoo", table, ["folder", *fields, *_TABLES])
        for key in ("folder", "corpus", "families"):
            if key not in table:
                raise InputError(
                    f"expected [zoo] to have a key {key!r}",
                    hint='[zoo] folder = "zoo" corpus = ["book.txt"] families = ["skipgram"]',
                )
        if not isinstance(table["folder"], str) or not table["folder"]:
            raise InputError(f"expected 'folder' of [zoo] to be a text, got {table['folder']!r}")
        values = {key: value for key, value in table.items() if key in fields}
        lists = {each.name: each.kind for each in fields_of(Grid) if each.several}
        values |= {key: _list(key, table[key], kind) for key, kind in lists.items() if key in table}
        if "preparation" in table:
            values["preparation"] = _preparation(_table("preparation", table["preparation"]))
        options = {key: _table(key, table[key]) for key in _TABLES if key in table}
        return cls(grid=Grid(**values, options=options), folder=table["folder"])

    def run(self) -> Product:
        """Train what is missing."""
        made = self.train(current_progress())
        kept = len(made.paths) - len(made.trained)
        return Product(
            line=f"{len(made.trained)} spaces trained, {kept} already existed: {self.folder}"
        )

    def train(self, progress: Progress = silent) -> Made:
        """Train what is missing."""
        with watched_by(progress):
            return train_zoo(self.grid, self.folder, about={"versions": versions()})

    @property
    def models(self) -> tuple[str, ...]:
        """The paths of the spaces, in the order of the grid."""
        return tuple(path.as_posix() for path in zoo_paths(self.grid, self.folder))

    def to_toml(self) -> str:
        """Write the table; what is as usual is left out.

        >>> grid = Grid(corpus=("book.txt",), families=("glove",), options={"glove": {"x_max": 10}})
        >>> print(Zoo(grid=grid, folder="zoo").to_toml())
        [zoo]
        folder = "zoo"
        corpus = ["book.txt"]
        families = ["glove"]
        <BLANKLINE>
        [zoo.glove]
        x_max = 10
        <BLANKLINE>
        """
        lines = ["[zoo]", f"folder = {_written(self.folder)}"]
        for each in dataclasses.fields(Grid):
            value = getattr(self.grid, each.name)
            if each.name not in {"options", "preparation"} and value != each.default:
                lines.append(f"{each.name} = {_written(value)}")
        tables: dict[str, Mapping[str, Any]] = dict(self.grid.options)
        usual = dataclasses.asdict(Preparation())
        own = dataclasses.asdict(self.grid.preparation)
        tables["preparation"] = {k: v for k, v in own.items() if v != usual[k]}
        for name, table in tables.items():
            if table:
                lines += ["", f"[zoo.{name}]"]
                lines += [f"{key} = {_written(value)}" for key, value in table.items()]
        return "\n".join([*lines, ""])


def _check_keys(name: str, table: Mapping[str, Any], known: Sequence[str]) -> None:
    for key in table:
        if key not in known:
            close = nearest(key, known, most=1)
            raise InputError(
                f"[{name}] has an unknown key {key!r}",
                hint=(f"did you mean {close[0]}? " if close else "")
                + f"there are {', '.join(known)}",
            )


def _list(key: str, value: object, kind: type) -> tuple[Any, ...]:
    """Return a list of one kind; a single value is one of its own."""
    values = value if isinstance(value, list) else [value]
    if not all(type(each) is kind for each in values):
        what = "whole numbers" if kind is int else "texts"
        raise InputError(f"expected {key!r} of [zoo] to be a list of {what}, got {value!r}")
    return tuple(values)


def _table(key: str, value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(
            f"expected [zoo.{key}] to be a table, got {value!r}",
            hint=f"[zoo.{key}] on a line of its own, then key = value",
        )
    return value


def _preparation(table: dict[str, Any]) -> Preparation:
    fields = parameters_by_key(Preparation)
    _check_keys("zoo.preparation", table, list(fields))
    check_kinds(Preparation, table)
    for key, value in table.items():
        choices = fields[key].choices
        if choices and value not in choices:
            raise InputError(
                f"expected {key} of [zoo.preparation] among {', '.join(choices)}, got {value!r}"
            )
    preparation = Preparation(**table)
    tokenizer(preparation.tokenizer)
    return preparation


def _settings(given: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Read ``glove.x_max=10`` as options of families."""
    found: dict[str, dict[str, Any]] = {}
    for text in given:
        name, equals, value = text.partition("=")
        family, point, key = name.strip().rpartition(".")
        if not (equals and point and family and key):
            raise InputError(
                f"expected MODEL.KEY=VALUE for --set, got {text!r}", hint="--set glove.x_max=10"
            )
        found.setdefault(family, {})[key] = _read(value.strip())
    return found


def _read(text: str) -> Any:  # noqa: ANN401 - whatever was written
    try:
        return parse_json(text)
    except ValueError:
        return text


def _written(value: object) -> str:
    """Write a value as TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, str):
        # A JSON string is a TOML basic string, but for DEL, which TOML wants escaped.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    return repr(value)
