"""Writes the weights of the confidence of mined pairs: python -m tools.confidence

`readings.tsv` has the pairs that were read, a row each: kind, whether it was right in every
respect, and its features. Run it after adding readings.
"""

from __future__ import annotations

from pathlib import Path

from grice.mining.confidence import WEIGHTS
from grice.mining.fitting import fit, read_readings, weight_rows

READINGS = Path(__file__).parent / "readings.tsv"
HEADER = (
    "# Weights of confidence, by python -m tools.confidence. Columns: kind, feature (empty: the\n"
    "# intercept), weight, and curvature of the log-likelihood with this feature and those before\n"
    "# it, as position:value; 0 is left out.\n"
)


def weights_text() -> str:
    """Return the text of `weights.tsv`."""
    readings = read_readings(READINGS).pairs
    lines = []
    for kind in dict.fromkeys(reading.kind for reading in readings):
        lines += weight_rows(kind, fit([reading for reading in readings if reading.kind == kind]))
    return HEADER + "".join(f"{line}\n" for line in lines)


def main() -> None:
    """Write the weights."""
    WEIGHTS.write_text(weights_text(), encoding="utf-8")
    print(WEIGHTS)


if __name__ == "__main__":
    main()
