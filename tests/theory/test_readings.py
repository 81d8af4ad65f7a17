from __future__ import annotations

from grice.core.shelf import PHENOMENA
from grice.theory.readings import READINGS


def test_every_reading_of_a_phenomenon_is_described() -> None:
    used = {reading for name in PHENOMENA.names() for reading in PHENOMENA.find(name).readings}
    assert used and not used - set(READINGS)
