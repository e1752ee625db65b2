"""The settings in force: changed in one place, told to all, kept in the store."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from armature.app.state.settings import MemoryStore, Settings, encode
from armature.app.state.units import Units


class Preferences(QObject):
    """Holds the frozen `Settings`; `changed(name)` tells which field is new, `units_changed(units)` follows for a unit, and
    `not_kept(message)` tells once that they cannot be written."""

    changed = Signal(str)
    not_kept = Signal(str)
    units_changed = Signal(object)

    def __init__(self, store, parent: QObject | None = None):
        super().__init__(parent)
        if isinstance(store, Settings):
            store = MemoryStore(encode(store))
        self._store = store
        self.now, self.complaint = store.load()
        self._told = False

    @property
    def units(self) -> Units:
        """Units of the display."""
        return Units(self.now.angle_unit, self.now.length_unit)

    def set(self, **changes):
        """Replace fields, keep them, tell about each."""
        before, self.now = self.now, replace(self.now, **changes)
        if self.now != before:
            trouble = self._store.save(self.now)
            if trouble and not self._told:
                self._told = True
                self.not_kept.emit(trouble)
        old, now = vars(before), vars(self.now)
        new = [name for name in changes if old[name] != now[name]]
        for name in new:
            self.changed.emit(name)
        if {"angle_unit", "length_unit"} & set(new):
            self.units_changed.emit(self.units)

    def add_recent(self, path: str):
        """Put `path` first among the recent files."""
        self.set(recent_files=self.now.with_recent(path).recent_files)

    def add_recent_law(self, path: str):
        """Put `path` first among the recent control laws."""
        self.set(recent_laws=self.now.with_recent_law(path).recent_laws)

    def set_overlay(self, name: str, on: bool):
        """Remember whether an overlay of the view is shown."""
        self.set(overlays=self.now.with_overlay(name, on).overlays)
