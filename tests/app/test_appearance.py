"""Themes, text sizes, readouts, overlays, help: what the user sees."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QIcon, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QScrollBar,
    QTabBar,
    QToolButton,
)
from pytestqt.exceptions import TimeoutError

from armature import engine
from armature.app.dynamics.heat_map import HeatMap
from armature.app.dynamics.torque_bars import TERMS, TorqueBars
from armature.app.plots.curves import Curves, number
from armature.app.plots.plot_reading import readings
from armature.app.state.number_marks import said
from armature.app.state.settings import CHOICES
from armature.app.state.units import Units, ends, measured, significant, uncertain
from armature.app.style.colour_tokens import DARK, LIGHT
from armature.app.style.icons import icon
from armature.app.style.stylesheet import SCALES, SHEET, TITLE
from armature.app.widgets.choice_box import ChoiceBox
from armature.app.widgets.colour_legend import ColourLegend
from armature.app.widgets.dock import Dock
from armature.app.widgets.on_screen import on_screen
from armature.app.widgets.tables.number_table import NumberTable
from tests.chance import some

ROOT = Path(__file__).resolve().parents[2]


def corner_colour(window) -> float:
    """Lightness of the window's own background, 0 to 1."""
    return window.grab().toImage().pixelColor(4, window.height() // 2).lightnessF()


def dressed(window) -> set[str]:
    """The colours of text in all panels, bars, and the dialogs that are there."""
    return {part.palette().windowText().color().name() for part in window.findChildren(QLabel) if part.parent() and plain(part)}


def plain(label: QLabel) -> bool:
    """Whether it is written in the usual colour."""
    return label.isEnabled() and not any(label.property(name) for name in ("role", "level", "severity", "selected"))


def test_theme_switch(window, wait_for):
    window.actions_["theme_dark"].trigger()
    wait_for(lambda: dressed(window) == {DARK.text})
    assert corner_colour(window) < 0.3 and window.bench.look.tokens.dark and window.updatesEnabled()
    window.actions_["theme_light"].trigger()
    wait_for(lambda: dressed(window) == {LIGHT.text})
    assert corner_colour(window) > 0.8 and not window.bench.look.tokens.dark
    assert window.preferences.now.theme == "light"


def test_a_theme_chosen_while_another_is_put_on_wins_and_the_mouse_is_heard_meanwhile(window, find, wait_for):
    told = []
    window.bench.look.changed.connect(told.append)
    window.actions_["theme_dark"].trigger()
    QTimer.singleShot(0, lambda: QTest.mouseClick(find(window, "button_perspective_singularity"), Qt.MouseButton.LeftButton))
    wait_for(lambda: window.perspectives._shown == "singularity")
    assert not told and not window.updatesEnabled()  # the picture stands still
    window.actions_["help"].trigger()  # a dialog that comes meanwhile
    window.actions_["theme_light"].trigger()
    wait_for(lambda: told)
    assert told == [LIGHT] and dressed(window) == {LIGHT.text} and window.updatesEnabled()
    window.bench.look.changed.disconnect(told.append)


def test_a_panel_that_is_seen_before_its_turn_has_the_new_colours(make_window, wait_for):
    window = make_window(engine.load_robot("panda"), perspective="explore")
    dock, seen = window.docks["dynamics"], []
    assert dock.isHidden()

    class Painted(QObject):
        def eventFilter(self, watched, event):
            if event.type() == QEvent.Type.Paint and not seen:
                colours = {label.palette().windowText().color().name() for label in dock.findChildren(QLabel) if plain(label)}
                seen.append((colours, window.dressing._slices.busy))
            return False

    def look():
        if window.dressing._waiting:
            beat.stop()
            window.actions_["perspective_dynamics"].trigger()

    beat = QTimer(interval=0)
    beat.timeout.connect(look)
    painted = Painted()
    dock.installEventFilter(painted)
    window.actions_["theme_dark"].trigger()
    beat.start()
    wait_for(lambda: seen)
    assert seen == [({DARK.text}, True)]
    wait_for(lambda: dressed(window) == {DARK.text})


def test_a_window_closes_while_a_theme_is_put_on(make_window):
    window = make_window(engine.load_robot("panda"), perspective="explore")
    window.actions_["theme_dark"].trigger()
    QTest.qWait(1)
    window.close()
    QTest.qWait(100)
    assert not window.isVisible()


def test_dialogs_look_like_the_window_and_have_none_of_qts_own_pictures(window):
    dialog = QDialog(window)
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, dialog)
    dialog.show()
    assert dialog.styleSheet() == SHEET
    assert all(button.icon().isNull() for button in box.buttons())
    dialog.close()
    dialog.deleteLater()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_open_list_of_choices_is_framed_and_marked_as_a_menu(make_window, find, wait_for, theme):
    window, tokens = make_window(theme=theme), {"light": LIGHT, "dark": DARK}[theme]
    window.docks.bring_up("control")
    box = find(window, "control_law")
    wait_for(lambda: on_screen(box) and dressed(window) == {tokens.text})
    QTest.mouseClick(box, Qt.MouseButton.LeftButton)
    wait_for(lambda: box.view().isVisible())
    rows = box.view()
    picture, current = rows.window().grab().toImage(), rows.visualRect(rows.currentIndex())
    right = rows.viewport().mapTo(rows.window(), QPoint(current.right() - 8, current.center().y()))
    seen = [picture.pixelColor(0, 8), picture.pixelColor(8, 0), picture.pixelColor(right), picture.pixelColor(8, right.y())]
    assert [colour.name() for colour in seen] == [tokens.border, tokens.border, tokens.accent_soft, tokens.accent_soft]
    last = rows.visualRect(rows.model().index(box.count() - 1, 0))
    assert rows.viewport().rect().contains(last) and not rows.verticalScrollBar().isVisible()
    QTest.keyClick(rows, Qt.Key.Key_Escape)
    assert not rows.isVisible()


