"""Words of the reason why a target was not reached; apart from the search, so that the window needs no compiled code for them."""

from __future__ import annotations

RETURNED = "; nearest pose returned"


def without_pose(reason: str | tuple[str, ...]) -> str:
    """The `reason` of an `IKResult` of one target, as it is told where no pose is returned."""
    return str(reason).replace(RETURNED, "")
