"""A line above the view for what happened; it never blocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from armature.app.state.severity import Severity
from armature.app.style.colour_tokens import Tokens
from armature.app.style.icons import icon, pixmap
from armature.app.widgets.computing.calm_bar import CalmBar
from armature.app.widgets.restyle import set_style_property


class ListDialog(QDialog):
    """Non-modal."""

    def __init__(self, title: str, lines: Sequence[str], parent: QWidget | None = None):
        super().__init__(parent)
        self.setObjectName("list_dialog")
        self.setWindowTitle("Details")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        head = QLabel(title)
        head.setWordWrap(True)
        self.lines = QPlainTextEdit("\n".join(lines))
        self.lines.setObjectName("list_dialog_lines")
        self.lines.setReadOnly(True)
        self.lines.setAccessibleName("Details")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton("Copy", QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.lines.toPlainText()))
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        for part in (head, self.lines, buttons):
            layout.addWidget(part)
        self.resize(680, 320)


INFO_SECONDS = 8


@dataclass(frozen=True, eq=False)
class Message:
    """What is told; `offers` are buttons by name."""

    severity: Severity
    text: str
    lines: tuple[str, ...] = ()
    subject: str = ""
    offers: tuple[tuple[str, Callable[[], None]], ...] = ()

    @property
    def replaces(self) -> bool:
        """Whether it takes the place of a fault of its subject: information without a subject is about something else."""
        return self.severity is not Severity.INFO or bool(self.subject)


class Banner(QFrame):
    """One message at a time: information goes by itself, warnings and errors stay until closed, replaced or settled.

    `covers` tells how many pixels of what lies below it are covered.
    """

    covers = Signal(int)

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.setObjectName("banner")
        self.setProperty("role", "banner")
        self._tokens: Tokens | None = None
        self._severity = Severity.INFO
        self._shown: Message | None = None
        self._faults: list[Message] = []
        self._icon, self.text = QLabel(), QLabel()
        self.text.setObjectName("banner_text")
        self.text.setWordWrap(True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.progress = CalmBar()
        self.progress.setObjectName("banner_progress")
        self.progress.setAccessibleName("Progress")
        self.progress.setTextVisible(False)
        self.progress.setFixedWidth(180)
        self.progress.hide()
        self._lines: tuple[str, ...] = ()
        self._more = QPushButton("Details")
        self._more.setObjectName("banner_details")
        self._more.setToolTip("Show all details")
        self._more.clicked.connect(lambda: ListDialog(self.text.text(), self._lines, self.window()).show())
        self._more.hide()
        self._close = QToolButton()
        self._close.setAccessibleName("Close the message")
        self._close.clicked.connect(self.dismiss)
        self._offers: list[QPushButton] = []
        self._line = line = QHBoxLayout(self)
        line.setContentsMargins(12, 6, 8, 6)
        line.setSpacing(10)
        line.addWidget(self._icon)
        line.addWidget(self.text, 1)
        line.addWidget(self.progress)
        line.addWidget(self._more)
        line.addWidget(self._close)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.dismiss)
        self.hide()

    def show_message(self, severity: Severity, text: str, lines: Sequence[str] = (), subject: str = ""):
        """Tell `text`; `lines` are shown on request.

        What is said of a `subject` takes the place of what was said of it before. Information goes by itself, and a fault of
        another subject, which it covered, is there again.
        """
        self._tell(Message(severity, text, tuple(lines), subject))

    def set_lines(self, subject: str, lines: Sequence[str]):
        """Other lines behind what is still said of a `subject`; nothing where it was closed."""
        for k, fault in enumerate(self._faults):
            if fault.subject == subject:
                self._faults[k] = replace(fault, lines=tuple(lines))
                if fault is self._shown:
                    self._shown, self._lines = self._faults[k], self._faults[k].lines

    def show_offer(self, text: str, offers: Mapping[str, Callable[[], None]]):
        """Tell `text` with a button for each thing that can be done about it; one press takes all of them away."""
        self._tell(Message(Severity.WARNING, text, subject=text, offers=tuple(offers.items())))

    def show_progress(self, text: str, done: int, total: int, cancel: Callable[[], None] | None = None):
        """Tell how far something is; stays until the next message or `dismiss`. With `cancel` it can be given up."""
        if not self.progress.isVisible() or self.text.text() != text:
            self._tell(Message(Severity.INFO, text, offers=() if cancel is None else (("Cancel", cancel),)))
        self._timer.stop()
        self.progress.show()
        self.progress.setRange(0, total)
        self.progress.setValue(done)

    def settle(self, subject: str):
        """Something succeeded: what was wrong with it is so no more."""
        self._faults = [fault for fault in self._faults if fault.subject != subject]
        if self._shown is not None and self._shown.subject == subject and self._shown.severity is not Severity.INFO:
            self._fall_back()

    def heeded(self, hint: str):
        """What this text recommends is being done: it goes."""
        if self._shown is not None and self._shown.text == hint:
            self.dismiss()

    def dismiss(self):
        """Take away what is shown; a fault that it covered is there again."""
        self._faults = [fault for fault in self._faults if fault is not self._shown]
        self._fall_back()

    def _tell(self, message: Message):
        self._faults = [fault for fault in self._faults if fault.subject != message.subject or not message.replaces]
        if message.severity is not Severity.INFO:
            self._faults.append(message)
        self._show(message)

    def _fall_back(self):
        self._shown = None
        self._timer.stop()
        if self._faults:
            self._show(self._faults[-1])
        else:
            self.hide()

    def _show(self, message: Message):
        self._withdraw()
        self._shown, self._severity, self._lines = message, message.severity, message.lines
        self.text.setText(message.text)
        self._more.setVisible(bool(message.lines))
        self.progress.hide()
        for name, act in message.offers:
            self._offer(name, act)
        set_style_property(self, "severity", message.severity.value)
        self._draw()
        self.show()
        self._timer.stop()
        if message.severity is Severity.INFO:
            self._timer.start(INFO_SECONDS * 1000)

    def _offer(self, name: str, act: Callable[[], None]):
        button = QPushButton(name)
        button.setObjectName(f"banner_{name.lower()}")
        button.clicked.connect(partial(self._take, act))
        self._line.insertWidget(self._line.indexOf(self._close), button)
        self._offers.append(button)

    def _take(self, act: Callable[[], None], _checked: bool = False):
        self._withdraw()
        self.dismiss()
        act()

    def _withdraw(self):
        for button in self._offers:
            self._line.removeWidget(button)
            button.setObjectName("")  # what looks for it by its name finds the one that comes after
            button.hide()
            button.deleteLater()
        self._offers = []

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self.covers.emit(self.height() if self.isVisible() else 0)

    def showEvent(self, event):
        super().showEvent(event)
        self.covers.emit(self.height())

    def hideEvent(self, event):
        super().hideEvent(event)
        self.covers.emit(0)

    def set_theme(self, tokens: Tokens):
        """Colours of the icons."""
        self._tokens = tokens
        self._draw()

    def _draw(self):
        if self._tokens is None:
            return
        tokens = self._tokens
        colours = {Severity.INFO: tokens.accent, Severity.WARNING: tokens.warn, Severity.ERROR: tokens.danger}
        self._icon.setPixmap(pixmap(self._severity.value, colours[self._severity], 20))
        self._close.setIcon(icon("close", self._tokens.muted))
