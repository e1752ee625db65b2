"""The line below tells how far the kernels for the next start are, and why they are not kept."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel

from armature.app.widgets.status_line import StatusLine
from armature.app.window.next_start import NextStart
from armature.engine import native_kernels
from armature.engine.errors import EngineError


@pytest.fixture
def line(qapp):
    line = StatusLine()
    yield line
    line.deleteLater()


def note(line) -> QLabel:
    return line.findChild(QLabel, "status_note")


def begin(line, monkeypatch, make, waits=True) -> NextStart:
    monkeypatch.setattr(native_kernels, "waits_for_native", lambda: waits)
    monkeypatch.setattr(native_kernels, "make_native", make)
    start = NextStart(line, ("a",))
    start.begin()
    return start


def test_it_counts_and_then_says_that_the_next_start_takes_them(line, monkeypatch, wait_for):
    seen, homes = [], []

    def make(progress, cancelled, more):
        homes.append(more)
        progress(46, 46)
        return True

    start = begin(line, monkeypatch, make)
    start.runner.progressed.connect(lambda *_: seen.append(note(line).text()))
    wait_for(lambda: not start.runner.busy)
    assert homes == [("a",)] and seen == ["Compiling for a faster next start 46/46"]
    assert note(line).text() == "The next start will be faster" and not note(line).isHidden()
    assert "next start" in note(line).toolTip()


def test_a_program_without_kernels_of_its_own_says_nothing(line, monkeypatch, wait_for):
    start = begin(line, monkeypatch, None, waits=False)
    wait_for(lambda: not start.runner.busy)
    assert note(line).isHidden()


def test_kernels_that_cannot_be_kept_are_told_with_the_reason(line, monkeypatch, wait_for):
    def make(progress, cancelled, more):
        raise EngineError("kernels for this processor cannot be saved in /cache: Read-only file system")

    start = begin(line, monkeypatch, make)
    wait_for(lambda: not start.runner.busy)
    assert note(line).text() == "Kernel cache not writable"
    assert "/cache: Read-only file system. The kernels" in note(line).toolTip()
