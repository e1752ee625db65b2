"""What the tool loses near a singularity, as the scene draws it and people read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from armature import engine
from armature.app.state.number_marks import said
from armature.engine.thresholds import Level

if TYPE_CHECKING:
    from armature.engine import Robot, Singularity
    from armature.engine.singularities.singularity_causes import Cause

LONGEST = 64  # characters of a fact that is told in the scene


@dataclass(frozen=True, eq=False)
class LostMotion:
    """A unit `direction` `(3,)` in W that the tool cannot move along, or turn about where it `turns`.

    `place` `(3,)` is where it is told of, in the tool's axes and m; `words` say why.
    """

    place: np.ndarray
    direction: np.ndarray
    turns: bool
    words: str


def lost_motions(robot: Robot, q: np.ndarray, report: Singularity, level: Level) -> tuple[LostMotion, ...]:
    """One for each cause in the report on q `(n,)`; none where all is fine. Without a cause the one hardest to make."""
    if level is Level.FINE:
        return ()
    X_WT = engine.frame_pose(robot, q)
    out = []
    for cause in report.causes:
        linear, angular = cause.lost_twist[:3], cause.lost_twist[3:]
        if cause.lost_twist.any():
            place = X_WT[:3, :3].T @ (cause.point - X_WT[:3, 3])
            turns = bool(angular.any())
            out.append(LostMotion(place, angular if turns else linear, turns, _words(cause, report)))
    if report.causes:
        return tuple(out)
    linear, angular = report.lost_twist[:3], report.lost_twist[3:]
    turns = bool(report.length * np.linalg.norm(angular) > np.linalg.norm(linear))
    way = angular if turns else linear
    return (LostMotion(np.zeros(3), way / np.linalg.norm(way), turns, ""),)


def _words(cause: Cause, report: Singularity) -> str:
    """Such as "Wrist: axes 4 and 6 are collinear", or "Wrist, 3.4° away: axes 4 and 6 are collinear" near it."""
    title, fact = cause.title, cause.condition
    if report.rank == len(report.sigma):  # the distance told is that of the first cause
        title += f", {said(report.away)} away" if cause is report.causes[0] and report.away else ", near"
    return f"{title}: {fact}" if len(cause.condition) < LONGEST else title