def test_the_arrows_that_scroll_the_tabs_stand_on_the_window_without_a_frame(window, wait_for):
    window.actions_["theme_dark"].trigger()
    wait_for(lambda: dressed(window) == {DARK.text})
    arrows = [
        b
        for b in window.findChildren(QToolButton)
        if b.isVisible() and type(b.parent()) is QTabBar and b.parent().parent() is window
    ]
    assert len(arrows) >= 2
    for arrow in arrows:
        picture = arrow.grab().toImage()
        edge = {picture.pixelColor(x, y).name() for x in (0, picture.width() - 1) for y in range(picture.height())}
        assert edge == {DARK.window}


def test_a_list_longer_than_the_room_for_it_has_a_bar_to_scroll(qtbot):
    box = ChoiceBox()
    qtbot.addWidget(box)
    box.addItems([f"choice {k}" for k in range(30)])
    box.setStyleSheet(SHEET)
    box.show()
    box.showPopup()
    qtbot.waitUntil(box.view().verticalScrollBar().isVisible)
    box.hidePopup()


def test_titles_have_every_size_of_text_that_can_be_chosen():
    assert CHOICES["text_scale"] == SCALES


def test_another_size_of_text_reaches_every_panel(make_window, wait_for):
    window = make_window(perspective="explore", text_scale=100)
    sizes = lambda: {label.font().pointSizeF() for label in window.findChildren(QLabel) if plain(label)}  # noqa: E731
    usual = sizes()
    title = window.findChild(QLabel, "robot_title")
    assert title.font().pointSizeF() == pytest.approx(TITLE)

    def name_height() -> float:
        """Of the name of an axis in the view, in pixels."""
        window.scene.grabFramebuffer()
        return dict(window.scene.stage.labels.boxes)["x_0"][3]

    usual_height = name_height()
    window.preferences.set(text_scale=150)
    wait_for(lambda: min(sizes()) == pytest.approx(1.5 * min(usual)) and title.font().pointSizeF() == pytest.approx(1.5 * TITLE))
    tables = window.findChildren(NumberTable)
    inside = lambda: {table.viewport().font().pointSizeF() for table in tables}  # noqa: E731
    wait_for(lambda: not window.dressing._slices.busy)
    assert inside() == {table.font().pointSizeF() for table in tables}
    switch = window.menuBar().cornerWidget()
    assert switch.width() >= switch.sizeHint().width()
    wait_for(lambda: name_height() == pytest.approx(1.5 * usual_height, abs=3.0))
    window.preferences.set(text_scale=100)
    wait_for(lambda: sizes() == usual and not window.dressing._slices.busy)
    assert inside() == {table.font().pointSizeF() for table in tables}


