"""`GizmoDrag`: the pose that a drag of one of the gizmo's handles asks of the tool."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.app.scene.camera.camera import Camera
from armature.app.scene.gizmo.gizmo_handles import ARROWS, RINGS, axis_index
from armature.app.scene.gizmo.gizmo_look import GizmoLook
from armature.app.scene.gl.basic_solids import aligned
from armature.app.scene.hands.gizmo_pick import Grasp
from armature.app.scene.hands.joint_drag import JointDrag
from armature.engine.rotations import rotation

SNAP_LENGTH, SNAP_ANGLE = 0.05, np.radians(5.0)
_GLANCING = 0.02  # cosine between ray and normal below which a plane is not cut


@dataclass(frozen=True)
class Wanted:
    """Where the tool is wanted: X_WT `(4, 4)`, moved by `shift` `(3,)` m along the gizmo's axes or turned by `angle` rad."""

    handle: str
    X_WT: np.ndarray
    shift: np.ndarray
    angle: float = 0.0

    @classmethod
    def at(cls, handle: str, X_WT: np.ndarray, R_WG: np.ndarray, shift: np.ndarray, angle: float = 0.0) -> Wanted:
        """From the pose X_WT, moved along gizmo axes R_WG or turned about the axis of a ring, the origin staying where it is."""
        X = X_WT.copy()
        X[:3, 3] += R_WG @ shift
        if handle in RINGS:
            X[:3, :3] = rotation(angle * R_WG[:, axis_index(handle)]) @ X_WT[:3, :3]
        return cls(handle, X, shift, angle)


def jogged(X_WT: np.ndarray, R_WG: np.ndarray, handle: str, amount: float) -> Wanted:
    """The pose after so many m along an arrow, or rad about a ring."""
    if handle in RINGS:
        return Wanted.at(handle, X_WT, R_WG, np.zeros(3), amount)
    return Wanted.at(handle, X_WT, R_WG, amount * np.eye(3)[axis_index(handle)])


class GizmoDrag:
    """One gesture: begun at a grasp, evaluated at every cursor position. All is measured from where it began, so nothing drifts.

    The point of the handle that was taken stays under the cursor, although the gizmo keeps its size on the screen while it comes
    nearer or goes away.
    """

    def __init__(self, look: GizmoLook, camera: Camera, grasp: Grasp):
        self.handle, self.point = grasp.handle, grasp.point
        self._camera, self._off = camera, grasp.off
        self._X0, self._R, self._centre = look.X_WT.copy(), look.R_WG.copy(), look.centre.copy()
        self._size, self._length = look.length(camera), lambda at: look.length(camera, at)
        if self.handle in (*ARROWS, *RINGS):
            self._axis = self._R[:, axis_index(self.handle)]
            slides = self.handle in ARROWS
            self._joint = JointDrag(camera, aligned(self._axis, self._centre), self.point, slides, 0.0, (-np.inf, np.inf))
        else:
            planes = self.handle in ("yz", "zx", "xy")
            self._normal = self._R[:, axis_index(self.handle)] if planes else camera.axes()[2]
            self._shift = np.zeros(3)

    def wanted(self, x: float, y: float, snap: bool = False) -> Wanted:
        """The pose for the cursor at pixel (x, y); in steps of 5 cm or 5° with `snap`."""
        x, y = np.array([x, y]) - self._off
        if self.handle in RINGS:
            angle = self._joint.value(x, y)
            return self._reply(np.zeros(3), SNAP_ANGLE * round(angle / SNAP_ANGLE) if snap else angle)
        if self.handle in ARROWS:
            shift = self._joint.value(x, y) / self._growth(self._axis) * self._axis
        else:
            shift = self._shift = self._over_plane(x, y)
        shift = shift @ self._R
        return self._reply(SNAP_LENGTH * np.round(shift / SNAP_LENGTH) if snap else shift)

    def _reply(self, shift: np.ndarray, angle: float = 0.0) -> Wanted:
        return Wanted.at(self.handle, self._X0, self._R, shift, angle)

    def grip(self, look: GizmoLook, wanted: Wanted) -> np.ndarray:
        """Where the grasped point of the handle is on a gizmo that looks like this, `(3,)` in W."""
        place = (self.point - self._centre) / self._size
        if self.handle in RINGS:
            place = rotation(wanted.angle * self._axis) @ place
        return look.centre + look.length(self._camera) * place

    def _growth(self, along: np.ndarray) -> float:
        """How far the grasped point goes per metre of the tool along a unit vector, the gizmo growing with the distance."""
        relative = (self.point - self._centre) / self._size
        grown = self._length(self._centre + 0.1 * self._size * along) - self._size
        return 1.0 + float(relative @ along) * grown / (0.1 * self._size)

    def _over_plane(self, x: float, y: float) -> np.ndarray:
        """Shift `(3,)` in W that brings the grasped point under the cursor within the plane; the last one where it is not met."""
        origin, ray = self._camera.ray(x, y)
        slope = float(ray @ self._normal)
        if abs(slope) < _GLANCING:
            return self._shift
        away = float((self.point - origin) @ self._normal) / slope
        if away <= 0:
            return self._shift
        target = origin + away * ray - self.point
        u = aligned(self._normal, np.zeros(3))[:3, :2]
        # the grasped point goes (1 + o ⊗ g) s for a shift s of the tool, with o its place on the gizmo and g how the gizmo grows
        place = (self.point - self._centre) / self._size
        grows = np.array([self._length(self._centre + 0.1 * self._size * u[:, k]) - self._size for k in (0, 1)]) / (
            0.1 * self._size
        )
        return u @ np.linalg.solve(np.eye(2) + np.outer(place @ u, grows), target @ u)
