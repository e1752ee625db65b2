"""The URDF robots of the package example-robot-data in the menu of robots, where that package is installed."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from armature import engine
from armature.app.feature import Feature
from armature.app.state.jobs import Job, JobRunner

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

PACKAGE = "example-robot-data"


class ExampleRobots(Feature):
    """The menu appears when the robots' menu is first opened; meanwhile every file is tried, and what is refused is greyed."""

    def __init__(self, bench: Workbench):
        self.menu: QMenu | None = None
        self.runner = JobRunner("example-robots", bench.parent)
        self._bench = bench
        self._actions: dict[Path, QAction] = {}

    def connect(self) -> None:
        """Wait for the robots' menu."""
        self._bench.robots.aboutToShow.connect(self._look)
        self.runner.finished.connect(self._grey)

    def shut_down(self) -> None:
        """End the trying."""
        self.runner.stop()

    def _look(self) -> None:
        if self.menu is not None:
            return
        files = urdf_files()
        robots = self._bench.robots
        self.menu = QMenu("Example robots", robots)
        self.menu.setObjectName("menu_example_robots")
        self.menu.setToolTipsVisible(True)
        if not files:
            return
        for family, members in groupby(files, key=_family):
            self._add(self.menu, family, list(members))
        robots.addSeparator()
        robots.addMenu(self.menu)
        self.runner.start(lambda job: refusals(files, job))

    def _add(self, menu: QMenu, family: str, files: list[Path]) -> None:
        """One entry for a family of one, else a menu of its members."""
        if len(files) > 1:
            menu = menu.addMenu(family)
            menu.setToolTipsVisible(True)
        for file in files:
            action = menu.addAction(file.stem if len(files) > 1 else family)
            action.setObjectName(f"action_open_example_{file.stem}")
            action.setToolTip(str(file))
            action.triggered.connect(lambda _=False, file=file: self._bench.files.open_robot(str(file)))
            self._actions[file] = action

    def _grey(self, refused: dict[Path, str]) -> None:
        for file, why in refused.items():
            self._actions[file].setEnabled(False)
            self._actions[file].setToolTip(why)


def urdf_files() -> list[Path]:
    """The package's robots, a family beside the other; none where it is not installed."""
    try:
        folder = Path(str(distribution(PACKAGE).locate_file(f"cmeel.prefix/share/{PACKAGE}/robots")))
    except PackageNotFoundError:
        return []
    files = [path for place in ("urdf", "robots") for path in folder.glob(f"*/{place}/*.urdf")]
    return sorted(files, key=lambda path: (_family(path).lower(), path.stem.lower()))


def refusals(files: list[Path], job: Job) -> dict[Path, str]:
    """What the program refuses of these, and why."""
    out = {}
    for file in files:
        if job.cancelled():
            break
        try:
            engine.load_robot(file)
        except engine.EngineError as error:
            out[file] = str(error)
    return out


def _family(path: Path) -> str:
    return path.parents[1].name.removesuffix("_description").removesuffix("_data")
