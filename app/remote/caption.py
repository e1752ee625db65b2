"""`ScriptCaption`: which script drives the window, and the ways to be rid of it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel

from armature.app.widgets.controls import button


class ScriptCaption(QFrame):
    """There in the corner of the view while a script is connected."""

    take_over = Signal(bool)
    disconnect_wanted = Signal()

    def __init__(self):
        super().__init__()
        self.setObjectName("script_caption")
        self.setProperty("role", "caption")
        self.text = QLabel()
        self.text.setObjectName("script_caption_text")
        self.take = button(
            "script_take_over",
            "Take over",
            tip="Control the arm yourself; the script remains connected, but its poses are not shown",
        )
        self.take.setCheckable(True)
        self.take.toggled.connect(self.take_over)
        leave = button("script_disconnect", "Disconnect", tip="End the connection; the script is notified")
        leave.clicked.connect(lambda _: self.disconnect_wanted.emit())
        line = QHBoxLayout(self)
        line.setContentsMargins(10, 4, 6, 4)
        line.setSpacing(6)
        for part in (self.text, self.take, leave):
            line.addWidget(part)
        self.hide()

    def show_state(self, name: str, state: str, pid: int = 0) -> None:
        """What the script of that name and process does; hidden for no name."""
        text = f"{name} {state}"
        if name and text != self.text.text():
            self.text.setText(text)
            self.text.setToolTip(f"Process {pid}")
        self.setVisible(bool(name))
