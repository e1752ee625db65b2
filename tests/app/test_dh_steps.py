"""The DH stepper with real clicks and keys: what is drawn, lit and written at every move is what numpy says."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.dh.feature import DHSteps
from armature.app.scene.overlays.dh_walk import DHWalk
from armature.app.state.units import Units
from armature.engine.model.dh_table import MODIFIED, STANDARD
from tests.app.scenes import pixels
from tests.chance import some
from tests.engine.example_robots import example

COLUMNS = {STANDARD: ("theta", "d", "a", "alpha"), MODIFIED: ("a", "alpha", "d", "theta")}
ORDER = {STANDARD: ("theta", "d", "a", "alpha"), MODIFIED: ("alpha", "a", "theta", "d")}


@pytest.fixture
def stepper(make_window, find):
    """A window with the stepper open, and its parts by name: `stepper("puma560")`."""

    def open_(robot="puma560", speed=4.0, size=(900, 620), **options):
        window = make_window(robot, size=size, **options)
        QTest.keyClick(window, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
        QTest.qWait(60)
        if speed != 1.0:
            box = find(window, "dh_speed")
            box.setCurrentIndex(box.findData(speed))
        return window, window.features[DHSteps]

    return open_


def elementary(quantity, value):
    """The four matrices of the lectures, written out."""
    c, s = np.cos(value), np.sin(value)
    X = np.eye(4)
    if quantity == "theta":
        X[:2, :2] = [[c, -s], [s, c]]
    elif quantity == "alpha":
        X[1:3, 1:3] = [[c, -s], [s, c]]
    else:
        X[2 if quantity == "d" else 0, 3] = value
    return X


def expected_moves(robot, q):
    """(row, quantity, matrix) of every move of a robot with a table, straight from its rows."""
    out = [(-1, "base", robot.base)] if not np.array_equal(robot.base, np.eye(4)) else []
    for i, row in enumerate(robot.dh.rows(q)):
        values = dict(zip(("theta", "d", "a", "alpha"), row))
        out += [(i, name, elementary(name, values[name])) for name in ORDER[robot.dh.convention]]
    last = robot.links[robot.link_names[-1]].X_BF
    tool = np.linalg.inv(last) @ robot.frames[robot.tool].X_BF
    return out if np.allclose(tool, np.eye(4), atol=1e-12) else [*out, (-1, "tool", tool)]


def drawn_pose(window):
    """The pose the moving frame is drawn with."""
    return window.scene.stage.explanations.dh_step.bodies["pose"][0].T


def shown_text(matrix, units):
    """What a 4×4 matrix must read like, digit by digit."""
    lengths, decimals = units.factor(True), units.decimals(True)
    rows = [[f"{x:.4f}" for x in row[:3]] + [f"{row[3] * lengths:.{decimals}f}"] for row in matrix[:3]]
    return [[_plain(text) for text in row] for row in [*rows, ["0", "0", "0", "1"]]]


def _plain(text):
    return text[1:] if text.startswith("-") and not text.strip("-0.") else text.replace("-", "−")


def assert_shown(window, find, move, X, count, number):
    row, quantity, own = move
    table, first, product = (find(window, f"dh_{name}") for name in ("table", "elementary", "accumulated"))
    np.testing.assert_allclose(drawn_pose(window), X, atol=1e-6)  # the card takes single precision
    np.testing.assert_allclose(window.scene.stage.explanations.dh_step.step.now, X, atol=1e-12)
    np.testing.assert_allclose(first.values, own, atol=1e-12)
    np.testing.assert_allclose(product.values, X, atol=1e-12)
    for view, matrix in ((first, own), (product, X)):
        assert [[view.text(i, j) for j in range(4)] for i in range(4)] == shown_text(matrix, window.preferences.units)
    convention = window.features[DHSteps].walk.convention
    assert table.numbers.active == (None if row < 0 else (row, COLUMNS[convention].index(quantity)))
    assert find(window, "dh_counter").text() == f"Step {number} of {count}"
    assert window.scene.stage.arm.see_through


@pytest.mark.parametrize("name", some(["panda", "rp_offset", "puma560", "stanford"], 2))
def test_every_move_by_clicks(stepper, find, wait_for, name):
    """With SOAK=1 on four arms, of either convention and with joints that slide."""
    window, feature = stepper(name)
    robot = window.document.robot
    q = np.random.default_rng(4).uniform(-1, 1, robot.n)
    window.document.edit(q)
    moves = expected_moves(robot, q)
    assert len(moves) == feature.walk.count
    feature.player.speed = 40.0  # a glide of a frame or two; how it glides is looked at below
    X, button = np.eye(4), find(window, "dh_next_move")
    for number, move in enumerate(moves, start=1):
        X = X @ move[2]
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        wait_for(lambda number=number: feature.player.p == number and not feature.player.busy)
        assert_shown(window, find, move, X, len(moves), number)
    np.testing.assert_allclose(X, engine.frame_pose(robot, q), atol=1e-12)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    QTest.qWait(40)
    assert feature.player.p == len(moves)


@pytest.mark.parametrize("name", some(["panda", "ur5_robot", "puma560", "scara"], 2))
def test_the_other_convention(stepper, find, name):
    """With SOAK=1 on four arms, of either convention and of none."""
    window, feature = stepper(str(example(name)) if name == "ur5_robot" else name)
    robot, box = window.document.robot, find(window, "dh_convention")
    own = STANDARD if robot.dh is None else robot.dh.convention
    assert box.currentData() == own
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Up if own == MODIFIED else Qt.Key.Key_Down)
    assert feature.walk.convention == box.currentData() != own
    words = "Converted from the" if robot.dh is not None else "fit error"
    assert words in find(window, "dh_remark").text()
    table = find(window, "dh_table").numbers
    assert table.columns[0][0] == ("θ" if feature.walk.convention == STANDARD else "a")
    QTest.keyClick(box, Qt.Key.Key_Right)
    feature.player.go_to(feature.walk.count)
    feature._show()
    np.testing.assert_allclose(drawn_pose(window), engine.frame_pose(robot, window.document.q), atol=1e-6)


def test_keys_step_and_leave_the_simulation_alone(stepper, find, wait_for):
    window, feature = stepper()
    panel, player = feature.panel, feature.player
    assert panel.hasFocus()
    QTest.keyClick(panel, Qt.Key.Key_Right)
    wait_for(lambda: player.p == 1 and not player.busy)
    QTest.keyClick(panel, Qt.Key.Key_Left)
    wait_for(lambda: player.p == 0 and not player.busy)
    QTest.keyClick(panel, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert player.p == 4 and "Frame 1 is complete" in find(window, "dh_sentence").text()
    QTest.keyClick(panel, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(panel, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    assert player.p == 4
    QTest.keyClick(panel, Qt.Key.Key_End)
    assert player.p == 24
    QTest.keyClick(panel, Qt.Key.Key_Home)
    assert player.p == 0
    QTest.keyClick(panel, Qt.Key.Key_Space)
    assert player.playing
    QTest.keyClick(find(window, "dh_timeline"), Qt.Key.Key_Space)
    assert not player.playing
    button = find(window, "dh_loop")
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)  # a button keeps its own key
    assert button.isChecked() and not player.playing
    assert not window.simulation.running


def test_play_runs_to_the_end_and_stops(stepper, find, wait_for):
    window, feature = stepper("scara")
    window.document.edit(np.array([0.5, -0.7, 0.1]))
    play, seen = find(window, "dh_play"), []
    window.clock.tick.connect(lambda: seen.append(feature.player.p))
    QTest.mouseClick(play, Qt.MouseButton.LeftButton)
    assert feature.player.playing
    wait_for(lambda: not feature.player.playing)
    assert feature.player.p == 12 and find(window, "dh_timeline").value() == find(window, "dh_timeline").maximum()
    assert np.all(np.diff(seen) >= 0) and len({int(p) for p in seen}) == 13  # no move was left out
    fractions = {round(p % 1, 3) for p in seen}
    assert len(fractions) > 5  # it glides; a slow machine draws fewer pictures of it
    np.testing.assert_allclose(drawn_pose(window), engine.frame_pose(window.document.robot, window.document.q), atol=1e-6)


def test_half_way_the_frame_is_half_way(stepper, find):
    window, feature = stepper("puma560")
    q = window.document.q
    slider = find(window, "dh_timeline")
    span = slider.width() - 16
    QTest.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(8 + round(span * 4.5 / 24), slider.height() // 2))
    p = feature.player.p
    assert 4 < p < 5 and abs(p - 4.5) < 0.1
    moves = expected_moves(window.document.robot, q)
    X = np.linalg.multi_dot([X for _, _, X in moves[:4]]) @ elementary("theta", (p - 4) * q[1])
    np.testing.assert_allclose(drawn_pose(window), X, atol=1e-6)
    assert find(window, "dh_elementary").title == f"Rot z({p - 4:.2f} θ₂)"
    assert find(window, "dh_sentence").text() == "Rotate about z₁ by θ₂ = 45°."
    assert any(text == "θ₂ = 45°" for text, _ in _labels(window))


def _labels(window):
    window.scene.render_image(400, 300)
    return window.scene.stage.labels.boxes


def test_a_joint_moved_while_stepping_moves_the_frame(stepper, find, wait_for):
    window, feature = stepper("stanford")
    feature.player.go_to(10)  # after d3, the sliding joint
    feature._show()
    q = window.document.q.copy()
    q[2] += 0.1
    q[0] += 0.3
    window.document.edit(q)
    moves = expected_moves(window.document.robot, q)
    X = np.linalg.multi_dot([X for _, _, X in moves[:10]])
    np.testing.assert_allclose(drawn_pose(window), X, atol=1e-6)
    wait_for(lambda: np.allclose(find(window, "dh_accumulated").values, X, atol=1e-12))
    assert find(window, "dh_sentence").text() == f"Translate along z₂ by d₃ = {Units().text(q[2], True).rstrip('0 m')} m."


def test_another_robot_while_playing_starts_over(stepper, find, wait_for):
    window, feature = stepper("puma560")
    find(window, "dh_play").click()
    wait_for(lambda: feature.player.p > 1.5)
    window.document.open_robot("panda")
    assert not feature.player.playing and feature.player.p == 0 and feature.walk.count == 29
    assert find(window, "dh_counter").text() == "Step 0 of 29"
    assert window.scene.stage.explanations.dh_step.step.number == 1
    QTest.qWait(80)
    assert feature.player.p == 0


def test_a_closed_panel_asks_nothing_of_the_clock(stepper, find, wait_for):
    window, feature = stepper("puma560")
    find(window, "dh_play").click()
    wait_for(lambda: feature.player.p > 0.2)
    window.docks["dh_steps"].close()
    wait_for(lambda: window.scene.stage.explanations.dh_step.step is None)
    assert not feature.player.busy and not window.scene.stage.arm.see_through
    p, q = feature.player.p, window.document.q.copy()
    q[0] = 1.0
    window.document.edit(q)
    QTest.qWait(80)
    assert feature.player.p == p and window.scene.stage.explanations.dh_step.step is None
    window.docks.bring_up("kinematics")
    window.docks.bring_up("dh_steps")
    wait_for(lambda: window.scene.stage.explanations.dh_step.step is not None)
    assert feature.walk.q[0] == 1.0  # and is up to date when it comes back
    window.docks.bring_up("kinematics")
    wait_for(lambda: not window.scene.stage.arm.see_through)


def test_units_are_followed(stepper, find):
    window, feature = stepper("puma560")
    feature.player.go_to(10)
    feature._show()
    assert find(window, "dh_sentence").text() == "Translate along z₂ by d₃ = 0.15 m."
    window.actions_["length_mm"].trigger()
    assert find(window, "dh_sentence").text() == "Translate along z₂ by d₃ = 150.1 mm."
    assert find(window, "dh_elementary").text(2, 3).startswith("150.1")
    assert find(window, "dh_table").numbers.columns[1] == "d mm" and find(window, "dh_table").numbers.text(2, 1) == "150.1"
    assert any(text == "d₃ = 150.1 mm" for text, _ in _labels(window))
    feature.player.go_to(5)
    window.actions_["angle_rad"].trigger()
    assert find(window, "dh_sentence").text() == "Rotate about z₁ by θ₂ = 0.7854 rad."


def test_a_mesh_robot_with_a_hand_walks_to_its_tool(stepper, find):
    window, feature = stepper(str(example("panda")))
    assert feature.walk.chain.table.n == 7
    assert "move the tool" in find(window, "dh_remark").text()
    feature.player.go_to(feature.walk.count)
    feature._show()
    np.testing.assert_allclose(drawn_pose(window), engine.frame_pose(window.document.robot, window.document.q), atol=1e-6)


def test_the_picture_shows_the_path(stepper):
    window, feature = stepper("puma560")
    window.scene.set_overlay("frames", False)
    feature.player.go_to(8.3)
    feature._show()
    early = pixels(window.scene.render_image(500, 400))
    feature.player.go_to(8.9)
    feature._show()
    late = pixels(window.scene.render_image(500, 400))
    assert (np.abs(early - late).max(axis=2) > 30).sum() > 150


@pytest.mark.parametrize("scale", [100, 150])
def test_the_panel_is_not_clipped_in_a_small_window(stepper, find, wait_for, scale):
    window, feature = stepper("panda", size=(1024, 700), text_scale=scale)
    feature.player.go_to(4.5)
    feature._show()
    for name in ("dh_elementary", "dh_accumulated"):
        view = find(window, name)
        wait_for(lambda v=view: v.width() >= v.sizeHint().width() - 1 and v.height() >= v.sizeHint().height() - 1)
    table = find(window, "dh_table")
    assert table.width() >= table.minimumWidth()


def test_words_for_every_kind_of_move():
    robot = engine.load_robot("scara")
    walk = DHWalk(robot, np.array([0.5, 0.0, 0.1]))
    words = [walk.step(p).sentence(Units()) for p in (0, 0.5, 1, 4, 5, 10, 12)]
    assert words[0] == "Start: the moving frame is at frame 0."
    assert words[1] == words[2] == "Rotate about z₀ by θ₁ = 28.65°."
    assert words[3] == "α₁ = 0°: no rotation about x₁. Frame 1 is complete."
    assert words[4] == "θ₂ = 0°: no rotation about z₁."
    assert words[5] == "Translate along z₂ by d₃ = 0.1 m."
    assert words[6].endswith("Frame 3 is complete.")
    panda = DHWalk(engine.load_robot("panda"), np.zeros(7))
    assert panda.step(5).sentence(Units()) == "Rotate about x₁ by α₁ = −90°."
    assert panda.step(29).sentence(Units()) == "Place the tool on frame 7."
    pendulum = DHWalk(engine.load_robot("double_pendulum"), np.zeros(2))
    assert pendulum.step(0).sentence(Units()) == "Start: the moving frame is at the world frame."
    assert pendulum.step(1).accumulated_title() == "ᵂT₀" and pendulum.step(5).accumulated_title() == "ᵂT₁"
