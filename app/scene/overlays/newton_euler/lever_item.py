"""`LeverItem`: what makes one joint's gravity torque: the weight of every link that it carries, and the lever arm of each."""

from __future__ import annotations

import numpy as np

from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.arm.pose_item import PoseItem
from armature.app.scene.gl import palette
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.line_batch import LineBatch, lines
from armature.app.scene.labels.label import Label
from armature.app.scene.overlays.dh_walk import subscript
from armature.app.scene.overlays.newton_euler.arrow_mesh import FRONT, ArrowMesh
from armature.app.scene.overlays.newton_euler.placed_arrows import PlacedArrows
from armature.app.scene.overlays.newton_euler.rnea_walk import Arrow, N
from armature.engine.kinematics.jacobian import body_jacobian

HEAVIEST = 0.6  # of the longest arrow squared: the weight of the heaviest link
SHORT = 1e-9  # m that count as no lever arm


class LeverItem(PoseItem):
    """A lever arm is the distance of a weight's line of action from the joint's axis; shows nothing until it has a joint."""

    def __init__(self):
        super().__init__(depth=34)
        self.joint = -1
        self._gravity: np.ndarray | None = None
        self.weights, self.levers = PlacedArrows(), np.zeros((0, 2, 3))
        self.masses: list[str] = []  # whose lever arms these are
        self.setVisible(False)

    def clear(self) -> None:
        self.set_joint(-1)

    def set_joint(self, joint: int, gravity: np.ndarray | None = None) -> None:
        """Show what this joint bears against a gravity `(3,)` in W, m/s², the robot's own for None; -1 for nothing."""
        self.joint, self._gravity = joint, gravity
        self.setVisible(joint >= 0)
        self.follow_again()

    def follow(self, pose: Pose) -> None:
        weights: list[Arrow] = []
        levers: list[tuple[np.ndarray, np.ndarray]] = []
        self.masses = []
        robot = pose.robot
        gravity = robot.gravity if self._gravity is None else self._gravity
        size = float(np.linalg.norm(gravity))
        if self.joint >= 0 and size:
            down = gravity / size
            heaviest = max(body.mass for body in robot.bodies)
            for i, body in enumerate(robot.bodies):
                column = body_jacobian(robot, pose.q, i, body.com)[:, self.joint]
                if body.mass == 0.0 or not column.any():
                    continue
                X = pose.slots[i + 1]
                centre = X[:3, :3] @ body.com + X[:3, 3]
                weight, share = body.mass * gravity, HEAVIEST * body.mass / heaviest
                weights.append(Arrow("F", f"m{subscript(i + 1)}g", centre, weight, N, False, share, False))
                arm = _lever(column, down)
                if np.linalg.norm(arm) > SHORT:
                    levers.append((centre - arm, centre))
                    self.masses.append(f"m{subscript(i + 1)}")
        self.levers = np.array(levers).reshape(-1, 2, 3)
        self.weights.place(weights, robot.reach)

    def draw(self, frame: FrameState) -> None:
        self.weights.draw(frame, lambda: self.held("arrows", ArrowMesh))
        if len(self.levers):
            marks = lines(self.levers[:, 0], self.levers[:, 1], [self._colour()] * len(self.levers), 3.0)
            self.held("lines", LineBatch).draw_in_front(frame, marks, FRONT)

    def _colour(self) -> str:
        return palette.RNEA["tau"][self.weights.dark]

    def labels(self, frame: FrameState) -> list[Label]:
        """The weights, and of each the lever arm's length."""
        if not self.visible():
            return []
        out = self.weights.labels(frame)
        for mass, lever in zip(self.masses, self.levers, strict=True):
            text = f"{mass}  {self.units.text(float(np.linalg.norm(lever[1] - lever[0])), True)}"
            out.append(Label(text, self._colour(), lever.mean(axis=0), (0.0, -10.0), size=0.82, rank=0, plain=True))
        return out


def _lever(column: np.ndarray, down: np.ndarray) -> np.ndarray:
    """From the axis to a weight's line of action `(3,)`, square to both; zero for a slide and for an upright axis.

    `column` `(6,)` of the Jacobian of the centre of mass: z × r and z.
    """
    z = column[3:]
    across = np.cross(z, down)
    length = np.linalg.norm(across)
    if length < SHORT:
        return np.zeros(3)
    return np.dot(np.cross(column[:3], z), across) / length**2 * across
