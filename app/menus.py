"""Where the actions stand: menu bar and toolbar."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QMainWindow, QMenu, QSizePolicy, QToolBar, QToolButton, QWidget

from app.actions import Actions
from app.overlays import FRAME_SIZES
from app.perspectives import PANELS, switch

TOOLBAR_OVERLAYS = ("frames", "axes", "ellipsoid", "com", "trace", "workspace")
VIEWS = ("front", "back", "left", "right", "top", "bottom", "iso")
JOGS = ("jog_next", "jog_previous", "jog_forward", "jog_back", "jog_forward_fine", "jog_back_fine")


class Menus:
    """Builds the menu bar; the menus of robots, poses and recent files are filled anew when asked."""

    def __init__(self, window: QMainWindow, actions: Actions):
        self._window, self._actions = window, actions
        self.robots, self.recent, self.poses = QMenu("Robots"), QMenu("Recent files"), QMenu("Pose")
        for menu, name in ((self.robots, "menu_robots"), (self.recent, "menu_recent"), (self.poses, "menu_poses")):
            menu.setObjectName(name)
            menu.setParent(window, menu.windowFlags())
            menu.setToolTipsVisible(True)
        self.robot_button: QToolButton | None = None  # of the toolbar, which says what is open
        self._file()
        self._edit()
        self._view()
        self._simulate()
        help_menu = window.menuBar().addMenu("&Help")
        self._add(help_menu, "help", "about")
        window.menuBar().setCornerWidget(switch(actions, window.menuBar()))

    def _add(self, menu: QMenu, *names: str):
        for name in names:
            menu.addAction(self._actions[name]) if name else menu.addSeparator()

    def _file(self):
        menu = self._window.menuBar().addMenu("&File")
        menu.addMenu(self.robots)
        self._add(menu, "open")
        menu.addMenu(self.recent)
        self._add(menu, "", "save_recording", "recover", "screenshot", "screenshot_copy", "screenshot_options", "", "quit")

    def _edit(self):
        menu = self._window.menuBar().addMenu("&Edit")
        self._add(menu, "undo", "redo", "")
        menu.addMenu(self.poses)
        self._add(menu, "", "joint_next", "joint_previous")
        menu.addSeparator()
        self._add(menu, "gizmo")
        hand = menu.addMenu("Hand")
        self._add(hand, "hand_pose", "hand_position", "hand_locked", "", "gizmo_tool_axes", "", *JOGS)

    def _view(self):
        menu = self._window.menuBar().addMenu("&View")
        frames, tool, arm = (menu.addMenu(title) for title in ("Frames and axes", "Tool", "Arm"))
        self._add(frames, "show_frames", "show_labels")
        sizes = frames.addMenu("Frame size")
        self._add(sizes, "frames_smaller", "frames_larger", "", *(f"frames_{size}" for size in FRAME_SIZES))
        self._add(frames, "", "show_axes", "show_corner", "", "dh_steps")
        self._add(
            tool,
            "show_trace",
            "clear_trace",
            "show_coordinates",
            "",
            "show_ellipsoid",
            "show_force",
            "show_lost_motion",
            "",
            "show_workspace",
        )
        self._add(arm, "show_com", "show_inertia", "show_loads", "", "show_translucent", "show_wireframe", "", "show_names")
        for part in (frames, tool, arm):
            part.setToolTipsVisible(True)
        self._add(menu, "show_grid", "", "fit")
        cameras = menu.addMenu("Camera")
        self._add(cameras, *(f"view_{name}" for name in VIEWS), "", "orthographic", "camera_glides")
        shapes = menu.addMenu("Shapes of URDF robots")
        shapes.setToolTipsVisible(True)
        self._add(shapes, "shapes_visual", "shapes_collision", "shapes_both")
        menu.addSeparator()
        perspectives = menu.addMenu("Perspective")
        self._add(perspectives, *(f"perspective_{name}" for name in (*PANELS, "all")))
        self.panels = menu.addMenu("Panels")
        themes = menu.addMenu("Theme")
        self._add(themes, "theme_system", "theme_light", "theme_dark")
        units = menu.addMenu("Units")
        self._add(units, "angle_deg", "angle_rad", "", "length_m", "length_mm")
        texts = menu.addMenu("Text size")
        self._add(texts, "text_100", "text_125", "text_150")

    def _simulate(self):
        menu = self._window.menuBar().addMenu("&Simulation")
        menu.setToolTipsVisible(True)
        self._add(
            menu, "run", "pause", "step", "reset", "", "slower", "faster", "", "add_waypoint", "run_trajectory", "", "record"
        )

    def fill_panels(self, docks):
        """One entry per dock, and the way back to the default layout."""
        for dock in docks:
            self.panels.addAction(dock.toggleViewAction())
        self.panels.addSeparator()
        self.panels.addAction(self._actions["reset_layout"])

    def fill_robots(self, names, opens):
        """The robots that ship; `opens(name)` opens one."""
        for name in names:
            action = self.robots.addAction(name)
            action.setObjectName(f"action_open_{name}")
            action.triggered.connect(lambda _=False, name=name: opens(name))

    def show_robot(self, name: str):
        """Say which robot is open."""
        if self.robot_button is not None:
            self.robot_button.setText(f"{name}  ▾")
            self.robot_button.setAccessibleName(f"Robot: {name}")

    def fill_recent(self, paths, opens):
        """The files opened last."""
        self.recent.clear()
        for path in paths:
            action = self.recent.addAction(Path(path).name)
            action.setToolTip(path)
            action.triggered.connect(lambda _=False, path=path: opens(path))
        self.recent.setEnabled(bool(paths))

    def fill_poses(self, names, goes):
        """The named poses of the robot; `goes(name)` takes the arm there."""
        self.poses.clear()
        for name in names:
            action = self.poses.addAction(name)
            action.setObjectName(f"action_pose_{name}")
            action.triggered.connect(lambda _=False, name=name: goes(name))


def build_toolbar(window: QMainWindow, actions: Actions, menus: Menus) -> QToolBar:
    """The toolbar: open and pose menus, undo, transport, overlays, units."""
    bar = QToolBar("Tools", window)
    bar.setObjectName("toolbar")
    bar.setMovable(False)
    bar.setIconSize(QSize(20, 20))
    bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
    menus.robot_button = _menu_button(bar, "Robot", "toolbar_robots", menus.robots)
    _menu_button(bar, "Pose", "toolbar_poses", menus.poses)
    overlays = [f"show_{name}" for name in TOOLBAR_OVERLAYS]
    for name in ("", "undo", "redo", "", "reset", "run", "pause", "step", "record", "", *overlays, "", "gizmo", "fit"):
        bar.addAction(actions[name]) if name else bar.addSeparator()
    gap = QWidget()
    gap.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    bar.addWidget(gap)
    for name in ("angle_deg", "angle_rad", "", "screenshot", "help"):
        bar.addAction(actions[name]) if name else bar.addSeparator()
    for action in bar.actions():
        button = bar.widgetForAction(action)
        if isinstance(button, QToolButton) and action.text():
            button.setAccessibleName(action.text())
    window.addToolBar(bar)
    return bar


def _menu_button(bar: QToolBar, text: str, name: str, menu: QMenu) -> QToolButton:
    button = QToolButton()
    button.setObjectName(name)
    button.setText(f"{text}  ▾")
    button.setAccessibleName(text)
    button.setMenu(menu)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    bar.addWidget(button)
    return button
