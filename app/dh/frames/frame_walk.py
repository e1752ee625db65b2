"""A walk along the rules by which frames are laid: where it stands, in words and as a sketch at the arm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.app.scene.gl import palette
from armature.app.scene.overlays.dh_walk import subscript
from armature.app.scene.overlays.sketch.sketch import Caption, Sketch, SketchArrow, Stroke
from armature.app.state.units import Units
from armature.engine.model.dh.dh_moves import chain_positions
from armature.engine.model.dh.frame_rules import (
    AGAINST,
    ALONG,
    BASE,
    CROSSING,
    JOINT,
    LEVEL,
    NEXT,
    NORMAL,
    PARALLEL,
    SAME,
    SKEW,
    STAY,
    TABLE,
    TOOL,
    TURNED,
    LaidFrames,
    frames_of,
)
from armature.engine.model.robot import Robot

RULES = ("z", "normal", "x", "y")
TITLES = {
    "z": "z axes along the joint axes",
    "normal": "Common normals of successive axes",
    "x": "x axes along the normals",
    "y": "y axes by the right-hand rule",
}
AXIS, ARROW = 0.42, 0.17  # half of a line along an axis, and an arrow of a frame, in reaches
DOTTED, THIN_LINE, NORMAL_LINE = 3.0, 1.8, 4.4


@dataclass(frozen=True)
class Step:
    """One thing that a rule says, of frame k."""

    rule: str
    k: int


class FrameWalk:
    """Points p of the way count steps: at 6.5 six are made and half of the seventh."""

    def __init__(self, robot: Robot, laid: LaidFrames):
        self.robot, self.laid, self.n = robot, laid, len(laid.description.joints)
        n = self.n
        self.steps = [Step("z", k) for k in range(n)] + [Step("normal", k) for k in range(1, n)]
        self.steps += [Step("x", k) for k in range(n + 1)] + [Step("y", n)]
        self.count = len(self.steps)

    @property
    def stops(self) -> list[int]:
        """Points of the way where a rule is done, the start first."""
        rules = [step.rule for step in self.steps]
        return [0] + [k + 1 for k in range(self.count) if k + 1 == self.count or rules[k] != rules[k + 1]]

    def step(self, p: float) -> Step | None:
        """The step under way at p, the one just made where p is whole; None at the start."""
        return None if p <= 0 else self.steps[max(0, int(np.ceil(p)) - 1)]

    def done(self, rule: str, p: float) -> tuple[int, int]:
        """How many steps of a rule are made, and how many there are."""
        all_ = [k for k, step in enumerate(self.steps) if step.rule == rule]
        return sum(k + 1 <= p for k in all_), len(all_)

    # -- words -----------------------------------------------------------------------------------------------------------------

    def sentence(self, p: float, units: Units) -> str:
        """What the step says."""
        step = self.step(p)
        if step is None:
            return "Start: the arm defines the joint axes; the frames are not assigned yet."
        return {"z": self._say_z, "normal": self._say_normal, "x": self._say_x, "y": self._say_y}[step.rule](step.k, units)

    def _say_z(self, k: int, _units: Units) -> str:
        joint = self.laid.description.joints[k]
        name, slides = self.robot.tree.joint_names[joint], self.laid.description.table.prismatic[k]
        axis = "sliding axis" if slides else "rotation axis"
        return f"z{subscript(k)} is along the {axis} of {name}, in its positive direction."

    def _say_normal(self, k: int, units: Units) -> str:
        before, own, frame = f"z{subscript(k - 1)}", f"z{subscript(k)}", f"Frame {k}"
        a = units.text(abs(float(self.laid.description.table.a[k - 1])), True)
        return {
            SKEW: f"{before} and {own} are skew: their common normal is {a} long. {frame} is where it meets {own}.",
            CROSSING: f"{before} and {own} intersect at {frame}. x is perpendicular to both; its sign is a free choice.",
            PARALLEL: f"{before} and {own} are parallel, {a} apart: the position of the normal along {own} is a free choice.",
            SAME: f"{before} and {own} coincide: choose any origin on the axis and any direction of x normal to it.",
        }[self.laid.pairs[k - 1]]

    def _say_x(self, k: int, _units: Units) -> str:
        if k == 0:
            return "For frame 0 only z₀ is given: its position on the axis and x₀ are free choices."
        if k == self.n:
            return f"Frame {k} has no next axis: it is placed for the tool, with x perpendicular to z{subscript(k - 1)}."
        normal = {CROSSING: "perpendicular to both axes", SAME: "parallel to the previous x"}.get(
            self.laid.pairs[k - 1], "along the common normal"
        )
        return f"x{subscript(k)} is {normal}, at the origin of frame {k}."

    def _say_y(self, _k: int, _units: Units) -> str:
        return "Each y follows from the right-hand rule: y = z × x. All frames are assigned."

    def option_words(self, k: int) -> tuple[str, ...]:
        """The free choices of frame k."""
        last = k == self.n - 1
        words = {
            TABLE: "as in the robot's DH table",
            BASE: "at the base",
            TURNED: "at the base, with the x axis rotated by 90°",
            NORMAL: "where the first common normal begins: d₁ = 0",
            ALONG: f"x along z{subscript(k - 1)} × z{subscript(k)}",
            AGAINST: f"x opposite to z{subscript(k - 1)} × z{subscript(k)}",
            LEVEL: f"level with frame {k - 1}: d{subscript(k)} = 0",
            NEXT: "level with the tool" if last else f"where the next common normal begins: d{subscript(k + 1)} = 0",
            JOINT: "at the joint origin",
            TOOL: "z along the tool z axis",
            STAY: f"same as frame {k - 1}; the offset is in the tool pose",
        }
        return tuple(words[name] for name in self.laid.options[k])

    # -- the sketch ------------------------------------------------------------------------------------------------------------

    def sketch(self, p: float, q: np.ndarray) -> Sketch:
        """What is laid so far, the arm standing at q."""
        description, reach = self.laid.description, self.robot.reach
        X = frames_of(description, chain_positions(self.robot, description, q))
        arrows: list[SketchArrow] = []
        strokes: list[Stroke] = []
        captions: list[Caption] = []
        now = self.step(p)
        for j, step in enumerate(self.steps):
            part = min(max(p - j, 0.0), 1.0)
            if part > 0.0:
                thin = step is not now and step != now
                draw = {"z": self._draw_z, "normal": self._draw_normal, "x": self._draw_x, "y": self._draw_y}[step.rule]
                draw(step.k, X, part, thin, reach, (arrows, strokes, captions))
        return Sketch(tuple(arrows), tuple(strokes), tuple(captions), replaces_frames=True)

    def _draw_z(self, k: int, X, part: float, thin: bool, reach: float, into) -> None:
        arrows, strokes, _ = into
        at, z = X[k, :3, 3], X[k, :3, 2]
        half = part * AXIS * reach
        strokes.append(Stroke(np.array([at - half * z, at + half * z]), palette.AXIS_Z, THIN_LINE, DOTTED))
        arrows.append(SketchArrow(at + 0.7 * half * z, at + half * z, palette.AXIS_Z, f"z_{k}", thin))

    def _draw_normal(self, k: int, X, part: float, thin: bool, _reach: float, into) -> None:
        _, strokes, captions = into
        end, x = X[k, :3, 3], X[k, :3, 0]
        start = end - float(self.laid.description.table.a[k - 1]) * x
        colour = palette.MOVE_LIGHT
        strokes.append(Stroke(np.array([start, start + part * (end - start)]), colour, THIN_LINE if thin else NORMAL_LINE))
        if thin:
            return
        captions.append(Caption(f"O_{k}", colour, end))
        for candidate in self.laid.candidates[k]:
            there = X[k] @ np.linalg.inv(self.laid.frames[k]) @ candidate
            if np.linalg.norm(there[:3, 3] - end) > 1e-6:  # where else it might stand
                foot = there[:3, 3] - (there[:3, 3] - start) @ x * x
                strokes.append(Stroke(np.array([foot, there[:3, 3]]), colour, THIN_LINE, DOTTED))

    def _draw_x(self, k: int, X, part: float, thin: bool, reach: float, into) -> None:
        arrows, strokes, _ = into
        at, length = X[k, :3, 3], ARROW * reach
        arrows.append(SketchArrow(at, at + part * length * X[k, :3, 0], palette.AXIS_X, f"x_{k}", thin))
        arrows.append(SketchArrow(at, at + part * length * X[k, :3, 2], palette.AXIS_Z, f"z_{k}" if k == self.n else "", thin))
        if not thin:
            for candidate in self.laid.candidates[k]:
                there = X[k] @ np.linalg.inv(self.laid.frames[k]) @ candidate
                ends = np.array([there[:3, 3], there[:3, 3] + length * there[:3, 0]])
                if np.abs(there - X[k]).max() > 1e-6:  # how else it might lie
                    strokes.append(Stroke(ends, palette.AXIS_X, THIN_LINE, DOTTED))

    def _draw_y(self, _k: int, X, part: float, _thin: bool, reach: float, into) -> None:
        for k, frame in enumerate(X):
            tip = frame[:3, 3] + part * ARROW * reach * frame[:3, 1]
            into[0].append(SketchArrow(frame[:3, 3], tip, palette.AXIS_Y, f"y_{k}"))
