"""`SecondForPage`: the motion of the second arm on a web page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from armature.app.comparison.second_arm_model import DRIVES, SIMULATED
from armature.app.comparison.second_motion import SecondMotion
from armature.engine.errors import EngineError

if TYPE_CHECKING:
    from armature.app.page.page_content import PageMotion, SecondOnPage
    from armature.engine import Payload, Trajectory
    from armature.engine.simulation.runs.arm_comparison import Controllers, Drive

SAMPLES = 20_000  # of a motion that the tool follows, at most
STANDS = "in the pose of the window"


class SecondForPage:
    """The second arm when the export began; `captions(motion)` returns the names of both arms.

    `trajectory` is what the page shows without a recording, `held` the payload that both arms hold on it.
    """

    def __init__(
        self,
        motion: SecondMotion,
        drive: Drive,
        captions: Callable[[str], tuple[str, str]],
        shift: np.ndarray,
        trajectory: Trajectory | None,
        held: Payload | None,
        controllers: Controllers | None,
    ):
        self._first, self._robot, self._q = motion.first, motion.robot, motion.q.copy()
        self._drive, self._trajectory, self._held = drive, trajectory, held
        self._controllers = controllers
        self._names = {key: captions(text) for key, text in (*DRIVES.items(), ("", STANDS))}
        self._shift = shift.copy()

    def arm(self, motion: PageMotion | None, check: Callable[[], None]) -> SecondOnPage:
        """Return the second arm for a motion of the first. As in the window, a simulated one has the joints of a replay.

        Without a motion it has the joints of the first, or its pose in the window; also if it cannot be simulated.
        """
        from armature.app.page.page_content import SecondOnPage

        drive = "joints" if self._drive in SIMULATED and motion is not None and self._trajectory is None else self._drive
        page = partial(SecondOnPage, self._robot, shift=self._shift)
        standing = partial(page, self._q[None], np.zeros(1))
        if drive == "joints":
            return standing(True, captions=self._names[drive])
        if motion is None:
            return standing(False, captions=self._names[""])
        try:
            q, t = self._by_tool(motion, check) if drive == "tool" else self._simulated(len(motion.t))
        except EngineError:
            return standing(False, captions=self._names[""])
        return page(q, t, False, captions=self._names[drive])

    def _by_tool(self, motion: PageMotion, check: Callable[[], None]) -> tuple[np.ndarray, np.ndarray]:
        """Return joint positions with the tool where that of the first arm is, or as near as it gets, and their times."""
        rows = np.unique(np.linspace(0, len(motion.t) - 1, min(len(motion.t), SAMPLES)).round().astype(int))
        follower = SecondMotion(self._first, self._robot, True)
        follower.q = self._q
        return follower.along(motion.q[rows], check)[0], motion.t[rows]

    def _simulated(self, samples: int) -> tuple[np.ndarray, np.ndarray]:
        """Return joint positions along the trajectory, under the torques that the first arm needs or its own controller, and
        their times."""
        from armature.engine.simulation.runs.arm_comparison import motions

        assert self._trajectory is not None
        first, robot = (arm if self._held is None else self._held.held_by(arm) for arm in (self._first, self._robot))
        _, other = motions(first, robot, replace(self._trajectory, loops=False), self._drive, max(samples, 2), self._controllers)
        return other.q, other.t
