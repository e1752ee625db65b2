"""What the program can do: one capability per file, listed here and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeVar, cast

from armature.app.cell.feature import CellFeature
from armature.app.comparison.feature import SecondArmFeature
from armature.app.contact.feature import ContactFeature
from armature.app.contact.free_range_feature import FreeRangeFeature
from armature.app.contact.pair_feature import PairFeature
from armature.app.control.feature import ControlFeature
from armature.app.control.own_law.feature import OwnLawFeature
from armature.app.control.sensors_feature import SensorsFeature
from armature.app.dynamics.feature import DynamicsFeature
from armature.app.equations.sheet.feature import DerivationFeature
from armature.app.feature import Feature
from armature.app.hand.feature import HandFeature
from armature.app.identification.feature import IdentificationFeature
from armature.app.joints.feature import JointsFeature
from armature.app.joints.joint_keys import JointKeysFeature
from armature.app.joints.joint_menu import JointMenuFeature
from armature.app.joints.poses_feature import PosesFeature
from armature.app.kinematics.feature import KinematicsFeature
from armature.app.late_feature import LateFeature
from armature.app.manual.feature import ManualFeature
from armature.app.page.feature import PageFeature
from armature.app.pictures.screenshots import ScreenshotsFeature
from armature.app.plots.feature import PlotsFeature
from armature.app.recording.feature import RecordingFeature
from armature.app.recording.film_feature import FilmFeature
from armature.app.recording.importing.feature import ImportFeature
from armature.app.recording.recording_files import RecordingFilesFeature
from armature.app.recording.recording_recovery import RecoveryFeature
from armature.app.recording.replay_contacts_feature import ReplayContactsFeature
from armature.app.recording.replay_tools_feature import ReplayToolsFeature
from armature.app.recording.verify_feature import VerifyFeature
from armature.app.robots.examination.feature import ExaminationFeature
from armature.app.robots.feature import RobotsFeature
from armature.app.robots.formats.export_feature import ExportRobotFeature
from armature.app.robots.formats.opening_feature import OpeningFeature
from armature.app.robots.own_file.feature import RobotFileFeature
from armature.app.robots.robot_meshes import MeshesFeature
from armature.app.session.feature import SessionFeature
from armature.app.simulation.disturbance_feature import DisturbanceFeature
from armature.app.simulation.feature import SimulationFeature
from armature.app.simulation.floor_feature import FloorFeature
from armature.app.singularity.singularities import SingularitiesFeature
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.view.camera_feature import CameraFeature
from armature.app.view.feature import OverlaysFeature
from armature.app.view.measure_feature import MeasureFeature
from armature.app.view.view_menu import ViewMenuFeature
from armature.app.window.late_docks import (
    BlockDiagramDock,
    BranchesDock,
    BuilderDock,
    CrossingDock,
    DemonstrationDock,
    DHStepsDock,
    EquationsDock,
    FramesDock,
    LabDock,
    LoadComparisonDock,
    MeasuredDock,
    MethodsDock,
    QuestionsDock,
    ScriptDock,
    SingularityMapDock,
)
from armature.app.window.window_commands import COMMANDS as WINDOW_COMMANDS
from armature.app.workspace.feature import WorkspaceFeature
from armature.app.workspace.singular_surfaces import SingularSurfacesFeature

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

# In the order of their docks; a feature stands behind those it needs.
KINDS: tuple[type[Feature], ...] = (
    JointsFeature,
    KinematicsFeature,
    SimulationFeature,
    FloorFeature,
    PlotsFeature,
    RecordingFeature,
    CameraFeature,
    OverlaysFeature,
    MeasureFeature,
    CellFeature,
    ContactFeature,
    FreeRangeFeature,
    PairFeature,
    ControlFeature,
    SensorsFeature,
    OwnLawFeature,
    DisturbanceFeature,
    DHStepsDock,
    FramesDock,
    DynamicsFeature,
    MethodsDock,
    EquationsDock,
    QuestionsDock,
    HandFeature,
    JointKeysFeature,
    JointMenuFeature,
    PosesFeature,
    ViewMenuFeature,
    TrajectoryFeature,
    LoadComparisonDock,
    DemonstrationDock,
    MeshesFeature,
    RobotsFeature,
    RobotFileFeature,
    ExaminationFeature,
    OpeningFeature,
    ExportRobotFeature,
    RecordingFilesFeature,
    ImportFeature,
    ReplayToolsFeature,
    ReplayContactsFeature,
    VerifyFeature,
    MeasuredDock,
    RecoveryFeature,
    SessionFeature,
    FilmFeature,
    ScreenshotsFeature,
    ManualFeature,
    PageFeature,
    DerivationFeature,
    WorkspaceFeature,
    SingularitiesFeature,
    SingularityMapDock,
    CrossingDock,
    BranchesDock,
    SingularSurfacesFeature,
    IdentificationFeature,
    BlockDiagramDock,
    ScriptDock,
    LabDock,
    BuilderDock,
    SecondArmFeature,
)
COMMANDS = (*WINDOW_COMMANDS, *(command for kind in KINDS for command in kind.commands))
F = TypeVar("F", bound=Feature)


class Features:
    """The features of one window, by type: `features[PlotsFeature]`."""

    def __init__(self, bench: Workbench):
        self._features: dict[type[Feature], Feature] = {}
        for kind in KINDS:
            make: Callable[..., Feature] = kind
            self._features[kind] = make(bench, *(self._features[other] for other in kind.needs))

    def __getitem__(self, kind: type[F]) -> F:
        found = self._features.get(kind) or next(late.feature for late in self.late() if late.load() is kind)
        return cast("F", found)

    def import_late(self) -> None:
        """Import what stands behind the docks that nobody has seen yet; on any thread."""
        for late in self.late():
            late.load()

    def late(self) -> Iterator[LateFeature]:
        """Those that are made when they are first needed."""
        return (feature for feature in self if isinstance(feature, LateFeature))

    def __iter__(self) -> Iterator[Feature]:
        return iter(self._features.values())
