"""`LateDock`: a dock that stays empty until it is first seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from armature.app.state.slices import REST, Slices, Steps
from armature.app.style.colour_tokens import Tokens
from armature.app.style.theme import POINTS
from armature.app.widgets.dock import Dock, Pages, apply_theme
from armature.app.widgets.on_screen import on_screen

LEAST = 24  # px: a strip of no height would be put where nobody sees it


class Gap(QWidget):
    """Room for a panel that is still to come: `width` px at the usual size of text, and its `height` if that is known."""

    def __init__(self, width: int, height: Callable[[int, int], int] | None):
        super().__init__()
        self._width, self._height = width, height
        if height is not None:
            self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        """Least size of the panel."""
        lines = LEAST if self._height is None else self._height(self.fontMetrics().height(), self.window().height())
        return QSize(round(self._width * self.font().pointSizeF() / POINTS), lines)

    def sizeHint(self) -> QSize:
        """Size of the panel."""
        return self.minimumSizeHint()

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self.updateGeometry()  # the window may have another height since it was last measured


class LateDock(Dock):
    """`make` makes its panel when it is first seen, in slices, or first taken, at once; `came` tells of it, and it is `awake`.

    A panel whose `width` and `height` are known needs no second layout of the window when it comes.
    """

    came = Signal()

    def __init__(
        self,
        name: str,
        title: str,
        make: Callable[[], QWidget],
        area: Qt.DockWidgetArea,
        places: Mapping[str, int],
        width: int = LEAST,
        height: Callable[[int, int], int] | None = None,
    ):
        super().__init__(name, title, None, area, places)
        self.setWidget(Gap(width, height))
        self._make, self.awake = make, False
        self._waking = Slices(self)
        self._tokens: Tokens | None = None
        self._soon = QTimer(self, singleShot=True, interval=0)  # docks are shown before those behind a tab are behind it
        self._soon.timeout.connect(self._look)
        self.visibilityChanged.connect(self._on_visible)

    @property
    def panel(self) -> QWidget:
        """What is in it, made if it is not there yet."""
        self.wake()
        return super().panel

    def wake(self) -> None:
        """Fill it now."""
        if self._panel is None and not self._waking.busy:
            self._waking.start(self._steps())
        self._waking.finish()

    def stop(self) -> None:
        """It stays as empty as it is."""
        self._soon.stop()
        self._waking.stop()

    def _steps(self) -> Steps:
        yield REST  # the window may be laid out and drawn after each of these: nothing else is done in that turn
        empty, panel, worn = self.widget(), self._make(), None
        yield REST
        if not isinstance(panel, Pages):
            yield from self._dress(panel)
            worn = self._wear(panel, worn)
            yield REST
        yield from self.holding(panel)
        self._wear(panel, worn)
        empty.deleteLater()
        yield REST
        self.awake = True
        self.came.emit()
        yield REST
        self.visibilityChanged.emit(self.isVisible())  # for those who were not there when it happened

    def _dress(self, panel: QWidget) -> Steps:
        """Before it is shown, because Qt then gives all of it the style sheet at one go."""
        panel.hide()
        panel.setParent(self)
        for part in reversed(panel.findChildren(QWidget)):
            part.ensurePolished()
            yield

    def _wear(self, panel: QWidget, worn: Tokens | None) -> Tokens | None:
        """Give it the colours of now where it has those `worn`; returns what it has now."""
        if self._tokens is not None and self._tokens is not worn:
            apply_theme(panel, self._tokens)
        return self._tokens

    def set_theme(self, tokens: Tokens) -> None:
        """Other colours, or another size of text, now or when it comes."""
        self._tokens = tokens
        super().set_theme(tokens)

    def _on_visible(self, seen: bool) -> None:
        if seen and not self.awake:
            self._soon.start()

    def _look(self) -> None:
        if on_screen(self) and self._panel is None and not self._waking.busy:
            self._waking.start(self._steps())
