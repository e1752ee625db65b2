"""`ArmFunctions`: the argument `arm` of a user-defined controller, the functions of the engine for one state."""

from __future__ import annotations

from typing import Any

import numpy as np

from armature.engine.dynamics.coriolis import coriolis_matrix
from armature.engine.dynamics.forward import forward_dynamics
from armature.engine.dynamics.friction import friction_torque
from armature.engine.dynamics.mass_matrix import mass_matrix
from armature.engine.dynamics.newton_euler import gravity_torque, rnea
from armature.engine.dynamics.regressor import parameters, regressor
from armature.engine.kinematics.jacobian import jacobian, jacobian_dot
from armature.engine.kinematics.poses import frame_pose, link_poses
from armature.engine.kinematics.task import is_turned, row_scale, task_rows
from armature.engine.model.robot import Robot


def task_weights(robot: Robot) -> np.ndarray:
    """Weights `(6,)` of the tool axes x y z rx ry rz in W, as of `row_scale`: 1 for x y z, a length in m for rx ry rz.

    Axes outside the task have weight 0, unless the task is along other axes than those of W.
    """
    weights, rows = np.zeros(6), task_rows(robot)
    rows = np.arange(6) if is_turned(robot, rows) else rows
    weights[rows] = row_scale(robot, rows)
    return weights


class ArmFunctions:
    """The model of the arm in a controller: q, qd, qdd `(n,)` in rad or m (per s, s²), torques `(n,)` in N·m or N, world axes.

    `home` `(n,)` is the pose of that name; `weights` `(6,)` are 0 for tool axes outside the task, 1 along an axis, and a length
    in m that turns rad into m about one; `tau_measured` `(n,)` are the motor torques of the step before, as measured by the
    drives, see `armature.Sensors`. Equation and source of each function are in the engine's function of the same or longer name.
    """

    def __init__(self, robot: Robot):
        self._robot = robot
        self.n = robot.n
        self.joint_names = robot.joint_names
        self.q_min, self.q_max = robot.q_min, robot.q_max
        self.qd_max, self.tau_max = robot.qd_max, robot.tau_max
        self.home = robot.configurations["home"]
        self.weights = task_weights(robot)
        self.tau_measured = np.zeros(robot.n)

    def __getattr__(self, name: str) -> Any:
        known = [one for one in (*vars(ArmFunctions), *self.__dict__) if not one.startswith("_")]
        raise AttributeError(f"arm has no {name!r}; it has {', '.join(known)}")

    def gravity(self, q) -> np.ndarray:
        """g(q) `(n,)`, as `gravity_torque`."""
        return gravity_torque(self._robot, q)

    def rnea(self, q, qd, qdd) -> np.ndarray:
        """M(q) qdd + C(q, qd) qd + g(q) `(n,)`."""
        return rnea(self._robot, q, qd, qdd)

    def mass_matrix(self, q) -> np.ndarray:
        """M(q) `(n, n)`."""
        return mass_matrix(self._robot, q)

    def coriolis(self, q, qd) -> np.ndarray:
        """C(q, qd) `(n, n)` in the Christoffel form, as `coriolis_matrix`."""
        return coriolis_matrix(self._robot, q, qd)

    def friction(self, qd) -> np.ndarray:
        """The torque that joint friction takes `(n,)`, as `friction_torque`."""
        return friction_torque(self._robot, qd)

    def forward_dynamics(self, q, qd, tau) -> np.ndarray:
        """qdd `(n,)`, friction included."""
        return forward_dynamics(self._robot, q, qd, tau)

    def pose(self, q, frame: str | None = None) -> np.ndarray:
        """X_WF `(4, 4)` of the tool or of a named frame, as `frame_pose`."""
        return frame_pose(self._robot, q, frame)

    def link_poses(self, q) -> np.ndarray:
        """X_WB `(n_links, 4, 4)` of all links."""
        return link_poses(self._robot, q)

    def jacobian(self, q, frame: str | None = None) -> np.ndarray:
        """J(q) `(6, n)` of the tool or of a named frame, linear rows first."""
        return jacobian(self._robot, q, frame)

    def jacobian_dot(self, q, qd, frame: str | None = None) -> np.ndarray:
        """dJ/dt `(6, n)`."""
        return jacobian_dot(self._robot, q, qd, frame)

    def regressor(self, q, qd, qdd) -> np.ndarray:
        """Y(q, qd, qdd), with which Y π = rnea(q, qd, qdd) for the inertial parameters π."""
        return regressor(self._robot, q, qd, qdd)

    def parameters(self) -> np.ndarray:
        """π, the inertial parameters of all links that `regressor` goes with."""
        return parameters(self._robot)
