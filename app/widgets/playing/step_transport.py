"""Buttons, timeline, speed and keys of a walk that is made move by move."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QAbstractButton, QComboBox, QToolButton, QVBoxLayout, QWidget

from armature.app.style.colour_tokens import Tokens
from armature.app.style.icons import icon
from armature.app.widgets.controls import named, row, speeds
from armature.app.widgets.playing.timeline import Timeline

FINE = 100  # positions of the timeline per move
SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0)
WORDS = {
    "previous_joint": ("", "Ctrl+←"),
    "previous_move": ("Previous step", "←"),
    "play": ("Play or pause", "Space"),
    "next_move": ("Next step", "→"),
    "next_joint": ("", "Ctrl+→"),
    "loop": ("Repeat from the start", ""),
}
KEYS = {
    (Qt.Key.Key_Right, False): "next_move",
    (Qt.Key.Key_Left, False): "previous_move",
    (Qt.Key.Key_Right, True): "next_joint",
    (Qt.Key.Key_Left, True): "previous_joint",
    (Qt.Key.Key_Home, False): "start",
    (Qt.Key.Key_End, False): "end",
    (Qt.Key.Key_Space, False): "play",
}
OWN_KEYS = {QComboBox: ("start", "end", "play"), QAbstractButton: ("play",)}  # what these do themselves with such a key


class StepTransport(QWidget):
    """Tells what a person wants: `requested(name)` of a button or key, a point of the walk, a speed, to start over at the end.

    `prefix` begins the names of its controls; `back` and `on` say what the outer buttons do.
    """

    requested = Signal(str)
    seek_requested = Signal(float)
    speed_chosen = Signal(float)
    loop_chosen = Signal(bool)

    def __init__(self, prefix: str, back: str, on: str, tip: str):
        super().__init__()
        self._tokens: Tokens | None = None
        self.buttons: dict[str, QToolButton] = {}
        for name, (text, keys) in WORDS.items():
            text = text or {"previous_joint": back, "next_joint": on}[name]
            step = self.buttons[name] = named(QToolButton(), f"{prefix}_{name}", text, f"{text}  ({keys})" if keys else text)
            step.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            if name == "loop":
                step.setCheckable(True)
                step.toggled.connect(self.loop_chosen)
            else:
                step.clicked.connect(lambda _=False, name=name: self.requested.emit(name))
        speed = speeds(f"{prefix}_speed", "Speed of the steps", SPEEDS, "Playback speed of the steps")
        speed.currentIndexChanged.connect(lambda i: self.speed_chosen.emit(SPEEDS[i]))
        self._timeline = named(Timeline(FINE), f"{prefix}_timeline", "Steps", tip)
        self._timeline.valueChanged.connect(lambda position: self.seek_requested.emit(position / FINE))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(row(*self.buttons.values(), None, speed, spacing=4))
        column.addWidget(self._timeline)

    def take_keys_of(self, panel: QWidget):
        """Keys of the walk work wherever in the panel the focus is."""
        for child in (panel, *panel.findChildren(QWidget)):
            child.installEventFilter(self)

    def set_count(self, moves: int):
        """A walk of so many moves."""
        with QSignalBlocker(self._timeline):
            self._timeline.setRange(0, moves * FINE)
            self._timeline.setPageStep(4 * FINE)

    def show_time(self, p: float, playing: bool):
        """Where the walk is, and whether it goes on by itself."""
        with QSignalBlocker(self._timeline):
            if not self._timeline.isSliderDown():
                self._timeline.setValue(round(p * FINE))
        if self.buttons["play"].property("playing") != playing:
            self.buttons["play"].setProperty("playing", playing)
            self._draw_icons()

    def set_theme(self, tokens: Tokens):
        """Colours of the icons."""
        self._tokens = tokens
        self._draw_icons()

    def _draw_icons(self):
        if self._tokens is None:
            return
        for name, button in self.buttons.items():
            picture = ("pause" if button.property("playing") else "run") if name == "play" else name
            button.setIcon(icon(picture, self._tokens.text))

    def eventFilter(self, watched, event):
        """The keys come before any shortcut of the window, but not before those a control has itself."""
        if event.type() not in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            return super().eventFilter(watched, event)
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        control = modifiers == Qt.KeyboardModifier.ControlModifier
        name = KEYS.get((event.key(), control)) if control or not modifiers else None
        if name is None or not self.isEnabled() or not watched.isEnabled():
            return super().eventFilter(watched, event)
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if any(isinstance(watched, kind) and name in own for kind, own in OWN_KEYS.items()):
            return super().eventFilter(watched, event)
        self.requested.emit(name)
        return True
