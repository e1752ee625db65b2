"""Robot files that are edited in a window."""

from __future__ import annotations

from armature.app.robots.own_file.feature import RobotFileFeature


def give_up(window) -> None:
    """Nobody edits a file any more, and nothing is kept of what was edited."""
    keeper = window.features[RobotFileFeature].keeper
    keeper.given_up = True
    window.document.take_draft(None)
    keeper.given_up = False
