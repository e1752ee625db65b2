"""`Stage`: all items of the scene, and which of them are shown."""

from __future__ import annotations

import numpy as np

from app.scene.arm_item import ArmItem
from app.scene.backdrop_item import BackdropItem
from app.scene.cloud_item import CloudItem
from app.scene.ellipsoid_item import EllipsoidItem
from app.scene.floor_item import FloorItem
from app.scene.frame_item import FrameItem
from app.scene.frame_state import FrameState
from app.scene.ghost_item import GhostItem
from app.scene.label import Label
from app.scene.label_item import LabelItem
from app.scene.mesh import Mesh
from app.scene.skeleton import Skeleton
from app.scene.trace_item import TraceItem
from engine import Robot, jacobian

OVERLAYS = ("frames", "labels", "grid", "trace", "ellipsoid", "workspace")


class Stage:
    """The items, given a robot and then poses; it knows nothing of windows."""

    def __init__(self):
        self.arm = ArmItem()
        self.floor = FloorItem(self.arm)
        self.frames = FrameItem()
        self.trace = TraceItem()
        self.ellipsoid = EllipsoidItem()
        self.ghosts = GhostItem(self.arm)
        self.cloud = CloudItem()
        self.labels = LabelItem()
        self.labels.sources = [self.frames.labels, self._floor_labels]
        moving = [self.arm, self.floor, self.frames, self.trace, self.ellipsoid, self.cloud, self.ghosts]
        self.items = [BackdropItem(), *moving, self.labels]
        self.ellipsoid.setVisible(False)
        self.robot: Robot | None = None
        self._poses, self._q = np.eye(4)[None], np.zeros(0)

    def set_robot(self, robot: Robot, bones: Skeleton, mesh: Mesh) -> None:
        """Set the stage for another robot; nothing of the last one stays."""
        self.robot = robot
        for item in self.items:
            item.broken = False
        self.arm.set_mesh(mesh, len(robot.bodies) + 1, robot.joint_bodies)
        self.frames.set_robot(robot)
        self.floor.set_size(robot.base[:2, 3], bones.scale, bones.floor)
        self.ghosts.set_ghosts(np.zeros((0, len(robot.bodies) + 1, 4, 4)), ())
        self.trace.clear()
        self.trace.resolution = 2e-3 * bones.scale
        self.cloud.clear()

    def set_poses(self, X_WS: np.ndarray, q: np.ndarray) -> None:
        """Poses of all slots, the world first, `(n + 1, 4, 4)`, and the q they belong to."""
        self._poses, self._q = X_WS, q
        self.arm.set_poses(X_WS[1:])
        self.frames.set_poses(X_WS)
        self.trace.add(self.tool_point())
        self._move_ellipsoid()

    def tool_point(self) -> np.ndarray:
        """Origin of the tool frame in W, `(3,)`."""
        frame = self.robot.frames[self.robot.tool]
        return (self._poses[frame.body + 1] @ frame.X_BF)[:3, 3]

    def set_overlay(self, name: str, on: bool) -> None:
        """Show or hide one of OVERLAYS."""
        if name == "grid":
            self.floor.grid = on
        elif name == "labels":
            self.frames.with_labels = on
        else:
            self._item(name).setVisible(on)
            self._move_ellipsoid()

    def overlay(self, name: str) -> bool:
        """Whether one of OVERLAYS is shown."""
        return {"grid": lambda: self.floor.grid, "labels": lambda: self.frames.with_labels}.get(
            name, lambda: self._item(name).visible()
        )()

    def points_to_frame(self, joint: int = -1) -> np.ndarray:
        """Points `(N, 3)` in W that outline the arm and its cloud, or one joint's link; of a high stand only the top."""
        vertices = self.arm.mesh.vertices
        if joint >= 0:
            vertices = vertices[vertices["slot"] == self.robot.joint_bodies[joint] + 1]
        X = self._poses[vertices["slot"]]
        points = np.einsum("vij,vj->vi", X[:, :3, :3], vertices["position"]) + X[:, :3, 3]
        if joint >= 0:
            return points
        moving = points[vertices["slot"] > 0, 2].min()
        points[:, 2] = np.maximum(points[:, 2], min(moving, self.robot.base[2, 3]) - 0.6 * self.robot.reach)
        if not self.cloud.visible():
            return points
        return np.concatenate([points, self.cloud.records["position"][:4000]])

    def _item(self, name: str):
        items = {"frames": self.frames, "trace": self.trace, "ellipsoid": self.ellipsoid, "workspace": self.cloud}
        if name not in items:
            raise ValueError(f"no overlay {name!r}; there are {', '.join(OVERLAYS)}")
        return items[name]

    def _move_ellipsoid(self) -> None:
        if self.robot is not None and self.ellipsoid.visible():
            self.ellipsoid.set_jacobian(jacobian(self.robot, self._q)[:3], self.tool_point(), self.robot.reach)

    def _floor_labels(self, frame: FrameState) -> list[Label]:
        return self.floor.labels(frame) if self.floor.grid else []
