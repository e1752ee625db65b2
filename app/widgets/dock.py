"""`Dock`: a panel that says by itself where in the window it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, cast, runtime_checkable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from armature.app.state.slices import Steps
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.on_screen import on_screen

LEFT, RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
TOP, BOTTOM = Qt.DockWidgetArea.TopDockWidgetArea, Qt.DockWidgetArea.BottomDockWidgetArea


class Themed(Protocol):
    """Object with colours or fonts of its own."""

    def set_theme(self, tokens: Tokens) -> None:
        """Use other colours, or another size of text."""


def apply_theme(widget: QWidget, tokens: Tokens) -> None:
    """Call `set_theme` of the widget, or else of the nearest widgets in it that have this method."""
    if hasattr(widget, "set_theme"):
        widget.set_theme(tokens)
        return
    for child in widget.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
        apply_theme(child, tokens)


@runtime_checkable
class Pages(Protocol):
    """A panel so large that each of the widgets `dressed` in it has a style sheet, where a dock has one for all of its own."""

    dressed: Sequence[QWidget]


class Dock(QDockWidget):
    """The dock `dock_<name>`; `places` gives, by perspective, its place among the panels; the first of an area is in front.
    One at the top is a strip without a title. Tells `requested(dock)` when the user wants to see it, and `placed()` when it has
    another place or size.
    """

    requested = Signal(object)
    placed = Signal()

    def __init__(self, name: str, title: str, panel: QWidget | None, area: Qt.DockWidgetArea, places: Mapping[str, int]):
        super().__init__(title)
        self.name, self.area, self.places = name, area, places
        self._panel: QWidget | None = None
        self._visits = False
        self._before: QDockWidget | None = None  # what was in front where it visits
        self.setObjectName(f"dock_{name}")
        self.setAccessibleName(title)
        if panel is not None:
            self.hold(panel)
        self.toggleViewAction().triggered.connect(self._on_toggled)

    @property
    def panel(self) -> QWidget:
        """What is in it."""
        assert self._panel is not None
        return self._panel

    def hold(self, panel: QWidget) -> None:
        """Put a panel into it."""
        for _ in self.holding(panel):
            pass

    def holding(self, panel: QWidget) -> Steps:
        """As `hold`, in steps. What has a sheet when it is moved is styled twice: only the first page is, which may be wide."""
        self._panel = panel
        pages = panel.dressed if isinstance(panel, Pages) else ()
        if pages:
            pages[0].setStyleSheet(self.styleSheet())
            self.setStyleSheet("")
        self.setWidget(panel)
        for page in pages[1:]:
            yield
            page.setStyleSheet(pages[0].styleSheet())  # which may be another one by now

    @property
    def dressed(self) -> Sequence[QWidget]:
        """What has a style sheet of its own, for all that is in it."""
        return self._panel.dressed if isinstance(self._panel, Pages) else (self,)

    def set_theme(self, tokens: Tokens) -> None:
        """Other colours, or another size of text."""
        if self._panel is not None:
            apply_theme(self._panel, tokens)

    def bring_up(self) -> None:
        """Show it in front of the tabs it shares a place with."""
        self.show()
        self.raise_()
        self.requested.emit(self)

    def visit(self, in_front: bool = True) -> None:
        """Show it unrequested: an arrangement is remembered as if it had not come."""
        if not on_screen(self):
            self._visits = self.isHidden()
            self.show()  # only then it has neighbours
            self._before = next(filter(on_screen, cast("QMainWindow", self.parent()).tabifiedDockWidgets(self)), None)
        if in_front:
            self.bring_up()

    def end_visit(self) -> None:
        """Be where it was before its visit, if it is on one."""
        if self._before is not None and on_screen(self):
            self._before.raise_()
        if self._visits:
            self.hide()
        self._visits, self._before = False, None

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.placed.emit()

    def moveEvent(self, event) -> None:
        super().moveEvent(event)
        self.placed.emit()

    def _on_toggled(self, on: bool) -> None:
        self._visits = False
        if on:
            self.requested.emit(self)
