"""A titled part of a panel that folds away."""

from __future__ import annotations

from typing import TypeVar, cast

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QLabel, QScrollArea, QSizePolicy, QToolButton, QVBoxLayout, QWidget

Part = TypeVar("Part", bound=QWidget)


class Section(QWidget):
    """A header to click or press, and a body."""

    def __init__(self, title: str, open_: bool = True):
        super().__init__()
        self.header = QToolButton()
        self.header.setText(title)
        self.header.setAccessibleName(f"{title}, show or hide")
        self.header.setProperty("role", "section")
        self.header.setCheckable(True)
        self.header.setChecked(open_)
        self.header.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.header.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.header.setAutoRaise(True)
        self.header.toggled.connect(self._fold)
        self.body = QWidget()
        self.content = QVBoxLayout(self.body)
        self.content.setContentsMargins(0, 0, 0, 6)
        self.content.setSpacing(6)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.header, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self.body)
        self._fold(open_)

    def _fold(self, open_: bool):
        self.header.setArrowType(Qt.ArrowType.DownArrow if open_ else Qt.ArrowType.RightArrow)
        self.body.setVisible(open_)

    def add(self, part: Part) -> Part:
        """Append a widget to the body."""
        self.content.addWidget(part)
        return part


class Page(QScrollArea):
    """A scroll area that asks for the width of what it holds, so that it scrolls only up and down."""

    def held(self) -> QWidget:
        """What it holds, which it does from the beginning."""
        return cast("QWidget", self.widget())

    def minimumSizeHint(self) -> QSize:
        """As wide as the content, a few lines high."""
        bar = self.verticalScrollBar().sizeHint().width()
        return QSize(self.held().minimumSizeHint().width() + bar, 4 * self.fontMetrics().height())

    def sizeHint(self) -> QSize:
        """As wide as the content, and higher."""
        return QSize(self.minimumSizeHint().width(), 24 * self.fontMetrics().height())

    def eventFilter(self, watched, event):
        """The content's least width may have changed."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


class Strip(Page):
    """A scroll area that asks for the height of what it holds, so that it scrolls only sideways, where there is no room."""

    def __init__(self, content: QWidget):
        super().__init__()
        self.setWidgetResizable(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(content)
        content.setProperty("role", "page")
        content.installEventFilter(self)
        self.viewport().setAutoFillBackground(False)

    def minimumSizeHint(self) -> QSize:
        """As high as the content, a few words wide."""
        inside = self.held().minimumSizeHint()
        bar = self.horizontalScrollBar().sizeHint().height() if inside.width() > self.width() else 0
        return QSize(12 * self.fontMetrics().height(), inside.height() + bar)

    def sizeHint(self) -> QSize:
        """As large as the content."""
        return QSize(self.held().sizeHint().width(), self.minimumSizeHint().height())

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self.updateGeometry()


def scrolled(inside: QWidget, name: str) -> Page:
    """What scrolls where there is less room than it needs."""
    area = Page()
    area.setWidgetResizable(True)
    area.setAccessibleName(name)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    inside.setProperty("role", "page")
    area.setWidget(inside)
    inside.installEventFilter(area)
    area.viewport().setAutoFillBackground(False)
    return area


def page(panel: QWidget, name: str) -> QVBoxLayout:
    """Make `panel` a scrolling page; returns the layout of what scrolls."""
    inside = QWidget()
    content = QVBoxLayout(inside)
    content.setContentsMargins(12, 8, 12, 12)
    content.setSpacing(8)
    outer = QVBoxLayout(panel)
    outer.setContentsMargins(0, 0, 0, 0)
    outer.addWidget(scrolled(inside, name))
    return content


def warning() -> QLabel:
    """What has to be seen, hidden where there is nothing of it."""
    label = QLabel()
    label.setProperty("role", "warning")
    label.setWordWrap(True)
    label.hide()
    return label


def note(text: str = "") -> QLabel:
    """A quiet line of explanation that wraps."""
    label = QLabel(text)
    label.setProperty("role", "muted")
    label.setWordWrap(True)
    return label
