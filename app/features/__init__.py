"""What the window can do beyond showing an arm: one capability per file, joined here.

A feature is a class that takes the window. Its `panels` are the docks it brings, by name; `connect` wires it to the window's
parts once all of them stand and are wired themselves; `shut_down` ends its threads and timers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtWidgets import QWidget

from app.features.camera import CameraFeature
from app.features.control import ControlFeature
from app.features.crossing import CrossingFeature
from app.features.dh_steps import DHSteps
from app.features.dynamics import DynamicsFeature
from app.features.example_robots import ExampleRobots
from app.features.film import FilmFeature
from app.features.hand import HandFeature
from app.features.joint_keys import JointKeysFeature
from app.features.meshes import MeshesFeature
from app.features.motion import MotionFeature
from app.features.overlays import OverlaysFeature
from app.features.plots import PlotsFeature
from app.features.recording_files import RecordingFilesFeature
from app.features.recovery import RecoveryFeature
from app.features.replay_tools import ReplayToolsFeature
from app.features.running import RunningFeature
from app.features.screenshots import ScreenshotsFeature
from app.features.singular_surfaces import SingularSurfacesFeature
from app.features.singularities import SingularitiesFeature
from app.features.singularity_map import SingularityMapFeature
from app.features.workspace import WorkspaceFeature

if TYPE_CHECKING:
    from app.main_window import MainWindow


class Feature(Protocol):
    """One capability of the window."""

    panels: dict[str, QWidget]

    def connect(self) -> None: ...

    def shut_down(self) -> None: ...


def build(window: MainWindow) -> dict[str, Feature]:
    """All features of `window`, by name, not yet wired."""
    kinds = {
        "running": RunningFeature,
        "camera": CameraFeature,
        "control": ControlFeature,
        "dh_steps": DHSteps,
        "dynamics": DynamicsFeature,
        "hand": HandFeature,
        "joint_keys": JointKeysFeature,
        "motion": MotionFeature,
        "overlays": OverlaysFeature,
        "meshes": MeshesFeature,
        "example_robots": ExampleRobots,
        "plots": PlotsFeature,
        "recording_files": RecordingFilesFeature,
        "replay_tools": ReplayToolsFeature,
        "recovery": RecoveryFeature,
        "film": FilmFeature,
        "screenshots": ScreenshotsFeature,
        "workspace": WorkspaceFeature,
        "singularities": SingularitiesFeature,
        "singularity_map": SingularityMapFeature,
        "crossing": CrossingFeature,
        "singular_surfaces": SingularSurfacesFeature,
    }
    return {name: kind(window) for name, kind in kinds.items()}
