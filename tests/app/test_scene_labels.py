"""Texts of the scene: where they stand, what hides them, and those that change from frame to frame."""

import numpy as np
import pytest
from PySide6.QtTest import QTest

from armature import engine
from armature.app.scene.gl.basic_solids import rounded_box
from armature.app.scene.labels import label_item
from armature.app.scene.labels.label import Label, LabelGroup
from armature.app.scene.overlays.lost_motion import lost_motions
from armature.engine.thresholds import Level
from tests.app.scenes import bare_view, changed, near, pixels, shown_view, visible_point


@pytest.fixture(autouse=True)
def placed_in_every_frame(monkeypatch):
    """So that no test waits until moving labels look for places again; one that counts them sets its own period."""
    monkeypatch.setattr(label_item, "PERIOD", 0.0)


def test_moving_labels_look_for_places_once_in_a_while_and_once_more_at_the_end(qtbot):
    view = bare_view(qtbot, "puma560", on=())
    labels, ends, kinds = view.stage.labels, [-0.3, 0.3], [Label(text, "#ff00ff", np.zeros(3)) for text in ("left", "right")]
    across = view.camera.axes()[0]
    labels.sources = [lambda frame: LabelGroup(kinds, view.camera.target + np.outer(ends, across))]
    assert texts(view) == {"left", "right"}
    apart, labels.period = dict(labels.boxes), 1e9
    ends[:] = 0.0, 0.0
    assert texts(view) == {"left", "right"} and overlaps(labels.boxes)  # each goes with its point
    assert dict(labels.boxes) != apart
    labels.period = 0.0
    assert texts(view) == {"left", "right"} and not overlaps(labels.boxes)
    records, labels.period = labels.records, 1e9
    labels.sources.append(lambda frame: [kinds[0]._replace(text="third", point=view.camera.target)])
    assert len(texts(view)) == 3 and not overlaps(labels.boxes) and labels.records is not records  # another text need not wait


def texts(view) -> set[str]:
    """What is written in the next frame."""
    view.grabFramebuffer()
    return {text for text, _ in view.stage.labels.boxes}


def overlaps(boxes) -> list:
    """Pairs of boxes that lie over each other by more than their transparent margins."""
    return [
        (a, b)
        for i, (a, (x, y, w, h)) in enumerate(boxes)
        for b, (u, v, wide, high) in boxes[:i]
        if min(x + w, u + wide) - max(x, u) > 4 and min(y + h, v + high) - max(y, v) > 4
    ]


@pytest.mark.parametrize("name", ["puma560", "ur10", "panda", "irb140", "lwr4", "ur5", "stanford", "cobra600"])
def test_labels_of_every_arm_keep_clear_of_each_other_while_it_moves(qtbot, name):
    view = shown_view(qtbot, name, size=(500, 400))
    view.set_overlay("frames", True)
    for k in range(12):
        view.set_q(view.q + 0.07 * np.cos(np.arange(len(view.q)) + k))
        shown = texts(view)
        assert not overlaps(view.stage.labels.boxes)
    numbers = {part for text in shown for part in text.partition("_")[2].split(",")}
    assert set(view.stage.frames.names) <= numbers  # none is left out


def test_coincident_axes_share_a_name_and_the_frame_under_the_cursor_is_named_in_full(qtbot):
    view = bare_view(qtbot, "puma560", [0.3, -0.5, 0.4, 0.0, 0.0, 0.0], size=(700, 560), on=("frames", "labels"))
    assert {"x_4,5,6", "z_5,6", "z_4"} <= texts(view)
    assert not any(text.startswith("y_") for text in texts(view))
    QTest.mouseMove(view, visible_point(view, 4))
    qtbot.waitUntil(lambda: view.hovered == 4)
    assert {"x_5", "y_5", "z_5", "x_4,6", "z_6"} <= texts(view)
    view.set_hovered(-1)
    view.select_joint(3)
    assert {"x_4", "y_4", "z_4", "x_5,6", "z_5,6"} <= texts(view)
    view.set_robot(engine.load_robot("scara"), np.zeros(3))
    assert not any(text.startswith("y_") for text in texts(view))


def test_a_crowd_steps_aside_with_lines_that_lead_to_it(qtbot):
    view = bare_view(qtbot, "puma560", on=())
    place, ink = view.camera.target, "#ff00ff"
    crowd = [Label(f"label {k}", ink, place) for k in range(12)]
    view.stage.labels.sources = [lambda frame: crowd]
    assert len(texts(view)) == 12 and not overlaps(view.stage.labels.boxes)
    assert 3 < len(view.stage.labels.led) < 12
    x, y = view.camera.project(place)[:2]
    picture = pixels(view.grabFramebuffer())
    (left, top, width, height) = dict(view.stage.labels.boxes)[view.stage.labels.led[-1]]
    toward = np.clip((x, y), (left, top), (left + width, top + height))
    assert near(picture, 0.3 * np.array([x, y]) + 0.7 * toward, ink, radius=3, tolerance=110)


