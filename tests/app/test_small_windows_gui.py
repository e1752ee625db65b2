"""Small windows and large text: the view keeps its part, nothing covers anything, nothing leaves the window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QStackedWidget, QStyle, QStyleOptionComboBox, QTabBar, QToolButton

from armature.app.widgets.dock import LEFT, RIGHT
from armature.app.widgets.on_screen import on_screen
from tests.app.double_click import double_click
from tests.app.kept_window import AS_IT_STARTS

PERSPECTIVES = "explore", "singularity", "workspace", "trajectory", "dynamics", "equations", "all"


def rect(widget, window) -> QRect:
    """Where a widget stands in its window."""
    return QRect(widget.mapTo(window, QPoint()), widget.size())


def shown(window):
    """The docks that can be seen."""
    return [dock for dock in window.docks.all() if not dock.isHidden() and on_screen(dock)]


def complaints(window) -> list[str]:
    """What is too small, covers something else or stands outside."""
    found = [] if window.scene.width() >= 0.45 * window.width() - 1 else [f"view {window.scene.width()} px wide"]
    parts = [window.scene, *shown(window), window.toolbar, window.menuBar(), window.statusBar()]
    for k, part in enumerate(parts):
        where = rect(part, window)
        if not window.rect().contains(where):
            found.append(f"{part.objectName()} leaves the window: {where}")
        found += [
            f"{part.objectName()} and {other.objectName()} meet" for other in parts[:k] if rect(other, window).intersects(where)
        ]
    return found


def tab_bars(window) -> list[QTabBar]:
    """The tabs of the docks, one bar for each place once Qt has tidied up."""
    bars = window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return [bar for bar in bars if bar.isVisible()]


def click_tab(click, window, title: str) -> None:
    """A click, or a double one, on the tab with that title."""
    places = [(bar, k) for bar in tab_bars(window) for k in range(bar.count()) if bar.tabText(k) == title]
    bar, k = next((bar, k) for bar, k in places if window.rect().contains(bar.geometry()))
    click(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(k).center())


@pytest.mark.parametrize(("size", "scale"), [((800, 560), 100), ((1024, 700), 150)])
def test_the_view_keeps_its_part_and_nothing_is_covered(make_window, wait_for, press, size, scale):
    window = make_window("panda", size=size, anew=True, text_scale=scale, perspective="explore")
    for name in PERSPECTIVES:
        window.actions_[f"perspective_{name}"].trigger()
        wait_for(lambda: not complaints(window))
        wait_for(lambda: window.docks["joints"].isVisible() and window.dockWidgetArea(window.docks["joints"]) == RIGHT)
        if name != "all":  # no tab is cut
            wait_for(lambda: not any(arrow.isVisible() for arrow in window.findChildren(QToolButton, "ScrollLeftButton")))
    assert on_screen(window.docks["joints"])  # in front where all panels are shown
    buttons = [window.toolbar.widgetForAction(action) for action in window.toolbar.actions() if action.text()]
    title = window.toolbar.widgetForAction(window.toolbar.actions()[0])
    for robot in ("ur10", "panda"):  # a long title is shortened before anything leaves the toolbar
        window.document.open_robot(robot)
        wait_for(lambda: all(button.isVisible() and window.rect().contains(rect(button, window)) for button in buttons))
        assert title.text().startswith(window.document.robot.title[:4])
    menus = window.menuBar()
    assert all(window.rect().contains(menus.actionGeometry(action)) for action in menus.actions())
    assert menus.actionGeometry(menus.actions()[-1]).right() < menus.cornerWidget().x()

    # folded at the bottom: a click on a tab, the button and the key
    window.actions_["perspective_singularity"].trigger()
    map_dock = window.docks["singularity_map"]
    wait_for(lambda: not complaints(window) and not on_screen(map_dock.panel) and len(tab_bars(window)) == 2)
    QTest.qWait(500)  # the folded strip takes its height some turns later
    view = window.scene.height()
    click_tab(QTest.mouseClick, window, "Map")
    wait_for(lambda: on_screen(map_dock.panel) and window.scene.height() < view - 100)
    wait_for(lambda: map_dock.height() >= map_dock.minimumSizeHint().height() and not complaints(window))
    click_tab(double_click, window, "Map")
    wait_for(lambda: window.scene.height() == view)
    button = window.findChild(QToolButton, "button_fold_bottom")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    wait_for(lambda: on_screen(map_dock.panel))
    press(window.scene, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    wait_for(lambda: window.scene.height() == view)
    window.docks.bring_up("crossing")  # who asks for a panel sees it
    wait_for(lambda: on_screen(window.docks["crossing"].panel))


def test_the_first_panel_of_a_side_is_in_front_again_where_one_of_the_other_side_hid_it(make_window, wait_for):
    window = make_window(size=AS_IT_STARTS, perspective="explore")
    joints, kinematics = window.docks["joints"], window.docks["kinematics"]
    assert on_screen(joints) and on_screen(kinematics)
    window.resize(800, 560)
    wait_for(lambda: window.dockWidgetArea(joints) == RIGHT)
    joints.bring_up()
    wait_for(lambda: on_screen(joints) and not on_screen(kinematics))
    window.resize(*AS_IT_STARTS)
    wait_for(lambda: window.dockWidgetArea(joints) == LEFT and on_screen(joints) and on_screen(kinematics), 5)


def test_a_window_that_grows_and_shrinks_moves_its_panels(make_window, wait_for):
    window = make_window("panda", size=AS_IT_STARTS, perspective="dynamics")
    joints, plots = window.docks["joints"], window.docks["plots"]
    assert window.dockWidgetArea(joints) == LEFT and on_screen(plots.panel) and not complaints(window)
    height = plots.height()
    title = window.toolbar.widgetForAction(window.toolbar.actions()[0])
    for perspective in ("singularity", "dynamics"):  # a panel that stands alone is as wide as it needs
        window.actions_[f"perspective_{perspective}"].trigger()
        wait_for(lambda: joints.width() >= joints.widget().minimumSizeHint().width() and not complaints(window))
    window.document.open_robot("puma560")
    assert title.text().startswith("Puma 560")
    window.document.open_robot("panda")
    needed = window.toolbar.sizeHint().width()
    window.resize(800, 560)
    wait_for(lambda: window.dockWidgetArea(joints) == RIGHT and not on_screen(plots.panel) and not complaints(window))
    assert on_screen(window.docks["dynamics"])  # what the perspective is about stays in front
    assert window.toolbar.sizeHint().width() < needed
    window.actions_["perspective_explore"].trigger()
    wait_for(lambda: on_screen(joints) and not complaints(window))
    window.actions_["perspective_dynamics"].trigger()
    window.resize(*AS_IT_STARTS)
    wait_for(lambda: window.dockWidgetArea(joints) == LEFT and on_screen(plots.panel) and not complaints(window))
    assert on_screen(joints) and on_screen(window.docks["dynamics"]) and window.toolbar.sizeHint().width() == needed
    assert abs(plots.height() - height) < 40

    # folded by hand it stays so, and is as high as before when it comes back, in another window, too
    window.actions_["fold_bottom"].trigger()
    wait_for(lambda: not on_screen(plots.panel))
    window.resize(1350, 880)
    assert not on_screen(plots.panel)
    window.close()
    again = make_window("panda", size=AS_IT_STARTS, perspective="dynamics", layouts=window.preferences.now.layouts)
    assert abs(again.docks["plots"].height() - height) < 40 and not complaints(again)


def test_what_unfolds_in_a_window_that_shrank_leaves_the_view_its_part(make_window, wait_for):
    window = make_window("ur5", size=AS_IT_STARTS, perspective="trajectory")
    window.docks.bring_up("recording")
    hidden = window.docks["load_comparison"]
    hidden.show()
    wait_for(lambda: on_screen(window.docks["recording"].panel) and not complaints(window))
    hidden.resize(hidden.width(), 700)  # behind the others, with the height that it had in another place
    usual = window.docks["recording"].height()
    window.docks["script"].show()  # the sixth tab at the side
    window.resize(1024, 700)
    wait_for(lambda: not on_screen(window.docks["recording"].panel) and not complaints(window))
    for name in ("recording", "measured"):
        window.docks.bring_up(name)
    wait_for(lambda: all(on_screen(window.docks[name].panel) for name in ("recording", "measured")) and not complaints(window))
    wait_for(lambda: window.docks["recording"].height() < 0.4 * window.height() and window.scene.height() > 250)
    wait_for(lambda: not any(arrow.isVisible() for arrow in window.findChildren(QToolButton, "ScrollLeftButton")))
    window.resize(*AS_IT_STARTS)
    wait_for(lambda: not complaints(window) and window.docks["recording"].height() < 1.2 * usual)


@pytest.mark.parametrize("shrinks", [False, True])
def test_a_panel_that_stands_alone_below_folds_to_its_title_and_comes_back(make_window, wait_for, shrinks):
    window = make_window("scara", size=AS_IT_STARTS if shrinks else (1024, 700), anew=True, perspective="explore")
    window.actions_["edit_arm"].trigger()
    dock, button = window.docks["builder"], window.findChild(QToolButton, "button_fold_bottom")
    wait_for(lambda: on_screen(dock.panel) and dock.panel.table.model.rowCount() == 3 and not complaints(window))
    for _ in range(2):
        if shrinks:
            window.resize(1024, 700)
        else:
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        wait_for(lambda: 20 < dock.height() < 50 and not complaints(window))
        wait_for(lambda: rect(dock, window).contains(rect(button, window).center()))
        assert window.rect().contains(rect(dock, window))
        if shrinks:
            window.resize(*AS_IT_STARTS)
        else:
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        wait_for(lambda: dock.height() >= dock.widget().minimumSizeHint().height() and not complaints(window))
        assert on_screen(dock.panel)


def test_equations_of_any_arm_are_as_wide_as_its_tabs(make_window, wait_for, qtlog):
    window = make_window("panda", size=(1024, 700), anew=True, perspective="equations")
    panel = window.docks["equations"].panel
    bar, pages = panel.bar, panel.findChild(QStackedWidget)
    wait_for(lambda: on_screen(panel) and len(panel.made) == bar.count() and window.bench.simulation.ready)
    for robot in ("panda", "puma560"):
        window.document.open_robot(robot)
        for k in range(bar.count()):
            bar.setCurrentIndex(k)
            QTest.qWait(200)  # its numbers and factors come
            assert pages.minimumSizeHint().width() <= bar.sizeHint().width(), (robot, bar.tabText(k))
    assert not [record.message for record in qtlog.records if "resizeDocks" in record.message]


@pytest.mark.parametrize("scale", [125, 150, 200])
@pytest.mark.parametrize("size", [AS_IT_STARTS, (1024, 700)])
def test_choices_and_the_block_diagram_are_whole_in_large_text(make_window, find, wait_for, size, scale):
    window = make_window("puma560", size=size, anew=True, perspective="trajectory")
    window.docks.bring_up("trajectory")
    strip, example = window.docks["block_diagram"], find(window, "trajectory_example")
    wait_for(lambda: window.bench.simulation.ready and strip.awake)
    example.trigger()
    dressed = []
    window.bench.look.changed.connect(dressed.append)
    window.actions_[f"text_{scale}"].trigger()
    choices = [find(window, name) for name in ("waypoint_action", "trajectory_repeat")]
    wait_for(lambda: dressed and all(choice.isVisible() for choice in choices))

    def cut() -> list[str]:
        return [choice.currentText() for choice in choices if room_of(choice) < advance(choice)]

    wait_for(lambda: not cut())
    arrow = strip.panel.arrows["torque"]
    wait_for(lambda: arrow.needed and arrow.known and strip.panel.folded == (scale == 200 or size[1] == 700))
    image = arrow.grab().toImage()
    top = range(image.height()) if strip.panel.folded else range(arrow.fontMetrics().height())
    assert {image.pixel(x, y) for x in range(5) for y in top} == {image.pixel(0, 0)}  # nothing touches the block before it


def room_of(choice) -> int:
    """Width in px that a choice has for its text."""
    option = QStyleOptionComboBox()
    choice.initStyleOption(option)
    kind, part = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
    return choice.style().subControlRect(kind, option, part, choice).width()


def advance(choice) -> int:
    """Width of the chosen entry's text, px."""
    return choice.fontMetrics().horizontalAdvance(choice.currentText())


