"""The strip *Block diagram*."""

from __future__ import annotations

from armature.app.block_diagram.strip_height import first_height
from armature.app.control.feature import ControlFeature
from armature.app.dynamics.feature import DynamicsFeature
from armature.app.feature import Feature
from armature.app.kinematics.feature import KinematicsFeature
from armature.app.late_feature import LateFeature, Stand
from armature.app.plots.feature import PlotsFeature
from armature.app.simulation.feature import SimulationFeature
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.widgets.dock import TOP


class BlockDiagramDock(LateFeature):
    """Empty until it is first seen."""

    stand = Stand("block_diagram", "Block diagram", TOP, {"trajectory": 5}, height=first_height)
    needs = (TrajectoryFeature, ControlFeature, DynamicsFeature, SimulationFeature, KinematicsFeature, PlotsFeature)

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.block_diagram.feature import BlockDiagramFeature

        return BlockDiagramFeature
