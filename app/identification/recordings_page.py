"""The page of the recordings: which are fitted, which validate, what is estimated, and the button that does it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QLineEdit, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from armature.app.identification.chosen_recordings import USES, ChosenRecordings, Options
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.computing.progress_bar import ProgressBar
from armature.app.widgets.controls import button, check, choice, named, number, row
from armature.app.widgets.section import note, scrolled

BOXES = {
    "friction": ("Friction", "Viscous friction, and Coulomb friction in each direction"),
    "offsets": ("Offsets", "Constant torque offset of each joint, from its torque sensor or friction"),
    "rotor": ("Rotor inertia", "Rotor inertia of each motor, if it is not already part of the link parameters"),
    "payload": (
        "Payload only",
        "Use the link parameters of the file; estimate the payload and, if ticked, friction and offsets",
    ),
    "currents": ("Motor currents", "The torque columns are currents in A; the torque constant of each drive is estimated too"),
}


COUPLED = "Motors that drive several joints, written as a sum of joints; separate several motors with commas"


class RecordingsPage(QWidget):
    """Tells `add_wanted()`, `use_chosen(k, use)`, `remove_wanted(k)`, `options_changed()`, `identify_wanted()`,
    `cancel_wanted()`."""

    add_wanted = Signal()
    use_chosen = Signal(int, str)
    remove_wanted = Signal(int)
    options_changed = Signal()
    identify_wanted = Signal()
    cancel_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._why_not, self._busy = "", False
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(0)
        line.addWidget(scrolled(self._list(), "Recordings"), 1)
        line.addWidget(scrolled(self._options(), "Estimation settings"), 1)
        self.show_chosen(ChosenRecordings())

    def _list(self) -> QWidget:
        self.add = button("identify_add", "Add files…", tip="Add one or more recordings of any supported format")
        self.add.clicked.connect(lambda _: self.add_wanted.emit())
        self.hint = named(note(), "identify_hint")
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(12, 6, 6, 8)
        column.setSpacing(6)
        column.addWidget(row(self.add, self.hint, stretch=self.hint))
        self._rows = QGridLayout()
        self._rows.setSpacing(4)
        self._rows.setColumnStretch(1, 1)
        column.addLayout(self._rows)
        column.addStretch(1)
        return inside

    def _options(self) -> QWidget:
        start = Options()
        self.boxes = {name: check(f"identify_{name}", text, tip, vars(start)[name]) for name, (text, tip) in BOXES.items()}
        self.boxes["payload"].toggled.connect(lambda _: self.options_changed.emit())
        self.couplings = named(QLineEdit(), "identify_couplings", "Coupled drives", COUPLED)
        self.couplings.textChanged.connect(lambda _: self.options_changed.emit())
        tip = "Share at the end of each “fit” recording that is used for validation only"
        self.hold_out = number("identify_hold_out", "Held out", (0, 80), start.hold_out, step=5, suffix=" %", tip=tip)
        tip = "Cut-off of the zero-phase filter for positions and torques; 0: chosen from the motion"
        self.cutoff = number("identify_cutoff", "Filter cut-off", (0, 1000), 0, decimals=1, suffix=" Hz", tip=tip)
        self.cutoff.setSpecialValueText("automatic")
        self.go = button("identify_go", "Identify", tip="Estimate the parameters of the arm in the background")
        self.go.setProperty("role", "primary")
        self.go.clicked.connect(lambda _: self.identify_wanted.emit())
        self.cancel = button("identify_cancel", "Cancel", "Cancel the identification", "Stop the computation")
        self.cancel.clicked.connect(lambda _: self.cancel_wanted.emit())
        self.cancel.setEnabled(False)
        self.progress = ProgressBar("identify_progress", "Progress of the identification")
        self.told = named(note(), "identify_state")
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(6, 6, 12, 8)
        column.setSpacing(6)
        column.addWidget(row(self.go, self.cancel, self.progress, stretch=self.progress))
        column.addWidget(self.told)
        grid = QGridLayout()
        grid.setSpacing(4)
        for k, box in enumerate(self.boxes.values()):
            grid.addWidget(box, k // 3, k % 3)
        column.addLayout(grid)
        column.addWidget(row(QLabel("For validation: the last"), self.hold_out, QLabel("Filter"), self.cutoff))
        column.addWidget(row(QLabel("Coupled drives"), self.couplings, stretch=self.couplings))
        column.addStretch(1)
        return inside

    @property
    def options(self) -> Options:
        """What is chosen."""
        boxes = {name: box.isChecked() for name, box in self.boxes.items()}
        return Options(**boxes, couplings=self.couplings.text(), cutoff=self.cutoff.value(), hold_out=self.hold_out.value())

    def show_joints(self, names: tuple[str, ...]) -> None:
        """Of the arm, whose last two would be those of a wrist."""
        self.couplings.setPlaceholderText(f"none; for example {'+'.join(names[-2:])}" if len(names) > 1 else "none")

    def show_chosen(self, chosen: ChosenRecordings) -> None:
        """The list, each with what it is used for."""
        while (item := self._rows.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.setParent(None)
                old.deleteLater()
        for k, entry in enumerate(chosen.entries):
            use = choice(f"identify_use_{k}", f"Use of {entry.name}", USES, now=entry.use)
            use.activated.connect(lambda _, k=k, use=use: self.use_chosen.emit(k, use.currentData()))
            name = QLabel(entry.name)
            name.setToolTip(str(entry.source) if isinstance(entry.source, Path) else "Recording open in the window")
            name.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            away = button(f"identify_remove_{k}", "✕", f"Remove {entry.name} from the list", "Remove from the list", QToolButton)
            away.clicked.connect(lambda _, k=k: self.remove_wanted.emit(k))
            for column, part in enumerate((use, name, away)):
                self._rows.addWidget(part, k, column, Qt.AlignmentFlag.AlignVCenter)
        self.hint.setText("" if not chosen.entries else "fit: for the estimate · validate: for the residual only")

    def show_possible(self, why_not: str) -> None:
        """Whether something can be identified; else why not."""
        self._why_not = why_not
        self._allow()

    def show_busy(self, busy: bool) -> None:
        """Whether it computes."""
        self._busy = busy
        self.cancel.setEnabled(busy)
        self.progress.show_busy(busy)
        self._allow()

    def show_progress(self, done: int, total: int) -> None:
        """How much is done."""
        self.progress.show_done(done, total)

    def tell(self, text: str) -> None:
        """What happens, or why nothing does."""
        self.told.setText(text)

    def set_theme(self, tokens: Tokens) -> None:
        """Nothing here has colours of its own."""

    def _allow(self) -> None:
        self.go.setEnabled(not self._why_not and not self._busy)
        for part in (self.boxes["rotor"], self.couplings):
            part.setEnabled(not self.boxes["payload"].isChecked())
        if not self._busy:
            self.told.setText(self._why_not)
