"""Singular surfaces in the workspace: computed in the background, cut open with it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from armature import engine
from armature.app.feature import Feature
from armature.app.scene.overlays.workspace.cut import Cut
from armature.app.scene.overlays.workspace.surface_picture import surface_mesh
from armature.app.state.jobs import JobRunner
from armature.app.workspace.feature import WorkspaceFeature

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

NONE = "No surfaces: the positioning joints have no singular pose and no limits."


class SingularSurfacesFeature(Feature):
    """Joins the workspace dock's switch with the scene."""

    needs = (WorkspaceFeature,)

    def __init__(self, bench: Workbench, workspace: WorkspaceFeature):
        self._bench, self._workspace, self._panel = bench, workspace, workspace.panel
        self.runner, self.painter = JobRunner("surfaces", bench.parent), JobRunner("surfaces-picture", bench.parent)
        self.found: engine.SingularSurfaces | None = None

    def wire(self) -> None:
        """Wire switch, runners and scene."""
        bench, workspace = self._bench, self._workspace
        self.section = section = workspace.panel.surfaces
        for signal, slot in (
            (section.check.toggled, self._on_check),
            (section.cancel.clicked, lambda _: section.check.setChecked(False)),
            (self.runner.busy_changed, section.show_busy),
            (self.runner.progressed, section.show_progress),
            (self.runner.finished, self._on_found),
            (self.runner.failed, self._on_failed),
            (self.painter.finished, bench.scene.show_surfaces),
            (self.painter.failed, self._on_failed),
            (workspace.panel.look.changed, self._draw),
            (workspace.runner.finished, lambda _: self._draw()),
            (bench.document.robot_changed, lambda _: section.check.setChecked(False)),
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
        self._bench.scene.show_surfaces(None)
        if on:
            document = self._bench.document
            self.runner.start(partial(_computed, document.robot, document.q))

    def show(self, found: engine.SingularSurfaces | None) -> None:
        """Show surfaces of the open robot that was computed elsewhere; None for none."""
        self.section.check.setChecked(False)
        if found is not None:
            self._on_found(found)

    def _on_found(self, found) -> None:
        self.found = found
        joints = ", ".join(self._bench.document.robot.joint_names[j] for j in found.joints)
        if found.surfaces:
            self.section.show_found(f"Surfaces for the {found.point}, moved by {joints}.")
        else:
            self.section.show_nothing(NONE)
        self._workspace.visibility.reveal()
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