def test_what_a_solid_hides_has_no_name_and_the_same_frame_is_laid_out_once(qtbot):
    view = bare_view(qtbot, "puma560", on=())
    labels = view.stage.labels
    behind = view.point_under(*view.camera.project(view.slot_poses[2][:3, 3])[:2]) + 0.3 * (
        view.camera.target - view.camera.eye
    ) / np.linalg.norm(view.camera.target - view.camera.eye)
    labels.sources = []
    empty = pixels(view.grabFramebuffer())
    hidden, plain = ([Label("behind", "#ff00ff", behind, hidden_by_solids=hides)] for hides in (True, False))
    labels.sources = [lambda frame: plain]
    assert changed(empty, pixels(view.grabFramebuffer())) > 100
    labels.sources = [lambda frame: hidden]
    assert changed(empty, pixels(view.grabFramebuffer())) == 0
    full = pixels(shown_alone(view, plain[0])) - empty
    shining = pixels(shown_alone(view, hidden[0]._replace(shines_through=True))) - empty
    assert 0.5 < np.abs(shining).sum() / np.abs(full).sum() < 0.8
    labels.sources = [lambda frame: hidden]
    view.grabFramebuffer()
    records = labels.records
    view.grabFramebuffer()
    assert labels.records is records
    view.orbit(3.0, 0.0)
    view.grabFramebuffer()
    assert labels.records is not records


def shown_alone(view, label: Label):
    """The view with this label and no other."""
    view.stage.labels.sources = [lambda frame: [label]]
    return view.grabFramebuffer()


def test_a_number_on_the_floor_is_there_whole_or_not_at_all_and_gauges_shine_through(qtbot):
    view = bare_view(qtbot, "puma560", size=(640, 420), on=())
    empty = pixels(shown_alone(view, Label("", "#ff00ff", view.camera.target, fixed=True)))
    at = view.camera.project(view.slot_poses[2][:3, 3])[:2]
    seen = []
    for aside in range(0, 150, 5):
        eye, toward = view.camera.ray(at[0] + aside, at[1])
        label = Label("−0.25 x / m", "#ff00ff", eye + 1.1 * view.camera.distance * toward, hidden_by_solids=True, stays=True)
        ink, all_ink = (
            np.abs(empty - pixels(shown_alone(view, label._replace(hidden_by_solids=hides)))).sum() for hides in (True, False)
        )
        ((left, top, width, height),) = (box for _, box in view.stage.labels.boxes)
        over = [view.pick(x, top + height / 2) is not None for x in np.linspace(left + 6, left + width - 6, 9)]
        seen.append((sum(over), ink / all_ink))
    covered, share = np.array(seen).T
    assert covered[0] > 3 and share[covered == 0].max() > 0.95
    assert share[covered > 3].max() < 0.05  # none stands over what covers a part of it

    view.stage.labels.sources = [view.stage.gauges.labels, view.stage.com.labels]
    view.set_overlay("axes", True)
    view.set_overlay("com", True)
    assert {"q₁ 0.0°", "23.4 kg"} <= texts(view)


def test_nothing_is_written_on_an_opaque_workspace_of_what_it_hides(qtbot):
    view = bare_view(qtbot, "puma560", size=(640, 480), on=("frames", "labels", "axes", "com", "coordinates", "workspace"))
    stage, reach = view.stage, view.robot.reach
    walls = {}
    for opacity in (1.0, 0.4):
        stage.reach.set_mesh(rounded_box((3 * reach, 3 * reach), -reach, 2 * reach, 0.01), opacity)
        view.select_joint(1)  # whose frame is named in full
        stage.labels.setVisible(False)
        bare = pixels(view.grabFramebuffer())
        stage.labels.setVisible(True)
        walls[opacity] = changed(bare, pixels(view.grabFramebuffer()))
        assert stage.labels.boxes
    assert walls[1.0] == 0 and walls[0.4] > 200


def test_a_length_and_its_letter_are_one_text(qtbot):
    view = bare_view(qtbot, "puma560", [0.0, 0.8, -3.1, 0.0, 0.0, 0.0], size=(640, 480), on=("frames", "labels"))
    view.show_lengths(True)
    assert {"d₁ = h₁ = 0.6718 m", "a₂ = r₂ = 0.4318 m", "d₃ = h₃ = 0.1500 m", "a₃ = r₃ = 0.0203 m"} <= texts(view)


