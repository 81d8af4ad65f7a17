"""Collecting human answers: `grice collect`, one function per command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from grice.collecting.campaign import new_campaign, read_campaign
from grice.core.dataset import Dataset
from grice.core.errors import InputError, unknown
from grice.core.files import write_atomically
from grice.loading import load_measure
from grice.storage.run import join
from grice.verbs.campaign_data import load_data, look_at, need_web, open_campaign
from grice.verbs.study import methods, preregister, preview, simulate

if TYPE_CHECKING:
    from grice.collecting.store import Store

__all__ = [
    "agreement",
    "backup",
    "export",
    "methods",
    "new",
    "preregister",
    "preview",
    "responses",
    "restore",
    "rotate",
    "serve",
    "simulate",
    "status",
]
# The measures each kind of answer has: of the papers on people's answers, by name.
OF_LABELS = ("kappa", "alpha:nominal")
OF_NUMBERS = ("alpha:interval", "leave_one_out:pearson", "leave_one_out:spearman")


def new(instrument: str, dataset: str = "items.jsonl", out: str | Path = "campaign.toml") -> Path:
    """Write a commented campaign for an instrument.

    The instruments are probability, likert, labels, pragmatic, scale, rating, slider and choice;
    conjuncts is labels with ConjNLI's instructions and examples.

    >>> from tempfile import mkdtemp
    >>> path = new("likert", "quantifiers@1", f"{mkdtemp()}/mine.toml")
    >>> read_campaign(path).instrument
    'likert'
    """
    path = Path(out)
    if path.exists():
        raise InputError(f"{path}: exists already; choose another name with -o")
    text = new_campaign(instrument, dataset, path)
    with write_atomically(path) as file:
        file.write(text)
    return path


def serve(
    campaign: str | Path,
    *,
    host: str = "127.0.0.1",
    port: int = 8765,
    public: str = "",
    announce: Callable[[str], None] = print,
) -> None:
    """Serve a campaign until it is stopped; `announce` is called with its links first.

    A `host` beyond this machine, or a `public` address of a proxy, needs a campaign with a token.

    >>> from tempfile import mkdtemp
    >>> serve(new("likert", "quantifiers@1", f"{mkdtemp()}/mine.toml"), host="0.0.0.0")
    Traceback (most recent call last):
    grice.core.errors.InputError: the address 0.0.0.0 is reached by others and access is 'open'; ...
    """
    store, data = open_campaign(campaign)
    need_web()
    from grice.collecting.admin import links
    from grice.collecting.app import make_app
    from grice.collecting.security import Serving, check_serving
    from grice.collecting.server import serve as run_server

    serving = Serving(host, port, public)
    check_serving(serving, store.campaign.people.access)
    app = make_app(store, serving, lambda: measure_agreement(store, data))
    site = app.state.site
    announce(f"{store.campaign.title}: {len(data):,} pairs, {store.instrument.name}")
    for link in links(site):
        announce(f"people:         {link}")
    announce(f"administrator:  {serving.front}/admin?key={site.keys.admin}")
    if not serving.loopback and not serving.secure:
        announce(
            "note: without TLS the links can be read on the way; put a proxy with https before it"
        )
    if store.is_new:
        announce(f"a new database:  {store.location}")
    for change in store.changes:
        announce(f"changed in the file since it was last served, and taken over:  {change}")
    try:
        run_server(app, serving)
    finally:
        store.close()


def export(
    campaign: str | Path,
    *,
    into: str | Path = "runs",
    out: str | Path = "gold.jsonl",
    drop_nonsense: bool = False,
    excluded: bool = False,
    csv: str | Path | None = None,
) -> list[dict[str, Any]]:
    """Write a run per person, under a pseudonym, and a gold file; return one row per file.

    `drop_nonsense` leaves out pairs that anyone found senseless, with their partners; `excluded`
    also writes the runs of people who were excluded; `csv` names a file for one row per response,
    beside which an R and a Python script fit a mixed model. The exclusion rules of the campaign's
    file apply, with the flow of people as the last row: they are noted in the audit log, and the
    places in lists of those left out go to newcomers.

    >>> from tempfile import mkdtemp
    >>> export(new("likert", "quantifiers@1", f"{mkdtemp()}/mine.toml"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    grice.core.errors.GriceError: ...mine.sqlite: no answers yet; ...
    """
    with look_at(campaign) as (store, data):
        from grice.collecting import export as exported
        from grice.collecting.exclusion import free_places
        from grice.collecting.scripts import write_scripts

        written = [run.write(Path(into)) for run in exported.runs(store, data, excluded=excluded)]
        rows = [
            {"judge": run.judge, **_counts(run.answered, run.faults, run.open, run.folder)}
            for run in written
        ]
        rows += [
            {"judge": judge, **_counts(0, 0, 0, "removed: excluded since the last export")}
            for judge in exported.remove_stale_runs(Path(into), store, data, written)
        ]
        gold = exported.gold(store, data, drop_nonsense=drop_nonsense)
        if csv is not None:
            frame = exported.responses(store, data)
            with write_atomically(Path(csv)) as file:
                file.write(exported.as_csv(frame.columns, frame.iter_rows()))
            write_scripts(store, Path(csv))
        flow = exported.flow(store, data)
        has_rules = store.campaign.exclude is not None
    if has_rules:
        store, data = open_campaign(campaign)
        with closing(store):
            free_places(store, data, flow)
    gold.data.write(Path(out))
    why = "; ".join(f"{reason}: {n}" for reason, n in gold.left_out.items())
    destination = f"{out} ({why})" if why else str(out)
    n_open = sum(gold.left_out.values())
    rows.append({"judge": "all together", **_counts(len(gold.data), 0, n_open, destination)})
    if flow.reasons:
        rows.append({"judge": "people", **_counts(flow.kept, 0, 0, str(flow))})
    return rows


def responses(campaign: str | Path) -> pl.DataFrame:
    """Return one row per response, for a mixed model in R or Python.

    >>> from tempfile import mkdtemp
    >>> responses(new("likert", "quantifiers@1", f"{mkdtemp()}/mine.toml"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    grice.core.errors.GriceError: ...mine.sqlite: no answers yet; ...
    """
    with look_at(campaign) as (store, data):
        from grice.collecting import export as exported

        return exported.responses(store, data)


def _counts(answered: int, faults: int, n_open: int, destination: object) -> dict[str, Any]:
    """Return the columns of a row of `export` after the judge."""
    return {"answered": answered, "faults": faults, "open": n_open, "place": str(destination)}


def agreement(campaign: str | Path) -> list[dict[str, Any]]:
    """Measure agreement between people, by the measures that papers report.

    There is one row per measure with value, interval and n.

    >>> from tempfile import mkdtemp
    >>> path = new("likert", "quantifiers@1", f"{mkdtemp()}/mine.toml")
    >>> open_campaign(path)[0].close()
    >>> agreement(path)
    Traceback (most recent call last):
    grice.core.errors.InputError: agreement needs two people who answered, and there are 0; ...
    """
    with look_at(campaign) as (store, data):
        return measure_agreement(store, data)


def measure_agreement(store: Store, data: Dataset) -> list[dict[str, Any]]:
    """Measure agreement in an open campaign."""
    from grice.collecting.export import runs

    person_runs = runs(store, data)
    if len(person_runs) < 2:
        raise InputError(
            "agreement needs two people who answered, and there are"
            f" {len(person_runs)}; wait for more"
        )
    frame = join(data, *person_runs)
    names = OF_NUMBERS if store.instrument.scale.numeric else OF_LABELS
    rows = [_row(name, frame) for name in names]
    if store.instrument.name == "pragmatic":
        rows += _findings(frame)
    return rows


def _row(name: str, frame: pl.DataFrame) -> dict[str, Any]:
    estimate = load_measure(name).compute(frame)
    empty: Mapping[str, Any] = {"value": None, "low": None, "high": None, "n": None}
    return {"measure": name, **(empty if estimate is None else estimate.to_json())}


def _findings(frame: pl.DataFrame) -> list[dict[str, Any]]:
    """Count pairs as in IMPPRES §4.

    Counted are pairs on which two or more agree, pairs that anyone tagged, and pairs with both
    tags.
    """
    tags = ("presupposition", "implicature")
    votes = frame.group_by("id").agg(
        pl.len(), *((pl.col("answer") == tag).sum().alias(tag) for tag in tags)
    )
    pairs = votes.height
    counts: Sequence[tuple[str, pl.Expr]] = [
        *((f"{tag}: pairs by two or more", pl.col(tag) >= 2) for tag in tags),
        *((f"{tag}: pairs by anyone", pl.col(tag) >= 1) for tag in tags),
        ("both tags: pairs", (pl.col(tags[0]) >= 1) & (pl.col(tags[1]) >= 1)),
    ]
    return [
        {
            "measure": finding,
            "value": float(votes.filter(which).height),
            "low": None,
            "high": None,
            "n": pairs,
        }
        for finding, which in counts
    ]


def status(campaign: str | Path) -> dict[str, Any]:
    """Return a campaign's progress, pace, time left, people, pairs that still need a third rating.

    >>> from tempfile import mkdtemp
    >>> path = new("labels", "quantifiers@1", f"{mkdtemp()}/mine.toml")
    >>> open_campaign(path)[0].close()
    >>> status(path)["answered"]
    0
    """
    with look_at(campaign) as (store, _):
        from grice.collecting.overview import status as campaign_status

        return campaign_status(store)


def backup(campaign: str | Path, out: str | Path) -> dict[str, Any]:
    """Write the current state of a campaign into one new file, also while it is served.

    >>> from tempfile import mkdtemp
    >>> path = new("likert", "quantifiers@1", f"{mkdtemp()}/mine.toml")
    >>> open_campaign(path)[0].close()
    >>> backup(path, path.with_name("kept.sqlite"))["answers"]
    0
    """
    with look_at(campaign) as (store, _):
        from grice.collecting.backup import back_up

        return {"file": str(out), "answers": back_up(store, Path(out)), "of": store.location}


def restore(campaign: str | Path, file: str | Path) -> dict[str, Any]:
    """Copy a backup into the database of a campaign, which must be empty.

    >>> from tempfile import mkdtemp
    >>> path = new("likert", "quantifiers@1", f"{mkdtemp()}/mine.toml")
    >>> restore(path, "kept.sqlite")
    Traceback (most recent call last):
    grice.core.errors.InputError: kept.sqlite: no such file; ...
    """
    loaded_campaign = read_campaign(Path(campaign))
    data = load_data(loaded_campaign)
    need_web()
    from grice.collecting.backup import restore as put_back

    return {"file": str(file), "answers": put_back(loaded_campaign, data, Path(file))}


def rotate(campaign: str | Path, kind: str) -> dict[str, Any]:
    """Replace the administrator's link (`admin`) or the links for people (`links`).

    The old links stop working.

    >>> from tempfile import mkdtemp
    >>> path = new("likert", "quantifiers@1", f"{mkdtemp()}/mine.toml")
    >>> rotate(path, "admin")["addresses"][0][:11]
    '/admin?key='
    """
    if kind not in ("admin", "links"):
        raise unknown("kind of keys", kind, ("admin", "links"))
    store, _ = open_campaign(campaign)
    from grice.collecting.admin import links
    from grice.collecting.audit import COMMAND
    from grice.collecting.security import Keys, Serving
    from grice.collecting.site import Site

    with closing(store):
        store.change_keys(kind, COMMAND)
        if kind == "admin":
            return {"kind": kind, "addresses": [f"/admin?key={Keys(store).admin}"]}
        front = Serving().front
        return {
            "kind": kind,
            "addresses": [link.removeprefix(front) for link in links(Site(store, Serving()))],
        }
