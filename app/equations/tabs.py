"""The tabs of the Equations dock, in their order; each is one file, listed here and nowhere else."""

from __future__ import annotations

from armature.app.equations.coordinates.coordinates_tab import CoordinatesTab
from armature.app.equations.dynamics_tab import DynamicsTab
from armature.app.equations.jacobian.jacobian_tab import JacobianTab
from armature.app.equations.kinematics.kinematics_tab import KinematicsTab
from armature.app.equations.lagrange.lagrange_tab import LagrangeTab
from armature.app.equations.recursion_tab import RecursionTab
from armature.app.equations.tab import EquationTab

TABS: tuple[type[EquationTab], ...] = (KinematicsTab, JacobianTab, LagrangeTab, DynamicsTab, RecursionTab, CoordinatesTab)
