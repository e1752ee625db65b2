"""Help ▸ Manual, and F1 for the page of the dock that has the focus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from armature.app.feature import Feature
from armature.app.manual.pages import FIRST, of_dock
from armature.app.widgets.actions import Command, block
from armature.app.widgets.dock import Dock

if TYPE_CHECKING:
    from armature.app.manual.window import ManualWindow
    from armature.app.style.colour_tokens import Tokens
    from armature.app.workbench import Workbench


class ManualFeature(Feature):
    """Command that opens the manual; its window is created on first use."""

    commands = block(
        "Help",
        1.5,
        Command("manual", "Manual", tip="Open first steps, panels, tutorials, file formats and algorithms"),
        Command(
            "help_here",
            "Help on this panel",
            keys=("F1",),
            tip="Open the manual page of the active panel, or the list of commands",
        ),
    )

    def __init__(self, bench: Workbench):
        self._bench = bench
        self._window: ManualWindow | None = None

    def wire(self) -> None:
        """Wire both commands and the theme."""
        self._bench.actions.on("manual", self.show)
        self._bench.actions.on("help_here", self._help_here)
        self._bench.look.changed.connect(self._on_look)

    def show(self, name: str = "") -> None:
        """Open the manual at a page, or at the page shown last."""
        tokens = self._bench.look.tokens
        if self._window is None:
            from armature.app.manual.window import ManualWindow  # imports the typesetter, which takes time

            self._window = ManualWindow(self._bench.parent, tokens)
            name = name or FIRST
        self._window.set_theme(tokens)
        if name:
            self._window.open_page(name)
        self._window.show()
        self._window.raise_()
        self._window.activateWindow()

    def _on_look(self, tokens: Tokens) -> None:
        if self._window is not None:
            self._window.set_theme(tokens)

    def _help_here(self) -> None:
        """Open the page of the dock that has the focus, or the list of commands if the view has it."""
        at = QApplication.focusWidget()
        while at is not None and not isinstance(at, Dock):
            at = at.parentWidget()
        page = "" if at is None else of_dock(at.name)
        if page:
            self.show(page)
        else:
            self._bench.actions["help"].trigger()