def test_the_singularity_is_told_in_a_pill_at_the_top(qtbot):
    view = bare_view(qtbot, "puma560", [0.3, -0.5, 0.4, 0.5, 0.0, 0.2], size=(640, 420), on=("lost_motion",))
    report = engine.singularity(view.robot, view.q)
    losses = lost_motions(view.robot, view.q, report, report.level())
    view.set_warning(report.level(), report.joints, losses)
    assert texts(view) == {"Wrist: axes 4 and 6 are collinear"}
    ((_, (left, top, width, height)),) = view.stage.labels.boxes
    assert top < 20 and abs(left + width / 2 - 320) <= 1
    view.orbit(40.0, 10.0)
    assert texts(view) and view.stage.labels.boxes[0][1] == (left, top, width, height)  # it does not move with the arm
    view.set_covered(50)
    assert texts(view) and view.stage.labels.boxes[0][1] == (left, top + 50, width, height)
    view.set_covered(0)
    view.resize(220, 420)
    assert {text.replace("\n", " ") for text in texts(view)} == {"Wrist: axes 4 and 6 are collinear"}
    view.set_warning(Level.FINE)
    assert not texts(view)


@pytest.mark.parametrize(("width", "lines"), [(1300, {1}), (640, {2, 3}), (400, {3, 4}), (200, set())])
def test_a_long_caption_is_wrapped_until_it_fits_the_picture(qtbot, width, lines):
    link = "link6" if lines else "shoulder-of-the-left-arm"
    said = f"{link} hits table, 79 mm deep, and 5 more pairs touch: joint2 −25.0° frees it"
    view = bare_view(qtbot, "puma560", size=(width, 420))
    bare, labels = pixels(view.grabFramebuffer()), view.stage.labels
    labels.magnification, pill = 1.5, Label(said, "#ff00ff", np.zeros(3), pill=True)
    labels.pill_sources = [lambda frame: [pill, pill._replace(text="one line")]]
    drawn = np.abs(pixels(view.grabFramebuffer()) - bare).max(axis=-1) > 8
    (text, (left, top, wide, high)), (_, (_, below, _, single)) = labels.boxes
    if lines:
        assert text.replace("\n", " ") == said and text.count("\n") + 1 in lines
        assert lines == {1} or "touch:\n" in text
    else:
        assert text.split("\n")[0].endswith("…")
    assert left >= 0 and left + wide <= width and top + high <= below and high - single >= 15 * text.count("\n")
    rows, columns = np.nonzero(drawn)
    assert rows.min() >= top and rows.max() <= below + single and columns.min() >= left and columns.max() <= left + wide
    assert drawn[top : top + high].any(axis=1).sum() >= high - 10  # its ground is behind all lines


def test_a_group_is_drawn_as_the_labels_that_it_stands_for(qtbot):
    view = bare_view(qtbot, "puma560", on=())
    kinds = [Label("0", "#ff00ff", np.zeros(3), plain=True)] * 3 + [Label("end_1", "#008800", np.zeros(3), hidden_by_solids=True)]
    points, groups = view.camera.target + 0.02 * np.arange(12).reshape(4, 3), []
    longer = ("1", "12 345 678.901 234 567", "3")  # than there was room for
    said = (("1.25", "2.5", "10"), 0.0), (("7", "−3.125", "8.5"), 0.1), (longer, 0.0), (("4", "", "6"), 0.0)
    for words, shift in said:  # of other lengths, moved, silent
        groups.append(LabelGroup(kinds, points + shift, words))
    seen = []
    for given in [*groups, *map(list, groups)]:
        view.stage.labels.sources = [lambda frame, given=given: given]
        picture = pixels(view.grabFramebuffer())
        seen.append((view.stage.labels.boxes, picture))
    for group, (boxes, picture), (same_boxes, same_picture) in zip(groups, seen[:4], seen[4:], strict=True):
        assert [text for text, _ in boxes] == [*filter(None, group.texts), "end_1"]
        assert boxes == same_boxes and not changed(picture, same_picture)
    assert seen[0][0] != seen[1][0] and changed(seen[0][1], seen[1][1])


def test_a_number_of_the_floor_has_a_halo_before_what_is_dark(qtbot):
    view = bare_view(qtbot, "puma560", size=(640, 420), on=("grid", "corner"))
    number = next(label for label in view.stage.floor.labels(view.frame_state) if label.text.startswith("−"))
    empty = pixels(shown_alone(view, Label("", number.colour, view.camera.target, fixed=True)))
    places = [(top, left) for top in range(0, 400, 6) for left in range(0, 600, 6)]
    top, left = min(places, key=lambda at: empty[at[0] : at[0] + 16, at[1] : at[1] + 36].max())  # the darkest
    eye, toward = view.camera.ray(left + 18, top + 8)
    number = number._replace(point=eye + 0.5 * view.camera.distance * toward, hidden_by_solids=False, fixed=True)
    lighter = [(pixels(shown_alone(view, number._replace(bare=bare))) - empty).max() for bare in (False, True)]
    assert lighter[0] > 60 and lighter[1] < 20
    letters = view.stage.corner.labels(view.frame_state)  # white, each on a ball of its own
    assert [letter.bare for letter in letters] == [True] * 3
