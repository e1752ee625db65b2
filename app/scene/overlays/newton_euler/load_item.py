"""`LoadItem`: what every joint carries, the force as an arrow and the moment as a ring around its axis."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import isfinite

import numpy as np

from armature import engine
from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.arm.pose_item import PoseItem
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.gpu_mesh import BODY
from armature.app.scene.gl.line_batch import as_numbers
from armature.app.scene.labels.label import Label, LabelGroup
from armature.app.scene.overlays.dh_walk import subscript
from armature.app.scene.overlays.newton_euler.arrow_mesh import PARTS, ArrowMesh
from armature.app.scene.overlays.newton_euler.load_legend import TEXTS, LoadLegend
from armature.app.state.arm_sizes import sizes_of
from armature.app.state.units import significant
from armature.app.style import colormap
from armature.engine import Robot

ARROW, RING = 0.30, 0.15  # the length of an arrow and the radius of a ring at the end of the scale, in reaches
SHAFT, HEAD = 0.0065, 0.034  # radius and length of an arrow's parts, in reaches
LENGTHS = np.array([ARROW, RING, SHAFT, HEAD])
STEPS = np.array([1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0])  # numbers on which a scale ends
LEAST = 0.02  # of the arm's weight: less counts as nothing
NO_SCALES = np.full(2, 1e-12)  # of nothing drawn yet: any load takes another one
SHADES = 1000  # steps of the colours
TOLD = 0.01  # share of the scale from which on a load is told in figures


@dataclass(frozen=True, eq=False)
class Motion:
    """`robot` with what its tool holds, in the motion q, qd, qdd `(n,)`, pulled by wrenches `f_ext` `(n_links, 6)` or None."""

    robot: Robot
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    f_ext: np.ndarray | None = None

    @property
    def is_known(self) -> bool:
        """Whether all of it are numbers; of a sample of a recording they may not be, and then there are no loads to draw."""
        return isfinite(sum((*self.q.tolist(), *self.qd.tolist(), *self.qdd.tolist())))


class LoadItem(PoseItem):
    """Length and radius grow with the root of the load, so that a wrist's few newtons are seen beside the weight of the arm; the
    colour is the share of the scale, which ends on a round number just above the largest load.

    `loads` `(k, 6)` N, N·m in W, one per joint of the tree; `scales` where the two scales end.
    """

    def __init__(self):
        super().__init__(depth=33)
        self.setVisible(False)
        self.loads, self.scales = np.zeros((0, 6)), NO_SCALES.copy()
        self.legend = LoadLegend()
        self._motion: Motion | None = None
        self._labels_for: tuple[list[Label], int] | None = None
        self._labels: list[Label] = []
        self._bodies = np.zeros(0, BODY)
        self._make_room(0, 1.0)
        self._least: tuple[Robot, tuple[float, float]] | None = None  # N and N·m that count as something

    @property
    def is_shown(self) -> bool:
        """Whether there is anything to see."""
        return self.visible() and bool(len(self.loads))

    @property
    def ends(self) -> np.ndarray:
        """Heads of the arrows and lowest points of the rings `(k, 3)` in W; none where nothing is shown."""
        return self._spots if self.is_shown else self._spots[:0]

    def set_motion(self, motion: Motion | None) -> None:
        """How the arm moves at the pose q that is shown or will be; at other poses, and with None, it is at rest."""
        self._motion = motion
        self.follow_again()

    def clear(self) -> None:
        self._motion, self.loads, self.scales = None, np.zeros((0, 6)), NO_SCALES.copy()

    def follow(self, pose: Pose) -> None:
        robot, motion = pose.robot, self._motion
        if not robot.has_dynamics or (motion is not None and not motion.is_known):
            self.loads = np.zeros((0, 6))
            return
        none = np.zeros(robot.n)
        if motion is None:
            self.loads = engine.link_loads(robot, pose.q, none, none)
        elif np.array_equal(motion.q, pose.q):
            self.loads = engine.link_loads(motion.robot, motion.q, motion.qd, motion.qdd, motion.f_ext)
        else:
            self.loads = engine.link_loads(motion.robot, pose.q, none, none)
        self._place(robot, pose.slots)
        if pose is self._told or 2 * len(self.loads) != len(self._figures):
            self.write_again()

    def _place(self, robot: Robot, slots: np.ndarray) -> None:
        """Poses and colours of all parts, and the figures beside them."""
        from armature.app.scene.overlays.newton_euler.load_parts import placed_loads  # numba: not before the window is on screen

        if self._least is None or self._least[0] is not robot:
            sizes = sizes_of(robot)
            self._least = robot, (LEAST * sizes.force, 0.5 * LEAST * sizes.torque)
        n = len(self.loads)
        if len(self._points) != 2 * n + TEXTS or robot.reach != self._reach:
            self._make_room(n, robot.reach)
        self._bodies = np.empty(PARTS * n, BODY)
        results = as_numbers(self._bodies), self._sizes, self._share, self._spots, self._largest
        placed_loads.call(self.loads, slots, self.scales, self._lengths, _shades(), *results)
        before, largest = self.scales.tolist(), self._largest.tolist()
        fitting = [scale(*both) for both in zip(largest, before, self._least[1], strict=True)]
        if fitting != before:
            self.scales = np.array(fitting)
            placed_loads.call(self.loads, slots, self.scales, self._lengths, _shades(), *results)

    def _make_room(self, n: int, reach: float) -> None:
        """For the loads of n joints of an arm of that reach: tips of arrows, lowest points of rings, the legend's texts; sizes of
        forces and moments, and their shares of the scales."""
        self._points, self._labels_for = np.empty((2 * n + TEXTS, 3)), None
        self._spots, self._largest = self._points[: 2 * n], np.empty(2)
        self._sizes, self._share = np.empty((2, n)), np.empty((2, n))
        self._lengths, self._reach = LENGTHS * reach, reach

    def prepare(self, frame: FrameState) -> None:
        super().prepare(frame)
        if len(self.loads):
            self.held("arrows", ArrowMesh).set_bodies(self._bodies)

    def drawn_by(self) -> tuple:
        return (len(self.loads),)

    def draw(self, frame: FrameState) -> None:
        if not len(self.loads):
            return
        self.held("arrows", ArrowMesh).draw(frame, self._bodies)
        self.legend.draw(self.held, frame)

    def _texts(self, _: Pose) -> list[str]:
        """The loads in figures, f₂ 59.4 N, "" where they are small; joints that carry the same at a place are one, f₄,₅."""
        n, sizes, shares = len(self.loads), self._sizes.ravel().tolist(), self._share.ravel().tolist()
        near, rows, out = np.round(self._points / self._reach, 2).tolist(), defaultdict(list), [""] * (2 * len(self.loads))
        for row in [row for row, share in enumerate(shares) if share > TOLD]:
            rows[f"{significant(sizes[row], 3)} {'N' if row < n else 'N·m'}", *near[row]].append(row)
        for key, alike in rows.items():
            joints = ",".join(subscript(row % n + 1) for row in alike)
            out[alike[-1]] = f"{'f' if alike[0] < n else 'n'}{joints} {key[0]}"
        return out

    def labels(self, frame: FrameState) -> Sequence[Label]:
        """The newtons at the arrows' heads, the newton metres under the rings, and what the colours mean; no more hidden than
        arrows and rings are, which is never."""
        if not self.is_shown:
            return []
        many, legend = 2 * len(self.loads), self.legend.labels(frame, *self.scales.tolist())
        if self._labels_for is None or self._labels_for[0] is not legend or self._labels_for[1] != many:
            beside = Label("", frame.theme.text, np.zeros(3), (0.0, -12.0), size=0.82, rank=1, plain=True)
            self._labels_for, self._labels = (legend, many), [beside] * many + legend
            self._points[many:] = [label.point for label in legend]
        return LabelGroup(self._labels, self._points, self.figures(self._texts))


@cache
def _shades() -> np.ndarray:
    """The colours of the shares of a scale, linear, `(SHADES + 1, 3)`."""
    return colormap.lookup(np.linspace(0.0, 1.0, SHADES + 1))[:, :3] ** 2.2


def scale(largest: float, before: float, least: float) -> float:
    """Where a scale ends: a round number not below `largest` and `least`; the one `before` stays while half of it is used."""
    largest = max(largest, least, 1e-9)
    if 0.5 * before <= largest <= before:
        return before
    power = 10.0 ** np.floor(np.log10(largest) + 1e-12)
    return float(power * STEPS[np.searchsorted(STEPS, largest / power - 1e-9)])
