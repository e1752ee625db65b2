"""Where the panels stand: docks, tabs and the default layout."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar, QTabWidget, QWidget

AREAS = Qt.DockWidgetArea
PLACES = {
    "joints": ("Joints", AREAS.LeftDockWidgetArea),
    "kinematics": ("Kinematics", AREAS.RightDockWidgetArea),
    "simulation": ("Simulation", AREAS.RightDockWidgetArea),
    "workspace": ("Workspace", AREAS.RightDockWidgetArea),
    "plots": ("Plots", AREAS.BottomDockWidgetArea),
    "recording": ("Recording", AREAS.BottomDockWidgetArea),
}
FRONT = ("kinematics", "plots")  # the tabs on top at first


class Docks:
    """One dock `dock_<name>` per panel. Where docks share a place their tabs are the titles."""

    def __init__(self, window: QMainWindow, panels: dict[str, QWidget]):
        self._window = window
        self._docks = {name: self._dock(name, panel) for name, panel in panels.items()}
        window.setTabPosition(AREAS.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        window.setDockOptions(QMainWindow.DockOption.AllowTabbedDocks | QMainWindow.DockOption.AllowNestedDocks)
        window.setCorner(Qt.Corner.BottomLeftCorner, AREAS.BottomDockWidgetArea)
        window.setCorner(Qt.Corner.BottomRightCorner, AREAS.RightDockWidgetArea)
        self.arrange()

    def __getitem__(self, name: str) -> QDockWidget:
        return self._docks[name]

    def all(self) -> list[QDockWidget]:
        """Every dock, in the order of the panels."""
        return list(self._docks.values())

    def bring_up(self, name: str):
        """Show a dock in front of the tabs it shares a place with."""
        self._docks[name].show()
        self._docks[name].raise_()

    def arrange(self):
        """The default layout, for the window's present size."""
        first: dict = {}
        for name, dock in self._docks.items():
            area = PLACES[name][1]
            dock.setFloating(False)
            self._window.addDockWidget(area, dock)
            if area in first:
                self._window.tabifyDockWidget(first[area], dock)
            first.setdefault(area, dock)
            dock.show()
        for name in FRONT:
            self._docks[name].raise_()
        spare = max(0, self._window.width() - 1250) // 3
        sides = [self._docks["joints"], self._docks["kinematics"]]
        widths = [dock.widget().minimumSizeHint().width() + spare for dock in sides]
        self._window.resizeDocks(sides, widths, Qt.Orientation.Horizontal)
        height = min(self._window.height() * 27 // 100, 16 * self._window.fontMetrics().height())
        self._window.resizeDocks([self._docks["plots"]], [height], Qt.Orientation.Vertical)
        self._retitle()

    def _dock(self, name: str, panel: QWidget) -> QDockWidget:
        dock = QDockWidget(PLACES[name][0], self._window)
        dock.setObjectName(f"dock_{name}")
        dock.setAccessibleName(PLACES[name][0])
        dock.setWidget(panel)
        for signal in (dock.topLevelChanged, dock.dockLocationChanged, dock.visibilityChanged):
            signal.connect(self._retitle_soon)
        return dock

    def _retitle_soon(self, *_):
        QTimer.singleShot(0, self._window, self._retitle)

    def _retitle(self):
        """Hide the title of a dock whose tab already names it; a floating one needs its title back."""
        for dock in self._docks.values():
            tabbed = bool(self._window.tabifiedDockWidgets(dock)) and not dock.isFloating()
            if tabbed != (dock.titleBarWidget() is not None):
                old = dock.titleBarWidget()
                dock.setTitleBarWidget(QWidget(dock) if tabbed else None)
                if old is not None:
                    old.deleteLater()
        for bar in self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            bar.setDrawBase(False)
            bar.setExpanding(False)
            bar.setElideMode(Qt.TextElideMode.ElideNone)
            bar.setAccessibleName("Panels")
