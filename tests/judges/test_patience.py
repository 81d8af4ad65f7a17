"""How long a judge waits for a server, and within which bounds."""

from __future__ import annotations

import time
from email.utils import formatdate
from typing import Any

import pytest

from grice.core.errors import InputError
from grice.judges import rate_limits
from grice.judges.client import Unreachable
from grice.judges.providers.openai import Openai
from grice.storage.evaluation import evaluate
from tests.hand import three
from tests.judges.servers import Act, completion, serving


def judge(url: str, **settings: Any) -> Openai:
    return Openai("m", **{"url": url, "backoff": "0.002", "connections": 1, **settings})


@pytest.mark.parametrize("ahead", [-7200, 0, 7200])
@pytest.mark.parametrize("header", ["Retry-After", "x-ratelimit-reset-requests"])
def test_a_date_to_wait_for_is_read_by_the_clock_of_the_server(ahead: int, header: str) -> None:
    def script(_body: dict[str, Any], number: int) -> Act:
        now = time.time() + ahead
        headers = {"Date": formatdate(now, usegmt=True), "x-ratelimit-remaining-requests": "0"}
        return (
            Act("{}", 429, {**headers, header: formatdate(now + 1, usegmt=True)})
            if not number
            else completion("neutral")
        )

    start = time.monotonic()
    with serving(script) as server:
        run = evaluate(three(), judge(server.url))
    assert (run.answered, len(server.bodies)) == (3, 4)
    assert 0.9 < time.monotonic() - start < rate_limits.LONGEST_WAIT


def test_a_date_without_the_clock_of_the_server_is_waited_for_within_a_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rate_limits, "LONGEST_WAIT", 0.2)
    now = int(time.time())
    late = {"Date": "", "Retry-After": formatdate(now + 7200, usegmt=True)}
    with serving(
        lambda _body, number: completion("neutral") if number else Act("{}", 429, late)
    ) as server:
        assert evaluate(three(), judge(server.url)).answered == 3
    late |= {"Date": formatdate(now, usegmt=True)}
    with (
        serving(lambda _body, _number: Act("{}", 429, late)) as server,
        pytest.raises(Unreachable, match="7200 s"),
    ):
        evaluate(three(), judge(server.url))


@pytest.mark.parametrize(
    "given", ["timeout=0", "timeout=-1", "timeout=1e300", "connections=0", "connections=1000000"]
)
def test_settings_of_patience_have_bounds(given: str) -> None:
    key, _, value = given.partition("=")
    with pytest.raises(InputError, match=f"-M {key} is a .* not '{value}'"):
        judge("http://127.0.0.1:9/v1", **{key: value})
