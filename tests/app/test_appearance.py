"""Themes, text sizes, readouts, overlays, help: what the user sees."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QIcon, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QScrollBar,
    QTabBar,
    QToolButton,
)
from pytestqt.exceptions import TimeoutError

from armature import engine
from armature.app.state.settings import CHOICES
from armature.app.style.colour_tokens import DARK, LIGHT
from armature.app.style.icons import icon
from armature.app.style.stylesheet import SCALES, SHEET, TITLE
from armature.app.widgets.choice_box import ChoiceBox
from armature.app.widgets.dock import Dock
from armature.app.widgets.on_screen import on_screen
from armature.app.widgets.tables.number_table import NumberTable
from tests.chance import some
from tests.time_limits import PROCESS

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


@pytest.mark.parametrize("known", [True, False], ids=["made before", "new"])
@pytest.mark.parametrize(("command", "name"), [("robots", "robot_chooser"), ("help", "help_dialog"), ("manual", "manual")])
def test_a_dialog_opened_right_after_a_change_of_theme_has_the_new_colours(make_window, find, wait_for, command, name, known):
    window = make_window("scara", anew=True, perspective="explore")
    if known:
        window.actions_[command].trigger()
        wait_for(find(window, name).isActiveWindow)
        find(window, name).close()
    dressed = []
    window.bench.look.changed.connect(dressed.append)
    window.actions_["theme_dark"].trigger()
    window.actions_[command].trigger()
    dialog = find(window, name)
    ground = dialog.grab().toImage().pixelColor(3, 3).name()  # as it is first seen
    fields = {
        field.grab().toImage().pixelColor(field.width() // 2, 3).name()
        for field in dialog.findChildren(QLineEdit)
        if field.isVisible()
    }
    texts = {label.palette().windowText().color().name() for label in dialog.findChildren(QLabel) if plain(label)}
    assert not dressed  # the change is not over
    assert (ground, fields, texts | {DARK.text}) == (DARK.window, {DARK.surface}, {DARK.text})
    dialog.close()


def test_a_dialog_that_is_deleted_before_its_turn_stops_no_change_of_theme(make_window, find, wait_for):
    window, dressed = make_window("scara", anew=True, perspective="explore"), []
    window.actions_["about"].trigger()
    window.bench.look.changed.connect(dressed.append)
    window.actions_["theme_dark"].trigger()
    find(window, "about_dialog").close()  # which deletes it
    wait_for(lambda: dressed == [DARK])


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
    seen = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=ROOT, capture_output=True, text=True, timeout=PROCESS
    )
    assert seen.stdout.split() == ["28", "14.0"], seen.stderr
