"""`JointDrag`: the joint value that brings a grabbed point under the cursor."""

from __future__ import annotations

import numpy as np

from armature.app.scene.camera.camera import Camera

# The point's circle is searched every two degrees, then twice more closely.
CIRCLE = np.linspace(-np.pi, np.pi, 180, endpoint=False)
CLOSER = tuple(width * np.linspace(-1.0, 1.0, 41) for width in (CIRCLE[1] - CIRCLE[0], 0.1 * (CIRCLE[1] - CIRCLE[0])))
# A circle seen nearly from its edge is two lines, one behind the other: to leap across must be worth so many pixels per radian.
LEAP_PIXELS = 8.0
# A circle smaller than this is the axis itself, which turns as a knob does; an axis that runs so steeply into the picture that
# it seems shorter than this part of itself is pushed, not followed.
KNOB_PIXELS, PIXELS_PER_RADIAN = 8.0, 120.0
STEEP = 0.1


class JointDrag:
    """One gesture on one joint: begun at a grabbed point, gives a value for every cursor position.

    The grabbed point goes where its path, a circle or a line, passes nearest to the cursor in the picture. Values are measured
    from where the gesture began, so they neither drift nor jump: angles are unwrapped against the last answer, and a joint held
    at its limit takes up the motion again where the cursor comes back.
    """

    def __init__(
        self,
        camera: Camera,
        X_WB: np.ndarray,
        point: np.ndarray,
        prismatic: bool,
        q0: float,
        limits: tuple[float, float],
        rate: float = 1.0,
    ):
        """`X_WB` is the body's pose, `point` `(3,)` the grabbed point in W, both at joint value `q0`.

        The body moves by `rate` rad or m for each of the joint: other than 1 where it copies another joint.
        """
        self.camera, self.prismatic, self.q0, self.limits, self.rate = camera, prismatic, q0, limits, rate
        self.axis, self.point = X_WB[:3, 2].copy(), np.asarray(point, float)
        self.centre = X_WB[:3, 3] + ((self.point - X_WB[:3, 3]) @ self.axis) * self.axis
        self.arm = self.point - self.centre
        self.moved = 0.0
        self._start: np.ndarray | None = None

    def value(self, x: float, y: float) -> float:
        """Joint value, in rad or m and within the limits, for the cursor at pixel (x, y)."""
        cursor = np.array([x, y], float)
        if self._start is None:
            self._start = self.camera.project(self.point)[:2]
        self.moved = self._slide(cursor, self._start) if self.prismatic else self._turn(cursor)
        return float(np.clip(self.q0 + self.moved / self.rate, *self.limits))

    def at(self, moved: float | np.ndarray) -> np.ndarray:
        """Where the grabbed point is after `moved` rad or m, `(..., 3)` in W."""
        moved = np.asarray(moved, float)[..., None]
        if self.prismatic:
            return self.point + moved * self.axis
        return self.centre + np.cos(moved) * self.arm + np.sin(moved) * np.cross(self.axis, self.arm)

    def _misses(self, moved: np.ndarray, cursor: np.ndarray) -> np.ndarray:
        """Pixels between the cursor and the point at each of `moved`."""
        off = self.camera.project(self.at(moved))[:, :2] - cursor
        return np.nan_to_num(np.hypot(*off.T), nan=np.inf)

    def _turn(self, cursor: np.ndarray) -> float:
        if np.linalg.norm(self.arm) < KNOB_PIXELS * self.camera.metres_per_pixel(self.centre):
            return self._turn_knob(cursor)
        angles = self.moved + CIRCLE
        misses = self._misses(angles, cursor)
        lowest = np.flatnonzero((misses <= np.roll(misses, 1)) & (misses <= np.roll(misses, -1)))
        if not np.isfinite(misses[lowest]).any():
            return self.moved
        best = angles[lowest[np.argmin(misses[lowest] + LEAP_PIXELS * np.abs(CIRCLE[lowest]))]]
        for step in CLOSER:
            best = best + step[np.argmin(self._misses(best + step, cursor))]
        return float(best)

    def _turn_knob(self, cursor: np.ndarray) -> float:
        """Grabbed on the axis itself: turn as the cursor goes across it, or to the right where it points at the eye."""
        hub, tip = self.camera.project(np.array([self.centre, self.centre + 0.1 * self.camera.distance * self.axis]))
        along, shift = tip[:2] - hub[:2], cursor - self._start
        length = np.linalg.norm(along)
        if length < 1e-6:
            return float(shift[0] / PIXELS_PER_RADIAN)
        return float(np.array([along[1], -along[0]]) @ shift / length / PIXELS_PER_RADIAN)

    def _slide(self, cursor: np.ndarray, start: np.ndarray) -> float:
        eye, ray = self.camera.ray(*start)
        cosine = float(ray @ self.axis)
        if 1.0 - cosine**2 < STEEP**2:
            # The axis runs into the picture: up is away from the eye.
            pixels = float(start[1] - cursor[1])
            return pixels * self.camera.metres_per_pixel(self.point) * np.sign(cosine or 1.0)
        # The picture of the axis is a line; the ray through its pixel nearest to the cursor meets the axis itself.
        beside = self.camera.project(self.at(1e-3 * self.camera.distance))[:2] - start
        u = beside / np.linalg.norm(beside)
        eye, ray = self.camera.ray(*(start + (cursor - start) @ u * u))
        cosine, away = float(ray @ self.axis), self.point - eye
        moved = float((away @ ray) * cosine - away @ self.axis) / (1.0 - cosine**2)
        seen = self.camera.project(self.at(moved))[2] > 0
        return moved if seen else self.moved  # beyond the axis' vanishing point there is nothing to follow
