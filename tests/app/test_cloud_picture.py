"""The cloud's picture is kept while the camera rests: it looks as drawn into every frame, and another one comes in as a whole."""

from __future__ import annotations

import numpy as np
import pytest
from OpenGL import GL

from armature.app.scene.gl import gl_format
from armature.app.scene.overlays.workspace.cloud_item import PART, RECORD, CloudItem
from armature.app.scene.overlays.workspace.reach_picture import ReachPicture
from tests.app.scenes import pixels, shown_view

ROUNDING = 3  # of 255: a picture is rounded once more


def cloud(colour, count, seed=0) -> ReachPicture:
    records = np.zeros(count, RECORD)
    records["position"] = np.random.default_rng(seed).uniform(-0.8, 0.8, (count, 3))
    records["colour"] = *colour, 255
    return ReachPicture(records, None, 1.0, 0.0, 1.0)


@pytest.fixture
def view(qtbot):
    if not gl_format.is_software():
        pytest.skip("a graphics card draws every frame anew, with several samples a pixel")
    view = shown_view(qtbot, "scara", size=(400, 300))
    view._still.wait = lambda: None  # no frame but those that are requested
    view.stage.labels.period = 0.0  # labels find their places in each of them
    return view


def seen(view) -> np.ndarray:
    return pixels(view.grabFramebuffer())


def drawn_anew(view) -> np.ndarray:
    """The first frame with another camera has the points in itself."""
    azimuth = view.camera.azimuth
    view.camera.azimuth += 20
    seen(view)
    view.camera.azimuth = azimuth
    return seen(view)


def points_drawn(view, monkeypatch) -> list[int]:
    counts = []
    draw = CloudItem._draw_points
    monkeypatch.setattr(CloudItem, "_draw_points", lambda *a: (counts.append(a[3] - a[2]), draw(*a))[1])
    seen(view)
    return counts


def test_the_kept_picture_looks_as_drawn_into_the_frame(view, monkeypatch):
    bare = seen(view)
    view.show_workspace(cloud((250, 40, 30), 9000))
    direct = drawn_anew(view)
    assert (np.abs(direct - bare).max(axis=2) > 50).mean() > 0.05
    assert np.abs(seen(view) - direct).max() <= ROUNDING  # drawn once more, into its picture
    assert points_drawn(view, monkeypatch) == []
    q = view.q.copy()
    view.set_q(q + 0.3)
    moved = seen(view)  # the arm stands before it, elsewhere
    assert np.abs(moved - drawn_anew(view)).max() <= ROUNDING
    assert (np.abs(moved - direct).max(axis=2) > 20).any()


def test_points_that_replace_others_come_in_parts_and_are_seen_when_whole(view, monkeypatch):
    view.show_workspace(cloud((250, 40, 30), 2000))
    drawn_anew(view)
    red = seen(view)
    view.show_workspace(cloud((30, 60, 250), 2 * PART + 1, seed=1))
    assert points_drawn(view, monkeypatch) == [PART]
    assert (seen(view) == red).all()
    blue = seen(view)
    assert (np.abs(blue - red).max(axis=2) > 50).mean() > 0.1
    assert np.abs(blue - drawn_anew(view)).max() <= ROUNDING


def test_points_that_come_up_in_a_view_fitted_to_them_come_in_parts(view, monkeypatch):
    seen(view)
    distance = view.camera.distance
    view.show_workspace(cloud((250, 40, 30), 2 * PART + 1))
    assert points_drawn(view, monkeypatch) == [PART]
    assert view.camera.distance != distance
    seen(view)
    whole = seen(view)
    differs = np.abs(whole - drawn_anew(view)).max(axis=2) > ROUNDING
    assert differs.mean() < 0.02  # numbers of the axes stay where they were while the view turns


def test_the_newest_of_many_is_drawn_in_the_end_without_being_requested(view, wait_for):
    view.show_workspace(cloud((250, 40, 30), 2000))
    drawn_anew(view)
    seen(view)
    for seed in (1, 2, 3):
        view.show_workspace(cloud((30, 60, 250), 2 * PART + seed, seed))
        seen(view)
    item = view.stage.cloud
    wait_for(lambda: item._seen == 2 * PART + 3)
    assert np.abs(seen(view) - drawn_anew(view)).max() <= ROUNDING


def test_points_taken_away_are_gone_in_the_next_frame(view):
    view.camera_moved()  # a fitted view would take in the points
    bare = drawn_anew(view)
    view.show_workspace(cloud((250, 40, 30), 2 * PART))
    drawn_anew(view)
    seen(view)
    view.show_workspace(cloud((30, 60, 250), 2 * PART, seed=1))
    seen(view)  # a part of them
    view.clear_workspace()
    assert (seen(view) == bare).all()
    view.show_workspace(cloud((250, 40, 30), 100))
    view.set_overlay("workspace", False)
    seen(view)
    view.clear_workspace()
    view.set_overlay("workspace", True)
    assert (seen(view) == bare).all()


def test_a_picture_of_another_size_has_every_point(view):
    view.show_workspace(cloud((250, 40, 30), 2 * PART))
    drawn_anew(view)
    seen(view)
    view.show_workspace(cloud((30, 60, 250), 2 * PART, seed=1))
    seen(view)  # a part of them
    image = pixels(view.render_image(400, 300))
    drawn_anew(view)
    assert np.abs(image - pixels(view.render_image(400, 300))).max() == 0
    assert GL.glGetError() == GL.GL_NO_ERROR
