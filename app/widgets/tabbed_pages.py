"""`TabbedPages`: a bar of tabs above the page of the current one."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QStackedWidget, QTabBar, QWidget

from armature.app.widgets.controls import fill, named


class TabbedPages(QWidget):
    """`pages` by the titles of their tabs, in order."""

    def __init__(self, name: str, title: str, pages: Mapping[str, QWidget]):
        super().__init__()
        self.bar = named(QTabBar(), name, title)
        self.bar.setDrawBase(False)
        self.bar.setExpanding(False)
        stack, self._titles = QStackedWidget(), list(pages)
        for text, part in pages.items():
            self.bar.addTab(text)
            stack.addWidget(part)
        self.bar.currentChanged.connect(stack.setCurrentIndex)
        fill(self, self.bar, stack, spacing=0, stretches=(0, 1))

    @property
    def page(self) -> str:
        """Title of the current page."""
        return self._titles[self.bar.currentIndex()]

    def show_page(self, title: str) -> None:
        """Bring a page to the front."""
        self.bar.setCurrentIndex(self._titles.index(title))
