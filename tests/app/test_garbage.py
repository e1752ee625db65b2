"""Garbage is collected on the GUI's thread alone while a window is open, and by Python again afterwards."""

from __future__ import annotations

import gc
import sys
import threading
from types import ModuleType

from PySide6.QtCore import QObject
from PySide6.QtTest import QTest

from armature.app.window.garbage import MANY, Garbage


def rings(count: int) -> None:
    """Garbage that only a collection finds."""
    for _ in range(count):
        ring = []
        ring.append(ring)


def test_no_other_thread_collects(window, wait_for):
    seen: set[str] = set()

    def note(phase, _):
        seen.add(threading.current_thread().name)

    gc.callbacks.append(note)
    try:
        thread = threading.Thread(target=rings, args=(20_000,))
        thread.start()
        thread.join()
        assert not seen
        wait_for(lambda: seen, 10)
        assert seen == {threading.main_thread().name}
    finally:
        gc.callbacks.remove(note)


def test_rings_of_qt_objects_go(window, wait_for):
    gone = []
    ring = QObject()
    ring.itself = ring
    ring.destroyed.connect(lambda: gone.append(True))
    del ring
    window.garbage.threshold = (0, -1, -1)
    wait_for(lambda: gone, 10)


def test_python_collects_again_once_the_window_is_closed(window):
    assert not gc.isenabled()
    window.close()
    QTest.qWait(10)
    assert gc.isenabled()


def test_what_is_imported_beside_the_window_is_not_looked_through(qapp, monkeypatch):
    gc.collect()
    garbage, frozen, looked = Garbage(), gc.get_freeze_count(), []

    def note(phase, info):
        looked.append(info["generation"])

    gc.callbacks.append(note)
    try:
        rings(2000)
        garbage.check()
        assert looked and gc.get_freeze_count() <= frozen  # fewer where some of them have gone meanwhile
        looked.clear()
        kept = [[k] for k in range(5000)]
        for k in range(MANY):
            monkeypatch.setitem(sys.modules, f"imported_{k}", ModuleType(f"imported_{k}"))
        garbage.check()
        assert gc.get_freeze_count() > frozen + len(kept) and not looked
    finally:
        gc.callbacks.remove(note)
        garbage.stop()
        gc.unfreeze()
