"""A view in which nothing moves is drawn once more, with smooth edges; the next movement is drawn fast again."""

from __future__ import annotations

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
