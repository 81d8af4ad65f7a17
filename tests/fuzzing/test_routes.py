"""Whatever is sent to a route of `collect`, the reply is never the server's fault."""

from __future__ import annotations

import pytest

pytest.importorskip("starlette", reason="serves people")


@pytest.mark.slow
def test_requests_by_the_grammar_are_answered_or_refused() -> None:
    from tests.fuzzing.routes import fuzz_routes

    statuses, found = fuzz_routes(150, 1)
    assert found == []
    # The grammar reaches what it is for: pages, stored pages, refusals of what was bent.
    assert {"200", "303", "403", "422"} <= set(statuses)
