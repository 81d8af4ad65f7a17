"""Campaigns: one TOML file on what is asked, of whom, how often, and in which words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

from grice.core.errors import InputError, bad_line, unknown
from grice.core.files import read_text
from grice.core.parsing import TomlSyntaxError, parse_toml
from grice.core.scale import Answer
from grice.core.settings import Origin, read_settings, setting

INSTRUMENTS = (
    *("probability", "likert", "labels", "pragmatic", "scale"),
    *("rating", "slider", "choice"),
)
# Campaigns that `grice collect new` writes: one of each instrument, and labels in ConjNLI's words.
TEMPLATES = (*INSTRUMENTS, "conjuncts")
ACCESS = ("open", "link", "invited", "platform")
TOGETHER = ("premise", "group", "nothing")
BEFORE, AFTER = "before", "after"


def _count(default: int | None = 0, *, low: int = 0, high: int = 10**9) -> Any:
    return setting(default, low=low, high=high)


def _link(value: Any) -> str:
    if not isinstance(value, str) or (value and not value.startswith(("https://", "http://"))):
        raise ValueError
    return value


def _address() -> Any:
    return setting("", read=_link, expected="an address that begins with https://")


def _answer(value: Any) -> Answer:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError
    return value


@dataclass(frozen=True)
class KnownPair:
    """Pair with a known answer, for the qualification test or as an attention item."""

    premise: str
    answer: Answer = setting(read=_answer, expected="a label in quotes, or a number")  # noqa: RUF009
    hypothesis: str | None = None
    easy: bool = False
    tolerance: float | None = setting(None, low=0.0, high=1e9)


@dataclass(frozen=True)
class Work:
    """How often each pair is rated and how pages are made.

    None takes what the instrument's paper did.
    """

    redundancy: int | None = _count(None, low=1)
    third_when: int | None = _count(None)
    per_page: int | None = _count(None, low=1, high=50)
    together: str | None = setting(None, choices=TOGETHER)
    most_per_person: int = _count()
    claim_minutes: float = setting(60.0, low=0.01, high=1e9)
    least_seconds: float = setting(1.0, low=0.0, high=1e9)
    discussion_turns: int = _count(3)
    fast_ms: int = _count(0)


@dataclass(frozen=True)
class Qualification:
    """Test before work; the defaults are UNLI's (their appendix A.1)."""

    items: tuple[KnownPair, ...] = ()
    attempts: int = _count(1, low=1)
    pearson: float = setting(0.7, low=-1.0, high=1.0)
    spearman: float = setting(0.4, low=-1.0, high=1.0)
    tolerance: float = setting(0.25, low=0.0, high=1.0)
    share: float = setting(0.8, low=0.0, high=1.0)


@dataclass(frozen=True)
class People:
    """Who may answer, how they arrive and how they leave.

    Participants who answered at least `completion_share` of the pairs they were shown get
    `completion_url`; `failed_url` is for those who failed the test, `stopped_url` for those who
    were excluded, `full_url` for those who came when all was answered, `declined_url` for those who
    do not consent.
    """

    access: str = setting("open", choices=ACCESS)
    most: int = _count()
    invitations: int = _count()
    parameter: str = "PROLIFIC_PID"
    completion_url: str = _address()
    completion_code: str = ""
    completion_share: float = setting(0.5, low=0.0, high=1.0)
    link_days: float = setting(0.0, low=0.0, high=1e5)
    failed_url: str = _address()
    stopped_url: str = _address()
    full_url: str = _address()
    declined_url: str = _address()


@dataclass(frozen=True)
class CampaignTexts:
    """Texts that people read, in Markdown."""

    consent: str = ""
    instructions: str = ""
    examples: str = ""
    thanks: str = ""


@dataclass(frozen=True)
class Design:
    """Latin-square lists over the conditions of a paradigm, with fillers and an order.

    `condition` is the tag of an item's condition, `filler` the tag and value that mark fillers.
    `ratio` is the number of fillers per target; 0 takes all.
    """

    condition: str = "condition"
    filler: str = "role=filler"
    ratio: float = setting(0.0, low=0.0, high=100.0)
    first_fillers: int = _count()
    targets_in_a_row: int = _count()
    people_per_list: int = _count(10, low=1)


