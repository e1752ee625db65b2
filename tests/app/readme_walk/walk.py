"""What walks through the window: keys and clicks go where a person's would."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QTabBar

Key, LEFT, RIGHT = Qt.Key, Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton


NONE, CTRL, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


class Walk:
    """One window and the hands at it: keys go to what has the focus, as they would."""

    def __init__(self, window, find, wait_for):
        self.window, self.wait_for = window, wait_for
        self.find = lambda name: find(window, name)

    @property
    def q(self) -> np.ndarray:
        return self.window.document.q

    def key(self, key, keys=NONE):
        self.wait_for(lambda: QApplication.focusWidget() is not None)  # without one Qt ends the process
        QTest.keyClick(QApplication.focusWidget(), key, keys)
        QApplication.processEvents()

    def click(self, widget, at: QPoint | None = None):
        widget = self.find(widget) if isinstance(widget, str) else widget
        self.wait_for(lambda: widget.isVisible() and widget.isEnabled())
        middle = widget.rect().center()
        if isinstance(widget, QCheckBox):
            middle.setX(10)  # its box: right of its words, where the panel is wide, a click counts nothing
        QTest.mouseClick(widget, LEFT, pos=at or middle)
        QApplication.processEvents()

    def tab(self, title: str):
        for bar in self.window.findChildren(QTabBar):
            for k in range(bar.count()):
                if bar.isVisible() and bar.tabText(k) == title:
                    self.click(bar, bar.tabRect(k).center())
                    QTest.qWait(30)
                    return
        raise AssertionError(f"no tab says {title}")

    def menu(self, button: str, entry: str):
        """Open a menu by a click on its button and choose an entry by a click."""
        button, done = self.find(button), []

        def choose():
            menu = button.menu()
            if not menu.isVisible():
                QTimer.singleShot(30, choose)
                return
            action = next(action for action in menu.actions() if action.text() == entry)
            done.append(entry)
            QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())

        QTimer.singleShot(30, choose)
        QTest.mouseClick(button, LEFT)
        self.wait_for(lambda: done and QApplication.activePopupWidget() is None)

    def menu_bar(self, *path: str):
        """Choose an entry of the menu bar, through the menus on the way, by clicks."""
        bar, done = self.window.menuBar(), []

        def click_next(menu, titles):
            if menu is not None and not menu.isVisible():
                QTimer.singleShot(30, lambda: click_next(menu, titles))
                return
            shown = bar if menu is None else menu
            action = next(action for action in shown.actions() if action.text().replace("&", "") == titles[0])
            if titles[1:]:
                QTimer.singleShot(30, lambda: click_next(action.menu(), titles[1:]))
            else:
                done.append(action)
            QTest.mouseClick(shown, LEFT, pos=shown.actionGeometry(action).center())

        click_next(None, path)
        self.wait_for(lambda: done and QApplication.activePopupWidget() is None)

    def choose(self, box: str, data):
        """By the mouse in the list that opens."""
        box = self.find(box)
        self.click(box)
        view = box.view()
        self.wait_for(lambda: view.isVisible())
        index = view.model().index(box.findData(data), 0)
        view.scrollTo(index)
        QTest.mouseMove(view.viewport(), view.visualRect(index).center())
        QTest.qWait(QApplication.doubleClickInterval() + 100)  # so long a list takes a click for part of the one that opened it
        QTest.mouseClick(view.viewport(), LEFT, pos=view.visualRect(index).center())
        self.wait_for(lambda: box.currentData() == data and not view.isVisible())

    def type(self, field: str, text: str):
        field = self.find(field)
        QTest.mouseClick(field.lineEdit(), LEFT)
        field.selectAll()
        QTest.keyClicks(QApplication.focusWidget(), text)
        self.key(Key.Key_Return)
        assert self.window.scene.hasFocus()

    def pixel(self, p) -> QPoint:
        x, y, _ = self.window.scene.camera.project(np.asarray(p))
        return QPoint(round(float(x)), round(float(y)))

    def beside(self) -> QPoint:
        """A pixel of the view where nothing is."""
        scene = self.window.scene
        free = (QPoint(x, y) for y in range(60, scene.height() - 60, 23) for x in range(40, scene.width() // 2, 23))
        return next(at for at in free if scene.pick(at.x(), at.y()) is None)
