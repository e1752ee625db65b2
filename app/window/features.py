"""What the program can do: one capability per file, listed here and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeVar, cast

from app.control.feature import ControlFeature
from app.dh.feature import DHSteps
from app.dynamics.feature import DynamicsFeature
from app.feature import Feature
from app.hand.feature import HandFeature
from app.joints.feature import JointsFeature
from app.joints.joint_keys import JointKeysFeature
from app.kinematics.feature import KinematicsFeature
from app.pictures.screenshots import ScreenshotsFeature
from app.plots.feature import PlotsFeature
from app.recording.feature import RecordingFeature
from app.recording.film_feature import FilmFeature
from app.recording.recording_files import RecordingFilesFeature
from app.recording.recording_recovery import RecoveryFeature
from app.recording.replay_tools_feature import ReplayToolsFeature
from app.robots.example_robots import ExampleRobots
from app.robots.robot_meshes import MeshesFeature
from app.simulation.feature import SimulationFeature
from app.singularity.crossing.feature import CrossingFeature
from app.singularity.singularities import SingularitiesFeature
from app.singularity.singularity_map import SingularityMapFeature
from app.trajectory.feature import TrajectoryFeature
from app.view.camera_feature import CameraFeature
from app.view.feature import OverlaysFeature
from app.window.window_commands import COMMANDS as WINDOW_COMMANDS
from app.workspace.feature import WorkspaceFeature
from app.workspace.singular_surfaces import SingularSurfacesFeature

if TYPE_CHECKING:
    from app.workbench import Workbench

# In the order of their docks; a feature stands behind those it needs.
KINDS: tuple[type[Feature], ...] = (
    JointsFeature,
    KinematicsFeature,
    SimulationFeature,
    PlotsFeature,
    RecordingFeature,
    CameraFeature,
    OverlaysFeature,
    ControlFeature,
    DHSteps,
    DynamicsFeature,
    HandFeature,
    JointKeysFeature,
    TrajectoryFeature,
    MeshesFeature,
    ExampleRobots,
    RecordingFilesFeature,
    ReplayToolsFeature,
    RecoveryFeature,
    FilmFeature,
    ScreenshotsFeature,
    WorkspaceFeature,
    SingularitiesFeature,
    SingularityMapFeature,
    CrossingFeature,
    SingularSurfacesFeature,
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
        return cast("F", self._features[kind])

    def __iter__(self) -> Iterator[Feature]:
        return iter(self._features.values())
