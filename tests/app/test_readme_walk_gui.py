"""README's first five minutes, walked in one window from top to bottom by mouse and keys: every sentence holds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QTabBar

from armature import engine
from armature.app.control.feature import ControlFeature
from armature.app.dh.feature import DHSteps
from armature.app.dynamics.feature import DynamicsFeature
from armature.app.recording.film import missing
from armature.app.robots.robot_meshes import MeshesFeature
from armature.app.scene.gizmo.gizmo_handles import ARROWS, PLANES, RINGS
from armature.app.singularity.singularities import SingularitiesFeature
from armature.app.singularity.singularity_map import SingularityMapFeature
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.workspace.feature import WorkspaceFeature
from armature.engine.recording.recording_recovery import find_recoverable
from tests.app.dialogs import OPEN, answer_the_file_dialog
from tests.app.gizmos import pixel_on, pull, release, way
from tests.app.gizmos import press as press_at
from tests.app.kept_window import AS_IT_STARTS
from tests.app.scenes import drag, move, visible_point
from tests.app.test_gizmo_gestures import take
from tests.app.test_open_robots import drop

README = Path(__file__).parents[2] / "README.md"
Key, LEFT, RIGHT = Qt.Key, Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
NONE, CTRL, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


class Walk:
    """One window and the hands at it: keys go to what has the focus, as they would."""

    def __init__(self, window, find, wait_for):
        self.window, self.wait_for = window, wait_for
        self.find = lambda name: find(window, name)

    @property
    def q(self) -> np.ndarray:
        return self.window.document.q

    def key(self, key, keys=NONE):
        self.wait_for(lambda: QApplication.focusWidget() is not None)  # without one Qt ends the process
        QTest.keyClick(QApplication.focusWidget(), key, keys)
        QApplication.processEvents()

    def click(self, widget, at: QPoint | None = None):
        widget = self.find(widget) if isinstance(widget, str) else widget
        self.wait_for(lambda: widget.isVisible() and widget.isEnabled())
        middle = widget.rect().center()
        if isinstance(widget, QCheckBox):
            middle.setX(10)  # its box: right of its words, where the panel is wide, a click counts nothing
        QTest.mouseClick(widget, LEFT, pos=at or middle)
        QApplication.processEvents()

    def tab(self, title: str):
        for bar in self.window.findChildren(QTabBar):
            for k in range(bar.count()):
                if bar.isVisible() and bar.tabText(k) == title:
                    self.click(bar, bar.tabRect(k).center())
                    QTest.qWait(30)
                    return
        raise AssertionError(f"no tab says {title}")

    def menu(self, button: str, entry: str):
        """Open a menu by a click on its button and choose an entry by a click."""
        button, done = self.find(button), []

        def choose():
            menu = button.menu()
            if not menu.isVisible():
                QTimer.singleShot(30, choose)
                return
            action = next(action for action in menu.actions() if action.text() == entry)
            done.append(entry)
            QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())

        QTimer.singleShot(30, choose)
        QTest.mouseClick(button, LEFT)
        self.wait_for(lambda: done and QApplication.activePopupWidget() is None)

    def menu_bar(self, *path: str):
        """Choose an entry of the menu bar, through the menus on the way, by clicks."""
        bar, done = self.window.menuBar(), []

        def click_next(menu, titles):
            if menu is not None and not menu.isVisible():
                QTimer.singleShot(30, lambda: click_next(menu, titles))
                return
            shown = bar if menu is None else menu
            action = next(action for action in shown.actions() if action.text().replace("&", "") == titles[0])
            if titles[1:]:
                QTimer.singleShot(30, lambda: click_next(action.menu(), titles[1:]))
            else:
                done.append(action)
            QTest.mouseClick(shown, LEFT, pos=shown.actionGeometry(action).center())

        click_next(None, path)
        self.wait_for(lambda: done and QApplication.activePopupWidget() is None)

    def choose(self, box: str, data):
        """By the mouse in the list that opens."""
        box = self.find(box)
        self.click(box)
        view = box.view()
        self.wait_for(lambda: view.isVisible())
        index = view.model().index(box.findData(data), 0)
        view.scrollTo(index)
        QTest.mouseMove(view.viewport(), view.visualRect(index).center())
        QTest.qWait(QApplication.doubleClickInterval() + 100)  # so long a list takes a click for part of the one that opened it
        QTest.mouseClick(view.viewport(), LEFT, pos=view.visualRect(index).center())
        self.wait_for(lambda: box.currentData() == data and not view.isVisible())

    def type(self, field: str, text: str):
        field = self.find(field)
        QTest.mouseClick(field.lineEdit(), LEFT)
        field.selectAll()
        QTest.keyClicks(QApplication.focusWidget(), text)
        self.key(Key.Key_Return)
        assert self.window.scene.hasFocus()

    def pixel(self, p) -> QPoint:
        x, y, _ = self.window.scene.camera.project(np.asarray(p))
        return QPoint(round(float(x)), round(float(y)))

    def beside(self) -> QPoint:
        """A pixel of the view where nothing is."""
        scene = self.window.scene
        free = (QPoint(x, y) for y in range(60, scene.height() - 60, 23) for x in range(40, scene.width() // 2, 23))
        return next(at for at in free if scene.pick(at.x(), at.y()) is None)


def move_it(walk):
    window, scene = walk.window, walk.window.scene
    assert window.document.robot.name == "puma560"
    at = visible_point(scene, 1)
    move(scene, QPointF(at))
    assert scene.hovered == 1
    before = walk.q
    drag(scene, [QPointF(at), QPointF(at + QPoint(10, -20)), QPointF(at + QPoint(15, -40))])
    assert np.flatnonzero(walk.q != before).tolist() == [1]
    slider = walk.find("joint_slider_joint1")
    middle = slider.rect().center()
    drag(slider, [QPointF(middle), QPointF(middle + QPoint(20, 0)), QPointF(middle + QPoint(35, 0))])
    assert walk.q[0] != before[0]
    walk.type("joint_value_joint3", "30")
    assert walk.q[2] == pytest.approx(np.radians(30))
    camera, free = scene.camera, QPointF(walk.beside())
    turn = camera.azimuth, camera.elevation
    drag(scene, [free, free + QPointF(30, 10), free + QPointF(60, 20)])
    assert (camera.azimuth, camera.elevation) != turn
    seen = walk.pixel([0, 0, 0])
    free = walk.beside()
    QTest.mousePress(scene, RIGHT, NONE, free)
    move(scene, QPointF(free + QPoint(40, 30)), RIGHT)
    QTest.mouseRelease(scene, RIGHT, NONE, free + QPoint(40, 30))
    assert (walk.pixel([0, 0, 0]) - seen - QPoint(40, 30)).manhattanLength() < 30
    far = camera.distance
    place = QPointF(scene.rect().center())
    wheel = QWheelEvent(
        place,
        scene.mapToGlobal(place),
        QPoint(),
        QPoint(0, 480),
        Qt.MouseButton.NoButton,
        NONE,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(scene, wheel)
    assert camera.distance < far
    walk.key(Key.Key_F)
    ends = [walk.pixel(X[:3, 3]) for X in window.document.link_poses]
    assert all(scene.rect().contains(end) for end in ends)
    for _ in range(3):
        walk.key(Key.Key_Z, CTRL)
    assert np.array_equal(walk.q, before)
    hold_the_hand(walk)


def hold_the_hand(walk):
    window, scene = walk.window, walk.window.scene
    walk.type("joint_value_joint2", "40")  # where nothing is stretched
    walk.type("joint_value_joint3", "-150")
    walk.type("joint_value_joint5", "45")
    for key in (Key.Key_7, Key.Key_F, Key.Key_H):
        walk.key(key)
    look = scene.gizmo.look
    assert look.shown and set(look.handles) >= {*ARROWS, *RINGS, *PLANES}
    for kind in (ARROWS, RINGS, PLANES):
        before, handle = walk.q, next(handle for handle in kind if pixel_on(scene, handle) is not None)
        release(scene, pull(scene, way(scene, handle, take(window, handle))))
        assert (walk.q != before).sum() >= 2, handle
    start = take(window, next(handle for handle in ARROWS if pixel_on(scene, handle) is not None))
    tip = scene.camera.project(look.outline(look.active, scene.camera))[[0, -1], :2]
    out = QPointF(*(tip[1] - tip[0]) / np.linalg.norm(tip[1] - tip[0]))
    pull(scene, [start + (length * out).toPoint() for length in (50, 200, 600)])
    assert look.words and walk.find("readout_hand").text()
    release(scene, start)
    walk.key(Key.Key_H)
    assert not look.shown


def make_it_singular(walk):
    window, scene = walk.window, walk.window.scene
    calm = scene.grabFramebuffer()
    walk.menu("toolbar_poses", "stretched")
    walk.wait_for(lambda: np.array_equal(window.readouts.latest.q, walk.q) and window.readouts.latest.level == 2)
    assert np.array_equal(walk.q, window.document.robot.configurations["stretched"])
    walk.wait_for(lambda: walk.find("readout_sigma_min").property("level") == "2")
    assert window.readouts.latest.report.sigma_min < 1e-9 and scene.grabFramebuffer() != calm
    words = walk.find("singularity_explanation").text()
    assert ("joint" in words or "axes" in words) and ("cannot move" in words or "cannot turn" in words), words
    names = ("ellipsoid", "force")
    for name, keys in zip(names, (NONE, SHIFT), strict=True):
        walk.key(Key.Key_E, keys)
        assert window.preferences.now.overlays[name]
    walk.key(Key.Key_E)
    walk.key(Key.Key_E, SHIFT)
    walk.click("button_perspective_singularity")
    walk.wait_for(lambda: walk.find("singularity_play").isVisible())
    feature, robot = window.features[SingularitiesFeature], window.document.robot
    walk.menu("toolbar_poses", "home")
    walk.type("joint_value_joint5", "0")  # axes 4 and 6 in one line
    walk.wait_for(lambda: "axes 4 and 6" in walk.find("singularity_explanation").text())
    there, X = walk.q, engine.frame_pose(robot, walk.q)
    walk.click("singularity_play")
    walk.wait_for(lambda: np.abs(walk.q - there).max() > 0.02)
    assert np.linalg.norm(engine.frame_pose(robot, walk.q)[:3, 3] - X[:3, 3]) < 1e-3
    walk.click("singularity_play")
    assert np.array_equal(walk.q, there)
    walk.type("joint_value_joint5", "30")
    here = walk.q
    walk.wait_for(lambda: feature.nearest is not None and not feature.runner.busy and feature._searched is window.document.q)
    walk.click("nearest_go")
    walk.wait_for(lambda: not feature.glide.moving and not np.array_equal(walk.q, here))
    walk.wait_for(lambda: window.readouts.latest.report.sigma_min < 1e-6)
    walk.click("nearest_back")
    walk.wait_for(lambda: not feature.glide.moving and np.allclose(walk.q, here))
    walk.click("families_find")
    walk.wait_for(lambda: feature.families and not feature.family_runner.busy, 90)
    assert walk.find("families_list").count() == len(feature.families) >= 3
    drag_the_dot(walk)


def drag_the_dot(walk):
    map_, feature = walk.window.features[SingularityMapFeature].panel.map, walk.window.features[SingularityMapFeature]
    walk.wait_for(lambda: map_._map is not None and map_.isVisible(), 60)
    before, middle = walk.q, map_.plot().center()
    drag(map_, [map_.pixel(*map_.point), middle - QPointF(20, 10), middle])
    changed = np.flatnonzero(walk.q != before).tolist()
    assert changed and set(changed) <= set(feature.pair)


def see_its_reach(walk):
    window, feature = walk.window, walk.window.features[WorkspaceFeature]
    walk.key(Key.Key_3, CTRL)
    assert walk.find("button_perspective_workspace").isChecked()
    assert walk.find("workspace_samples").value() == 100_000
    quantity, style = walk.find("workspace_quantity"), walk.find("workspace_style")
    data = [quantity.itemData(k) for k in range(quantity.count())]
    assert data[0] == "manipulability" and "payload" in data and len(data) == 8
    walk.click("workspace_compute")
    walk.wait_for(lambda: feature.space is not None and not feature.runner.busy and not feature.painter.busy, 90)
    assert len(feature.space.points) == 100_000 and window.preferences.now.overlays["workspace"]
    walk.wait_for(lambda: "m³" in walk.find("workspace_volume").text(), 60)
    for name in [style.itemData(k) for k in range(style.count()) if k != style.currentIndex()]:
        walk.choose("workspace_style", name)
        walk.wait_for(lambda: not feature.painter.busy, 60)
        assert window.scene.stage.reach.mesh is not None
    walk.choose("workspace_style", style.itemData(0))
    walk.wait_for(lambda: not feature.painter.busy, 60)
    whole = len(window.scene.stage.cloud.records)
    walk.choose("workspace_cut_axis", walk.find("workspace_cut_axis").itemData(2))
    walk.wait_for(lambda: not feature.painter.busy and len(window.scene.stage.cloud.records) != whole, 60)
    walk.key(Key.Key_F)
    before = walk.q
    points = window.scene.stage.cloud.records["position"]
    seen = window.scene.camera.project(points)
    near = np.argsort(seen[:, 2])[:2000]
    inside = (k for k in near if window.scene.rect().adjusted(60, 60, -60, -60).contains(int(seen[k, 0]), int(seen[k, 1])))
    at = next(QPoint(*np.round(seen[k, :2]).astype(int)) for k in inside if window.scene.pick(*seen[k, :2]) is None)
    QTest.mouseClick(window.scene, LEFT, NONE, at)
    walk.wait_for(lambda: not np.array_equal(walk.q, before))
    tool = walk.pixel(engine.frame_pose(window.document.robot, walk.q)[:3, 3])
    assert (tool - at).manhattanLength() < 20
    walk.key(Key.Key_W)  # the cloud makes way


def let_it_follow_a_path(walk):
    window, feature = walk.window, walk.window.features[TrajectoryFeature]
    walk.key(Key.Key_4, CTRL)
    walk.wait_for(lambda: walk.find("trajectory_more").isVisible())
    walk.menu("toolbar_poses", "home")
    for value in ("0", "20"):
        walk.type("joint_value_joint1", value)
        walk.key(Key.Key_Insert)
    assert len(feature.draft.now.waypoints) == 2
    walk.wait_for(lambda: feature.preview is not None)
    walk.menu("trajectory_more", "Example: pick and place")
    walk.wait_for(lambda: feature.preview is not None and len(feature.draft.now.waypoints) > 3)
    path = window.scene.stage.tool_path
    assert len(path.path) > 10 and "within all limits" in walk.find("trajectory_status").text()
    assert "m/s" in " ".join(
        label.text() for label in feature.panel.tool_limits.findChildren(type(walk.find("trajectory_status")))
    )
    timeline = walk.find("trajectory_time")
    walk.click(timeline, QPoint(timeline.width() // 3, timeline.height() // 2))
    walk.wait_for(lambda: window.scene.stage.ghosts.bodies is not None and feature.look.visible)
    window.scene.fit()
    before, draft = path.path, feature.draft.now
    handle = path.handles[1]
    at = walk.pixel(handle.X_WH[:3, 3])
    press_at(window.scene, at)
    QApplication.processEvents()
    end = pull(window.scene, [at + QPoint(4, 3), at + QPoint(12, 8)])
    release(window.scene, end)
    assert feature.draft.now is not draft
    walk.wait_for(lambda: path.path is not before and feature.preview is not None)
    while feature.draft.now is not draft:
        walk.key(Key.Key_Z, CTRL)
    walk.wait_for(lambda: feature.preview is not None)
    run_under_a_law(walk)


def run_under_a_law(walk):
    window, feature = walk.window, walk.window.features[TrajectoryFeature]
    walk.tab("Control")
    walk.choose("control_law", "computed-torque")
    walk.key(Key.Key_Return, CTRL)
    walk.wait_for(lambda: window.simulation.running and window.simulation.latest.t > 0.1)
    table = walk.find("control_gains")
    walk.click(table.viewport(), table.visualRect(table.model().index(0, 0)).center())
    QTest.keyClicks(QApplication.focusWidget(), "3")
    QTest.keyClicks(QApplication.focusWidget(), "50")
    walk.key(Key.Key_Return)
    assert window.features[ControlFeature]._controller().kp[0] == 350
    field = walk.find("control_assumed_mass")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "0.5")
    walk.key(Key.Key_Return)
    assert window.features[ControlFeature].panel.options.assumed_mass == 0.5 and window.simulation.running
    for _ in range(2):
        walk.key(Key.Key_Equal)  # four times as fast: the example takes its time
    T = feature.preview.duration
    walk.wait_for(lambda: window.simulation.latest.t > T + 0.3, 120)
    held = walk.q
    walk.wait_for(lambda: window.simulation.latest.t > T + 0.6)
    assert np.abs(walk.q - held).max() < 1e-3
    for _ in range(2):
        walk.key(Key.Key_Minus)
    assert not walk.find("torque_slider_joint1").isEnabled()
    walk.key(Key.Key_Space)
    walk.wait_for(lambda: not window.simulation.running and feature.run.followed is None)
    assert walk.find("torque_slider_joint1").isEnabled() and "free" in walk.find("control_state").text()


def let_it_fall(walk):
    window, simulation = walk.window, walk.window.simulation
    before = walk.q
    walk.key(Key.Key_Space)
    walk.wait_for(lambda: simulation.running and np.abs(walk.q - before).max() > 0.02)
    walk.key(Key.Key_Space)
    walk.wait_for(lambda: not simulation.running)
    QTest.qWait(50)
    steps = simulation.latest.steps
    walk.key(Key.Key_Right)
    walk.wait_for(lambda: simulation.latest.steps == steps + 1)
    walk.key(Key.Key_Backspace)
    walk.wait_for(lambda: simulation.latest.t == 0 and simulation.latest.steps == 0)
    speed = walk.find("simulation_speed")
    walk.key(Key.Key_Minus)
    assert speed.currentData() == 0.5
    walk.key(Key.Key_Equal)
    assert speed.currentData() == 1.0
    walk.tab("Simulation")
    walk.click("simulation_friction")
    walk.key(Key.Key_Space)
    walk.wait_for(lambda: simulation.latest.t > 0.4)
    slider = walk.find("torque_slider_joint1")
    walk.click(slider, QPoint(slider.width() * 3 // 4, slider.height() // 2))
    walk.wait_for(lambda: simulation.latest.tau[0] > 1)
    walk.click("torque_zero")
    walk.wait_for(lambda: simulation.latest.tau[0] == 0)
    QTest.keyClick(window.scene, Key.Key_Space)
    walk.wait_for(lambda: not simulation.running)
    energy_is_a_straight_line(walk)
    pull_on_a_link(walk)
    explain_the_torques(walk)


def energy_is_a_straight_line(walk):
    """From rest, without friction, until a stop is met."""
    simulation = walk.window.simulation
    walk.key(Key.Key_Backspace)
    walk.wait_for(lambda: simulation.latest.t == 0)
    walk.key(Key.Key_Space)
    totals = []
    walk.wait_for(lambda: totals.append(simulation.latest.kinetic + simulation.latest.potential) or simulation.latest.t > 0.3)
    stop = simulation.latest.ledger.stop
    assert np.ptp(totals) < 1e-6 * max(map(abs, totals)) + abs(stop)
    walk.key(Key.Key_Space)
    walk.wait_for(lambda: not simulation.running)
    walk.click("simulation_friction")


def pull_on_a_link(walk):
    window, scene = walk.window, walk.window.scene
    walk.key(Key.Key_Backspace)
    walk.key(Key.Key_Space)
    walk.wait_for(lambda: window.simulation.running)
    at = visible_point(scene, 2)
    QTest.mousePress(scene, LEFT, CTRL, at)
    for part in (0.4, 1.0):
        move(scene, QPointF(at) + part * QPointF(80, -60), LEFT)
    walk.wait_for(lambda: window.simulation.latest.pull_force is not None)
    walk.wait_for(lambda: scene.tug.text.endswith(" N"))
    QTest.mouseRelease(scene, LEFT, CTRL, at + QPoint(80, -60))
    walk.wait_for(lambda: window.simulation.latest.pull_force is None)


def explain_the_torques(walk):
    window, simulation = walk.window, walk.window.simulation
    walk.click("button_perspective_dynamics")
    panel = window.features[DynamicsFeature].panel
    walk.wait_for(lambda: panel.isVisible() and panel.bars.motor.size)
    walk.wait_for(lambda: np.abs(panel.bars.values).sum() > 0)
    assert simulation.running and simulation.latest.ledger is not None
    walk.choose("gravity_preset", "Moon")
    walk.wait_for(lambda: simulation.robot.gravity[2] == pytest.approx(-1.62))
    walk.click("payload_on")
    walk.wait_for(lambda: simulation.latest.payload is not None)
    walk.click("friction_joint1")
    walk.click("joint_stops")
    assert simulation.running and np.isinf(simulation.robot.q_max).all() and window.scene.hasFocus()
    loads = window.preferences.now.overlays["loads"]
    walk.key(Key.Key_L, SHIFT)
    assert window.preferences.now.overlays["loads"] != loads
    walk.wait_for(lambda: window.scene.stage.loads.visible())
    walk.key(Key.Key_L, SHIFT)
    walk.key(Key.Key_Space)
    walk.wait_for(lambda: not simulation.running)


def see_where_the_table_comes_from(walk):
    window = walk.window
    walk.key(Key.Key_D, CTRL)
    walk.wait_for(lambda: window.features[DHSteps].panel.isVisible())
    player = window.features[DHSteps].player
    walk.wait_for(lambda: window.features[DHSteps].walk is not None and window.features[DHSteps]._active)
    walk.key(Key.Key_Right)
    walk.key(Key.Key_Right)
    walk.wait_for(lambda: player.p == 2.0)
    walk.key(Key.Key_Left)
    walk.wait_for(lambda: player.p == 1.0)
    walk.key(Key.Key_Space)
    walk.wait_for(lambda: player.playing and player.p > 1.5)
    walk.key(Key.Key_Space)
    assert not player.playing and not window.simulation.running
    before = window.features[DHSteps].walk.poses.copy()
    slider = walk.find("joint_slider_joint1")
    walk.click(slider, QPoint(slider.width() // 3, slider.height() // 2))
    assert not np.allclose(window.features[DHSteps].walk.poses, before)
    QTest.keyClick(slider, Key.Key_Escape)


def record_it(walk):
    window, simulation = walk.window, walk.window.simulation
    formats = walk.find("recording_format")
    assert {formats.itemData(k) for k in range(formats.count())} == {"csv", "npz", "mat", "mcap"}
    walk.key(Key.Key_R, CTRL)
    walk.wait_for(lambda: simulation.recording is not None)
    assert simulation.recording.suffix == ".csv"
    walk.key(Key.Key_Space)
    walk.wait_for(lambda: simulation.running and simulation.latest.rows > 300)
    left = Path(str(simulation.recording) + ".part")
    walk.key(Key.Key_Space)
    walk.wait_for(lambda: not simulation.running)
    killed = left.read_bytes() if left.exists() else b""
    walk.key(Key.Key_R, CTRL)
    walk.wait_for(lambda: window.recordings.last_path is not None and simulation.recording is None)
    made = window.recordings.last_path
    recording = engine.load_recording(made)
    assert len(recording) > 250 and np.allclose(np.diff(recording.t), 1e-3)
    if killed:  # what a killed process would have left is found at the next start
        left.with_name("killed.csv.part").write_bytes(killed)
        assert [one.path.name for one in find_recoverable(made.parent)] == ["killed.csv.part"]
        left.with_name("killed.csv.part").unlink()
    window.docks.bring_up("recording")
    walk.click("recording_replay_last")
    walk.wait_for(lambda: window.replay.replaying)
    replay_it(walk, made, len(recording))


def replay_it(walk, made: Path, rows: int):
    window, replay = walk.window, walk.window.replay
    walk.key(Key.Key_Right)
    assert replay.row == 1
    walk.key(Key.Key_Space)
    walk.wait_for(lambda: replay.playing and replay.row > 20)
    walk.key(Key.Key_Space)
    assert not replay.playing and not window.simulation.running
    walk.key(Key.Key_Minus)
    assert replay.speed == 0.5
    walk.key(Key.Key_Backspace)
    assert replay.row == 0
    timeline = walk.find("replay_timeline")
    for mark, fraction in ((Key.Key_BracketLeft, 0.3), (Key.Key_BracketRight, 0.7)):
        walk.click(timeline, QPoint(round(8 + fraction * (timeline.width() - 16)), timeline.height() // 2))
        assert replay.t == pytest.approx(fraction * replay.recording.duration, rel=0.05)
        walk.key(mark)
    part = made.with_name("puma560 part.csv")
    answer_the_file_dialog(part)
    walk.click("replay_trim")
    walk.wait_for(lambda: part.exists() and "Saved" in window.banner.text.text())
    assert 0 < len(engine.load_recording(part)) < rows
    answer_the_file_dialog(part, OPEN)
    walk.click("replay_compare")
    walk.wait_for(lambda: walk.find("compared_0").isVisible())
    walk.click("replay_verify")
    walk.wait_for(lambda: "last bit" in walk.find("replay_result").text(), 60)
    assert walk.find("replay_film").isEnabled()
    if not missing(Path("film.gif")):
        answer_the_file_dialog(made.with_name("film.gif"))
        walk.click("replay_film")
        walk.wait_for(lambda: made.with_name("film.gif").exists() and walk.find("replay_film").isEnabled(), 60)
    window.scene.setFocus()
    walk.key(Key.Key_Escape)  # what is laid over goes first
    assert window.replay.replaying and not len(window.scene.stage.ghosts.bodies)
    walk.key(Key.Key_Escape)
    assert not window.replay.replaying
    answer_the_file_dialog(made, OPEN)
    walk.key(Key.Key_O, CTRL)
    walk.wait_for(lambda: window.replay.replaying)
    walk.key(Key.Key_Escape)
    assert not window.replay.replaying


def choose_robot(walk, words: str, name: str):
    chooser = walk.find("robot_chooser")
    QTest.keyClicks(chooser.filter, words)
    walk.wait_for(lambda: chooser.cards.current() is not None and chooser.cards.current().place.name == name)
    QTest.keyClick(chooser.filter, Key.Key_Return)
    walk.wait_for(lambda: walk.window.document.robot.name == name)
    assert not chooser.isVisible()
    walk.window.activateWindow()  # without a window manager nobody else hands the focus back


def open_another_arm(walk, tmp_path):
    window = walk.window
    assert window.toolbar.widgetForAction(window.toolbar.actions()[0]) is walk.find("toolbar_robots")
    walk.click("toolbar_robots")
    choose_robot(walk, "scara textbook", "scara")
    walk.menu_bar("File", "Robots…")
    choose_robot(walk, "irb 140", "irb140")
    source = engine.load_robot("panda").source
    mine = tmp_path / f"mine{source.suffix}"
    mine.write_bytes(source.read_bytes())
    drop(window, mine)
    walk.wait_for(lambda: window.document.robot.n == 7)
    (tmp_path / "box.urdf").write_text(URDF)
    drop(window.scene, tmp_path / "box.urdf")
    walk.wait_for(lambda: window.document.robot.name == "box" and not window.features[MeshesFeature].runner.busy)
    drawn = window.scene.stage.solids.mesh
    for shapes in ("collision", "visual"):
        window.actions_[f"shapes_{shapes}"].trigger()
        walk.wait_for(lambda: not window.features[MeshesFeature].runner.busy)
    assert drawn is not None and window.preferences.now.shapes == "visual"
    walk.key(Key.Key_F1)
    assert walk.find("help_dialog").isVisible()
    walk.find("help_dialog").close()


URDF = """<robot name="box"><link name="base"><visual><geometry><box size="0.2 0.2 0.1"/></geometry></visual></link>
<link name="arm"><inertial><origin xyz="0.2 0 0"/><mass value="1"/><inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0"
iyz="0"/></inertial><visual><origin xyz="0.2 0 0"/><geometry><box size="0.4 0.05 0.05"/></geometry></visual>
<collision><origin xyz="0.2 0 0"/><geometry><cylinder radius="0.05" length="0.4"/></geometry></collision></link>
<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
<limit lower="-2" upper="2" effort="20" velocity="2"/></joint></robot>"""
TITLES = (
    "Move it.",
    "Make it singular.",
    "See its reach.",
    "Let it follow a path.",
    "Let it fall.",
    "See where the DH table comes from.",
    "Record it.",
    "Open another arm.",
)


def test_the_first_five_minutes_hold_from_top_to_bottom(make_window, find, wait_for, tmp_path):
    text = README.read_text(encoding="utf-8")
    assert [f"{k}. **{title}**" in text for k, title in enumerate(TITLES, start=1)] == [True] * len(TITLES)
    walk = Walk(make_window(size=AS_IT_STARTS, perspective="explore", recording_format="csv"), find, wait_for)
    walk.window.scene.setFocus()
    move_it(walk)
    make_it_singular(walk)
    see_its_reach(walk)
    let_it_follow_a_path(walk)
    let_it_fall(walk)
    see_where_the_table_comes_from(walk)
    record_it(walk)
    open_another_arm(walk, tmp_path)