def test_panels_that_nobody_sees_take_another_size_of_text_after_the_picture(make_window, wait_for, monkeypatch):
    """Those of the left side pass into view while they move behind the tabs of the right one."""
    window = make_window(size=(1280, 800), perspective="explore", text_scale=100)
    docks, dressed = window.docks.all(), []
    in_view = lambda: {dock.name for dock in docks if on_screen(dock)}  # noqa: E731
    put_on = Dock.set_theme
    told = lambda dock, tokens: (dressed.append((dock.name, window.updatesEnabled())), put_on(dock, tokens))  # noqa: E731
    monkeypatch.setattr(Dock, "set_theme", told)
    before = in_view()
    assert not window.docks.room.stacked
    window.preferences.set(text_scale=150)
    wait_for(lambda: not window.dressing._slices.busy)
    assert window.docks.room.stacked
    assert {name for name, is_drawn in dressed if not is_drawn} == before | in_view()
    assert {name for name, _ in dressed} == {dock.name for dock in docks}


def test_a_straight_wrist_turns_readouts_red_and_names_itself(window, find, wait_for):
    sigma, condition = find(window, "readout_sigma_min"), find(window, "readout_condition")
    wait_for(lambda: condition.property("level") == "0")
    assert condition.palette().windowText().color().name() == window.bench.look.tokens.good
    q = window.document.q.copy()
    q[4] = 0.0
    window.document.edit(q)
    wait_for(lambda: condition.property("level") == "2")
    assert sigma.property("level") == "2"
    assert condition.palette().windowText().color().name() == window.bench.look.tokens.danger
    assert find(window, "singularity_explanation").text() == window.readouts.latest.report.reason
    values = [find(window, f"value_{name}") for name in ("sigma_min", "condition", "rank")]
    assert [value.font().bold() for value in values] == [True, True, False]
    window.actions_["undo"].trigger()
    wait_for(lambda: condition.property("level") == "0")
    assert len({value.font().toString() for value in values}) == 1  # nothing of the warning is left


def test_every_readout_of_a_pose_has_four_digits(make_window, find, wait_for):
    window = make_window("puma560", perspective="all")
    places = ("readout_sigma_min", "readout_condition", "value_sigma_min", "value_condition", "singularity_numbers")
    wait_for(lambda: all(find(window, name).text() not in ("", "–") for name in places))
    report = window.readouts.latest.report
    sigma, condition = measured(report.sigma_min), measured(report.condition)
    assert [text.count(sigma) for text in (find(window, name).text() for name in places)] == [1, 0, 1, 0, 1]
    assert [text.count(condition) for text in (find(window, name).text() for name in places)] == [0, 1, 0, 1, 1]


def test_thresholds_move_the_warning(window, find, wait_for):
    wait_for(lambda: window.readouts.latest is not None)
    find(window, "threshold_warn").setValue(2)
    wait_for(lambda: find(window, "readout_condition").property("level") == "1")
    assert window.preferences.now.warn_condition == 2


def test_kinematics_shows_the_live_dh_row_and_the_jacobian(window, find, wait_for):
    window.document.edit(np.array([0.5, 0.1, 0.2, 0.3, 0.4, 0.6]))
    dh, jacobian = find(window, "table_dh"), find(window, "table_jacobian")
    wait_for(lambda: dh.numbers.text(0, 0) == "28.648")
    assert dh.numbers.columns[0].startswith("θ") and (0, 0) in dh.numbers.marked
    assert jacobian.numbers.rows == ("vx", "vy", "vz", "ωx", "ωy", "ωz")
    assert np.array_equal(jacobian.numbers.values, window.readouts.latest.jacobian)
    assert find(window, "value_determinant").text() not in ("–", "not square")


def test_modified_tables_have_their_own_column_order(make_window, find):
    columns = find(make_window("panda"), "table_dh").numbers.columns
    assert [name[0] for name in columns] == ["a", "α", "d", "θ"]


@pytest.mark.parametrize(
    ("size", "scale"), some([((1400, 900), 150), ((1024, 700), 150), ((1400, 900), 100), ((1024, 700), 100)], 2)
)
def test_nothing_is_clipped(make_window, wait_for, scale, size):
    """With large letters, with SOAK=1 also with those of usual size."""
    window = make_window(size=size, text_scale=scale)
    for name in ("simulation", "workspace", "recording", "kinematics", "plots"):
        window.docks.bring_up(name)
        QTest.qWait(60)
        try:
            wait_for(lambda: not _clipped(window))  # the layout follows texts that arrive a few frames later
        except TimeoutError:
            pytest.fail(f"clipped: {_clipped(window)}")


