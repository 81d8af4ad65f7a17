"""A campaign is one TOML file: what is asked, of whom, how often, and in which words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

from grice.core.errors import InputError, bad_line, unknown
from grice.core.files import read_text
from grice.core.scale import Answer

INSTRUMENTS = ("probability", "likert", "labels", "pragmatic", "scale")
ACCESS = ("open", "link", "invited", "platform")
TOGETHER = ("premise", "group", "nothing")
T = TypeVar("T")
N = TypeVar("N", int, float)


@dataclass(frozen=True)
class Known:
    """A pair whose answer is known: of the qualification test, or to see whether someone is reading."""

    premise: str
    answer: Answer
    hypothesis: str | None = None
    easy: bool = False
    tolerance: float | None = None


@dataclass(frozen=True)
class Work:
    """How often each pair is asked and how pages are made; None takes what the instrument's paper did."""

    redundancy: int | None = None
    third_when: int | None = None
    per_page: int | None = None
    together: str | None = None
    most_per_person: int = 0
    claim_minutes: float = 60.0
    least_seconds: float = 1.0
    discussion_turns: int = 3


@dataclass(frozen=True)
class Qualification:
    """The test before work; the defaults are UNLI's (their appendix A.1)."""

    items: tuple[Known, ...]
    attempts: int = 1
    pearson: float = 0.7
    spearman: float = 0.4
    tolerance: float = 0.25
    share: float = 0.8


@dataclass(frozen=True)
class People:
    """Who may answer, how they arrive and how they leave."""

    access: str = "open"
    most: int = 0
    invitations: int = 0
    parameter: str = "PROLIFIC_PID"
    completion_url: str = ""
    completion_code: str = ""
    failed_url: str = ""


@dataclass(frozen=True)
class Texts:
    """What people read, in Markdown."""

    consent: str = ""
    instructions: str = ""
    examples: str = ""
    thanks: str = ""


@dataclass(frozen=True)
class Campaign:
    path: Path
    title: str
    dataset: str
    instrument: str
    columns: Mapping[str, str] = field(default_factory=dict)
    database: str = ""
    seed: int = 0
    subtypes: tuple[str, ...] = ()
    work: Work = Work()
    people: People = People()
    texts: Texts = Texts()
    qualification: Qualification | None = None
    attention: tuple[Known, ...] = ()
    attention_every: int = 4
    attention_misses: int = 0

    @property
    def address(self) -> str:
        """Where the answers are kept: a PostgreSQL address, or a SQLite file beside the campaign."""
        if "://" in self.database:
            return self.database
        file = self.database or f"{self.path.stem}.sqlite"
        return f"sqlite:///{self.path.parent / file}"

    @property
    def name(self) -> str:
        return self.path.stem


def read_campaign(path: Path) -> Campaign:
    """Read and check a campaign; whatever is wrong is named with its line."""
    text = read_text(path)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"\(at (?:line (\d+)|end of document)", str(error))
        line = int(found[1]) if found and found[1] else text.count("\n") + 1
        fact = re.sub(r" \(at .*\)", "", str(error))
        raise bad_line(
            path, line, f"not TOML ({fact})", "see docs/collect.md for a campaign's form"
        ) from None
    top = Section(path, text, "", values)
    campaign = Campaign(
        path=path,
        title=top.words("title"),
        dataset=_dataset(path, top.words("dataset")),
        instrument=top.one_of("instrument", INSTRUMENTS),
        columns={key: str(value) for key, value in top.table("columns").values.items()},
        database=top.words("database", ""),
        seed=top.whole("seed", 0),
        subtypes=top.list_of_words("subtypes"),
        work=_work(top.table("work")),
        people=_people(top.table("people")),
        texts=_texts(top.table("texts")),
        qualification=_qualification(top.table("qualification")),
        attention=tuple(map(_known, top.tables("attention"))),
        attention_every=top.whole("attention_every", 4, low=1),
        attention_misses=top.whole("attention_misses", 0),
    )
    top.finish()
    return campaign


def _dataset(path: Path, name: str) -> str:
    """A file is looked for beside the campaign; anything else is the name of a dataset."""
    beside = path.parent / name
    return str(beside) if beside.is_file() else name


def _work(section: Section) -> Work:
    work = Work(
        redundancy=section.maybe_whole("redundancy", low=1),
        third_when=section.maybe_whole("third_when", low=0),
        per_page=section.maybe_whole("per_page", low=1, high=50),
        together=section.one_of("together", TOGETHER, "") or None,
        most_per_person=section.whole("most_per_person", 0),
        claim_minutes=section.number("claim_minutes", 60.0, low=0.01),
        least_seconds=section.number("least_seconds", 1.0, low=0.0),
        discussion_turns=section.whole("discussion_turns", 3),
    )
    section.finish()
    return work


def _people(section: Section) -> People:
    people = People(
        access=section.one_of("access", ACCESS, "open"),
        most=section.whole("most", 0),
        invitations=section.whole("invitations", 0),
        parameter=section.words("parameter", "PROLIFIC_PID"),
        completion_url=section.address("completion_url"),
        completion_code=section.words("completion_code", ""),
        failed_url=section.address("failed_url"),
    )
    if people.access == "invited" and not people.invitations:
        raise section.wrong("access", "'invited' without invitations", "say how many: invitations = 20")
    section.finish()
    return people


def _texts(section: Section) -> Texts:
    texts = Texts(*(section.words(key, "") for key in ("consent", "instructions", "examples", "thanks")))
    section.finish()
    return texts