@dataclass(frozen=True)
class Exclude:
    """Rules by which people are left out at export; 0 switches a rule off.

    `attention`: who misses as many attention items. `median_ms`: whose median reaction time is
    below. `controls`: who has a smaller share of the controls right. `same_answer`: who gives one
    answer to at least this share. `complete`: who answers less than this share of their list.
    `questions`: who answers a question otherwise. `keep` undoes the rules for people by name.
    """

    attention: int = _count()
    median_ms: int = _count()
    controls: float = setting(0.0, low=0.0, high=1.0)
    same_answer: float = setting(0.0, low=0.0, high=1.0)
    complete: float = setting(0.0, low=0.0, high=1.0)
    questions: Mapping[str, str] = setting(dict, expected='a table such as { native = "yes" }')
    keep: tuple[str, ...] = setting((), expected='a list such as ["person/0001"]')


@dataclass(frozen=True)
class Wording:
    """Question that is asked of each pair, and its answers.

    `ask` replaces the instrument's own question. `points` and the words at the `anchors`, from
    lowest to highest, are of a `rating`; `low` and `high` with anchors of a linear `slider`;
    `options` of a forced `choice`.
    """

    ask: str = ""
    points: int = _count(7, low=2, high=11)
    anchors: tuple[str, ...] = setting((), expected='a list such as ["bad", "good"]')
    low: float = 0.0
    high: float = 100.0
    options: tuple[str, ...] = setting((), expected='a list such as ["the first", "the second"]')


@dataclass(frozen=True)
class PersonQuestion:
    """Question about the person: one of `options`, or in their own words.

    It is asked `before` the work or `after` it.
    """

    name: str
    ask: str
    options: tuple[str, ...] = setting((), expected='a list such as ["yes", "no"]')
    when: str = setting("after", choices=(BEFORE, AFTER))
    optional: bool = False


@dataclass(frozen=True)
class PracticePair:
    """Pair to practise with; `feedback` is shown after the answer."""

    premise: str
    feedback: str
    answer: Answer = setting(read=_answer, expected="a label in quotes, or a number")  # noqa: RUF009
    hypothesis: str | None = None


@dataclass(frozen=True)
class Campaign:
    """Content of a campaign's file, with the defaults for what it leaves out."""

    path: Path
    title: str
    dataset: str
    instrument: str = setting(choices=INSTRUMENTS)
    columns: Mapping[str, str] = setting(dict, expected="a table of names, below a line [columns]")
    database: str = ""
    seed: int = _count()
    subtypes: tuple[str, ...] = setting((), expected='a list such as ["one", "two"]')
    work: Work = Work()
    people: People = People()
    texts: CampaignTexts = CampaignTexts()
    qualification: Qualification | None = None
    attention: tuple[KnownPair, ...] = ()
    attention_every: int = _count(4, low=1)
    attention_misses: int = _count()
    design: Design | None = None
    practice: tuple[PracticePair, ...] = ()
    questions: tuple[PersonQuestion, ...] = ()
    wording: Wording = Wording()
    exclude: Exclude | None = None

    @property
    def address(self) -> str:
        """Address of the answers: PostgreSQL, or a SQLite file next to the campaign."""
        if "://" in self.database:
            return self.database
        file = self.database or f"{self.path.stem}.sqlite"
        return f"sqlite:///{self.path.parent / file}"

    @property
    def name(self) -> str:
        """Name of the campaign's file, with which its downloads begin."""
        return self.path.stem


def read_campaign(path: Path) -> Campaign:
    """Read and check a campaign; every error names its line."""
    text = read_text(path)
    try:
        values = parse_toml(text)
    except ValueError as error:
        fact, line = str(error), None
        if isinstance(error, TomlSyntaxError):
            fact, line = error.fact, error.line
        remedy = "see docs/collect.md for a campaign's form"
        raise bad_line(path, line or text.count("\n") + 1, f"not TOML ({fact})", remedy) from None
    top = CampaignTable("", "key", path, text)
    campaign = read_settings(Campaign, values, top, path=path)
    test = campaign.qualification
    for table, key, fact, remedy in _contradictions(campaign):
        raise bad_line(path, _line_of(text, table, key) or 1, fact, remedy)
    # A file next to the campaign has precedence; anything else is the name of a dataset.
    beside = path.parent / campaign.dataset
    return replace(
        campaign,
        dataset=str(beside) if beside.is_file() else campaign.dataset,
        qualification=test if test and test.items else None,
    )


