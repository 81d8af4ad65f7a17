"""Planning and reporting a study with people: `grice collect preview`, `simulate`, `methods`."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

from grice.collecting.campaign import read_campaign
from grice.core.errors import InputError
from grice.core.files import write_atomically
from grice.verbs.campaign_data import load_data, look_at, need_web


def methods(campaign: str | Path) -> str:
    """Return a methods paragraph with the numbers of a campaign, ready for a paper.

    >>> from tempfile import mkdtemp
    >>> from grice.verbs.collect import new
    >>> methods(new("likert", "quantifiers@1", f"{mkdtemp()}/mine.toml"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    grice.core.errors.GriceError: ...mine.sqlite: no answers yet; ...
    """
    with look_at(campaign) as (store, data):
        from grice.collecting.export import flow, runs
        from grice.collecting.scripts import methods_text

        n_responses = sum(run.answered for run in runs(store, data))
        return methods_text(store, flow(store, data), n_responses)


def preregister(campaign: str | Path) -> str:
    """Return a preregistration to fill in, with what the campaign's file already says.

    >>> from tempfile import mkdtemp
    >>> from grice.verbs.collect import new
    >>> preregister(new("rating", "quantifiers@1", f"{mkdtemp()}/mine.toml"))[:8]
    '# What d'
    """
    from tempfile import TemporaryDirectory

    loaded_campaign = read_campaign(Path(campaign))
    need_web()
    from grice.collecting.scripts import preregistration
    from grice.collecting.store import Store

    with TemporaryDirectory() as scratch:
        empty = replace(loaded_campaign, database=f"sqlite:///{scratch}/empty.sqlite")
        with closing(Store(empty, load_data(empty))) as store:
            return preregistration(store)


def preview(campaign: str | Path, out: str | Path = "preview") -> list[Path]:
    """Write every page and list of a campaign as files; nothing is stored.

    >>> from tempfile import mkdtemp
    >>> folder = mkdtemp()
    >>> from grice.verbs.collect import new
    >>> path = new("likert", "quantifiers@1", f"{folder}/mine.toml")
    >>> preview(path, f"{folder}/pages")[0].name
    '1_consent.html'
    """
    loaded_campaign = read_campaign(Path(campaign))
    need_web()
    from grice.collecting.preview import preview as write

    return write(loaded_campaign, load_data(loaded_campaign), Path(out))


def simulate(
    campaign: str | Path,
    out: str | Path = "simulated.toml",
    *,
    people: int = 30,
    leave: int = 0,
    careless: int = 0,
    bots: int = 0,
    effect: float = 0.8,
    seed: int = 0,
) -> dict[str, int]:
    """Write a copy of a campaign that simulated people have answered; returns counts.

    Of `people`, `leave` stop early, `careless` answer at random and `bots` always the same. The
    conditions of a design are `effect` standard deviations apart, in the order of their names.

    >>> from tempfile import mkdtemp
    >>> folder = mkdtemp()
    >>> from grice.verbs.collect import new
    >>> path = new("likert", "quantifiers@1", f"{folder}/mine.toml")
    >>> simulate(path, f"{folder}/simulated.toml", people=2)["people"]
    2
    """
    path = Path(out)
    read_campaign(Path(campaign))
    if leave > people or careless + bots > people:
        raise InputError(
            f"{leave} who leave, {careless} careless people and {bots} bots among {people}; give"
            " more people"
        )
    need_web()
    from grice.collecting.simulate import SimulatedPeople, SteppedClock
    from grice.collecting.simulate import simulate as fill
    from grice.collecting.store import Store

    database = path.parent / f"{path.stem}.sqlite"
    for output_file in (path, database):
        if output_file.exists():
            raise InputError(f"{output_file}: exists already; choose another name with -o")
    text = Path(campaign).read_text(encoding="utf-8")
    with write_atomically(path) as file:
        lines = (line for line in text.splitlines() if not line.startswith("database ="))
        file.write("\n".join(lines) + "\n")
    copy = read_campaign(path)
    data, clock = load_data(copy), SteppedClock()
    crowd = SimulatedPeople(people, leave, careless, bots, effect, seed=seed)
    with closing(Store(copy, data, clock=clock)) as store:
        return fill(store, data, crowd, clock)
