"""Armature's engine: what an arm is, where it is, how it moves. See `help(engine.load_robot)` for where to start.

Conventions: SI units, radians; poses X_WB are 4×4; linear before angular in Jacobians, twists and wrenches; world frame W, z up;
joint 1 is index 0; every function takes q `(n,)` or `(N, n)` and answers with the same leading dimension.
"""

from __future__ import annotations

from importlib import import_module

_HOME = {
    "Robot": "engine.model.robot",
    "load_robot": "engine.model.load",
    "shipped_robots": "engine.model.load",
    "to_standard": "engine.model.dh_convert",
    "to_modified": "engine.model.dh_convert",
    "dh_from_robot": "engine.model.dh_extract",
    "DHDescription": "engine.model.dh_extract",
    "frame_pose": "engine.kinematics.poses",
    "link_poses": "engine.kinematics.poses",
    "jacobian": "engine.kinematics.jacobian",
    "jacobian_dot": "engine.kinematics.jacobian",
    "analytic_jacobian": "engine.kinematics.analytic_jacobian",
    "analytic_jacobian_dot": "engine.kinematics.analytic_jacobian",
    "ik": "engine.kinematics.ik",
    "IKResult": "engine.kinematics.ik",
    "ik_all": "engine.kinematics.ik_all",
    "Branch": "engine.kinematics.ik_all",
    "rnea": "engine.dynamics.newton_euler",
    "gravity_torque": "engine.dynamics.newton_euler",
    "mass_matrix": "engine.dynamics.mass_matrix",
    "coriolis_matrix": "engine.dynamics.coriolis",
    "friction_torque": "engine.dynamics.friction",
    "forward_dynamics": "engine.dynamics.forward",
    "kinetic_energy": "engine.dynamics.energy",
    "potential_energy": "engine.dynamics.energy",
    "lagrange_terms": "engine.dynamics.lagrange",
    "LagrangeTerms": "engine.dynamics.lagrange",
    "link_loads": "engine.dynamics.link_loads",
    "center_of_mass": "engine.dynamics.centre_of_mass",
    "com_jacobian": "engine.dynamics.centre_of_mass",
    "regressor": "engine.dynamics.regressor",
    "parameters": "engine.dynamics.regressor",
    "base_parameters": "engine.dynamics.base_parameters",
    "BaseParameters": "engine.dynamics.base_parameters",
    "rnea_derivatives": "engine.dynamics.derivatives",
    "RneaDerivatives": "engine.dynamics.derivatives",
    "forward_dynamics_derivatives": "engine.dynamics.derivatives",
    "ForwardDerivatives": "engine.dynamics.derivatives",
    "statics_torque": "engine.kinematics.statics",
    "statics_wrench": "engine.kinematics.statics",
    "StaticWrench": "engine.kinematics.statics",
    "operational_inertia": "engine.analysis.operational_space",
    "singularity": "engine.analysis.singularity",
    "Singularity": "engine.analysis.singularity",
    "Cause": "engine.analysis.causes",
    "nearest_singularity": "engine.analysis.nearest_singularity",
    "NearestSingularity": "engine.analysis.nearest_singularity",
    "singularity_map": "engine.analysis.singular_map",
    "SingularityMap": "engine.analysis.singular_map",
    "cross_singularity": "engine.analysis.crossing",
    "Crossing": "engine.analysis.crossing",
    "check": "engine.analysis.check",
    "CheckResult": "engine.analysis.check",
    "workspace": "engine.analysis.workspace",
    "Workspace": "engine.analysis.workspace",
    "reach_volume": "engine.analysis.reach_volume",
    "ReachVolume": "engine.analysis.reach_volume",
    "voxel_grid": "engine.analysis.voxels",
    "VoxelGrid": "engine.analysis.voxels",
    "reach_surface": "engine.analysis.reach_surface",
    "save_workspace": "engine.analysis.reach_files",
    "Trajectory": "engine.trajectory.trajectory",
    "cubic": "engine.trajectory.joint_space",
    "quintic": "engine.trajectory.joint_space",
    "trapezoidal": "engine.trajectory.joint_space",
    "spline": "engine.trajectory.joint_space",
    "minimum_jerk": "engine.trajectory.joint_space",
    "time_optimal": "engine.trajectory.joint_space",
    "MotionLimits": "engine.trajectory.motion_limits",
    "straight_line": "engine.trajectory.task_space",
    "arc": "engine.trajectory.task_space",
    "tool_motion": "engine.trajectory.task_space",
    "Payload": "engine.model.payload",
    "Waypoint": "engine.trajectory.waypoint",
    "Plan": "engine.trajectory.plan",
    "load_plan": "engine.trajectory.plan_file",
    "load_trajectory": "engine.trajectory.plan_file",
    "save_plan": "engine.trajectory.plan_writer",
    "check_limits": "engine.trajectory.check_limits",
    "Violation": "engine.trajectory.check_limits",
    "default_gains": "engine.control.gains",
    "Controller": "engine.control.controllers",
    "ConstantTorque": "engine.control.controllers",
    "PD": "engine.control.controllers",
    "PID": "engine.control.controllers",
    "PDGravity": "engine.control.controllers",
    "ComputedTorque": "engine.control.controllers",
    "Impedance": "engine.control.controllers",
    "ResolvedRate": "engine.control.controllers",
    "GravityCompensation": "engine.control.controllers",
    "simulate": "engine.simulation.offline",
    "Recording": "engine.recording.recording",
    "load_recording": "engine.recording.reader",
    "convert_recording": "engine.recording.convert",
    "find_recoverable": "engine.recording.recover",
    "recover": "engine.recording.recover",
    "resimulate": "engine.simulation.resimulate",
    "verify_recording": "engine.simulation.resimulate",
    "warm_up": "engine.kernels",
    "EngineError": "engine.errors",
    "ModelError": "engine.errors",
    "DimensionError": "engine.errors",
    "UnknownFrameError": "engine.errors",
    "MissingDynamicsError": "engine.errors",
    "SingularMassMatrixError": "engine.errors",
    "DivergenceError": "engine.errors",
    "TrajectoryError": "engine.errors",
    "RecordingError": "engine.errors",
}
__all__ = list(_HOME)


def __getattr__(name: str):
    """Imports what is asked for when it is first asked for, so that `import engine` costs nothing."""
    if name not in _HOME:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
