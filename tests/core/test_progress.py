"""Rates and durations as progress and dry runs show them."""

from __future__ import annotations

import itertools

import pytest

from grice.core import progress


@pytest.mark.parametrize(
    ("rate", "text"),
    [(0.0, "0"), (0.0471, "0.047"), (0.468, "0.47"), (4.71, "4.7"), (47.4, "47"), (4712, "4,712")],
)
def test_rate_has_two_digits(rate: float, text: str) -> None:
    assert progress.two_digits(rate) == text


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (3, "less than a minute"),
        (61, "about 1 minute"),
        (431, "about 7 minutes"),
        (9000, "about 2 hours"),
        (400_000, "about 5 days"),
    ],
)
def test_duration_is_said_in_words(seconds: float, words: str) -> None:
    assert progress.duration_in_words(seconds) == words


def test_line_of_a_slow_model_has_its_rate(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = itertools.count(0.0, 17.0)
    monkeypatch.setattr(progress, "can_draw", lambda: False)
    monkeypatch.setattr("grice.core.progress.time.monotonic", lambda: next(clock))
    with progress.bar("judging") as advance:
        advance(0, 8)
        advance(8, 8)
    assert capsys.readouterr().err == "judging: 8 of 8 items, 0.47/s\n"
