"""Pinocchio's and MuJoCo's view of an arm, for tests and benchmarks, where both are always installed."""

from armature.engine.checks.peer_checks import depth_first_order, mujoco_mass_matrix, mujoco_rnea, to_mujoco, to_pinocchio

__all__ = ["depth_first_order", "mujoco_mass_matrix", "mujoco_rnea", "to_mujoco", "to_pinocchio"]
