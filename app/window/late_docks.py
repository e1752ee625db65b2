"""The docks whose features are imported and made when they are first needed: an empty dock, its commands, what opens it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from armature.app.block_diagram.strip_height import first_height
from armature.app.control.feature import ControlFeature
from armature.app.control.own_law.feature import OwnLawFeature
from armature.app.dynamics.feature import DynamicsFeature
from armature.app.feature import Feature
from armature.app.kinematics.feature import KinematicsFeature
from armature.app.late_feature import LateFeature, Stand
from armature.app.plots.feature import PlotsFeature
from armature.app.recording.feature import RecordingFeature
from armature.app.recording.replay_tools_feature import ReplayToolsFeature
from armature.app.robots.own_file.feature import RobotFileFeature
from armature.app.simulation.feature import SimulationFeature
from armature.app.trajectory.comparison.comparison_model import TIP, TITLE
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.widgets.actions import Command, block
from armature.app.widgets.dock import BOTTOM, LEFT, RIGHT, TOP
from armature.app.workspace.feature import WorkspaceFeature
from armature.app.workspace.singular_surfaces import SingularSurfacesFeature
from armature.engine.recording.recording_metadata import IMPORTED

if TYPE_CHECKING:
    from pathlib import Path

    from armature.app.workbench import Workbench
    from armature.engine.recording.recording import Recording


class DHStepsDock(LateFeature):
    """The DH frames of the arm, built step by step."""

    stand = Stand("dh_steps", "DH steps", RIGHT, {"explore": 3})
    commands = block(
        "View/Frames and axes",
        3.0,
        Command("dh_steps", "DH, step by step", "", ("Ctrl+D",), "Build the DH frames of the arm step by step"),
    )

    def wire(self) -> None:
        """Connect its command."""
        self.on("dh_steps", lambda feature: feature.bring_up())

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.dh.feature import DHSteps

        return DHSteps


class FramesDock(LateFeature):
    """Assignment of DH frames, and rotation matrices."""

    stand = Stand("frames", "Frames", RIGHT, {"explore": 2})
    needs = (DHStepsDock,)
    commands = block(
        "View/Frames and axes",
        3.2,
        Command("assign_frames", "Assign frames", tip="Assign the DH frames rule by rule and make the free choices"),
        Command("rotations", "Rotation matrices", tip="Rotate a frame with sliders for R_x, R_y and R_z"),
    )

    def wire(self) -> None:
        """Connect its commands."""
        self.on("assign_frames", lambda feature: feature.bring_up(0))
        self.on("rotations", lambda feature: feature.bring_up(1))

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.dh.frames.feature import FramesFeature

        return FramesFeature


class MethodsDock(LateFeature):
    """Methods of the dynamics, compared."""

    stand = Stand("methods", "Methods", BOTTOM, {"dynamics": 6})

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.dynamics.methods.feature import MethodsFeature

        return MethodsFeature


class EquationsDock(LateFeature):
    """Equations of the arm, symbolic and in numbers."""

    stand = Stand("equations", "Equations", RIGHT, {"equations": 0}, width=466)

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.equations.feature import EquationsFeature

        return EquationsFeature


class QuestionsDock(LateFeature):
    """Exercises on the arm."""

    stand = Stand("questions", "Questions", LEFT, {"equations": 10})
    commands = block(
        "Help",
        2.0,
        Command("questions", "Questions", tip="Exercises on the displayed arm, with answer checking, hints and solutions"),
    )

    def wire(self) -> None:
        """Connect its command, and questions that are opened as files."""
        self._bench.actions.on("questions", self.dock.bring_up)
        self._bench.files.question_requested.connect(self._open)

    def _open(self, path: Path) -> None:
        self.feature.library.open_file(path)

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.questions.feature import QuestionsFeature

        return QuestionsFeature


class LoadComparisonDock(LateFeature):
    """Comparison of payloads."""

    stand = Stand("load_comparison", "Loads", BOTTOM, {"trajectory": 6})
    commands = block("Simulation", 3.2, Command("compare_loads", TITLE, "", (), TIP))
    needs = (TrajectoryFeature, ControlFeature)

    def wire(self) -> None:
        """Connect its command."""
        self.on("compare_loads", lambda feature: feature.open())

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.trajectory.comparison.feature import LoadComparisonFeature

        return LoadComparisonFeature


class DemonstrationDock(LateFeature):
    """Trajectory from a motion of the arm by hand."""

    stand = Stand("demonstration", "Demonstration", RIGHT, {})
    commands = block(
        "Simulation",
        3.15,
        Command("demonstration", "Demonstrate a motion", tip="Record a motion by dragging the arm, then let the arm repeat it"),
    )
    needs = (TrajectoryFeature, ControlFeature)

    def wire(self) -> None:
        """Connect its command."""
        self._bench.actions.on("demonstration", self.dock.bring_up)

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.trajectory.demonstration import DemonstrationFeature

        return DemonstrationFeature


class MeasuredDock(LateFeature):
    """An imported recording, compared with the model."""

    stand = Stand("measured", "Measured", RIGHT, {})
    needs = (ControlFeature, PlotsFeature, RecordingFeature, ReplayToolsFeature)

    def wire(self) -> None:
        """An imported recording needs it."""
        self._bench.files.recording_opened.connect(lambda recording, _: self._on_opened(recording))

    def _on_opened(self, recording: Recording) -> None:
        if not self.asleep or recording.metadata.get(IMPORTED):
            self.feature.on_opened(recording)

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.recording.measured.feature import MeasuredFeature

        return MeasuredFeature


class SingularityMapDock(LateFeature):
    """Map of the singular configurations over two joints."""

    stand = Stand("singularity_map", "Map", BOTTOM, {"singularity": 3})

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.singularity.singularity_map import SingularityMapFeature

        return SingularityMapFeature


class CrossingDock(LateFeature):
    """A motion through a singular configuration."""

    stand = Stand("crossing", "Crossing", BOTTOM, {"singularity": 4})

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.singularity.crossing.feature import CrossingFeature

        return CrossingFeature


class BranchesDock(LateFeature):
    """All IK solutions of the tool pose."""

    stand = Stand("branches", "Branches", RIGHT, {})
    commands = block(
        "Edit/Tool motion",
        4.0,
        Command("branches", "Branches of this tool pose", "", ("B",), "Show all IK solutions of the current tool pose"),
    )

    def wire(self) -> None:
        """Connect its command."""
        self.on("branches", lambda feature: feature.bring_up())

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.singularity.branches.feature import BranchesFeature

        return BranchesFeature


class BlockDiagramDock(LateFeature):
    """Block diagram of the control loop, as a strip over the view."""

    stand = Stand("block_diagram", "Block diagram", TOP, {"trajectory": 5}, height=first_height)
    needs = (TrajectoryFeature, ControlFeature, DynamicsFeature, SimulationFeature, KinematicsFeature, PlotsFeature)

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.block_diagram.feature import BlockDiagramFeature

        return BlockDiagramFeature


class ScriptDock(LateFeature):
    """Scripts that control the arm from outside."""

    stand = Stand("script", "Script", RIGHT, {})
    commands = block(
        "Simulation",
        5.0,
        Command(
            "let_scripts_in",
            "Allow scripts to connect",
            tip="Accept connections of scripts on this machine (armature.show)",
            checkable=True,
        ),
    )
    needs = (WorkspaceFeature, SingularSurfacesFeature)

    def wire(self) -> None:
        """Connect its command."""
        self._bench.actions["let_scripts_in"].toggled.connect(self._let_in)

    def _let_in(self, on: bool) -> None:
        self.feature.let_in(on)

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.remote.feature import RemoteFeature

        return RemoteFeature


class LabDock(LateFeature):
    """Adaptive control, compared."""

    stand = Stand("lab", "Lab", RIGHT, {})
    commands = block(
        "Simulation",
        3.45,
        Command(
            "lab",
            "Lab: adaptive control",
            tip="Compare adaptive controllers with computed torque under an unknown payload or increased friction",
        ),
    )
    needs = (TrajectoryFeature, ControlFeature, OwnLawFeature)

    def wire(self) -> None:
        """Connect its command."""
        self._bench.actions.on("lab", self.dock.bring_up)

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.lab.feature import LabFeature

        return LabFeature


class BuilderDock(LateFeature):
    """Editor of the robot file."""

    stand = Stand("builder", "Builder", BOTTOM, {})
    commands = (
        *block(
            "File",
            0.9,
            Command(
                "new_robot",
                "New robot…",
                "",
                ("Ctrl+N",),
                "Create an empty arm, an arm from a datasheet, or a copy of the open arm",
            ),
        ),
        *block(
            "Edit",
            3.0,
            Command(
                "edit_arm",
                "Edit this arm",
                "",
                ("Ctrl+E",),
                "Edit its DH table, links, friction, base and tool in the Builder panel",
            ),
        ),
    )
    needs = (RobotFileFeature,)

    def __init__(self, bench: Workbench, files: RobotFileFeature):
        super().__init__(bench, files)
        self._files = files

    def wire(self) -> None:
        """Connect its commands, and recovered edits."""
        self.on("edit_arm", lambda feature: feature.bring_up())
        self.on("new_robot", lambda feature: feature.ask_new())
        self._files.recovered.connect(lambda: QTimer.singleShot(0, self.dock, self._edit))

    def _edit(self) -> None:
        self.feature.bring_up()

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.builder.feature import BuilderFeature

        return BuilderFeature
