"""Where the actions stand: menu bar and toolbar."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction, QCursor
from PySide6.QtWidgets import QMainWindow, QMenu, QSizePolicy, QToolBar, QToolButton, QWidget

from armature.app.widgets.actions import Actions
from armature.app.window.perspectives import switch
from armature.app.window.title_button import ARROW, TitleButton
from armature.app.workbench import Workbench

MENUS = ("&File", "&Edit", "&View", "&Simulation", "&Help")
# Menus within menus, with their places among the commands.
SUBMENUS = (
    ("File", "Export", 2.5),
    ("Edit", "Tool motion", 4.1),
    ("View", "Frames and axes", 1.0),
    ("View", "Tool", 1.1),
    ("View", "Arm", 1.2),
    ("View/Frames and axes", "Frame size", 1.2),
    ("View", "Camera", 2.1),
    ("View", "Shapes of URDF robots", 2.2),
    ("View", "Perspective", 3.0),
    ("View", "Panels", 3.1),
    ("View", "Theme", 3.2),
    ("View", "Units", 3.3),
    ("View", "Text size", 3.4),
)
EXPLAINED = ("Frames and axes", "Tool", "Arm", "Shapes of URDF robots", "Simulation")  # their lines have tooltips
RIGHT = 10.0  # from this place on, the toolbar's actions stand at its end


class Menus:
    """Builds the menu bar; the menus of poses and recent files are filled by those whose they are."""

    def __init__(self, window: QMainWindow, bench: Workbench):
        self._window, self._actions = window, bench.actions
        self.recent, self.poses = QMenu("Recent files"), bench.poses
        for menu, name in ((self.recent, "menu_recent"), (self.poses, "menu_poses")):
            menu.setObjectName(name)
            menu.setParent(window, menu.windowFlags())
            menu.setToolTipsVisible(True)
        self.robot_button = TitleButton()  # of the toolbar
        ready = {"File": [(1.2, self.recent)], "Edit": [(2.0, self.poses)]}
        for title in MENUS:
            path = title.replace("&", "")
            self._fill(window.menuBar().addMenu(title), path, ready.get(path, []))
        window.menuBar().setCornerWidget(switch(self._actions, window.menuBar()))

    def _fill(self, menu: QMenu, path: str, ready: Sequence[tuple[float, QMenu]] = ()):
        """Commands and menus of one menu, with a line between blocks."""
        menu.setToolTipsVisible(path.rpartition("/")[2] in EXPLAINED)
        lines: list[tuple[float, str | QAction | QMenu]] = [*ready]
        lines += [(place, title) for parent, title, place in SUBMENUS if parent == path]
        lines += [(command.place, self._actions[command.name]) for command in self._actions.commands if command.menu == path]
        lines.sort(key=lambda line: line[0])
        before = lines[0][0] if lines else 0.0
        for place, what in lines:
            if int(place) != int(before):
                menu.addSeparator()
            before = place
            if isinstance(what, QAction):
                menu.addAction(what)
            elif isinstance(what, QMenu):
                menu.addMenu(what)
            else:
                self._add(menu, what, f"{path}/{what}")

    def _add(self, menu: QMenu, title: str, path: str):
        inner = menu.addMenu(title)
        if title == "Panels":
            self.panels = inner  # filled when the docks stand
        else:
            self._fill(inner, path)

    def fill_panels(self, docks):
        """One entry per dock, and the way back to the default layout."""
        for dock in docks:
            self.panels.addAction(dock.toggleViewAction())
        self.panels.addSeparator()
        for name in ("fold_bottom", "reset_layout"):
            self.panels.addAction(self._actions[name])

    def show_robot(self, title: str):
        """Say which robot is open."""
        self.robot_button.set_title(title)

    def fill_recent(self, paths, opens):
        """The files opened last."""
        self.recent.clear()
        for path in paths:
            action = self.recent.addAction(Path(path).name)
            action.setToolTip(path)
            action.triggered.connect(lambda _=False, path=path: opens(path))
        self.recent.setEnabled(bool(paths))


def build_toolbar(window: QMainWindow, actions: Actions, menus: Menus) -> QToolBar:
    """The toolbar: robots, pose menu, undo, transport, overlays, units."""
    bar = QToolBar("Tools", window)
    bar.setObjectName("toolbar")
    bar.setMovable(False)
    bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
    bar.addWidget(menus.robot_button)
    menus.robot_button.setToolTip(actions["robots"].toolTip())
    menus.robot_button.clicked.connect(actions["robots"].trigger)
    poses = QToolButton()
    poses.setObjectName("toolbar_poses")
    poses.setText(f"Pose{ARROW}")
    poses.setAccessibleName("Pose")
    poses.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    bar.addWidget(poses)
    poses.setMenu(menus.poses)
    poses.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    menus.poses.aboutToHide.connect(partial(QTimer.singleShot, 0, poses, partial(_unlit, poses)))
    shown = [(command.bar, command.name) for command in actions.commands if command.bar is not None]
    before = 0
    for place, name in sorted(shown, key=lambda one: one[0]):
        block = int(place)
        if before < RIGHT <= block:
            gap = QWidget()
            gap.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
            bar.addWidget(gap)
        elif block != before:
            bar.addSeparator()
        before = block
        bar.addAction(actions[name])
    for action in bar.actions():
        button = bar.widgetForAction(action)
        if isinstance(button, QToolButton) and action.text():
            button.setAccessibleName(action.text())
    window.addToolBar(bar)
    return bar


def _unlit(button: QToolButton):
    """Under a menu a button does not see the cursor leave, and stays lit once the menu is gone."""
    if not button.rect().contains(button.mapFromGlobal(QCursor.pos())):
        button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
        button.setDown(False)
        button.update()
