"""A line above the view for what happened; it never blocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QToolButton, QWidget

from app.icons import icon, pixmap
from app.list_dialog import ListDialog
from app.widgets.restyle import set_style_property

INFO_SECONDS = 8


class Banner(QFrame):
    """One message at a time: "info" goes by itself, "warning" and "error" stay until closed or replaced."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.setObjectName("banner")
        self.setProperty("role", "banner")
        self._tokens, self._kind = None, "info"
        self._icon, self.text = QLabel(), QLabel()
        self.text.setObjectName("banner_text")
        self.text.setWordWrap(True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.progress = QProgressBar()
        self.progress.setObjectName("banner_progress")
        self.progress.setAccessibleName("Progress")
        self.progress.setTextVisible(False)
        self.progress.setFixedWidth(180)
        self.progress.hide()
        self._lines: tuple[str, ...] = ()
        self._more = QPushButton("Details")
        self._more.setObjectName("banner_details")
        self._more.setToolTip("Show every line")
        self._more.clicked.connect(lambda: ListDialog(self.text.text(), self._lines, self.window()).show())
        self._more.hide()
        self._close = QToolButton()
        self._close.setAccessibleName("Close the message")
        self._close.clicked.connect(self.hide)
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
        self._timer.timeout.connect(self.hide)
        self.hide()

    def show_message(self, kind: str, text: str, lines: Sequence[str] = ()):
        """Tell `text`; `kind` is "info", "warning" or "error", `lines` are shown on request."""
        self._withdraw()
        self._kind, self._lines = kind, tuple(lines)
        self.text.setText(text)
        self._more.setVisible(bool(lines))
        self.progress.hide()
        set_style_property(self, "kind", kind)
        self._draw()
        self.show()
        self._timer.stop()
        if kind == "info":
            self._timer.start(INFO_SECONDS * 1000)

    def show_offer(self, text: str, offers: Mapping[str, Callable[[], None]]):
        """Tell `text` with a button for each thing that can be done about it; one press takes all of them away."""
        self.show_message("warning", text)
        for name, act in offers.items():
            self._offer(name, act)

    def _offer(self, name: str, act: Callable[[], None]):
        button = QPushButton(name)
        button.setObjectName(f"banner_{name.lower()}")
        button.clicked.connect(partial(self._take, act))
        self._line.insertWidget(self._line.indexOf(self._close), button)
        self._offers.append(button)

    def _take(self, act: Callable[[], None], _checked: bool = False):
        self.hide()
        self._withdraw()
        act()

    def _withdraw(self):
        for button in self._offers:
            self._line.removeWidget(button)
            button.setObjectName("")  # what looks for it by its name finds the one that comes after
            button.hide()
            button.deleteLater()
        self._offers = []

    def show_progress(self, text: str, done: int, total: int, cancel: Callable[[], None] | None = None):
        """Tell how far something is; stays until the next message or `hide`. With `cancel` it can be given up."""
        if not self.progress.isVisible() or self.text.text() != text:
            self.show_message("info", text)
            if cancel is not None:
                self._offer("Cancel", cancel)
        self._timer.stop()
        self.progress.show()
        self.progress.setRange(0, total)
        self.progress.setValue(done)

    def set_theme(self, tokens):
        """Colours of the icons."""
        self._tokens = tokens
        self._draw()

    def _draw(self):
        if self._tokens is None:
            return
        colour = {"info": self._tokens.accent, "warning": self._tokens.warn, "error": self._tokens.danger}[self._kind]
        self._icon.setPixmap(pixmap(self._kind, colour, 20))
        self._close.setIcon(icon("close", self._tokens.muted))