def _qualification(section: Section) -> Qualification | None:
    items = tuple(map(_known, section.tables("items")))
    test = Qualification(
        items,
        attempts=section.whole("attempts", 1, low=1),
        pearson=section.number("pearson", 0.7, low=-1.0, high=1.0),
        spearman=section.number("spearman", 0.4, low=-1.0, high=1.0),
        tolerance=section.number("tolerance", 0.25, low=0.0, high=1.0),
        share=section.number("share", 0.8, low=0.0, high=1.0),
    )
    section.finish()
    return test if items else None


def _known(section: Section) -> Known:
    answer = section.take("answer")
    if isinstance(answer, bool) or not isinstance(answer, int | float | str):
        raise section.wrong("answer", f"the answer {answer!r}", "give a label in quotes, or a number")
    known = Known(
        premise=section.words("premise"),
        answer=answer,
        hypothesis=section.words("hypothesis", "") or None,
        easy=bool(section.take("easy", False)),
        tolerance=None if "tolerance" not in section.values else section.number("tolerance", 0.0, low=0.0),
    )
    section.finish()
    return known


_NEEDED = object()


@dataclass
class Section:
    """One table of the file; reading a key takes it out, so that what remains is unknown."""

    path: Path
    text: str
    name: str
    values: dict[str, Any]

    def wrong(self, key: str, fact: str, remedy: str) -> InputError:
        return bad_line(self.path, _line_of(self.text, self.name, key), fact, remedy)

    def take(self, key: str, default: Any = _NEEDED) -> Any:
        value = self.values.pop(key, default)
        if value is _NEEDED:
            where = f" in [{self.name}]" if self.name else ""
            raise self.wrong(key, f"no '{key}'{where}", "add it; 'grice collect new' writes an example")
        return value

    def words(self, key: str, default: Any = _NEEDED) -> str:
        return self._of(key, str, "text in quotes", default)

    def whole(self, key: str, default: Any = _NEEDED, *, low: int = 0, high: int = 10**9) -> int:
        value = self._of(key, int, "a whole number", default)
        return self._within(key, value, low, high)

    def maybe_whole(self, key: str, *, low: int = 0, high: int = 10**9) -> int | None:
        return self.whole(key, low=low, high=high) if key in self.values else None

    def number(self, key: str, default: float, *, low: float, high: float = 1e9) -> float:
        value = self.take(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.wrong(key, f"{key} = {value!r}", "give a number")
        return self._within(key, float(value), low, high)

    def one_of(self, key: str, names: Sequence[str], default: Any = _NEEDED) -> str:
        line = _line_of(self.text, self.name, key)
        value = self.words(key, default)
        if value not in (*names, default):
            raise InputError(f"{self.path}:{line}: {unknown(key, value, names)}")
        return value

    def address(self, key: str) -> str:
        value = self.words(key, "")
        if value and not value.startswith(("https://", "http://")):
            raise self.wrong(key, f"{key} = '{value}'", "give an address that begins with https://")
        return value

    def list_of_words(self, key: str) -> tuple[str, ...]:
        value = self.take(key, [])
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            raise self.wrong(key, f"{key} is no list of words", 'write it as ["one", "two"]')
        return tuple(value)

    def table(self, key: str) -> Section:
        value = self.take(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, f"'{key}' is not a table", f"write its keys below a line [{key}]")
        return Section(self.path, self.text, key, value)

    def tables(self, key: str) -> list[Section]:
        name = f"{self.name}.{key}" if self.name else key
        value = self.take(key, [])
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise self.wrong(key, f"'{key}' is not a list of tables", f"write each below a line [[{name}]]")
        return [Section(self.path, self.text, f"{name}#{n}", one) for n, one in enumerate(value)]

    def finish(self) -> None:
        """Whatever was not read is a slip of the pen."""
        for key in self.values:
            raise self.wrong(key, f"unknown key '{key}'", "see docs/collect.md for the keys there are")

    def _of(self, key: str, kind: type[T], words: str, default: Any) -> T:
        value = self.take(key, default)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.wrong(key, f"{key} = {value!r}", f"give {words}")
        return value

    def _within(self, key: str, value: N, low: float, high: float) -> N:
        if not low <= value <= high:
            raise self.wrong(key, f"{key} = {value}", f"give a value from {low:g} to {high:g}")
        return value


def _line_of(text: str, table: str, key: str) -> int | None:
    """The line of a key, else of its table; `items#2` is the third table of that name."""
    name, _, number = table.partition("#")
    header = re.compile(rf"\s*\[+\s*{re.escape(name)}\s*\]+") if name else None
    inside, seen, at = header is None, -1, None
    for line, content in enumerate(text.splitlines(), 1):
        if re.match(r"\s*\[", content):
            matches = bool(header and header.match(content))
            seen += matches
            inside = matches and (not number or seen == int(number))
            at = line if inside else at
        if inside and re.match(rf"\s*\"?{re.escape(key)}\"?\s*=", content):
            return line
        if re.match(rf"\s*\[+\s*{re.escape(key)}\s*\]+", content) and not name:
            return line
    return at


def new_campaign(instrument: str, dataset: str, path: Path) -> str:
    """The text of a commented campaign for an instrument, ready to be served."""
    if instrument not in INSTRUMENTS:
        raise unknown("instrument", instrument, INSTRUMENTS)
    text = (resources.files("grice.collecting") / "campaigns" / f"{instrument}.toml").read_text(
        encoding="utf-8"
    )
    quoted = dataset.replace("\\", "\\\\").replace('"', '\\"')
    return text.replace("@FILE@", path.name).replace("@DATASET@", quoted)
