"""The dock *Contacts*: a pair of links or objects, and the joint motions that open it or end all contacts."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QListWidget, QWidget

from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import button, choice, named, row
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import Section, note, page
from armature.app.widgets.steady import Steady
from armature.engine.thresholds import Level

ROWS = 9  # of text, in the list
WAITING = "No pair of links or objects is known."
NEAREST = "Nearest pair"


class PairPanel(QWidget):
    """Emits `go_requested()` for the selected motion, and `chosen()` after the user chose another pair."""

    go_requested = Signal()
    chosen = Signal()

    def __init__(self):
        super().__init__()
        content = page(self, "Contacts")
        here, opening = Section("Pair"), Section("Motions")
        self.pairs = here.add(choice("contact_pairs", "Pair that is explained", {"": NEAREST}))
        self.pairs.activated.connect(lambda _: self.chosen.emit())
        self._title = here.add(named(QLabel(), "contact_title"))
        self._title.setProperty("role", "title")
        self._numbers, self._cause = named(note(), "contact_numbers"), named(QLabel(), "contact_cause")
        for label in (self._title, self._cause):
            label.setWordWrap(True)
        here.add(Steady(7, self._numbers, self._cause))
        self.list = opening.add(named(QListWidget(), "contact_motions", "Joint motions that open the pair"))
        self.list.setWordWrap(True)
        self.list.setMaximumHeight(ROWS * self.list.fontMetrics().lineSpacing())
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemActivated.connect(lambda _: self.go_requested.emit())
        tip = "Move the arm until the pair is 10 mm farther apart, or until nothing touches (one undo step)"
        self.go = button("contact_go", "Open by 10 mm", "Open the pair by 10 mm", tip)
        self.go.setProperty("role", "primary")
        self.go.clicked.connect(lambda _: self.go_requested.emit())
        opening.add(row(self.go, None))
        for part in (here, opening):
            content.addWidget(part)
        content.addStretch(1)
        self.show_pair(WAITING)

    def show_pairs(self, names: Sequence[str]) -> None:
        """List the pairs that can be chosen; the chosen one remains while it is among them."""
        if names != [self.pairs.itemData(k) for k in range(1, self.pairs.count())]:
            chosen = self.pairs.currentData()
            self.pairs.clear()
            for name in ("", *names):
                self.pairs.addItem(name or NEAREST, name)
            self.pairs.setCurrentIndex(max(0, self.pairs.findData(chosen)))

    def show_pair(
        self,
        title: str,
        level: Level = Level.FINE,
        numbers: str = "",
        cause: str = "",
        motions: Sequence[str] = (),
        act: str = "Open by 10 mm",
    ) -> None:
        """Show the pair, and list the motions that open it or end all contacts; the selected row remains."""
        self._title.setText(title)
        set_style_property(self._title, "level", str(level))
        self._numbers.setText(numbers)
        self._cause.setText(cause)
        selected = max(0, self.list.currentRow())
        if [self.list.item(k).text() for k in range(self.list.count())] != list(motions):
            self.list.clear()
            self.list.addItems(list(motions))
            self.list.setCurrentRow(min(selected, len(motions) - 1))
        self.go.setEnabled(bool(motions))
        self.go.setText(act)

    def set_theme(self, tokens: Tokens) -> None:
        """Everything follows from the style sheet."""
