"""A view in which nothing moves is drawn once more, with smooth edges; the next movement is drawn fast again."""

from __future__ import annotations

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
