"""Commands as actions: words, icon, keys, and the place in menus and toolbar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QWidget

from armature.app.style.icons import icon


@dataclass(frozen=True)
class Command:
    """What an action looks like, and where it stands.

    `group` makes exclusive choices; `tip` is a sentence for the tooltip and the help. `menu` is a path such as "View/Camera"; the
    whole part of `place` and `bar` numbers the block between two separators of menu and toolbar, the rest is the order in it.
    `help` is the place in the help, where that is another one.
    """

    name: str
    text: str
    icon: str = ""
    keys: tuple[str, ...] = ()
    tip: str = ""
    checkable: bool = False
    group: str = ""
    menu: str = ""
    place: float = 0.0
    bar: float | None = None
    help: float | None = None


def block(menu: str, place: float, *commands: Command) -> tuple[Command, ...]:
    """Commands that stand in a menu one below the other, from a place on."""
    return tuple(replace(command, menu=menu, place=round(place + k / 10, 1)) for k, command in enumerate(commands))


class Actions:
    """The actions of one window, by name: `actions["run"]`."""

    def __init__(self, window: QWidget, commands: Sequence[Command]):
        self.commands = tuple(commands)
        self._groups: dict[str, QActionGroup] = {}
        self._actions = {command.name: self._make(window, command) for command in commands}

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def all(self) -> list[QAction]:
        """Every action."""
        return list(self._actions.values())

    def on(self, name: str, slot: Callable):
        """Call `slot` without arguments when the action is triggered."""
        self[name].triggered.connect(lambda _=False: slot())

    def explain(self, name: str, why: str = ""):
        """The tooltip: what it does and its key, or why it cannot be done now."""
        command = next(command for command in self.commands if command.name == name)
        self[name].setToolTip(why or _tip(self[name], command))
        self[name].setStatusTip("")

    def set_theme(self, tokens):
        """Draw the icons in the colours of the theme."""
        for command in self.commands:
            if command.icon:
                self[command.name].setIcon(icon(command.icon, tokens.record if command.name == "record" else tokens.text))

    def _make(self, window: QWidget, command: Command) -> QAction:
        action = QAction(command.text, window)
        action.setObjectName(f"action_{command.name}")
        action.setCheckable(command.checkable)
        action.setShortcuts([QKeySequence(keys) for keys in command.keys])
        action.setToolTip(_tip(action, command))
        if command.group:
            group = self._groups.setdefault(command.group, QActionGroup(window))
            group.addAction(action)
        window.addAction(action)
        return action


def _tip(action: QAction, command: Command) -> str:
    """What it does, and its key."""
    keys = f"  ({action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)})" if command.keys else ""
    return f"{command.tip or command.text}{keys}"
