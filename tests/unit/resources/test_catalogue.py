from __future__ import annotations

import hashlib
import os
import re
import zipfile
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest

from lydite.errors import ChecksumError, InputError, ResourceError, UnknownNameError
from lydite.resources.card import Archive, Card, CardFile, read_citations
from lydite.resources.catalogue import (
    CATALOGUE,
    Catalogue,
    citation,
    find,
    locate,
    locate_card,
    names,
    verify,
)
from lydite.storage import sha256_file

CARDS = Path(str(resources.files("lydite.resources"))) / "cards"

# Read before the fixture below takes it away: where the real data is, if it is here.
REAL_DATA = os.environ.get("LYDITE_DATA")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    cache = tmp_path / "cache"
    monkeypatch.setenv("LYDITE_CACHE", str(cache))
    monkeypatch.delenv("LYDITE_DATA", raising=False)
    return cache


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("LYDITE_DATA", str(folder))
    return folder


def sha(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def card(*bodies: bytes, url: str | None = None) -> Card:
    files = tuple(
        CardFile(path=f"toy/{index}.txt", sha256=sha(body), bytes=len(body), url=url)
        for index, body in enumerate(bodies)
    )
    return Card(
        name="toy",
        title="Toy",
        kind="corpus",
        format="text",
        licence="CC0 1.0",
        redistributable=True,
        citation="lydite",
        source="the toy shop",
        files=files,
    )


def put(root: Path, path: str, body: bytes) -> Path:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(body)
    return target


class TestRealCards:
    @pytest.mark.parametrize("name", names())
    def test_a_card_is_valid_and_cites_references_that_exist(self, name: str) -> None:
        card = find(name)
        assert card.name == name
        for key in (card.citation, *card.also_cite):
            assert str(citation(key).year) in citation(key).text

    def test_every_reference_is_cited(self) -> None:
        cited = {key for name in names() for key in (find(name).citation, *find(name).also_cite)}
        assert cited == set(read_citations(CARDS / "citations.toml"))

    def test_addresses_are_pinned_to_a_commit(self) -> None:
        for name in names():
            for file in find(name).files:
                if file.url:
                    _, _, host, _, _, commit, *_ = file.url.split("/")
                    assert host == "raw.githubusercontent.com"
                    assert re.fullmatch("[0-9a-f]{40}", commit)

    def test_one_path_has_one_content(self) -> None:
        contents: dict[str, set[str]] = {}
        for name in names():
            for file in find(name).files:
                contents.setdefault(file.path, set()).add(file.sha256)
        assert {path for path, hashes in contents.items() if len(hashes) > 1} == set()

    @pytest.mark.parametrize("name", [name for name in names() if find(name).starter])
    def test_starter_data_is_in_the_package_as_pinned(self, name: str) -> None:
        assert {status for _, status in verify(name)} == {"ok"}
        assert locate(name).card == find(name)

    @pytest.mark.skipif(not REAL_DATA, reason="LYDITE_DATA does not point at the real data")
    @pytest.mark.parametrize("name", names())
    def test_real_files_are_the_pinned_ones(
        self, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("LYDITE_DATA", str(REAL_DATA))
        assert {status for _, status in verify(name)} == {"ok"}


class TestLocateByName:
    def test_the_data_folder_comes_before_the_cache(self, data: Path, own_cache: Path) -> None:
        wanted = card(b"body")
        inside = put(own_cache / "resources/toy", "toy/0.txt", b"body")
        assert locate_card(wanted).paths == (inside,)
        given = put(data, "toy/0.txt", b"body")
        located = locate_card(wanted)
        assert located.paths == (given,)
        assert located.sha256 == sha(b"body")
        assert located.card is wanted

    def test_a_complete_cache_is_preferred_to_a_mixture(self, data: Path, own_cache: Path) -> None:
        wanted = card(b"one", b"two")
        put(data, "toy/0.txt", b"one")
        put(own_cache / "resources/toy", "toy/1.txt", b"two")
        assert [path.parents[1] for path in locate_card(wanted).paths] == [
            data,
            own_cache / "resources/toy",
        ]
        put(own_cache / "resources/toy", "toy/0.txt", b"one")
        assert locate_card(wanted).folder == own_cache / "resources/toy/toy"

    def test_several_files_have_one_sha256_whatever_their_order(self, data: Path) -> None:
        put(data, "toy/0.txt", b"one")
        put(data, "toy/1.txt", b"two")
        lines = "".join(sorted(f"{sha(body)}\n" for body in (b"one", b"two")))
        assert locate_card(card(b"one", b"two")).sha256 == sha(lines.encode())

    def test_a_missing_file_that_can_be_fetched_says_how(self) -> None:
        with pytest.raises(ResourceError, match=r"toy/0\.txt not found in the cache") as caught:
            locate_card(card(b"body", url="https://example.org/0.txt"))
        assert caught.value.hint == "lydite data fetch toy"

    def test_a_missing_file_without_address_says_where_to_get_and_put_it(
        self, own_cache: Path
    ) -> None:
        with pytest.raises(ResourceError) as caught:
            locate_card(card(b"body"))
        hint = str(caught.value.hint)
        assert "no public pinned source: get the file from the toy shop" in hint
        assert "the toy shop" in hint
        assert str(own_cache / "resources/toy/toy/0.txt") in hint

    def test_a_data_folder_that_is_none_is_mentioned(self, data: Path) -> None:
        data.rmdir()
        with pytest.raises(ResourceError, match="which is not a folder"):
            locate_card(card(b"body"))

    def test_another_size_is_found_at_once(self, data: Path) -> None:
        put(data, "toy/0.txt", b"longer body")
        with pytest.raises(ChecksumError, match="expected 4 bytes, got 11"):
            locate_card(card(b"body"))

    def test_another_content_of_the_same_size_is_found(self, data: Path) -> None:
        put(data, "toy/0.txt", b"BODY")
        message = f"expected sha256 {sha(b'body')}, got {sha(b'BODY')}"
        with pytest.raises(ChecksumError, match=message):
            locate_card(card(b"body"))

    def test_a_file_is_hashed_once_until_it_is_touched(
        self, data: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        hashed: list[Path] = []

        def counted(path: Path) -> str:
            hashed.append(path)
            return sha256_file(path)

        monkeypatch.setattr("lydite.resources.catalogue.sha256_file", counted)
        path = put(data, "toy/0.txt", b"body")
        locate_card(card(b"body"))
        locate_card(card(b"body"))
        assert len(hashed) == 1
        path.write_bytes(b"BODY")
        os.utime(path, ns=(1, 1))
        with pytest.raises(ChecksumError):
            locate_card(card(b"body"))
        assert len(hashed) == 2

    def test_a_cache_that_cannot_be_made_is_no_obstacle(
        self, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        put(tmp_path, "a-file", b"")
        monkeypatch.setenv("LYDITE_CACHE", str(tmp_path / "a-file" / "cache"))
        put(data, "toy/0.txt", b"body")
        assert locate_card(card(b"body")).sha256 == sha(b"body")

    def test_members_are_unpacked_from_an_archive_at_hand(
        self, data: Path, own_cache: Path
    ) -> None:
        packed = data / "toy.zip"
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("in/0.txt", b"body")
        body = packed.read_bytes()
        member = CardFile(path="toy/0.txt", sha256=sha(b"body"), bytes=4, member="in/0.txt")
        pinned = Archive(path="toy.zip", sha256=sha(body), bytes=len(body))
        wanted = replace(card(b"body"), files=(member,), archive=pinned)
        assert locate_card(wanted).single() == own_cache / "resources/toy/toy/0.txt"
        assert list(data.iterdir()) == [packed]

    def test_verify_hashes_again_and_says_what_is_wrong(self, data: Path) -> None:
        wanted = find("semcor-supersenses")
        oracle, licence = wanted.files
        put(data, oracle.path, b"x" * oracle.bytes)
        assert verify(wanted.name)[0] == (data / oracle.path, "wrong checksum")
        put(data, oracle.path, b"x")
        assert [status for _, status in verify(wanted.name)] == ["wrong size", "missing"]
        assert verify(wanted.name)[1].path.name == Path(licence.path).name

    def test_a_misspelt_name_gets_a_suggestion(self) -> None:
        with pytest.raises(UnknownNameError, match="did you mean simlex-999"):
            locate("simlex-99")
        with pytest.raises(UnknownNameError, match="did you mean hill-2015"):
            citation("hil-2015")


class TestLocateByPath:
    def test_a_users_own_file_works_where_a_name_does(self, tmp_path: Path) -> None:
        path = put(tmp_path, "pairs.tsv", b"a\tb\t1\n")
        located = locate(str(path))
        assert located.single() == path
        assert located.name == str(path)
        assert located.sha256 == sha(b"a\tb\t1\n")
        assert located.card is None
        assert locate(path) == located

    def test_a_folder_gives_its_visible_files_in_order(self, tmp_path: Path) -> None:
        mine = tmp_path / "mine"
        second = put(mine, "sub/b.txt", b"two")
        first = put(mine, "a.txt", b"one")
        put(mine, ".hidden", b"three")
        located = locate(mine)
        assert located.paths == (first, second)
        assert located.folder == mine
        assert located.named("b.txt") == second
        listed = f'[["a.txt", "{sha(b"one")}"], ["sub/b.txt", "{sha(b"two")}"]]'
        assert located.sha256 == sha(listed.encode())

    def test_files_that_change_places_are_other_data(self, tmp_path: Path) -> None:
        train = put(tmp_path / "mine", "train.txt", b"one")
        test = put(tmp_path / "mine", "test.txt", b"two")
        for path in (train, test):
            # Of one size and one time, as out of an archive.
            os.utime(path, ns=(10**18, 10**18))
        before = locate(tmp_path / "mine").sha256
        train.rename(tmp_path / "spare")
        test.rename(train)
        (tmp_path / "spare").rename(test)
        assert locate(tmp_path / "mine").sha256 != before

    def test_a_file_alone_is_the_same_under_any_name(self, tmp_path: Path) -> None:
        path = put(tmp_path, "folder/sub/train.txt", b"one")
        assert locate(tmp_path / "folder").sha256 == sha(b"one")
        path.rename(path.with_name("other.txt"))
        assert locate(tmp_path / "folder").sha256 == sha(b"one")

    def test_a_folder_may_be_moved(self, tmp_path: Path) -> None:
        put(tmp_path, "here/a.txt", b"one")
        put(tmp_path, "here/b.txt", b"two")
        before = locate(tmp_path / "here").sha256
        (tmp_path / "here").rename(tmp_path / "there")
        assert locate(tmp_path / "there").sha256 == before

    def test_a_name_means_the_card_and_a_separator_the_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        put(tmp_path, "starter-similarity", b"mine")
        monkeypatch.chdir(tmp_path)
        assert locate("starter-similarity").card is not None
        assert locate("./starter-similarity").sha256 == sha(b"mine")
        assert locate(Path("starter-similarity")).sha256 == sha(b"mine")

    def test_the_home_folder_may_be_abbreviated(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setenv("USERPROFILE", str(tmp_path))
        path = put(tmp_path, "pairs.tsv", b"a")
        assert locate("~/pairs.tsv").single() == path

    def test_an_absent_path_is_said_to_be_absent(self, tmp_path: Path) -> None:
        with pytest.raises(ResourceError, match="no such file or folder"):
            locate(str(tmp_path / "absent.txt"))
        with pytest.raises(ResourceError, match="no such file or folder"):
            locate(Path("simlex-999"))

    def test_an_empty_folder_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        with pytest.raises(ResourceError, match="contains no files"):
            locate(tmp_path / "empty")

    def test_one_file_is_asked_of_several(self, tmp_path: Path) -> None:
        put(tmp_path, "mine/a.txt", b"one")
        put(tmp_path, "mine/b.txt", b"two")
        located = locate(tmp_path / "mine")
        with pytest.raises(InputError, match="expected one file, got 2"):
            located.single()
        with pytest.raises(ResourceError, match=r"expected a file c\.txt, got a\.txt, b\.txt"):
            located.named("c.txt")


class TestPlugins:
    @pytest.fixture
    def installed(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """Return a folder on the path with a distribution whose entry points are written below."""
        site = tmp_path / "site"
        put(site, "toys-1.0.dist-info/METADATA", b"Metadata-Version: 2.1\nName: toys\nVersion: 1\n")
        monkeypatch.syspath_prepend(str(site))
        return site

    def declare(self, site: Path, module: str, source: str, *points: str) -> Catalogue:
        put(site, f"{module}.py", source.encode())
        lines = [f"{point} = {module}:{point}" for point in points]
        text = "\n".join(["[lydite.resources]", *lines, ""])
        put(site, "toys-1.0.dist-info/entry_points.txt", text.encode())
        return Catalogue(CARDS)

    def test_cards_come_from_a_folder_and_from_a_callable(self, installed: Path) -> None:
        toml = (CARDS / "rg-65.toml").read_text(encoding="utf-8")
        put(installed, "toys/toy-65.toml", toml.replace("rg-65", "toy-65").encode())
        source = (
            "from dataclasses import replace\nfrom pathlib import Path\n"
            "from lydite.resources import find\nfolder = Path(__file__).parent / 'toys'\n"
            "def cards():\n    return [replace(find('mc-30'), name='toy-30')]\n"
        )
        known = self.declare(installed, "toys_good", source, "folder", "cards")
        assert {"toy-65", "toy-30", "simlex-999"} <= set(known)
        assert known.find("toy-65").kind == "similarity"
        assert "toy-30" in known

    def test_a_broken_plugin_is_a_warning(
        self, installed: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        source = "number = 3\ndef cards():\n    raise OSError('no toys today')\n"
        known = self.declare(installed, "toys_broken", source, "number", "cards", "absent")
        assert set(known) == set(CATALOGUE)
        messages = [record.getMessage() for record in caplog.records]
        assert len(messages) == 3
        assert any("no toys today" in message for message in messages)
        assert any("expected a folder or a callable" in message for message in messages)

    def test_a_plugin_cannot_replace_a_card(
        self, installed: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        source = (
            "from dataclasses import replace\nfrom lydite.resources import find\n"
            "def cards():\n    return [replace(find('mc-30'), title='mine')]\n"
        )
        known = self.declare(installed, "toys_double", source, "cards")
        assert set(known) == set(CATALOGUE)
        assert known.find("mc-30").title != "mine"
        assert "'mc-30' exists already" in caplog.text