def _contradictions(campaign: Campaign) -> Iterator[tuple[str, str, str, str]]:
    """Yield settings that contradict others: table and key, what is wrong, what to do."""
    people, wording, exclude = campaign.people, campaign.wording, campaign.exclude
    n_attention = len(campaign.attention)
    fewer = "nobody can miss so many; lower it or add [[attention]]"
    if people.access == "invited" and not people.invitations:
        yield "people", "access", "'invited' without invitations", "say how many: invitations = 20"
    if campaign.attention_misses > n_attention:
        fact = f"attention_misses = {campaign.attention_misses}, and there are {n_attention}"
        yield "", "attention_misses", f"{fact} attention items", fewer
    if campaign.design and campaign.work.most_per_person:
        remedy = "a list says how much a person answers; leave it out"
        yield "work", "most_per_person", "most_per_person beside [design]", remedy
    if campaign.instrument == "choice" and len(set(wording.options)) < 2:
        remedy = 'give two or more: options = ["yes", "no"]'
        yield "", "wording", "a choice without options", remedy
    if campaign.instrument == "slider" and not wording.low < wording.high:
        fact = f"a slider from {wording.low:g} to {wording.high:g}"
        yield "", "wording", fact, "give low below high"
    if campaign.instrument == "rating" and len(wording.anchors) not in (0, 2, wording.points):
        fact = f"{len(wording.anchors)} anchors for {wording.points} points"
        yield "", "wording", fact, "give two, for the ends, or one for each point"
    if exclude and exclude.attention > n_attention:
        yield (
            "exclude",
            "attention",
            f"attention = {exclude.attention} of {n_attention} items",
            fewer,
        )
    names = {question.name for question in campaign.questions}
    if exclude and (odd := set(exclude.questions) - names):
        fact = f"no question is called '{min(odd)}'"
        yield "exclude", "questions", fact, "add it as [[questions]]"


@dataclass(frozen=True)
class CampaignTable(Origin):
    """Table of a campaign's file, so that an error can name the line.

    `name` is empty for the top level.
    """

    path: Path = Path()
    text: str = ""
    name: str = ""
    typed = True

    def place(self, key: str) -> str:
        """Return the file and line of a key, or of its table if the key is missing."""
        line = _line_of(self.text, self.name, key)
        return f"{self.path}: " if line is None else f"{self.path}:{line}: "

    def missing(self, key: str) -> InputError:
        """Return an error for a key that has no default and is not in the file."""
        where = f" in [{self.name}]" if self.name else ""
        return InputError(
            f"{self.place(key)}no '{key}'{where}; add it; 'grice collect new' writes an example"
        )

    def groups(
        self, key: str, value: Any, *, several: bool
    ) -> list[tuple[Origin, Mapping[str, Any]]]:
        """Return the table below `[key]`, or those below each `[[key]]`."""
        name = f"{self.name}.{key}" if self.name else key
        if several and not (
            isinstance(value, list) and all(isinstance(entry, dict) for entry in value)
        ):
            fact = f"'{key}' is not a list of tables; write each below a line [[{name}]]"
            raise InputError(f"{self.place(key)}{fact}")
        if not several and not isinstance(value, dict):
            raise InputError(
                f"{self.place(key)}'{key}' is not a table; write its keys below a line [{key}]"
            )
        below = replace(self, name=name, noun=f"key of [{name}]")
        if not several:
            return [(below, value)]
        return [(replace(below, name=f"{name}#{n}"), table) for n, table in enumerate(value)]


def _line_of(text: str, table: str, key: str) -> int | None:
    """Return the line of a key, else of its table; `items#2` is the third table of that name."""
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
    """Return the text of a commented campaign for an instrument, ready to be served."""
    if instrument not in TEMPLATES:
        raise unknown("instrument", instrument, TEMPLATES)
    if not dataset.isprintable():
        raise InputError(f"the dataset {dataset!a} is not one printable line; rename the file")
    text = (resources.files("grice.collecting") / "campaigns" / f"{instrument}.toml").read_text(
        encoding="utf-8"
    )
    quoted = dataset.replace("\\", "\\\\").replace('"', '\\"')
    return text.replace("@FILE@", path.name).replace("@DATASET@", quoted)