def _clipped(window):
    """Texts wider than the label or button they stand in."""
    labels = [
        (label.text(), label.width(), label.sizeHint().width())
        for label in window.findChildren(QLabel)
        if label.isVisible() and not label.wordWrap() and label.text()
    ]
    buttons = [
        (button.text(), button.width(), button.minimumSizeHint().width())
        for button in window.findChildren(QAbstractButton)
        if button.isVisible() and button.text()
    ]
    return [text for text, width, needed in labels + buttons if width < needed - 1]


def test_every_control_has_a_name(window, press, find):
    for command, dialog in (("help", "help_dialog"), ("robots", "robot_chooser")):
        window.actions_[command].trigger()
        find(window, dialog).close()
    kinds = (QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox)
    nameless = [
        (type(child).__name__, child.objectName(), child.parent().objectName())
        for kind in kinds
        for child in window.findChildren(kind)
        if not isinstance(child, QScrollBar)
        and not child.objectName().startswith("qt_")
        and not (child.accessibleName() or getattr(child, "text", lambda: "")())
    ]
    assert not nameless


def test_overlay_keys_and_memory(window, press, find):
    before = window.scene.overlay("grid")
    press(window.scene, Qt.Key.Key_G)
    assert window.scene.overlay("grid") != before
    assert window.preferences.now.overlays["grid"] != before


def test_layout_is_remembered(make_window):
    first = make_window()
    first.docks["plots"].hide()
    first.close()
    second = make_window(layouts=first.preferences.now.layouts, geometry=first.preferences.now.geometry)
    assert not second.docks["plots"].isVisible()
    second.actions_["reset_layout"].trigger()
    QApplication.processEvents()
    assert second.docks["plots"].isVisible()


