"""`FormulaWork`: a formula made in the background, and the text of it that is copied."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from armature.app.state.jobs import JobRunner
from armature.app.widgets.pop_up import copy

if TYPE_CHECKING:
    from PySide6.QtCore import QObject


class FormulaWork:
    """`wanted` is what is made or under way, None for nothing; the latest wins."""

    def __init__(self, name: str, parent: QObject):
        self.wanted: Any = None
        self._maker, self._copier = JobRunner(name, parent), JobRunner(f"{name}-copy", parent)

    def connect(self, made: Callable[[Any], None], failed: Callable[[str], None], uncopied: Callable[[str], None]) -> None:
        """Who gets what was made, why nothing was, and why nothing was copied."""
        self._maker.finished.connect(made)
        self._maker.failed.connect(failed)
        self._copier.finished.connect(copy)
        self._copier.failed.connect(uncopied)

    def want(self, wanted: Any, make: Callable[[], Any]) -> None:
        """Make this, unless it is made or under way."""
        if wanted != self.wanted:
            self.wanted = wanted
            self._maker.start(lambda _: make())

    def copy(self, text: Callable[[], str]) -> None:
        """Write a text on a thread, and take it into the clipboard."""
        self._copier.start(lambda _: text())

    def forget(self) -> None:
        """Another robot: nothing is wanted yet."""
        self._maker.cancel()
        self._copier.cancel()
        self.wanted = None

    def stop(self) -> None:
        """No computation outlives the window."""
        self._maker.stop()
        self._copier.stop()
