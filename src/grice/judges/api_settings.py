"""Settings (`-M`) of judges behind an HTTP address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grice.core.errors import InputError
from grice.core.settings import setting
from grice.core.usage import Price
from grice.judges.budget import Budget
from grice.judges.constraints import KINDS
from grice.judges.dialects import DIALECTS
from grice.judges.direct import DIRECT
from grice.judges.readout import READOUTS
from grice.judges.unit import unit_setting
from grice.judges.usage import read_price


@dataclass(frozen=True)
class OpenaiSettings:
    """Settings (`-M`) of `openai/…`.

    First the request, then retries and limits, then what one command may spend.
    """

    url: str = ""
    endpoint: str = setting("chat", choices=tuple(DIALECTS))
    system: str = ""
    key_env: str = ""
    readout: str = setting("text", choices=(*READOUTS, DIRECT))
    template: str = ""
    methods: str = ""
    samples: int = setting(1, low=1)
    effort: str = ""
    unit: str = unit_setting("")
    max_tokens: int | None = setting(None, low=1)
    temperature: float = setting(0.0, low=0)
    seed: int | None = setting(None, low=0)
    format: str = setting("json_schema", choices=("json_schema", "json_object"))
    constrain: str = setting("", choices=("", *KINDS), noun="constraint")
    body: Mapping[str, Any] = setting(dict)
    batch: bool = False
    batch_size: int = setting(10_000, low=1)
    poll: float = setting(30.0, above=0)
    connections: int = setting(16, low=1, high=1000)
    retries: int = setting(5, low=0)
    timeout: float = setting(60.0, above=0, high=86_400)
    backoff: float = setting(1.0, low=0)
    limit_requests: int | None = setting(None, low=0)
    limit_tokens: int | None = setting(None, low=0)
    limit_cost: float | None = setting(None, low=0)
    price: Price | None = setting(  # noqa: RUF009
        None,
        read=read_price,
        expected="two numbers, of a million tokens in and out, as in -M price=0.15,0.60",
    )
    prices: str = ""

    def __post_init__(self) -> None:
        if self.limit_cost is not None and self.price is None and not self.prices:
            raise InputError(
                "a limit of cost needs the price of a million tokens in and out, as in -M"
                " price=0.15,0.60"
            )
        if self.samples > 1 and not self.temperature:
            raise InputError(
                f"{self.samples} samples need -M temperature=1; otherwise they are all the same"
            )
        if self.samples > 1 and self.readout == "logprobs":
            raise InputError(
                "log-probabilities are a distribution already; use -M readout=text with -M samples"
            )
        if self.endpoint == "messages" and self.readout == "logprobs":
            raise InputError(
                "Anthropic's messages give no log-probabilities; use -M readout=text or json"
            )
        if self.constrain == "auto" and self.readout != "text":
            raise InputError("constrain=auto applies to label words; use it with -M readout=text")
        if self.constrain == "json_schema" and self.readout != "json":
            raise InputError("constrain=json_schema applies to JSON; use it with -M readout=json")

    def budget(self) -> Budget:
        """Return the limits of spending as a budget of which nothing is spent yet."""
        return Budget(
            self.limit_requests, self.limit_tokens, self.limit_cost, self.price or Price()
        )