def test_each_perspective_shows_its_panels_and_remembers_them(make_window, press):
    window = make_window(perspective="explore")
    assert window.docks["kinematics"].isVisible() and not window.docks["plots"].isVisible()
    press(window, Qt.Key.Key_5, Qt.KeyboardModifier.ControlModifier)
    assert window.docks["simulation"].isVisible() and window.docks["plots"].isVisible()
    window.docks["plots"].hide()
    press(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    assert window.docks["workspace"].isVisible() and not window.docks["simulation"].isVisible()
    assert window.actions_["perspective_workspace"].isChecked()
    press(window, Qt.Key.Key_5, Qt.KeyboardModifier.ControlModifier)
    assert window.docks["simulation"].isVisible() and not window.docks["plots"].isVisible()
    window.close()
    again = make_window(perspective=window.preferences.now.perspective, layouts=window.preferences.now.layouts)
    assert again.docks["simulation"].isVisible() and not again.docks["plots"].isVisible()


def test_the_key_of_a_perspective_brings_its_own_panel_to_the_front(make_window, press, wait_for):
    window, ctrl = make_window(perspective="equations"), Qt.KeyboardModifier.ControlModifier
    equations, frames = (window.docks[name] for name in ("equations", "frames"))
    wait_for(lambda: on_screen(equations.widget()))
    for keys in ((Qt.Key.Key_6,), (Qt.Key.Key_1, Qt.Key.Key_6)):  # pressed again, and from another perspective
        window.actions_["assign_frames"].trigger()
        wait_for(lambda: on_screen(frames.widget()) and not on_screen(equations.widget()))
        for key in keys:
            press(window, key, ctrl)
        wait_for(lambda: on_screen(equations.widget()) and window.preferences.now.perspective == "equations")
    press(window, Qt.Key.Key_5, ctrl)
    window.docks.bring_up("control")  # one of its own stays in front, until its key is pressed again
    wait_for(lambda: on_screen(window.docks["control"].widget()))
    press(window, Qt.Key.Key_6, ctrl)
    press(window, Qt.Key.Key_5, ctrl)
    wait_for(lambda: on_screen(window.docks["control"].widget()))
    assert not on_screen(window.docks["dynamics"].widget())
    press(window, Qt.Key.Key_5, ctrl)
    wait_for(lambda: on_screen(window.docks["dynamics"].widget()))


def test_a_dock_can_float_and_come_back(window):
    dock = window.docks["kinematics"]
    dock.setFloating(True)
    QTest.qWait(80)
    assert dock.isVisible() and dock.titleBarWidget() is None
    dock.setFloating(False)
    QTest.qWait(80)
    window.actions_["reset_layout"].trigger()
    QTest.qWait(50)


def test_at_near_and_regular_are_told_apart_wherever_it_is_said(make_window, find, wait_for):
    window = make_window(perspective="explore")
    for degrees, level, verdict in (
        (0.0, "2", "At a singularity"), (3.0, "2", "Near a singularity, 3° from it"), (40.0, "0", "Regular")
    ):  # fmt: skip
        window.document.edit(np.array([0.2, 0.7, -2.6, 0.3, np.radians(degrees), 0.4]))
        wait_for(lambda verdict=verdict: find(window, "singularity_verdict").text() == verdict)
        assert find(window, "singularity_verdict").property("level") == level
        assert find(window, "readout_explanation").text() == (verdict if degrees < 40 else "")
        wait_for(lambda: find(window, "singularity_explanation").text() == said(window.readouts.latest.report.reason))
        assert ("Regular" in find(window, "singularity_explanation").text()) == (degrees == 40)
        if degrees == 0:  # what is rounding is zero
            texts = {key: find(window, f"value_{key}").text() for key in ("sigma_min", "manipulability", "determinant", "rank")}
            assert texts == {"sigma_min": "0", "manipulability": "0", "determinant": "0", "rank": "5 of 6"}
            assert find(window, "readout_sigma_min").text() == "σ min 0"
            assert find(window, "singularity_numbers").text() == "σ min 0, condition ∞"
    find(window, "threshold_warn").setValue(1.5)  # who wants to be warned of everything is told what is near
    wait_for(lambda: find(window, "singularity_verdict").text().startswith("Near a singularity"))
    assert not find(window, "singularity_cause").text().startswith(("Regular", "The tool can move in every"))


def test_joints_for_coordinates_are_counted(make_window, find, wait_for):
    window = make_window("rp", perspective="explore")
    for robot, rank, told in (
        ("spherical_pendulum", "2 of 2", "Task x, y, z. 2 joints for 3 coordinates: never along the rod."),
        ("panda", "6 of 6", "7 joints for 6 coordinates: 1 to spare. One radian counts as"),
        ("scara", "3 of 3", "Task x, y, z."),
        ("puma560", "6 of 6", "Task x, y, z, rx, ry, rz. One radian counts as"),
    ):
        window.document.open_robot(robot)
        wait_for(lambda: window.readouts.latest is not None and window.readouts.latest.q is window.document.q)
        wait_for(lambda rank=rank: find(window, "value_rank").text() == rank)
        wait_for(lambda told=told: told in find(window, "singularity_task").text())
        assert ("One radian" in told) == ("One radian" in find(window, "singularity_task").text()), robot
        report = window.readouts.latest.report
        assert find(window, "singularity_cause").text().endswith(said(report.freedom)), robot
        assert ("every direction of its task" in find(window, "singularity_cause").text()) == (robot != "spherical_pendulum")


def test_values_below_the_rounding_of_their_scale_are_zero():
    assert [significant(x) for x in (-0.0, 0.0, 1e-17, -2.5)] == ["0", "0", "1e−17", "−2.5"]
    assert [significant(x, scale=12.0) for x in (-1.776e-15, 1e-11)] == ["0", "1e−11"]
    assert (
        ends(1.96e-8, 0.0912) == ("0", "0.0912")
        and ends(-3e-3, 0.2) == ("−0.003", "0.2")
        and ends(-3e-4, 0.2)[0] == "0"
        and ends(-1e-17, 0.0) == ("−1e−17", "0")
    )
    assert [Units().short(x, False) for x in (5e-11, -5e-11, 0.5)] == ["0°", "0°", "28.6°"]
    assert [number(x, 2) for x in (-0.001, -0.0, -0.01)] == ["0.00", "0.00", "−0.01"]
    curves = [Curves(np.arange(3.0), np.array([[0, 1.0], [3e-17, 2.0], [0, 3.0]]), ("a", "b"), ("red", "blue"))]
    assert [text for *_, text in readings(curves, 1.0, False, "", (0.0, 2.0, -0.1, 3.1))] == ["a  0", "b  2"]


def test_a_measured_number_keeps_the_zeros_at_its_end():
    assert [measured(x, 3) for x in (0.1898, 5.0, 123.0, 1000.0, 1e-7, 0.0)] == [
        "0.190",
        "5.00",
        "123",
        "1.00e+03",
        "1.00e−07",
        "0",
    ]
    assert [measured(x) for x in (-0.12, math.inf, math.nan)] == ["−0.1200", "∞", "–"]


def test_a_half_is_written_alike_whichever_way_it_was_computed():
    assert {number(x, 4) for x in (-0.15005, -0.15005000000000002, -0.15004999999999996)} == {"−0.1500"}
    assert number(0.150051, 4) == "0.1501"


def test_a_value_is_as_fine_as_its_error():
    pairs = (2.52, 0.009), (2.5204, 0.0096), (-0.5, 0.03), (812.3, 14.0), (1.0, 0.0)
    assert [uncertain(*pair) for pair in pairs] == ["2.520 ± 0.009", "2.520 ± 0.010", "−0.50 ± 0.03", "812 ± 14", "1 ± 0"]
    assert uncertain(2.3, 0.012, 2) == "2.300 ± 0.012"


def test_bars_maps_and_legends_have_no_digits_of_rounding(qtbot):
    bars, heat, legend = TorqueBars(), HeatMap("Mass matrix"), ColourLegend()
    for widget in (bars, heat, legend):
        qtbot.addWidget(widget)
    bars.set_joints(("shoulder", "elbow"), np.zeros(2, bool), np.full(2, np.inf), np.full(2, 50.0))
    terms = {name: np.zeros(2) for name in TERMS} | {"gravity": np.array([12.5, 1e-15]), "friction": np.array([-1.776e-15, -0.3])}
    bars.show_terms(terms, np.array([12.5, -0.3]))
    assert "friction = 0 N·m" in bars.text(0) and "\ng = 0 N·m" in bars.text(1) and "friction = −0.3 N·m" in bars.text(1)
    heat.set_shape(("a", "b"), (("kg·m²",) * 2,) * 2)
    heat.show_values(np.array([[2.0, -3e-17], [-3e-17, 1.0]]))
    assert heat.text(0, 1) == "a, b: 0 kg·m²" and heat.values[0, 1] == 0.0
    legend.show_range("Manipulability", 1.96e-8, 0.0912)
    assert legend.accessibleDescription() == "Manipulability from 0 to 0.0912"


def test_an_icon_is_as_large_as_it_is_seen_in_its_colour_and_fainter_where_disabled(window):
    whole, faint = (icon("run", "#d6293a").pixmap(30, mode).toImage() for mode in (QIcon.Mode.Normal, QIcon.Mode.Disabled))
    strongest = [max(image.pixelColor(x, y).alpha() for x in range(30) for y in range(30)) for image in (whole, faint)]
    assert whole.width() == 30 and strongest[0] == 255 and strongest[1] < 128
    inside = [whole.pixelColor(x, y) for x in range(30) for y in range(30) if whole.pixelColor(x, y).alpha() == 255]
    assert {colour.name() for colour in inside} == {"#d6293a"}


def test_a_choice_too_long_for_its_box_ends_in_an_ellipsis(qtbot):
    def seen(text: str) -> QImage:
        box = ChoiceBox()
        qtbot.addWidget(box)
        box.setStyleSheet(SHEET)
        box.addItem(text)
        box.resize(150, box.sizeHint().height())
        return box.grab().toImage()

    text = "The smallest singular value of all"
    assert seen(text) in [seen(f"{text[:k]}…") for k in range(5, 19)]


def test_an_icon_beside_a_text_is_sharp_on_a_fine_screen():
    code = "from PySide6.QtGui import QGuiApplication as A; from armature.app.style.icons import pixmap; a = A([])"
    code += "; image = pixmap('revolute', '#d6293a', 14); print(image.width(), image.deviceIndependentSize().width())"
    environment = {**os.environ, "QT_SCALE_FACTOR": "2"}
    seen = subprocess.run([sys.executable, "-c", code], env=environment, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert seen.stdout.split() == ["28", "14.0"], seen.stderr