def test_the_title_of_the_tab_in_front_is_whole_where_others_are_shortened(make_window, wait_for):
    window = make_window("ur5", size=(1024, 700), anew=True, text_scale=150, perspective="equations")
    bar = window.docks["equations"].panel.bar
    wait_for(lambda: on_screen(bar) and bar.elideMode() == Qt.TextElideMode.ElideRight)
    font = bar.font()
    font.setWeight(QFont.Weight.DemiBold)
    for k in range(bar.count()):
        bar.setCurrentIndex(k)
        wait_for(lambda k=k: bar.tabRect(k).width() >= QFontMetrics(font).horizontalAdvance(bar.tabText(k)))
        assert bar.tabRect(bar.count() - 1).right() < bar.width()


def test_a_message_at_the_bottom_ends_before_the_numbers(make_window, wait_for):
    window = make_window("ur5", size=(1024, 700), anew=True, text_scale=150, perspective="explore")
    line, time = window.status_line, window.findChild(QLabel, "readout_time")
    window.actions_["joint_next"].trigger()
    wait_for(lambda: line.currentMessage().startswith("joint1 selected"))
    assert line.fontMetrics().horizontalAdvance(line.currentMessage()) < time.x() - 6
    window.resize(1600, 700)
    window.actions_["joint_next"].trigger()
    wait_for(lambda: line.currentMessage().endswith("Esc deselects"))


def test_names_of_joints_leave_both_sides_their_room(make_window, wait_for):
    window = make_window("two_arms", size=AS_IT_STARTS, anew=True, perspective="equations")
    wait_for(lambda: {"joints", "equations"} <= {dock.name for dock in shown(window)})
    assert not window.docks.room.stacked and not complaints(window)


def test_the_numbers_of_the_pose_are_seen_whole_in_the_status_line(make_window, find, wait_for):
    window = make_window(size=(800, 560))
    window.document.edit([0.3, -0.5, 0.4, 0.5, 0.0, 0.2])
    window.preferences.set(text_scale=150)
    wait_for(lambda: not find(window, "readout_real_time_factor").isVisible())
    labels = {name: find(window, f"readout_{name}") for name in ("time", "sigma_min", "condition")}
    wait_for(lambda: "∞" in labels["condition"].text())
    wait_for(lambda: all(window.rect().contains(rect(label, window)) for label in labels.values()))
    for label in labels.values():
        assert label.width() >= label.sizeHint().width(), label.objectName()
    wide = {name: label.width() for name, label in labels.items()}
    window.preferences.set(text_scale=100)
    for name, label in labels.items():
        wait_for(lambda name=name, label=label: label.width() == label.minimumWidth() < wide[name])
