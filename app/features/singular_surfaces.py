"""Singular surfaces in the workspace: computed in the background, cut open with it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import engine
from app.jobs import JobRunner
from app.scene.reach_picture import Cut
from app.scene.surface_picture import surface_mesh

if TYPE_CHECKING:
    from app.main_window import MainWindow

NONE = "There are none: no pose of the positioning joints is singular, and none of them has a limit."


class SingularSurfacesFeature:
    """Joins the workspace dock's switch with the scene."""

    def __init__(self, window: MainWindow):
        self._window = window
        self.panels: dict = {}
        self.runner, self.painter = JobRunner("surfaces", window), JobRunner("surfaces-picture", window)
        self.found: engine.SingularSurfaces | None = None

    def connect(self) -> None:
        """Wire switch, runners and scene."""
        window, workspace = self._window, self._window.features["workspace"]
        self._panel, self._workspace = workspace.panel, workspace
        self.section = section = workspace.panel.surfaces
        for signal, slot in (
            (section.check.toggled, self._on_check),
            (section.cancel.clicked, lambda _: section.check.setChecked(False)),
            (self.runner.busy_changed, section.show_busy),
            (self.runner.progressed, section.show_progress),
            (self.runner.finished, self._on_found),
            (self.runner.failed, self._on_failed),
            (self.painter.finished, window.scene.show_surfaces),
            (workspace.panel.look.changed, self._draw),
            (workspace.runner.finished, lambda _: self._draw()),
            (window.document.robot_changed, lambda _: section.check.setChecked(False)),
        ):
            signal.connect(slot)

    def shut_down(self) -> None:
        """No computation outlives the window."""
        for runner in (self.runner, self.painter):
            runner.stop()

    def _on_check(self, on: bool) -> None:
        for runner in (self.runner, self.painter):
            runner.cancel()
        self.found = None
        self.section.show_nothing()
        self._window.scene.show_surfaces(None)
        if on:
            document = self._window.document
            self.runner.start(partial(_computed, document.robot, document.q))

    def _on_found(self, found) -> None:
        self.found = found
        joints = ", ".join(self._window.document.robot.joint_names[j] for j in found.joints)
        if found.surfaces:
            self.section.show_found(f"Surfaces of the {found.point}, moved by {joints}.")
        else:
            self.section.show_nothing(NONE)
        self._window.actions_["show_workspace"].setChecked(True)
        self._draw()

    def _on_failed(self, text: str) -> None:
        self.section.check.setChecked(False)
        self.section.show_nothing(text)

    def _draw(self) -> None:
        if self.found is not None:
            space = self._workspace.space
            self.painter.start(partial(_drawn, self.found, Cut(*self._panel.look.cut), space))


def _computed(robot, q, job):
    return engine.singular_surfaces(robot, q, progress=job.progress, cancel=job.cancelled)


def _drawn(found, cut, space, _job):
    return surface_mesh(found, cut, None if space is None else space.ends)
