"""Singular surfaces in the workspace dock, with real clicks."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.scene.gl.mesh import encoded, srgb
from armature.app.scene.gl.palette import SURFACES
from armature.app.scene.overlays.workspace.cut import Cut
from armature.app.scene.overlays.workspace.surface_picture import surface_mesh
from armature.app.workspace.singular_surfaces import SingularSurfacesFeature


def press(window, find):
    window.docks.bring_up("workspace")
    QTest.qWait(50)
    check = find(window, "workspace_surfaces")
    QTest.mouseClick(check, Qt.MouseButton.LeftButton, pos=QPoint(9, check.height() // 2))


def test_surfaces_are_drawn_cut_and_taken_away(make_window, find, wait_for):
    window = make_window("scara", size=(1200, 800), perspective="workspace")
    feature, drawn = window.features[SingularSurfacesFeature], window.scene.stage.surfaces
    press(window, find)
    assert feature.runner.busy and find(window, "workspace_surfaces_cancel").isVisible()
    wait_for(lambda: drawn.mesh is not None and len(drawn.mesh.faces), 120)
    assert find(window, "workspace_surfaces_legend").isVisible()
    assert "tool" in find(window, "workspace_surfaces_note").text()
    whole = len(drawn.mesh.faces)
    axis = find(window, "workspace_cut_axis")
    assert axis.isEnabled() and not find(window, "workspace_style").isEnabled()
    axis.setFocus()
    QTest.keyClick(axis, Qt.Key.Key_Down)
    wait_for(lambda: 0.2 * whole < len(drawn.mesh.faces) < 0.8 * whole)
    press(window, find)
    assert drawn.mesh is None and not find(window, "workspace_surfaces_legend").isVisible()


def test_another_robot_and_cancel_drop_the_computation(make_window, find):
    window = make_window("scara", size=(1200, 800), perspective="workspace")
    feature, check = window.features[SingularSurfacesFeature], find(window, "workspace_surfaces")
    press(window, find)
    window.document.open_robot("puma560")
    assert not feature.runner.busy and not check.isChecked()
    press(window, find)
    QTest.mouseClick(find(window, "workspace_surfaces_cancel"), Qt.MouseButton.LeftButton)
    assert not feature.runner.busy and not check.isChecked()
    assert window.scene.stage.surfaces.mesh is None


def test_a_cut_is_straight_and_takes_away_what_lies_before_it():
    found = engine.singular_surfaces(engine.load_robot("scara"), resolution=12)
    whole, cut = surface_mesh(found, Cut()), surface_mesh(found, Cut(1, 0.5))
    y = cut.vertices["position"][np.unique(cut.faces), 1]
    place = whole.vertices["position"][:, 1].min() / 2 + whole.vertices["position"][:, 1].max() / 2
    np.testing.assert_allclose(y.min(), place, atol=1e-6)  # the eye is on the side of -y
    other = surface_mesh(found, Cut(1, 0.5, behind=True))
    np.testing.assert_allclose(area(cut) + area(other), area(whole), rtol=1e-6)


def area(mesh) -> float:
    """m²."""
    a, b, c = (mesh.vertices["position"][mesh.faces[:, k]].astype(float) for k in range(3))
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


@pytest.mark.parametrize("robot", ["scara", "double_pendulum"])
def test_colours_say_what_bounds_the_reach(robot):
    found = engine.singular_surfaces(engine.load_robot(robot), resolution=12)
    mesh = surface_mesh(found, Cut())
    colours = {tuple(row) for row in mesh.vertices["colour"]}
    names = {"singular": ("inside", "bounds"), "limit": ("limit_inside", "limit")}
    kinds = {names[s.kind][int(b)] for s in found.surfaces for b in s.bounds}
    assert robot != "scara" or kinds == {"bounds", "limit", "limit_inside"}
    assert colours == {tuple(encoded(srgb(SURFACES[kind]), 0.35)) for kind in kinds}
    corners = mesh.vertices["position"][mesh.faces]
    everything = np.concatenate([s.vertices for s in found.surfaces])
    slack = 0.02 * np.ptp(everything, axis=0).max()
    assert (corners.min(axis=(0, 1)) > everything.min(axis=0) - slack).all()
    assert (corners.max(axis=(0, 1)) < everything.max(axis=0) + slack).all()
    np.testing.assert_allclose(np.linalg.norm(mesh.vertices["normal"][np.unique(mesh.faces)], axis=1), 1.0, atol=1e-3)
