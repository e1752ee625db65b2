"""Armature's engine: models, kinematics, dynamics and control of robot arms. Start with `help(armature.load_robot)`.

Conventions: SI units, radians; poses X_WB are 4×4; linear before angular in Jacobians, twists and wrenches; world frame W, z up;
joint 1 is index 0; every function accepts q `(n,)` or `(N, n)` and returns the same leading dimension.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pkgutil import iter_modules
from types import FunctionType

if __name__ == "engine":  # in a checkout `import engine` is an alias; modules inside have their full name only
    sys.modules |= {f"engine.{module.name}": None for module in iter_modules(__path__)}
    sys.modules[__name__] = import_module("armature.engine")

_HOME = {
    "Robot": "armature.engine.model.robot",
    "load_robot": "armature.engine.model.load_robot",
    "shipped_robots": "armature.engine.model.load_robot",
    "save_robot": "armature.engine.model.export.save_robot",
    "RobotDraft": "armature.engine.model.draft.robot_draft",
    "draft_of": "armature.engine.model.draft.new_drafts",
    "open_draft": "armature.engine.model.draft.new_drafts",
    "empty_draft": "armature.engine.model.draft.new_drafts",
    "to_standard": "armature.engine.model.dh.dh_conversion",
    "to_modified": "armature.engine.model.dh.dh_conversion",
    "dh_from_robot": "armature.engine.model.dh.dh_extraction",
    "DHDescription": "armature.engine.model.dh.dh_extraction",
    "frame_pose": "armature.engine.kinematics.poses",
    "link_poses": "armature.engine.kinematics.poses",
    "jacobian": "armature.engine.kinematics.jacobian",
    "jacobian_dot": "armature.engine.kinematics.jacobian",
    "analytic_jacobian": "armature.engine.kinematics.jacobian",
    "analytic_jacobian_dot": "armature.engine.kinematics.jacobian",
    "ik": "armature.engine.kinematics.ik",
    "IKResult": "armature.engine.kinematics.ik",
    "ik_all": "armature.engine.kinematics.ik_all",
    "follow_branches": "armature.engine.kinematics.ik_all",
    "Branch": "armature.engine.kinematics.pose_branches",
    "rnea": "armature.engine.dynamics.newton_euler",
    "gravity_torque": "armature.engine.dynamics.newton_euler",
    "mass_matrix": "armature.engine.dynamics.mass_matrix",
    "coriolis_matrix": "armature.engine.dynamics.coriolis",
    "christoffel": "armature.engine.dynamics.coriolis",
    "rnea_steps": "armature.engine.dynamics.rnea_steps",
    "RneaSteps": "armature.engine.dynamics.rnea_steps",
    "equations": "armature.engine.formulas.equations",
    "Equations": "armature.engine.formulas.equations",
    "Formula": "armature.engine.formulas.formula",
    "friction_torque": "armature.engine.dynamics.friction",
    "forward_dynamics": "armature.engine.dynamics.forward",
    "kinetic_energy": "armature.engine.dynamics.energy",
    "potential_energy": "armature.engine.dynamics.energy",
    "lagrange_terms": "armature.engine.dynamics.lagrange",
    "LagrangeTerms": "armature.engine.dynamics.lagrange",
    "lagrange_steps": "armature.engine.dynamics.lagrange",
    "LagrangeSteps": "armature.engine.dynamics.lagrange",
    "link_loads": "armature.engine.dynamics.rnea_steps",
    "center_of_mass": "armature.engine.dynamics.centre_of_mass",
    "com_jacobian": "armature.engine.dynamics.centre_of_mass",
    "regressor": "armature.engine.dynamics.regressor",
    "parameters": "armature.engine.dynamics.regressor",
    "base_parameters": "armature.engine.dynamics.regressor",
    "BaseParameters": "armature.engine.dynamics.regressor",
    "rnea_derivatives": "armature.engine.dynamics.derivatives",
    "RneaDerivatives": "armature.engine.dynamics.derivatives",
    "forward_dynamics_derivatives": "armature.engine.dynamics.derivatives",
    "ForwardDerivatives": "armature.engine.dynamics.derivatives",
    "statics_torque": "armature.engine.kinematics.statics",
    "statics_wrench": "armature.engine.kinematics.statics",
    "StaticWrench": "armature.engine.kinematics.statics",
    "operational_inertia": "armature.engine.singularities.operational_space",
    "singularity": "armature.engine.singularities.singularity",
    "Singularity": "armature.engine.singularities.singularity",
    "Cause": "armature.engine.singularities.singularity_causes",
    "nearest_singularity": "armature.engine.singularities.nearest_singularity",
    "NearestSingularity": "armature.engine.singularities.nearest_singularity",
    "singularity_map": "armature.engine.singularities.singular_map",
    "SingularityMap": "armature.engine.singularities.singular_map",
    "singular_families": "armature.engine.singularities.singular_families",
    "SingularFamily": "armature.engine.singularities.singular_families",
    "singular_surfaces": "armature.engine.singularities.singular_surfaces",
    "SingularSurfaces": "armature.engine.singularities.singular_surfaces",
    "SingularSurface": "armature.engine.singularities.singular_surfaces",
    "cross_singularity": "armature.engine.singularities.singularity_crossing",
    "Crossing": "armature.engine.singularities.singularity_crossing",
    "collision": "armature.engine.contact.collision",
    "Collision": "armature.engine.contact.collision",
    "Contact": "armature.engine.contact.collision",
    "collision_pairs": "armature.engine.contact.link_pairs",
    "CollisionPairs": "armature.engine.contact.link_pairs",
    "free_ranges": "armature.engine.contact.free_ranges",
    "FreeRanges": "armature.engine.contact.free_ranges",
    "Cell": "armature.engine.contact.cell",
    "CellObject": "armature.engine.contact.cell",
    "load_cell": "armature.engine.contact.cell_file",
    "save_cell": "armature.engine.contact.cell_file",
    "examine": "armature.engine.examination.examine",
    "Finding": "armature.engine.examination.finding",
    "check": "armature.engine.checks.check",
    "CheckResult": "armature.engine.checks.check",
    "workspace": "armature.engine.reach.workspace",
    "Workspace": "armature.engine.reach.sampled_workspace",
    "reach_volume": "armature.engine.reach.reach_volume",
    "ReachVolume": "armature.engine.reach.reach_volume",
    "voxel_grid": "armature.engine.reach.voxels",
    "VoxelGrid": "armature.engine.reach.voxels",
    "reach_surface": "armature.engine.reach.voxels",
    "save_workspace": "armature.engine.reach.reach_files",
    "Trajectory": "armature.engine.trajectory.trajectory",
    "cubic": "armature.engine.trajectory.joint_space",
    "quintic": "armature.engine.trajectory.joint_space",
    "trapezoidal": "armature.engine.trajectory.joint_space",
    "spline": "armature.engine.trajectory.joint_space",
    "minimum_jerk": "armature.engine.trajectory.joint_space",
    "time_optimal": "armature.engine.trajectory.joint_space",
    "MotionLimits": "armature.engine.trajectory.motion_limits",
    "ToolLimits": "armature.engine.model.tool_limits",
    "straight_line": "armature.engine.trajectory.task_space",
    "arc": "armature.engine.trajectory.task_space",
    "tool_motion": "armature.engine.trajectory.task_space",
    "Payload": "armature.engine.model.payload",
    "Waypoint": "armature.engine.trajectory.waypoint",
    "Plan": "armature.engine.trajectory.plan",
    "load_plan": "armature.engine.trajectory.plan_file",
    "load_trajectory": "armature.engine.trajectory.plan_file",
    "save_plan": "armature.engine.trajectory.plan_file",
    "plan_through": "armature.engine.trajectory.plan",
    "check_trajectory": "armature.engine.trajectory.trajectory_check",
    "TrajectoryContacts": "armature.engine.trajectory.trajectory_check",
    "FirstContact": "armature.engine.trajectory.trajectory_check",
    "check_limits": "armature.engine.trajectory.motion_limits",
    "Violation": "armature.engine.trajectory.motion_limits",
    "default_gains": "armature.engine.control.control_laws",
    "Controller": "armature.engine.control.controller",
    "ConstantTorque": "armature.engine.control.laws.constant_torque",
    "PD": "armature.engine.control.laws.pd",
    "PID": "armature.engine.control.laws.pid",
    "PDGravity": "armature.engine.control.laws.pd_gravity",
    "ComputedTorque": "armature.engine.control.laws.computed_torque",
    "Impedance": "armature.engine.control.laws.impedance",
    "ResolvedRate": "armature.engine.control.laws.resolved_rate",
    "GravityCompensation": "armature.engine.control.laws.gravity_compensation",
    "PythonLaw": "armature.engine.control.python_law",
    "OwnLaw": "armature.engine.control.own_law.own_law",
    "load_law": "armature.engine.control.own_law.own_law",
    "OwnDisturbance": "armature.engine.control.own_law.own_disturbance",
    "load_disturbance": "armature.engine.control.own_law.own_disturbance",
    "own_trajectory": "armature.engine.control.own_law.own_trajectory",
    "identify": "armature.engine.identification.identify",
    "Identification": "armature.engine.identification.identification",
    "simulate": "armature.engine.simulation.runs.simulate",
    "Sensors": "armature.engine.simulation.sensors.sensors",
    "compare": "armature.engine.simulation.runs.arm_comparison",
    "ArmComparison": "armature.engine.simulation.runs.arm_comparison",
    "ComparisonRow": "armature.engine.simulation.runs.arm_comparison",
    "compare_loads": "armature.engine.simulation.runs.load_comparison",
    "LoadComparison": "armature.engine.simulation.runs.load_comparison",
    "Recording": "armature.engine.recording.recording",
    "import_log": "armature.engine.recording.measured.import_log",
    "torque_residuals": "armature.engine.recording.measured.measured_torques",
    "TorqueResiduals": "armature.engine.recording.measured.measured_torques",
    "demonstrated_trajectory": "armature.engine.recording.measured.recorded_trajectory",
    "Demonstration": "armature.engine.recording.measured.recorded_trajectory",
    "recorded_trajectory": "armature.engine.recording.measured.recorded_trajectory",
    "singularities_met": "armature.engine.recording.measured.singularities_met",
    "SingularityMet": "armature.engine.recording.measured.singularities_met",
    "exciting_trajectory": "armature.engine.identification.exciting_trajectory",
    "excitation": "armature.engine.identification.excitation",
    "Excitation": "armature.engine.identification.excitation",
    "load_recording": "armature.engine.recording.recording_reader",
    "convert_recording": "armature.engine.recording.convert_recording",
    "find_recoverable": "armature.engine.recording.recording_recovery",
    "recover": "armature.engine.recording.recording_recovery",
    "resimulate": "armature.engine.simulation.runs.resimulate",
    "verify_recording": "armature.engine.simulation.runs.resimulate",
    "show": "armature.engine.remote.show",
    "View": "armature.engine.remote.view",
    "warm_up": "armature.engine.kernels",
    "EngineError": "armature.engine.errors",
    "Cancelled": "armature.engine.errors",
    "ModelError": "armature.engine.errors",
    "DimensionError": "armature.engine.errors",
    "UnknownFrameError": "armature.engine.errors",
    "MissingDynamicsError": "armature.engine.errors",
    "SingularMassMatrixError": "armature.engine.errors",
    "DivergenceError": "armature.engine.errors",
    "TrajectoryError": "armature.engine.errors",
    "RecordingError": "armature.engine.errors",
    "LawError": "armature.engine.errors",
    "LawTimeoutError": "armature.engine.errors",
    "ViewError": "armature.engine.errors",
}
__all__ = list(_HOME)

_ELSEWHERE = {
    "frame_pose": ("fk", "fkine", "forward_kinematics", "getTransform", "forwardKinematics"),
    "link_poses": ("fkine_all",),
    "jacobian": ("jacob0", "jacobe", "jacob", "geometricJacobian", "geometric_jacobian", "computeJointJacobians"),
    "jacobian_dot": ("jacob0_dot", "jacob_dot"),
    "analytic_jacobian": ("jacob0_analytical", "jacoba"),
    "ik": ("ikine", "ikine_LM", "ikine_NR", "ikine_GN", "ik_LM", "inverse_kinematics", "inverseKinematics", "solve_ik"),
    "ik_all": ("ikine_a", "ikine6s", "analyticalInverseKinematics"),
    "rnea": ("inverse_dynamics", "inverseDynamics", "itorque"),
    "mass_matrix": ("inertia", "massMatrix", "crba", "M"),
    "coriolis_matrix": ("coriolis", "computeCoriolisMatrix"),
    "gravity_torque": ("gravload", "gravityTorque", "computeGeneralizedGravity", "gravity"),
    "forward_dynamics": ("accel", "forwardDynamics", "aba"),
    "simulate": ("fdyn",),
    "friction_torque": ("friction",),
    "singularity": ("manipulability", "maniplty"),
    "center_of_mass": ("centerOfMass", "com"),
    "quintic": ("jtraj", "tpoly", "quinticpolytraj"),
    "trapezoidal": ("lspb", "trapveltraj"),
    "plan_through": ("mstraj", "mtraj"),
    "straight_line": ("ctraj",),
    "load_robot": (
        "loadrobot",
        "importrobot",
        "SerialLink",
        "DHRobot",
        "ERobot",
        "rigidBodyTree",
        "buildModelFromUrdf",
        "load_urdf",
    ),
    "show": ("teach", "plot"),
}
"""Names in other toolboxes, by Armature's name."""


def missing(module: str, name: str) -> AttributeError:
    """Return the error for an unknown name; for a name of another toolbox it contains Armature's name."""
    ours = next((ours for ours, theirs in _ELSEWHERE.items() if name in theirs), "")
    return AttributeError(f"module {module!r} has no attribute {name!r}{f'; here it is armature.{ours}' if ours else ''}")


def __getattr__(name: str):
    """Import a public name on first use, so that `import armature` is fast."""
    if name not in _HOME:
        raise missing("armature.engine", name)
    value = getattr(import_module(_HOME[name]), name)
    if isinstance(value, FunctionType):
        from armature.engine.checked_arguments import checked_arguments  # numpy, which `import armature` does not need

        value = checked_arguments(value, _class)
    globals()[name] = value
    return value


def _class(name: str) -> type | None:
    """Return the public class of this name, or None."""
    value = __getattr__(name) if name in _HOME else None
    return value if isinstance(value, type) else None


def __dir__() -> list[str]:
    return __all__
