"""The wheel over a field or a list that nobody chose scrolls the panel; it changes nothing there."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from armature.app.widgets.choice_box import ChoiceBox
from armature.app.widgets.plain_field import PlainField, WholeField
from armature.app.widgets.value_field import ValueField


def wheel(widget) -> bool:
    """One notch up, in the middle of the widget; whether it took it."""
    at, no = widget.rect().center(), Qt.KeyboardModifier.NoModifier
    phase = Qt.ScrollPhase.NoScrollPhase
    place = QPointF(widget.mapToGlobal(at))
    event = QWheelEvent(QPointF(at), place, QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, no, phase, False)
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


@pytest.mark.parametrize("make", [PlainField, WholeField, lambda: ValueField(2, 1.0, " m"), ChoiceBox])
def test_the_wheel_changes_only_what_was_chosen(qtbot, make):
    widget = make()
    qtbot.addWidget(widget)
    choices = isinstance(widget, ChoiceBox)
    if choices:
        widget.addItems(["one", "two", "three"])
        widget.setCurrentIndex(1)
    value = widget.currentIndex if choices else widget.value
    widget.show()
    widget.activateWindow()
    qtbot.waitUntil(widget.isActiveWindow)
    widget.clearFocus()
    before = value()
    assert not wheel(widget) and value() == before
    assert widget.focusPolicy() == Qt.FocusPolicy.StrongFocus  # not WheelFocus, which Qt gives and the wheel would take
    widget.setFocus()
    assert wheel(widget) and value() != before
