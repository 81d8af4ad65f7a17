"""The CommitmentBank (de Marneffe, Simons & Tonhauser 2019): speaker commitment to complements."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grice.core.dataset import Dataset
from grice.core.errors import bad_line
from grice.core.files import read_table
from grice.core.ratings import reply
from grice.core.scale import NLI, Scale
from grice.datasets.formats.cards import read_card
from grice.datasets.formats.frames import columns
from grice.datasets.formats.people import ask, people_runs
from grice.storage.run import Run
from grice.storage.source import Source, find_published

FILE = "CommitmentBank-items.csv"
COMMITMENT = Scale(low=-3.0, high=3.0, step=1.0)
POINTS = Scale(labels=tuple(str(point) for point in range(-3, 4)))
TAGS = {
    "verb": "Verb",
    "embedding": "Embedding",
    "factive": "factive",
    "genre": "genre",
    "modal": "ModalType",
    "tense": "MatTense",
    "person": "MatSubjPer",
    "plausibility": "mean.noTarget",
    "pair": "uID",
}
# The column is misspelt in the published file.
RESPONSES = "Reponses"
# Two columns have this name; the paper counts by the last.
REPEATED = "Embedding"
AGREED = 0.8


def read(folder: Path, part: str) -> Dataset:
    """Read the complete set, or `asked` with the question that people saw."""
    if part == "asked":
        plain = read(folder, "all")
        pairs = plain.frame.select("premise", "hypothesis").iter_rows()
        return ask(plain, part, [_question(*texts) for texts in pairs], POINTS)
    path, lines = _lines(folder)
    ratings = [_responses(path, line, row) for line, row in lines]
    rows = [row for _, row in lines]
    frame = columns(
        f"commitmentbank/{part}",
        [f"{row['Context']} {row['Target']}".strip() for row in rows],
        [row["Prompt"].strip() for row in rows],
        gold={
            "label": [agreed_label(responses) for responses in ratings],
            "commitment": [sum(responses) / len(responses) for responses in ratings],
        },
        tags={
            **{
                key: ["" if row[name] == "NA" else row[name].strip() for row in rows]
                for key, name in TAGS.items()
            },
            "people": [[reply("", response) for response in responses] for responses in ratings],
        },
    )
    return Dataset("commitmentbank", NLI, frame, CARD, {"commitment": COMMITMENT})


def read_runs(_folder: Path, data: Dataset) -> Sequence[Run]:
    """Return the responses as runs by their position in the list.

    The file does not say who gave a response.
    """
    return people_runs(data, COMMITMENT, name="response")


def _question(text: str, prompt: str) -> str:
    question = f"Is the author certain of this or of its opposite: “{prompt}”"
    return (
        f"{text}\n\n{question}\nAnswer from -3 (certain that it is false) over 0 to 3 (certain"
        " that it is true)."
    )


def agreed_label(responses: Sequence[float]) -> str | None:
    """Return the label on whose side four fifths of the responses lie, if any.

    The rule is that of Jiang & de Marneffe (2019).
    """
    sides = {
        "entailment": sum(r > 0 for r in responses),
        "neutral": sum(r == 0 for r in responses),
        "contradiction": sum(r < 0 for r in responses),
    }
    return next((word for word, n in sides.items() if n >= AGREED * len(responses)), None)


def _lines(folder: Path) -> tuple[Path, list[tuple[int, dict[str, str]]]]:
    path = find_published(folder, f"commitmentbank/{FILE}", source="commitmentbank")
    needed = ("Context", "Target", "Prompt", RESPONSES, *TAGS.values())
    return path, list(read_table(path, delimiter=",", columns=needed, repeated=(REPEATED,)))


def _responses(path: Path, line: int, row: dict[str, str]) -> list[float]:
    try:
        values = [float(value) for value in row[RESPONSES].split(",")]
    except ValueError:
        values = []
    if not values or not all(map(COMMITMENT.accepts, values)):
        raise bad_line(
            path,
            line,
            f"responses '{row[RESPONSES]}'",
            "they are numbers from -3 to 3; fetch the file again",
        )
    return values


CARD = read_card("commitmentbank")

commitmentbank = Source("commitmentbank", CARD, ("all", "asked"), read, read_runs)
