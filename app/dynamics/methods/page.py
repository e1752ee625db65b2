"""A page of the Methods dock: what to compute, a legend with numbers, and two plots side by side."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from armature.app.plots.plot_view import PlotView
from armature.app.style.colour_tokens import LIGHT, Tokens
from armature.app.style.icons import pixmap
from armature.app.widgets.computing.computing_panel import ComputingPanel
from armature.app.widgets.controls import named, row
from armature.app.widgets.section import note


class MethodsPage(ComputingPanel):
    """`names` are its curves, each with a number in the legend."""

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
        super().__init__(name, f"{name}_compute", tip, tip, "Stop the computation; earlier results remain")
        self.tokens: Tokens = LIGHT
        self.words = words
        self.sentence = named(note(words), f"{name}_sentence")
        controls = row(*choices, self.compute, self.cancel, None, spacing=4)
        line = self.lay_out(words, (controls, self.progress, self._legend(name, names, head), self.sentence))
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
