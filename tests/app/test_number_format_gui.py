"""One number format in the window, that of the system's language; what is copied for programs keeps that of C."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QLabel, QTableView

from armature.app.state.number_marks import MARKS, NARROW, said
from armature.app.state.units import grouped, number, significant

FOREIGN = re.compile(r"\d\.(?!\d{3}(?!\d))\d|(?<![\w.])-\d")  # a point that is no mark of thousands, a hyphen as a minus
OF_THE_FILE = ("robot_description", "robot_sources", "robot_remarks")  # told in the words of the robot's file


@pytest.fixture
def german():
    before = QLocale()
    QLocale.setDefault(QLocale("de_DE"))
    yield
    QLocale.setDefault(before)
    MARKS.use(".", NARROW)


def texts(window):
    """All that can be read in the window's widgets."""
    for widget in window.findChildren(QLabel) + window.findChildren(QAbstractSpinBox):
        yield widget.objectName(), widget.text()
        yield widget.objectName(), widget.toolTip()
    for box in window.findChildren(QComboBox):
        yield from ((box.objectName(), box.itemText(k)) for k in range(box.count()))
    for table in window.findChildren(QTableView):
        model = table.model()
        for row in range(model.rowCount()):
            yield from ((table.objectName(), str(model.index(row, k).data())) for k in range(model.columnCount()))


def test_fields_and_readouts_write_numbers_alike(german, make_window, find, wait_for, press):
    window = make_window("puma560")
    field = find(window, "joint_value_joint3")
    assert field.text() == "−180,00°" and find(window, "joint_limits_joint3").text() == "−225° … 45°"
    assert find(window, "workspace_samples").text() == "100.000"
    for typed in ("12,5", "12.5"):
        QTest.mouseClick(field.lineEdit(), Qt.MouseButton.LeftButton)
        field.selectAll()
        QTest.keyClicks(field.lineEdit(), typed)
        QTest.keyClick(field.lineEdit(), Qt.Key.Key_Return)
        assert field.text() == "12,50°" and field.value() == 12.5
    wait_for(lambda: "," in find(window, "value_condition").text())
    press(window.scene, Qt.Key.Key_Insert)
    window.document.edit(window.document.q - 0.1)
    press(window.scene, Qt.Key.Key_Insert)
    press(window.scene, Qt.Key.Key_Right)
    wait_for(lambda: window.simulation.latest.steps == 1 and "0,001 s" in find(window, "simulation_state").text())
    wait_for(lambda: "within" in find(window, "trajectory_status").text())
    assert find(window, "readout_time").text() == "t 0,00 s"
    wrong = [(name, text) for name, text in texts(window) if name not in OF_THE_FILE and FOREIGN.search(text)]
    assert not wrong
    jacobian = find(window, "table_jacobian")
    jacobian.setFocus()
    QTest.keyClick(jacobian, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert re.search(r"\d\.\d", QApplication.clipboard().text()) and "−" not in QApplication.clipboard().text()


def test_numbers_of_the_language():
    try:
        MARKS.use(",", ".")
        assert (number(-1234.5, 2), grouped(1234567), significant(-1e-5)) == ("−1234,50", "1.234.567", "−1e−05")
        assert said("condition 5.14, -0.5 m, joint-2 is file 3") == "condition 5,14, −0,5 m, joint-2 is file 3"
        assert said("3,690 samples, 1,5, 0.25") == "3.690 samples, 1,5, 0,25"
    finally:
        MARKS.use(".", NARROW)
    assert (number(-0.001, 2), grouped(-1234), said("3,690 of 1.5")) == ("0.00", f"−1{NARROW}234", f"3{NARROW}690 of 1.5")
