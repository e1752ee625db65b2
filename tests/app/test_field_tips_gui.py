"""Tooltips of the fields in all docks: each has one, of its own."""

from __future__ import annotations

from collections import defaultdict

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QToolTip,
    QWidget,
)

from armature.app.late_feature import LateFeature

KINDS = QAbstractSpinBox, QComboBox, QCheckBox, QAbstractSlider, QLineEdit, QPlainTextEdit


def fields(dock) -> list[QWidget]:
    """Controls of a dock that hold a value of the user's, without the parts that they are made of."""
    found = [part for part in dock.findChildren(QWidget) if isinstance(part, KINDS) and not isinstance(part, QScrollBar)]
    return [part for part in found if not any(isinstance(part.parentWidget(), kind) for kind in KINDS)]


def quantity(field: QWidget) -> str:
    """Name of the value that a field holds: a slider and the field next to it hold the same one."""
    return (field.accessibleName() or field.text()).removesuffix(" slider").removesuffix(" value")


def test_every_field_of_every_dock_has_a_tooltip_of_its_own(make_window):
    window = make_window()
    for feature in window.features:
        if isinstance(feature, LateFeature):
            feature.dock.wake()
    missing, shared = [], []
    for dock in window.docks.all():
        of = defaultdict(set)
        for field in fields(dock):
            missing += [] if field.toolTip().strip() else [f"{dock.name}: {field.objectName()}"]
            of[field.toolTip()].add(quantity(field))
        shared += [f"{dock.name}: {sorted(names)} {tip!r}" for tip, names in of.items() if tip and len(names) > 1]
    assert not missing and not shared, "\n".join(missing + shared)


def test_the_control_period_explains_itself_under_the_pointer(make_window, find, wait_for):
    window = make_window()
    window.docks.bring_up("control")
    law = find(window, "control_law")
    law.setFocus()
    while law.currentData() != "computed-torque":
        QTest.keyClick(law, Qt.Key.Key_Down)
    field = find(window, "control_period")
    wait_for(field.isVisible)
    at = QPoint(5, 5)
    QApplication.sendEvent(field, QHelpEvent(QEvent.Type.ToolTip, at, field.mapToGlobal(at)))
    wait_for(QToolTip.isVisible)
    assert "held" in QToolTip.text() and "friction" not in QToolTip.text()
    QToolTip.hideText()
    wait_for(lambda: not QToolTip.isVisible())
