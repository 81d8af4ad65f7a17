"""Serving a campaign until it is stopped."""

from __future__ import annotations

from starlette.applications import Starlette

from grice.collecting.security import Serving
from grice.core.errors import GriceError


def serve(app: Starlette, serving: Serving) -> None:
    """Run the server in this process. No access log: addresses carry tokens."""
    import uvicorn

    settings = uvicorn.Config(
        app,
        host=serving.host,
        port=serving.port,
        log_level="warning",
        access_log=False,
        server_header=False,
        # Behind a proxy the client's address is the proxy's word for it; only this machine's proxy is believed.
        forwarded_allow_ips="127.0.0.1",
        timeout_graceful_shutdown=5,
    )
    server = uvicorn.Server(settings)
    try:
        server.run()
    except SystemExit:
        raise GriceError(
            f"cannot listen on {serving.host}:{serving.port}; stop what does, or choose another --port"
        ) from None
