"""Check that a Dask scheduler answers at an address, before a client tries to connect for long."""

from __future__ import annotations

import asyncio
import re
import socket
from typing import Any

from armature.app.commands.command_arguments import UsageError

_ADDRESS = re.compile(r"(?:(?:tcp|tls|ws|wss|ucx|ucxx)://)?(\[[0-9A-Fa-f:.%]+\]|[^\s/:\[\]]+):(\d{1,5})")
_WAIT = 5  # s
_ANSWERS = 10  # s in which a scheduler says that it is one


def reach(address: str) -> None:
    """Raises UsageError where `address` is none, or no scheduler listens there."""
    match = _ADDRESS.fullmatch(address)
    if match is None or not 0 < int(match[2]) < 65536:
        raise UsageError(
            f"--cluster: {address!r} is not an address; valid: local, or a scheduler's address such as tcp://host:8786"
        )
    try:
        socket.create_connection((match[1].strip("[]"), int(match[2])), timeout=_WAIT).close()
    except (socket.gaierror, UnicodeError):
        raise UsageError(f"--cluster: host {match[1]!r} not found") from None
    except TimeoutError:
        raise UsageError(f"--cluster: no answer from {address} within {_WAIT} s") from None
    except OSError as error:
        raise UsageError(f"--cluster: no connection to {address} ({(error.strerror or str(error)).lower()})") from None
    try:
        kind = asyncio.run(asyncio.wait_for(_identity(address), _ANSWERS)).get("type")
    except (OSError, TimeoutError):
        raise UsageError(f"--cluster: the server at {address} is not a Dask scheduler, or does not answer") from None
    except (TypeError, ValueError, ImportError) as error:  # TLS without certificates, a protocol that is not installed
        raise UsageError(f"--cluster: {address} cannot be used: {error}") from None
    if kind != "Scheduler":
        raise UsageError(f"--cluster: {address} is a Dask {str(kind).lower()}; give the address of the scheduler")


async def _identity(address: str) -> dict[str, Any]:
    """What a server of Dask says of itself."""
    from distributed import Security
    from distributed.core import rpc

    async with rpc(address, timeout=_ANSWERS, connection_args=Security().get_connection_args("client")) as server:
        return await server.identity()
