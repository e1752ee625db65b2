"""A new arm is in no file yet: no dock speaks of its file."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QWidget

from armature.app.late_feature import LateFeature

# phrases that claim a robot file; "a Python file" or "to a file" are others
CLAIM = re.compile(
    r"robot's file|file of (the )?(robot|my_arm)|\b[Ii]ts file|file (gives|names|says)|[Aa]s in the file|the file's"
)
IDENTIFICATION = "identify"  # which compares with the parameters of a file, and needs masses


def texts(part: QWidget) -> list[str]:
    """Words and tooltip of a widget."""
    items = [part.itemText(k) for k in range(part.count())] if isinstance(part, QComboBox) else []
    return [part.toolTip(), *items, *([part.text()] if isinstance(part, QLabel | QAbstractButton) else [])]


def test_no_dock_speaks_of_a_file_that_a_new_arm_does_not_have(make_window, find, press, wait_for):
    window = make_window()
    for feature in window.features:
        if isinstance(feature, LateFeature):
            feature.dock.wake()
    press(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    dialog = find(window, "new_robot_dialog")
    wait_for(dialog.isActiveWindow)
    QTest.keyClick(find(dialog, "new_robot_name"), Qt.Key.Key_Return)
    wait_for(lambda: window.document.robot.name == "my_arm" and window.document.robot.source is None)
    wait_for(lambda: "my_arm has no masses" in find(window, "control_message").text())
    claims = {
        f"{dock.name}: {text}"
        for dock in window.docks.all()
        if dock.name != IDENTIFICATION
        for part in dock.findChildren(QWidget)
        for text in texts(part)
        if CLAIM.search(text)
    }
    assert not claims, "\n".join(sorted(claims))
