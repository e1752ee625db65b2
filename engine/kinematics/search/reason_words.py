"""Text of the reason why a target was not reached; a file of its own, so that the window needs no compiled code for it."""

from __future__ import annotations

RETURNED = "; nearest pose returned"


def without_pose(reason: str | tuple[str, ...]) -> str:
    """The `reason` of an `IKResult` of one target, for callers that return no pose."""
    return str(reason).replace(RETURNED, "")
