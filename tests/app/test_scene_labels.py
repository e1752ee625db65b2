"""Texts that change from frame to frame."""

import numpy as np

from armature.app.scene.labels.label import Label
from armature.app.scene.labels.label_atlas import HIGHEST, WIDTH
from tests.app.scenes import pixels, shown_view


def test_a_counting_label_is_drawn_right_and_does_not_fill_the_memory(qtbot):
    view = shown_view(qtbot, "scara", size=(400, 300))
    text, labels = ["0"], view.stage.labels
    labels.sources.append(lambda frame: [Label(text[0], frame.theme.text, view.camera.target, shift=(-120, 120))])
    starts, last = 0, {}
    for k in range(420):
        text[0] = f"Δx {k / 1000:.3f} m"
        view.grabFramebuffer()
        atlas = labels.held("atlas", None)
        assert atlas.image.height() <= 2 * HIGHEST * atlas.scale and atlas.image.width() == WIDTH
        starts, last = starts + (len(atlas.places) < len(last)), dict(atlas.places)
    assert starts >= 1  # it was full at least once
    counted = pixels(view.grabFramebuffer())
    view.makeCurrent()
    labels._resources.pop("atlas").release()
    assert np.abs(counted - pixels(view.grabFramebuffer())).mean() < 0.05  # the same as drawn for the first time
