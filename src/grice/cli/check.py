"""grice check"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Exit, Option

from grice.cli import _flags as flags
from grice.cli._flags import Json, show

Plausible = Annotated[
    str,
    Option(
        "--plausible",
        metavar="JUDGE",
        help=(
            "Instead, compare a language model's (hf/…, openai/…) surprisal of each"
            " pair with that of exchanged endings."
        ),
    ),
]
Sheet = Annotated[
    int | None,
    Option(
        min=1,
        help="Write N pairs without labels for a blind reader, and their key, instead of checking.",
    ),
]
Marks = Annotated[
    list[Path] | None,
    Option(
        help=(
            "Instead, read this reader's marked sheet, NAME being the key; may be repeated: rates"
            " and agreement."
        )
    ),
]


def check(
    name: Annotated[
        str,
        Argument(
            help=(
                "A dataset, a phenomenon, a suite, your own ./mine.py, a file of pairs, runs (a"
                " folder, or a zip of grice pack), or a campaign's file."
            )
        ),
    ],
    leaks: Annotated[
        bool, Option(help=("Also train classifiers that predict the label from surface cues."))
    ] = True,
    encoder: Annotated[
        str,
        Option(
            metavar="JUDGE",
            help="One more of these: a head on this sentence encoder's (st/…) hypotheses alone.",
        ),
    ] = "",
    plausible: Plausible = "",
    sheet: Sheet = None,
    beside: Annotated[
        str, Option(help="With --sheet: shuffle in as many pairs of this other set.")
    ] = "",
    marks: Marks = None,
    out: Annotated[Path, Option("-o", "--out", help="With --sheet: where to.")] = Path("sheet.csv"),
    seed: flags.Seed = 0,
    settings: flags.Settings = None,
    columns: flags.FileColumns = flags.FileColumns(),
    json: Json = False,
) -> None:
    """Check data for repeats, label conflicts, imbalance and label leakage, or files for damage.

    Pass a run or a campaign to verify its stored answers. An error makes the exit code 1.
    """
    if marks:
        _show_marks(name, marks, json=json)
    elif sheet:
        _write_sheet(name, sheet, out, seed=seed, beside=beside, json=json)
    elif plausible:
        _show_plausible(name, plausible, seed=seed, settings=settings, json=json)
    else:
        _show_findings(name, leaks=leaks, encoder=encoder, json=json, **columns.keywords())


def _show_findings(name: str, *, leaks: bool, encoder: str, json: bool, **columns: str) -> None:
    from grice.reporting.text import print_rows, print_table
    from grice.verbs.check import check as check_pairs

    report = check_pairs(name, leaks=leaks, encoder=encoder, **columns)

    def text() -> None:
        print_rows(
            f"{report.dataset}: {len(report.rows)} findings in {report.n} items", report.rows
        )
        if report.leakage is not None and report.leakage.rows:
            print_table(report.leakage)

    show(report.to_json(), json=json, text=text)
    if report.failed:
        raise Exit(1)


def _show_plausible(
    name: str, judge: str, *, seed: int, settings: flags.Repeated, json: bool
) -> None:
    from grice.reporting.text import print_rows, print_table
    from grice.verbs.check import plausible

    measurement = plausible(name, judge, settings=flags.pairs(settings, "-M"), seed=seed)
    oddest = [
        {"as it is": original, "exchanged": exchanged}
        for couple in measurement.oddest
        for original, exchanged in zip(*couple, strict=True)
    ]

    def text() -> None:
        print_table(measurement.table)
        print_rows(
            f"{measurement.asked} couples, {measurement.faults} without a surprisal; the least"
            " plausible as they are",
            oddest,
        )

    counts = {"couples": measurement.asked, "faults": measurement.faults}
    show({**measurement.table.to_json(), **counts, "oddest": oddest}, json=json, text=text)


def _write_sheet(name: str, size: int, out: Path, *, seed: int, beside: str, json: bool) -> None:
    from grice.verbs.check import make_sheet

    sheet, key = make_sheet(name, size, out, seed=seed, beside=beside or None)

    def text() -> None:
        print(
            f"{sheet}: mark y or n under grammatical, plausible and label_right, each reader in a"
            " copy of their own"
        )
        print(f"{key}: the key; then grice check {key} --marks READER1.csv --marks READER2.csv")

    show({"sheet": str(sheet), "key": str(key)}, json=json, text=text)


def _show_marks(key: str, sheets: list[Path], *, json: bool) -> None:
    from grice.reporting.text import print_table
    from grice.verbs.check import read_sheets

    table = read_sheets(key, sheets)
    show(table.to_json(), json=json, text=lambda: print_table(table))
