"""One pane of the plots: a plot, and the button over it that says and chooses what it shows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from armature.app.plots.plot_signals import COLUMNS, title
from armature.app.plots.plot_view import PlotView
from armature.app.state.plot_names import LOG, MODES, SIGNALS, checked, modes_of, words

EXPORTS = {"csv": "Save as CSV…", "png": "Save as picture (PNG)…", "svg": "Save as drawing (SVG)…"}


class PlotPane(QWidget):
    """`chosen()` tells that it shows something else, `export_requested(suffix)` and `remove_requested()` the use of the menu."""

    chosen = Signal()
    export_requested = Signal(str)
    remove_requested = Signal()

    def __init__(self, name: str):
        super().__init__()
        self.signal, self.mode = checked(name)
        self.view = PlotView(self.signal, words(self.signal))
        self._button = QToolButton()
        self._button.setObjectName(f"plot_choose_{self.signal}")
        self._button.setProperty("role", "curve")
        self._button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._button.setMenu(self._menu())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._button, 0)
        column.addWidget(self.view, 1)

    @property
    def name(self) -> str:
        """What it shows, as the settings keep it."""
        return self.signal if self.mode == "actual" else f"{self.signal}:{self.mode}"

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        self._signals, self._modes = QActionGroup(menu), QActionGroup(menu)
        self._add(menu, self._signals, SIGNALS, "plot_signal")
        self._below = menu.addSeparator()
        self._add(menu, self._modes, MODES, "plot_mode")
        menu.addSeparator()
        saves = {suffix: menu.addAction(text, partial(self.export_requested.emit, suffix)) for suffix, text in EXPORTS.items()}
        for suffix, action in saves.items():
            action.setObjectName(f"plot_export_{suffix}")
        menu.addSeparator()
        menu.addAction("Follow newest samples", self.view.follow)
        self.remove = menu.addAction("Remove this plot", self.remove_requested.emit)
        self.remove.setObjectName("plot_remove")
        self.view.more = (None, *saves.values(), None, self.remove)
        self._check()
        return menu

    def _add(self, menu: QMenu, group: QActionGroup, titles: dict[str, str], prefix: str):
        for key, text in titles.items():
            self._add_action(menu, group, key, text, prefix, None)
        group.triggered.connect(self._on_choice)

    def _add_action(self, menu: QMenu, group: QActionGroup, key: str, text: str, prefix: str, before: QAction | None):
        action = QAction(text, menu)
        action.setObjectName(f"{prefix}_{key}")
        action.setCheckable(True)
        action.setData(key)
        group.addAction(action)
        if before is None:
            menu.addAction(action)
        else:
            menu.insertAction(before, action)

    def offer_logged(self, signals: Sequence[str]):
        """Signals that a law logs, and the one shown, if it is such a one, besides those that there always are."""
        wanted = dict.fromkeys([*signals, *([self.signal] if self.signal.startswith(LOG) else [])])
        there = {action.data(): action for action in self._signals.actions() if action.data().startswith(LOG)}
        for signal in there.keys() - wanted.keys():
            self._signals.removeAction(there[signal])
            self._button.menu().removeAction(there[signal])
        for signal in (one for one in wanted if one not in there):
            self._add_action(self._button.menu(), self._signals, signal, words(signal), "plot_signal", self._below)
        self._check()

    def _on_choice(self, _):
        self.signal = self._signals.checkedAction().data()
        mode = self._modes.checkedAction().data()
        self.mode = mode if mode in modes_of(self.signal) else "actual"
        self._check()
        self.view.setObjectName(f"plot_{self.signal}")
        self._button.setObjectName(f"plot_choose_{self.signal}")
        self.view.follow()
        self.chosen.emit()

    def _check(self):
        for action in self._signals.actions():
            action.setChecked(action.data() == self.signal)
        for action in self._modes.actions():
            action.setChecked(action.data() == self.mode)
            action.setEnabled(action.data() in modes_of(self.signal))

    def retitle(self, robot, units):
        """Words and unit of what is shown."""
        text = title(self.signal, self.mode, robot, units)
        self.view.set_title(text)
        self.view.legend = self.signal in COLUMNS and len(COLUMNS[self.signal]) > 1
        self.view.under = "position" if self.signal == "phase" else "time [s]"
        self._button.setText(f"{text}  ▾")
        self._button.setAccessibleName(f"Signal of this plot: {text}")
        self._button.setToolTip(
            "Choose the signal, save or remove the plot.\nIn the plot: wheel zooms in time (with Ctrl: values), "
            "drag pans, double-click follows the newest samples; keys: arrows, +, −, Home."
        )
        self._button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)

    def set_theme(self, tokens):
        """Colours of the plot."""
        self.view.set_theme(tokens)
