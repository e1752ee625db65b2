"""Perspectives: which panels are in view for which purpose. Each remembers how the user arranged it."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QObject, QTimer
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QToolButton, QWidget

from armature.app.state.preferences import Preferences
from armature.app.widgets.actions import Actions
from armature.app.widgets.dock import Dock
from armature.app.window.docking.docks import Docks
from armature.app.window.still_picture import StillPicture

SHOWN_AS_BUTTONS = ("explore", "singularity", "workspace", "trajectory", "dynamics", "equations")


class Perspectives(QObject):
    """Switches between the arrangements of `docks`; the one in view is `preferences.now.perspective`."""

    def __init__(self, window: QMainWindow, docks: Docks, preferences: Preferences, picture: StillPicture):
        super().__init__(window)
        self._window, self._docks, self._preferences, self._picture = window, docks, preferences, picture
        self._shown = preferences.now.perspective
        self._drawing = QTimer(self, singleShot=True, interval=0)  # in another turn, which `singleShot(0)` would not wait for
        self._drawing.timeout.connect(picture.let_go)
        preferences.changed.connect(self._on_preference)

    def choose(self, name: str):
        """This one as the user left it, its own panel before those of others; the one in view brings its panel to the front."""
        again = name == self._shown
        self._preferences.set(perspective=name)
        main = self._docks.main(name)
        if main is not None and (again or self._is_covered(main)):
            main.bring_up()

    def _is_covered(self, main: Dock) -> bool:
        """Whether a panel of no concern to the perspective shares the place of its main one."""
        beside = self._window.tabifiedDockWidgets(main)
        return any(isinstance(dock, Dock) and self._shown not in dock.places and not dock.isHidden() for dock in beside)

    def layout(self) -> str:
        """Return the present arrangement in base64, for a session."""
        return bytes(self.remember().toBase64().data()).decode()

    def show_layout(self, name: str, layout: str) -> None:
        """Show a perspective, with the arrangement of a session if that can be read."""
        self._preferences.set(perspective=name)
        if layout:
            self._docks.restore(QByteArray.fromBase64(layout.encode()))

    def restore(self, now: QByteArray | None = None):
        """The arrangement that the user left, else the default one; `now` is the one in view, if it was just requested."""
        stacked = self._docks.expect(self._docks.of(self._shown))
        state = self._preferences.now.layouts.get(self._key(stacked), "")
        if not state or not self._docks.restore(QByteArray.fromBase64(state.encode()), now):
            self.reset()

    def reset(self):
        """The default arrangement, for the window's present size."""
        self._docks.arrange(self._docks.of(self._shown))

    def remember(self) -> QByteArray:
        """Keep the present arrangement, and return it; docks that are on a visit leave before."""
        for dock in self._docks.all():
            dock.end_visit()
        with self._docks.strip.unfolded():
            now = self._window.saveState(self._docks.version)
        key, state = self._key(self._docks.room.stacked), bytes(now.toBase64().data()).decode()
        self._preferences.set(layouts={**self._preferences.now.layouts, key: state})
        return now

    def _key(self, stacked: bool) -> str:
        """The name of an arrangement among the settings: one for a window with room for two sides, one for a narrow one."""
        return f"{self._shown} stacked" if stacked else self._shown

    def _on_preference(self, field: str):
        if field == "perspective":
            now = self.remember()
            self._shown = self._preferences.now.perspective
            if not self._drawing.isActive():
                self._picture.hold()  # else the view is drawn for each size on the way
            self.restore(now)
            self._drawing.start()


def switch(actions: Actions, parent: QWidget) -> QWidget:
    """The row of buttons that stands at the end of the menu bar."""
    row = QWidget(parent)
    row.setObjectName("perspectives")
    line = QHBoxLayout(row)
    line.setContentsMargins(0, 0, 6, 0)
    line.setSpacing(2)
    for name in SHOWN_AS_BUTTONS:
        action = actions[f"perspective_{name}"]
        button = QToolButton()
        button.setObjectName(f"button_perspective_{name}")
        button.setAccessibleName(f"Perspective: {action.text()}")
        button.setProperty("role", "perspective")
        button.setDefaultAction(action)
        line.addWidget(button)
    return row
