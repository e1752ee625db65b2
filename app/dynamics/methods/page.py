"""A page of the Methods dock: what to compute, a legend with numbers, and two plots side by side."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from armature.app.plots.plot_view import PlotView
from armature.app.style.colour_tokens import LIGHT, Tokens
from armature.app.style.icons import pixmap
from armature.app.widgets.controls import button, named, progress, row
from armature.app.widgets.section import note, page


class MethodsPage(QWidget):
    """Tells `compute_asked()` and `cancel_asked()`. `names` are its curves, each with a number in the legend."""

    compute_asked = Signal()
    cancel_asked = Signal()

    def __init__(
        self,
        name: str,
        words: str,
        tip: str,
        names: Sequence[str],
        head: str,
        plots: tuple[PlotView, PlotView],
        choices: Sequence[QWidget] = (),
    ):
        super().__init__()
        self.tokens: Tokens = LIGHT
        self.words = words
        self.compute = button(f"{name}_compute", "Compare", tip, tip)
        self.compute.setProperty("role", "primary")
        self.compute.clicked.connect(self.compute_asked)
        self.cancel = button(f"{name}_cancel", "Cancel", "Cancel the comparison", "Stop the computation; what is there stays")
        self.cancel.clicked.connect(self.cancel_asked)
        self.cancel.setEnabled(False)
        self.progress = progress(f"{name}_progress", "Progress of the comparison")
        self.sentence = named(note(words), f"{name}_sentence")
        side = QWidget()
        content = page(side, words)
        controls = row(*choices, self.compute, self.cancel, None, spacing=4)
        for part in (controls, self.progress, self._legend(name, names, head), self.sentence):
            content.addWidget(part)
        content.addStretch(1)
        side.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 12, 8)
        line.setSpacing(8)
        line.addWidget(side)
        self.plots, self._titles = plots, [note() for _ in plots]
        for plot, title in zip(plots, self._titles):
            title.setWordWrap(False)
            title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            title.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column = QVBoxLayout()
            column.setSpacing(2)
            column.addWidget(title)
            column.addWidget(plot, 1)
            line.addLayout(column, 1)
            plot.hovered.connect(plot.read_at)

    def _legend(self, name: str, names: Sequence[str], head: str) -> QWidget:
        widget = QWidget()
        grid = QGridLayout(widget)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(1)
        grid.setColumnStretch(1, 1)
        title = note(head)
        title.setWordWrap(False)
        grid.addWidget(title, 0, 2, Qt.AlignmentFlag.AlignRight)
        self._swatches = [QLabel() for _ in names]
        self._numbers = [named(QLabel("–"), f"{name}_number_{k}", f"{curve}: {head}") for k, curve in enumerate(names)]
        for k, curve in enumerate(names):
            grid.addWidget(self._swatches[k], k + 1, 0)
            grid.addWidget(QLabel(curve), k + 1, 1)
            grid.addWidget(self._numbers[k], k + 1, 2, Qt.AlignmentFlag.AlignRight)
        return widget

    def show_numbers(self, texts: Sequence[str]) -> None:
        """Those of the legend."""
        for label, text in zip(self._numbers, texts, strict=True):
            label.setText(text)

    def show_titles(self, *titles: str) -> None:
        """Of the plots."""
        for label, plot, title in zip(self._titles, self.plots, titles):
            label.setText(title)
            plot.set_title(title)

    def show_possible(self, why_not: str) -> None:
        """Whether it can be computed; else why not."""
        self.compute.setEnabled(not why_not)
        self.sentence.setText(why_not or self.words)

    def show_busy(self, busy: bool) -> None:
        """Whether it computes."""
        self.cancel.setEnabled(busy)
        self.progress.setVisible(busy)
        self.progress.setRange(0, 0)

    def show_progress(self, done: int, total: int) -> None:
        """How much is done."""
        self.progress.setRange(0, total)
        self.progress.setValue(done)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of curves and legend."""
        self.tokens = tokens
        for swatch, colour in zip(self._swatches, tokens.series):
            swatch.setPixmap(pixmap("swatch", colour, 14))
        for plot in self.plots:
            plot.set_theme(tokens)
        self.draw()

    def draw(self) -> None:
        """The curves that are there."""
        raise NotImplementedError
