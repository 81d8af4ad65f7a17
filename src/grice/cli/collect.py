"""grice collect"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from grice.cli._flags import Into, Json, show, show_rows

collect = typer.Typer(
    help="Ask people: a campaign is one TOML file, and what people answer becomes ordinary runs.",
    no_args_is_help=True,
)
CampaignFile = Annotated[Path, Argument(help="The campaign's TOML file.")]


@collect.command()
def new(
    instrument: Annotated[
        str,
        Argument(
            help="rating, slider, choice, probability, likert, labels, conjuncts, pragmatic, or"
            " scale for a dataset's own scale."
        ),
    ],
    dataset: Annotated[
        str, Option(help="What is asked about: a dataset by name, or a file.")
    ] = "items.jsonl",
    out: Annotated[Path, Option("-o", "--out", help="The file to write.")] = Path("campaign.toml"),
) -> None:
    """Write a commented campaign for an instrument."""
    from grice.verbs.collect import new as write

    print(f"{write(instrument, dataset, out)}: read and change it, then: grice collect serve {out}")


@collect.command()
def serve(
    campaign: CampaignFile,
    host: Annotated[
        str, Option(help="The address to listen on; a wider one needs a token.")
    ] = "127.0.0.1",
    port: Annotated[int, Option(min=1, max=65535, help="The port to listen on.")] = 8765,
    public: Annotated[
        str,
        Option(metavar="ADDRESS", help="The address people use, when a proxy stands before it."),
    ] = "",
) -> None:
    """Serve a campaign until it is stopped; answers are saved as they come.

    The same command resumes it.
    """
    from grice.verbs.collect import serve as run

    run(
        campaign, host=host, port=port, public=public, announce=lambda line: print(line, flush=True)
    )


@collect.command()
def export(
    campaign: CampaignFile,
    into: Into = Path("runs"),
    out: Annotated[Path, Option("-o", "--out", help="The file of aggregated gold.")] = Path(
        "gold.jsonl"
    ),
    drop_nonsense: Annotated[
        bool,
        Option(
            "--drop-nonsense",
            help="Leave out pairs that anyone found senseless, and their partners.",
        ),
    ] = False,
    excluded: Annotated[
        bool, Option("--excluded", help="Also write the runs of people who were excluded.")
    ] = False,
    csv: Annotated[
        Path | None,
        Option("--csv", help="Also write one row per response, with an R and a Python script."),
    ] = None,
    json: Json = False,
) -> None:
    """Write a run per person, under a pseudonym, and all answers together as gold."""
    from grice.verbs.collect import export as write

    rows = write(
        campaign, into=into, out=out, drop_nonsense=drop_nonsense, excluded=excluded, csv=csv
    )
    show_rows("exported", rows, json=json)


@collect.command()
def agreement(campaign: CampaignFile, json: Json = False) -> None:
    """Measure agreement between people, by the measures that papers report."""
    from grice.verbs.collect import agreement as measure

    rows = measure(campaign)
    show_rows("agreement", rows, json=json)


@collect.command()
def status(campaign: CampaignFile, json: Json = False) -> None:
    """Show progress, pace, time left and open third ratings."""
    from grice.reporting.text import print_rows
    from grice.verbs.collect import status as campaign_status

    progress = campaign_status(campaign)
    rows = [
        {"what": what, "now": "–" if value is None else str(value)}
        for what, value in progress.items()
    ]
    show(progress, json=json, text=lambda: print_rows("status", rows))


@collect.command()
def backup(
    campaign: CampaignFile,
    out: Annotated[
        Path, Option("-o", "--out", help="The file to write; it must not be there yet.")
    ] = Path("backup.sqlite"),
    json: Json = False,
) -> None:
    """Write the current state of the campaign into one file, also while it is served.

    The file holds the platform's ids of the participants: keep it apart from what you share.
    """
    from grice.verbs.collect import backup as write

    counts = write(campaign, out)
    show(
        counts,
        json=json,
        text=lambda: print(f"{out}: {counts['answers']:,} answers of {counts['of']}"),
    )


@collect.command()
def restore(
    campaign: CampaignFile,
    file: Annotated[Path, Argument(help="A file that 'grice collect backup' wrote.")],
    json: Json = False,
) -> None:
    """Copy a backup into the campaign's database, which must be empty."""
    from grice.verbs.collect import restore as put_back

    row = put_back(campaign, file)
    show(row, json=json, text=lambda: print(f"{file}: {row['answers']:,} answers are back"))


@collect.command()
def rotate(
    campaign: CampaignFile,
    kind: Annotated[
        str, Argument(help="admin: the administrator's link; links: those for people.")
    ],
    json: Json = False,
) -> None:
    """Replace links, for example after one was leaked; the old ones stop working.

    Nobody loses their progress.
    """
    from grice.verbs.collect import rotate as make_new

    links = make_new(campaign, kind)
    show(links, json=json, text=lambda: print("\n".join(links["addresses"])))


@collect.command()
def preview(
    campaign: CampaignFile,
    out: Annotated[Path, Option("-o", "--out", help="The folder to write.")] = Path("preview"),
) -> None:
    """Write every page and list of the campaign as files, without storing anything."""
    from grice.verbs.study import preview as write

    files = write(campaign, out)
    print(f"{out}: {len(files)} files; begin with {files[0].name}")


@collect.command()
def simulate(
    campaign: CampaignFile,
    out: Annotated[
        Path, Option("-o", "--out", help="The copy of the campaign's file to write.")
    ] = Path("simulated.toml"),
    people: Annotated[int, Option(min=1, max=10_000, help="How many people take part.")] = 30,
    leave: Annotated[int, Option(min=0, help="How many of them leave early.")] = 0,
    careless: Annotated[int, Option(min=0, help="How many answer at random.")] = 0,
    bots: Annotated[int, Option(min=0, help="How many always answer the same, at once.")] = 0,
    effect: Annotated[
        float, Option(help="The difference of neighbouring conditions, in standard deviations.")
    ] = 0.8,
    seed: Annotated[int, Option(help="The seed of the simulation.")] = 0,
    json: Json = False,
) -> None:
    """Let simulated people answer a copy of the campaign, to try design and analysis."""
    from grice.verbs.study import simulate as fill

    counts = fill(
        campaign,
        out,
        people=people,
        leave=leave,
        careless=careless,
        bots=bots,
        effect=effect,
        seed=seed,
    )
    show(
        counts,
        json=json,
        text=lambda: print(
            f"{out}: {counts['answers']:,} answers of {counts['people']} people, {counts['left']}"
            f" of whom left; see: grice collect export {out} --csv responses.csv"
        ),
    )


@collect.command()
def methods(campaign: CampaignFile) -> None:
    """Print a methods paragraph with the numbers of the campaign."""
    from grice.verbs.study import methods as paragraph

    print(paragraph(campaign))


@collect.command()
def preregister(campaign: CampaignFile) -> None:
    """Print a preregistration to fill in, from the campaign's file."""
    from grice.verbs.study import preregister as template

    print(template(campaign), end="")
