"""A view in which nothing moves is drawn once more, with smooth edges; the next movement is drawn fast again."""

from __future__ import annotations

from OpenGL import GL
from PySide6.QtCore import QSize

from armature.app.scene.gl.still_frame import has_room
from tests.app.kept_window import settle
from tests.app.scenes import pixels


def test_a_view_at_rest_has_smooth_edges_until_something_moves(make_window, wait_for):
    window = make_window("scara", size=(900, 700), anew=True, perspective="explore")
    view = window.scene
    if view._still is None:
        return  # a graphics card smooths every frame
    wait_for(lambda: view._still.due)
    fine = pixels(view.grabFramebuffer())
    view.update()
    assert not view._still.due
    fast, again = pixels(view.grabFramebuffer()), pixels(view.grabFramebuffer())
    assert not view._still.due and (fast == again).all()
    softened = (fine != fast).any(axis=2)
    assert 500 < softened.sum() < 0.1 * softened.size  # edges, and nothing else


def test_another_size_of_the_view_is_drawn_once(make_window, wait_for):
    window = make_window("scara", size=(1280, 800), anew=True, perspective="explore")
    view, drawn = window.scene, []
    if view._still is None:
        return
    window.docks["block_diagram"].wake()  # as a panel comes, it asks for frames
    paint_frame = view.paint_frame

    def paint_and_count(*parts, **options):
        assert GL.glGetIntegerv(GL.GL_VIEWPORT)[2:].tolist() == list(view._drawn_size())
        if not view._still.due:
            drawn.append(view.size())
        paint_frame(*parts, **options)

    def frames_after(act) -> int:
        """Of the size that the view has then."""
        wait_for(lambda: view._still.due)
        before = view.size()
        drawn.clear()
        act()
        wait_for(lambda: view.size() != before and window.updatesEnabled() and view.size() in drawn)
        settle()
        return drawn.count(view.size())

    view.paint_frame = paint_and_count
    assert frames_after(window.actions_["perspective_dynamics"].trigger) == 1
    assert frames_after(lambda: window.docks.bring_up("block_diagram")) == 1
    assert frames_after(lambda: window.resize(1200, 760)) == 1


def test_a_smaller_view_is_smoothed_in_the_samples_of_the_larger_one(make_window, wait_for):
    window = make_window("scara", size=(1000, 760), anew=True, perspective="explore")
    view = window.scene
    if view._still is None:
        return
    wait_for(lambda: view._still.due)
    target = view._still._target
    window.resize(920, 700)
    wait_for(lambda: not view._still.due)
    wait_for(lambda: view._still.due)
    assert view._still._target is target
    inside = pixels(view.grabFramebuffer())
    view.makeCurrent()
    view._still.release()
    view.doneCurrent()
    view.update()
    wait_for(lambda: view._still.due)
    assert view._still._target is not target
    assert (pixels(view.grabFramebuffer()) == inside).all()


def test_room_is_kept_but_not_wasted():
    assert has_room(QSize(900, 600), QSize(900, 600)) and has_room(QSize(900, 600), QSize(800, 500))
    assert not has_room(QSize(900, 600), QSize(901, 400)) and not has_room(QSize(), QSize(1, 1))
    assert not has_room(QSize(900, 600), QSize(400, 300))


def test_the_smooth_picture_is_drawn_though_a_frame_was_drawn_ahead(make_window, wait_for):
    window = make_window("scara", size=(900, 700), anew=True, perspective="explore")
    view = window.scene
    if view._still is None:
        return
    wait_for(lambda: view._still.due)
    painted = view.painted
    view.update()
    view.draw_ahead()  # and nothing is painted by Qt
    view._still.changed()
    view._still.wait()
    wait_for(lambda: view._still.due and view.painted == painted + 2)
