"""Options below each other, one of which is chosen; their texts wrap."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QLabel, QRadioButton, QWidget

from armature.app.widgets.controls import named


class RadioList(QWidget):
    """The options `name_0`, `name_1` …; tells `chosen(k)` where a person chooses one."""

    chosen = Signal(int)

    def __init__(self, name: str, texts: Sequence[str] = ()):
        super().__init__()
        self._name = name
        self.group = QButtonGroup(self)
        self.group.idClicked.connect(self.chosen)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(1, 1)
        self._grid.setVerticalSpacing(4)
        self._texts: tuple[str, ...] = ()
        self.set_texts(texts)

    @property
    def index(self) -> int:
        """Which is chosen; −1 for none."""
        return self.group.checkedId()

    def set_texts(self, texts: Sequence[str]) -> None:
        """Other options, none of them chosen; the same ones stay as they are."""
        if tuple(texts) == self._texts:
            return
        self._texts = tuple(texts)
        for radio in self.group.buttons():
            self.group.removeButton(radio)
        while (item := self._grid.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.setParent(None)  # nothing in the window has its name any more
                old.deleteLater()
        for k, text in enumerate(texts):
            radio = named(QRadioButton(), f"{self._name}_{k}", text)
            self.group.addButton(radio, k)
            self._grid.addWidget(radio, k, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(_Caption(text, radio), k, 1)

    def choose(self, k: int) -> None:
        """Show this one as chosen; none for −1."""
        self.group.setExclusive(False)
        for radio in self.group.buttons():
            radio.setChecked(self.group.id(radio) == k)
        self.group.setExclusive(True)


class _Caption(QLabel):
    """A text that wraps, a click on which is one on its button."""

    def __init__(self, text: str, radio: QRadioButton):
        super().__init__(text)
        self._radio = radio
        self.setWordWrap(True)

    def mousePressEvent(self, event):
        self._radio.click()
