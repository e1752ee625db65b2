"""`Bars`: menu bar and toolbar, closer together where the window is narrow, the robot's title shorter where even that is not
enough; what still finds no room stands behind "»"."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QApplication, QMainWindow, QMenuBar, QToolBar, QToolButton, QWidget

from armature.app.style.colour_tokens import Tokens
from armature.app.style.icons import icon
from armature.app.style.theme import POINTS
from armature.app.widgets.restyle import set_style_property
from armature.app.window.title_button import TitleButton

EXTENSIONS = ("qt_toolbar_ext_button", "qt_menubar_ext_button")  # Qt's own, for what has no room
EXTENSION = QSize(12, 12)  # px, as wide as Qt lets them be


ICON, DENSE_ICON = 20, 18  # px, in the toolbar: beside text of the usual size, and where there is little room


class Bars:
    """Looks anew at what fits after another size of the window or of the text."""

    def __init__(self, window: QMainWindow, toolbar: QToolBar, title: TitleButton):
        self._window, self._toolbar, self._title = window, toolbar, title
        self._needs: dict[QWidget, int] = {}  # px, with its usual margins

    def set_theme(self, tokens: Tokens) -> None:
        """Colours, and perhaps another size of text."""
        for name in EXTENSIONS:
            for button in self._window.findChildren(QToolButton, name):
                button.setIcon(icon("more", tokens.text))
                button.setIconSize(EXTENSION)
                button.setAccessibleName("More")
        self.measure()

    def measure(self) -> None:
        """What stands in them is wider or narrower now."""
        self._needs.clear()
        self._title.shorten(0)
        self.fit()

    def fit(self) -> None:
        """The usual margins where there is room for them."""
        menus = self._window.menuBar()
        switch = menus.cornerWidget()
        self._set_icons(round(ICON * self._window.font().pointSizeF() / POINTS))
        self._fit(self._toolbar, [self._toolbar, *self._toolbar.findChildren(QToolButton)])
        if self._toolbar.property("dense") == "true":
            self._set_icons(DENSE_ICON)
        changed = self._fit(menus, [menus, *switch.findChildren(QToolButton)])
        if changed or switch.width() < switch.sizeHint().width():
            menus.setCornerWidget(switch)  # else it keeps the place that it had
        self._title.shorten(0)
        over = self._toolbar.sizeHint().width() - self._window.width()
        if over > 0:
            self._title.shorten(over)

    def _set_icons(self, size: int) -> None:
        self._toolbar.setIconSize(QSize(size, size))

    def _fit(self, bar: QWidget, parts: list[QWidget]) -> bool:
        """Margins of a bar and of what stands in it; returns whether they are others now."""
        if bar not in self._needs:
            self._set_dense(parts, "false")
            self._needs[bar] = bar.sizeHint().width()
        return self._set_dense(parts, "true" if self._needs[bar] > self._window.width() else "false")

    @staticmethod
    def _set_dense(parts: list[QWidget], dense: str) -> bool:
        others = [part for part in parts if part.property("dense") != dense]
        for part in others:
            set_style_property(part, "dense", dense)
            part.updateGeometry()
            if isinstance(part, (QToolBar, QMenuBar)):
                QApplication.sendEvent(part, QEvent(QEvent.Type.StyleChange))  # it asks for its margins only then
        return bool(others)
