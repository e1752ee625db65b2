"""One live plot: curves that can be zoomed, moved and read off while the run goes on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QAction, QColor, QCursor, QKeySequence, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from armature.app.plots.curves import Curves
from armature.app.plots.plot_bands import Band, name_bands, shade_bands
from armature.app.plots.plot_menu import plot_lines
from armature.app.plots.plot_paper import GAP, Entry, PlotPaper
from armature.app.plots.plot_range import PlotRange
from armature.app.plots.plot_reading import legend, marks, named_once, pointed_at, readings
from armature.app.plots.plot_readout import PlotReadout
from armature.app.plots.printed_plot import paint_file, picture
from armature.app.state.units import number, significant
from armature.app.style.colour_tokens import LIGHT, Tokens
from armature.app.widgets.pop_up import pop_up
from armature.app.widgets.scrolling_page import in_scrolling_page

ZOOM = 1.2  # for one notch of the wheel or one press of a key
EXPORT, WIDE = (900, 450), 1.5  # pixels of a file and of a curve in it, before the picture is doubled
FINEST = 0.0  # width of a curve: one pixel of the screen, which is drawn fastest
ARROWS = {Qt.Key.Key_Left: (-0.1, None), Qt.Key.Key_Right: (0.1, None), Qt.Key.Key_Up: (None, 0.1), Qt.Key.Key_Down: (None, -0.1)}
ZOOMS = {Qt.Key.Key_Plus: 1 / ZOOM, Qt.Key.Key_Equal: 1 / ZOOM, Qt.Key.Key_Minus: ZOOM}


class PlotView(QWidget):
    """Follows the newest samples and fits their values until a person zooms or drags; a double click follows again.

    `x_moved((start, end))` tells the range a person chose along x, None to follow again; `hovered(t)` the time under the mouse.
    `more` ends its menu, `bands` are shaded behind the curves.
    With `log` the curves are decimal logarithms and the axis tells what they stand for; so is x with `log_x`, in units of that.
    `across` is the unit along x.
    Drawn with few calls: pyqtgraph's axes take 3 ms of each frame, in which the simulation cannot have the interpreter.
    """

    x_moved = Signal(object)
    hovered = Signal(object)

    def __init__(self, name: str, title: str, log: bool = False, log_x: float = 0.0, across: str = "s"):
        super().__init__()
        self._log, self._log_x, self._across = log, log_x, across
        self.setObjectName(f"plot_{name}")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(150, 80)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._tokens: Tokens = LIGHT
        self._cursor: float | None = None
        self._read_at: float | None = None
        self.mark: float | None = None  # time of an event
        self._grip: tuple[QPointF, tuple[float, float, float, float]] | None = None  # the press, and the view there
        self.curves: list[Curves] = []  # in the colours of the theme
        self._given: list[Curves] = []
        self.legend, self.under = False, ""
        self.bands: tuple[Band, ...] = ()
        self.more: tuple[QAction | None, ...] = ()
        self._range = PlotRange(log)
        self.note = self._pointed = ""
        self._readout = PlotReadout(self)
        self.set_title(title)

    @property
    def t(self) -> np.ndarray:
        """Times of the first curves drawn."""
        return self.curves[0].x if self.curves else np.zeros(0)

    @property
    def values(self) -> np.ndarray:
        """Values `(k, curves)` of the first curves drawn."""
        return self.curves[0].y if self.curves else np.zeros((0, 0))

    @property
    def view(self) -> tuple[float, float, float, float]:
        """What the axes show: start, end, low, high."""
        return self._range.view

    @property
    def chosen(self) -> bool:
        """Whether a person chose a range."""
        return self._range.chosen

    def set_title(self, title: str):
        """What is drawn, with its unit."""
        self._title = title
        self.setAccessibleName(title)
        self.update()

    def set_theme(self, tokens: Tokens):
        """Colours of paper, axes and cursor."""
        self._tokens = tokens
        self._colour_curves()
        self.update()

    def show_curves(self, curves: list[Curves], span: float, note: str = "", whole: tuple[float, float] | None = None):
        """Draw these; where no range was chosen the axis spans `span` seconds up to the newest. `note` is written over it.

        `whole` is the time from the first sample to the newest of all plots that show the same range, by default of these curves.
        """
        self._given, self.note = curves, note
        self._colour_curves()
        self._range.fit(curves, span, whole)
        self.update()
        self._tell()

    def _colour_curves(self):
        self.curves = [
            curves
            if all(colour.startswith("#") for colour in curves.colours)
            else replace(curves, colours=tuple(map(self._tokens.colour, curves.colours)))
            for curves in self._given
        ]

    def set_x(self, x: tuple[float, float] | None):
        """Show this range along x; None follows the newest."""
        if x != self._range.x:
            self._range.x = x
            self.update()

    def follow(self):
        """Forget what a person chose."""
        self._range.follow()
        self.update()
        self.x_moved.emit(None)

    def show_cursor(self, t: float | None):
        """A line where the replay is; None hides it."""
        if t != self._cursor:
            self._cursor = t
            self.update()

    def show_mark(self, t: float | None) -> None:
        """Draw a line in the warning colour at the time t of an event in s; None hides it."""
        if t != self.mark:
            self.mark = t
            self.update()

    def read_at(self, t: float | None):
        """A line at time t, and the values there where the mouse is over this plot; None hides it."""
        if t != self._read_at:
            self._read_at = t
            self.update()
        self._tell()

    def reading(self) -> list[Entry]:
        """Colour, style and text of every value at the line."""
        return [] if self._read_at is None else readings(self.curves, self._read_at, self._log, self._pointed, self.view)

    def save(self, path: Path) -> None:
        """Write what is seen as PNG or SVG; EngineError where it cannot be written."""
        paint_file(path, EXPORT, self._title, self._export)

    def _export(self, painter: QPainter):
        painter.setFont(self.font())
        metrics, names = painter.fontMetrics(), legend(self.curves)
        paper = PlotPaper(self._tokens, metrics, EXPORT, self.view, self._log, self._title, names, self._log_x)
        self._paint(painter, paper, exported=True)

    # Painting

    def paintEvent(self, event):
        painter = QPainter(self)
        self._paint(painter, self._paper())
        painter.end()

    def _paper(self) -> PlotPaper:
        names = named_once(self.curves) if self.legend else []
        size = self.width(), self.height()
        return PlotPaper(self._tokens, self.fontMetrics(), size, self.view, self._log, names=names, log_x=self._log_x)

    def _paint(self, painter: QPainter, paper: PlotPaper, exported: bool = False):
        paper.paint_head(painter)
        if not paper.usable:
            return
        if not any(len(curves.x) for curves in self.curves):  # axes of nothing would tell of numbers that nobody measured
            painter.setPen(QColor(self._tokens.muted))
            whole = QRectF(0.0, paper.frame.top(), painter.window().width(), paper.frame.height())
            painter.drawText(whole, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.note)
            return
        shade_bands(painter, paper, self._tokens, self.bands)
        paper.paint_axes(painter, self.under if exported else "")
        paper.paint_curves(painter, self.curves, WIDE if exported else FINEST if self.devicePixelRatioF() == 1.0 else 1.0)
        name_bands(painter, paper, self._tokens, self.bands)
        timed = bool(self.curves) and self.curves[0].timed
        if self._cursor is not None and timed:
            paper.paint_line(painter, self._cursor, self._tokens.accent)
        if self.mark is not None and timed:
            paper.paint_line(painter, self.mark, self._tokens.danger)
        if self._read_at is not None and timed and not exported:
            paper.paint_line(painter, self._read_at, self._tokens.muted)
        if not timed and not exported:
            paper.paint_marks(painter, marks(self.curves, self._cursor if self._read_at is None else self._read_at))

    def _tell(self):
        entries = self.reading() if self.underMouse() and self._grip is None else []
        if not entries or self._read_at is None:
            self._readout.hide()
            return
        timed = self.curves[0].timed
        x = self.mapToGlobal(QPointF(self._paper().x(self._read_at), 0)).toPoint().x() if timed else QCursor.pos().x()
        at = significant(10.0**self._read_at * self._log_x, 3) if self._log_x else number(self._read_at, 3)
        self._readout.tell(self._tokens, f"{self._title}  at {at} {self._across}", entries, x)

    # Hands

    def _on_chosen(self):
        self.update()
        self.x_moved.emit(self._range.x)

    def wheelEvent(self, event):
        """Zoom; on a page that scrolls only with the focus or Ctrl, so that who scrolls the page leaves its plots alone."""
        if not (self.hasFocus() or event.modifiers() & Qt.KeyboardModifier.ControlModifier) and in_scrolling_page(self):
            event.ignore()
            return
        turn = event.angleDelta().y() or event.angleDelta().x()
        paper = self._paper()
        if paper.usable and turn:
            upright = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            upright = upright or event.position().x() < paper.frame.left()
            self._range.zoom(paper.value_at(event.position()), ZOOM ** (-turn / 120), upright)
            self._on_chosen()
        event.accept()

    def mousePressEvent(self, event):
        if event.button() == Qt.MouseButton.LeftButton:
            self._grip = (event.position(), self.view)
            self._tell()
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event):
        paper = self._paper()
        if self._grip is not None:
            self._drag(*self._grip, event.position(), paper)
            return
        t, self._pointed = pointed_at(self.curves, paper, event.position())
        self.hovered.emit(t)

    def _drag(self, at: QPointF, view: tuple[float, float, float, float], to: QPointF, paper: PlotPaper):
        if (to - at).manhattanLength() < 3 and self._range.x is None:
            return
        across = (at.x() - to.x()) / paper.frame.width()
        up = (to.y() - at.y()) / paper.frame.height()
        upright = self._range.y is not None or abs(to.y() - at.y()) > 2 * GAP  # a level drag leaves the values fitted
        self._range.shift(across, up if upright else None, view)
        self._on_chosen()

    def mouseReleaseEvent(self, event):
        self._grip = None
        self.unsetCursor()

    def mouseDoubleClickEvent(self, event):
        self._grip = None
        self.follow()

    def leaveEvent(self, event):
        self._readout.hide()
        self.hovered.emit(None)

    def hideEvent(self, event):
        self._readout.hide()

    def keyPressEvent(self, event):
        upright = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() in ZOOMS:
            self._range.zoom(self._range.middle, ZOOMS[event.key()], upright)
            self._on_chosen()
        elif event.key() in ARROWS:
            self._range.shift(*ARROWS[event.key()], self.view)
            self._on_chosen()
        elif event.key() == Qt.Key.Key_Home:
            self.follow()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event):
        """Follow again, copy, and what whoever shows the plot adds."""
        self._readout.hide()
        lines = plot_lines(self.curves, self.view[:2], self.follow, lambda: picture(EXPORT, self._export))
        pop_up(self, self._title, event.globalPos(), [*lines, *self.more])

    def event(self, event):
        """Arrows, zoom keys and Home belong to the focused plot, before any shortcut of the window."""
        own = event.type() == event.Type.ShortcutOverride and event.key() in (*ARROWS, *ZOOMS, Qt.Key.Key_Home)
        if own and not event.matches(QKeySequence.StandardKey.ZoomIn):
            event.accept()
            return True
        return super().event(event)
