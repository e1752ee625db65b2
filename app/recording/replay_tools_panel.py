"""Below the timeline: cut a part out, lay other recordings over it, simulate it again, film it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from armature.app.style.icons import icon
from armature.app.widgets.computing.calm_bar import CalmBar
from armature.app.widgets.section import note

BUTTONS = {
    "mark_start": ("Mark start", "Start the part at the current time (key [ on the timeline)"),
    "mark_end": ("Mark end", "End the part at the current time (key ] on the timeline)"),
    "trim": ("Save part…", "Save the part between the marks as a new recording"),
    "compare": ("Compare…", "Overlay other recordings of this robot: curves in the plots, ghosts in the view"),
    "verify": ("Verify", "Simulate the recording again from its metadata, and compare bit for bit"),
    "film": ("Film…", "Save the replay, or the part between the marks, as a video (MP4) or an animated picture (GIF)"),
}


class ReplayTools(QWidget):
    """`requested(name)` is one of BUTTONS; `remove_requested(k)` removes the k-th overlay; `cancel_requested()` ends filming."""

    requested = Signal(str)
    remove_requested = Signal(int)
    cancel_requested = Signal()

    def __init__(self):
        super().__init__()
        self._tokens, self._chips = None, []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        grid = QGridLayout()
        grid.setSpacing(4)
        self._buttons = {name: self._button(name, *words) for name, words in BUTTONS.items()}
        for k, button in enumerate(self._buttons.values()):
            grid.addWidget(button, 0, k)
        grid.setColumnStretch(len(self._buttons), 1)
        column.addLayout(grid)
        self._line = QHBoxLayout()
        self._line.setSpacing(4)
        self._line.addStretch(1)
        column.addLayout(self._line)
        column.addLayout(self._progress_line())
        self.result = note("")
        self.result.setObjectName("replay_result")
        self.result.hide()
        column.addWidget(self.result)

    def _button(self, name: str, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setObjectName(f"replay_{name}")
        button.setAccessibleName(tip)
        button.setToolTip(tip)
        button.setMinimumHeight(button.sizeHint().height())
        button.clicked.connect(lambda: self.requested.emit(name))
        return button

    def _progress_line(self) -> QHBoxLayout:
        line = QHBoxLayout()
        self.progress = CalmBar()
        self.progress.setObjectName("film_progress")
        self.progress.setAccessibleName("Frames filmed")
        self.progress.setTextVisible(False)
        self._frames = note("")
        self._frames.setObjectName("film_frames")
        self._stop = QToolButton()
        self._stop.setText("Stop filming")
        self._stop.setObjectName("film_cancel")
        self._stop.setAccessibleName("Stop filming without writing a file")
        self._stop.clicked.connect(self.cancel_requested)
        for part in (self._frames, self.progress, self._stop):
            part.hide()
            line.addWidget(part)
        return line

    def show_film(self, done: int, total: int):
        """How many frames are filmed; a total of 0 says that none are wanted."""
        for part in (self._frames, self.progress, self._stop):
            part.setVisible(total > 0)
        self._buttons["film"].setEnabled(total == 0)
        self.progress.setRange(0, max(total, 1))
        self.progress.setValue(done)
        self._frames.setText(f"Filming, {done} of {total} frames")

    def show_busy(self, name: str, busy: bool):
        """One of BUTTONS works, or does so no more."""
        self._buttons[name].setEnabled(not busy)

    def show_result(self, text: str):
        """What came out of simulating again; empty for nothing."""
        self.result.setText(text)
        self.result.setVisible(bool(text))

    def show_compared(self, names: list[str]):
        """The recordings laid over the open one; a click takes one away."""
        for chip in self._chips:
            self._line.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._chips = []
        for k, name in enumerate(names):
            chip = QToolButton()
            chip.setText(f"{name}  ✕")
            chip.setObjectName(f"compared_{k}")
            chip.setAccessibleName(f"Remove {name} from the comparison")
            chip.setToolTip(f"Remove {name} from the comparison")
            chip.setMinimumHeight(chip.sizeHint().height())
            chip.clicked.connect(lambda _=False, k=k: self.remove_requested.emit(k))
            self._line.insertWidget(k, chip)
            self._chips.append(chip)
        self._colour()

    def set_theme(self, tokens):
        """Colours of the laid-over arms."""
        self._tokens = tokens
        self._colour()

    def _colour(self):
        if self._tokens is not None:
            for k, chip in enumerate(self._chips):
                chip.setIcon(icon("swatch", ghost_colour(self._tokens, k)))
                chip.setToolButtonStyle(chip.toolButtonStyle().ToolButtonTextBesideIcon)


def ghost_colour(tokens, k: int) -> str:
    """Colour of the k-th laid-over arm."""
    return tokens.series[(k + 1) % len(tokens.series)]
