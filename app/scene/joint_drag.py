"""`JointDrag`: the joint value that brings a grabbed point under the cursor."""

from __future__ import annotations

import numpy as np

from app.scene.camera import Camera

# Below this |cos| between view ray and joint axis the plane of motion is seen too much from its edge to be cut by the ray.
EDGE_ON = 0.2
PIXELS_PER_RADIAN = 120.0


class JointDrag:
    """One gesture on one joint: begun at a grabbed point, asked for a value at every cursor position.

    The answer is measured from where the gesture began, so it neither drifts nor jumps: angles are unwrapped against the last
    answer, and a joint held at its limit takes up the motion again where the cursor comes back.
    """

    def __init__(
        self, camera: Camera, X_WB: np.ndarray, point: np.ndarray, prismatic: bool, q0: float, limits: tuple[float, float]
    ):
        """`X_WB` is the body's pose, `point` `(3,)` the grabbed point in W, both at joint value `q0`."""
        self.camera, self.prismatic, self.q0, self.limits = camera, prismatic, q0, limits
        self.axis, self.point = X_WB[:3, 2].copy(), np.asarray(point, float)
        self.centre = X_WB[:3, 3] + ((self.point - X_WB[:3, 3]) @ self.axis) * self.axis
        self.arm = self.point - self.centre
        self.moved = 0.0
        self._start_pixel: np.ndarray | None = None

    def value(self, x: float, y: float) -> float:
        """Joint value, in rad or m and within the limits, for the cursor at pixel (x, y)."""
        cursor = np.array([x, y], float)
        if self._start_pixel is None:
            self._start_pixel = self.camera.project(self.point)[:2]
        if self.prismatic:
            self.moved = self._slide(cursor)
        else:
            turn = self._turn(cursor)
            self.moved += (turn - self.moved + np.pi) % (2 * np.pi) - np.pi
        return float(np.clip(self.q0 + self.moved, *self.limits))

    def at(self, moved: float) -> np.ndarray:
        """Where the grabbed point is after `moved` rad or m, `(3,)` in W."""
        if self.prismatic:
            return self.point + moved * self.axis
        return self.centre + np.cos(moved) * self.arm + np.sin(moved) * np.cross(self.axis, self.arm)

    def _turn(self, cursor: np.ndarray) -> float:
        if np.linalg.norm(self.arm) < 10.0 * self.camera.metres_per_pixel(self.centre):
            return self._turn_about_pixel(cursor)
        eye, ray = self.camera.ray(*cursor)
        slope = float(ray @ self.axis)
        toward = float((self.centre - eye) @ self.axis)
        if abs(slope) > EDGE_ON and toward / slope > 0:
            reached = eye + ray * (toward / slope) - self.centre
            guess = np.arctan2(np.cross(self.arm, reached) @ self.axis, self.arm @ reached)
        else:
            guess = self._nearest_turn(cursor)
        return self._refined(guess, cursor, most=0.2)

    def _nearest_turn(self, cursor: np.ndarray) -> float:
        """Seen from the edge: the angle near the present one at which the point comes closest to the cursor on the screen."""
        angles = self.moved + np.linspace(-1.0, 1.0, 161)
        at = self.centre + np.outer(np.cos(angles), self.arm) + np.outer(np.sin(angles), np.cross(self.axis, self.arm))
        miss = np.linalg.norm(self.camera.project(at)[:, :2] - cursor, axis=1)
        return float(angles[np.nanargmin(miss + 0.5 * np.abs(angles - self.moved))])

    def _turn_about_pixel(self, cursor: np.ndarray) -> float:
        """Grabbed on the axis itself: follow the cursor around it, or across it when the axis lies in the picture."""
        hub, tip = self.camera.project(np.array([self.centre, self.centre + 0.1 * self.camera.distance * self.axis]))
        along = tip[:2] - hub[:2]
        length = np.linalg.norm(along)
        shift = cursor - self._start_pixel
        if length < 1e-6:
            return float(shift[0] / PIXELS_PER_RADIAN)
        return float(np.array([along[1], -along[0]]) @ shift / length / PIXELS_PER_RADIAN)

    def _slide(self, cursor: np.ndarray) -> float:
        eye, ray = self.camera.ray(*cursor)
        cosine = float(ray @ self.axis)
        sine2 = 1.0 - cosine**2
        if sine2 < EDGE_ON**2:
            # The axis runs into the picture: up is away from the eye.
            pixels = float(self._start_pixel[1] - cursor[1])
            return pixels * self.camera.metres_per_pixel(self.point) * np.sign(cosine or 1.0)
        away = self.point - eye
        guess = float((away @ ray) * cosine - away @ self.axis) / sine2
        return self._refined(guess, cursor, most=0.05 * self.camera.distance)

    def _refined(self, moved: float, cursor: np.ndarray, most: float) -> float:
        """Gauss–Newton steps on the distance between point and cursor in pixels, each at most `most`."""
        step = 1e-5 * (self.camera.distance if self.prismatic else 1.0)
        best, least = moved, np.inf
        for _ in range(6):
            here, there = self.camera.project(np.array([self.at(moved), self.at(moved + step)]))[:, :2]
            error = cursor - here
            miss = float(error @ error)
            if not np.isfinite(miss) or miss >= least:
                break
            best, least = moved, miss
            slope = (there - here) / step
            moved += float(np.clip(slope @ error / max(float(slope @ slope), 1e-9), -most, most))
        return best
