"""Tables of live numbers: as high as their rows, and never wider than a dock should be."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt

from armature.app.widgets.tables.number_table import MOST, NumberTable


@pytest.fixture
def table(qtbot):
    table = NumberTable("Jacobian", "J", decimals=3, whole=1)
    qtbot.addWidget(table)
    return table


def test_many_columns_scroll_inside(table, qtbot):
    widths = []
    for count in (6, MOST, 18):
        table.set_shape("abcdef", [f"joint{k}" for k in range(count)])
        table.resize(table.minimumSize())
        table.show()
        qtbot.waitUntil(lambda count=count: (table.horizontalScrollBar().maximum() > 0) == (count > MOST))
        widths.append(table.minimumWidth())
    assert widths[0] < widths[1] == widths[2]
    assert not table.verticalScrollBar().isVisible()
    last = table.visualRect(table.numbers.index(5, 0))
    assert last.bottom() <= table.viewport().height()  # the bar hides no row


def test_new_numbers_keep_the_shape(table):
    table.set_shape("ab", "xyz")
    table.numbers.set_values(np.arange(6.0).reshape(2, 3))
    assert table.as_text().splitlines()[0] == "\tx\ty\tz"
    assert table.numbers.text(1, 2) == "5.000"


def test_a_name_longer_than_its_column_keeps_its_beginning_and_its_end(table, qtbot):
    def picture(name):
        table.set_shape("ab", [name, "q"])
        table.resize(table.minimumSize())
        assert header.fontMetrics().horizontalAdvance(name) > header.sectionSize(0)
        return header.grab().toImage()

    header = table.horizontalHeader()
    table.show()
    left = picture("left_shoulder_roll")
    assert left == picture("left_shoulder_roll")
    assert left != picture("right_shoulder_roll")
    assert left != picture("left_shoulder_yaw")
    assert table.numbers.headerData(0, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole) == "left_shoulder_yaw"
