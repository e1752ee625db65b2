"""The window of the manual: contents, a page, a way back and forward, and a search through all pages."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QImage,
    QKeySequence,
    QPainter,
    QResizeEvent,
    QShortcut,
    QShowEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextImageFormat,
    QTextTable,
)
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QPushButton,
    QSplitter,
    QTextBrowser,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from armature.app.equations.typesetter import Piece, Typesetter
from armature.app.manual import pages
from armature.app.style.colour_tokens import LIGHT, Tokens
from armature.app.style.theme import fixed_font
from armature.app.widgets.controls import button, named, search_field
from armature.app.widgets.section import note

FORMULA = "tex"  # scheme of the addresses of formulas
PICTURE = "picture"  # scheme of the addresses of pictures
REFIT = 60  # ms after the last change of the window's size
CODE = QTextFormat.Property.BlockCodeLanguage
NAME = Qt.ItemDataRole.UserRole
SIZE = QSize(62, 42)  # of the window, in heights of a line


class PageView(QTextBrowser):
    """Shows a page: formulas in the colour of the text, pictures at most as wide as the text."""

    def __init__(self) -> None:
        super().__init__()
        self._typesetter, self._tokens = Typesetter(), LIGHT
        self.page = pages.Page("", "", "", ())
        self.setOpenLinks(False)
        named(self, "manual_page", "Page of the manual")
        self._pictures: dict[str, QImage] = {}
        self._refit = QTimer(self, singleShot=True, interval=REFIT)
        self._refit.timeout.connect(self._fit_pictures)

    def show_page(self, page: pages.Page, tokens: Tokens) -> None:
        """Lay out a page in these colours and the present size of text."""
        self.page, self._tokens = page, tokens
        self._pictures.clear()
        self.document().setDefaultFont(self.font())
        self.document().setMarkdown(page.markdown)
        self.document().setDocumentMargin(self.fontMetrics().height())
        block = self.document().begin()
        while block.isValid():
            self._dress(block)
            block = block.next()
        for frame in self.document().rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                self._rule(frame)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._refit.start()

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Image of a formula or a picture."""
        url = QUrl(name)
        if url.scheme() == PICTURE:
            return self._picture(url.path())
        if url.scheme() != FORMULA:
            return None
        size, ratio = self.fontMetrics().height() * 0.95, self.devicePixelRatioF()
        piece = self._typesetter.piece(self.page.formulas[int(url.path())], size, self._tokens.text, ratio)
        return _centred(piece, 0.5 * self.fontMetrics().xHeight(), ratio)

    def go_to(self, heading: str) -> None:
        """Scroll to a heading by its anchor, or to the top."""
        block, top = self.document().begin(), 0.0
        while heading and block.isValid():
            if block.blockFormat().headingLevel() and pages.anchor(block.text()) == heading:
                top = self.document().documentLayout().blockBoundingRect(block).top()
                break
            block = block.next()
        self.verticalScrollBar().setValue(int(top))

    def _dress(self, block: QTextBlock) -> None:
        """Code on a ground of its own, formulas in the middle of their lines."""
        cursor = QTextCursor(block)
        if block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence):
            form = block.blockFormat()
            form.setBackground(QColor(self._tokens.raised))
            if form.property(CODE) != block.previous().blockFormat().property(CODE):  # output below input
                form.setTopMargin(0.5 * self.fontMetrics().height())
            cursor.setBlockFormat(form)
        changes = []
        inside = block.begin()
        while not inside.atEnd():
            part = inside.fragment()
            letters = part.charFormat()
            if letters.isImageFormat() and letters.toImageFormat().name().startswith(f"{PICTURE}:"):
                letters = self._fitted(letters.toImageFormat())
            elif letters.isImageFormat():
                letters.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
            elif letters.fontFixedPitch():
                letters.setFontFamilies(fixed_font().families())
            if letters != part.charFormat():
                changes.append((part.position(), part.length(), letters))
            inside += 1
        for at, length, letters in changes:
            cursor.setPosition(at)
            cursor.setPosition(at + length, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(letters)

    def _picture(self, file: str) -> QImage:
        if file not in self._pictures:
            self._pictures[file] = QImage(str(pages.picture(file, self._tokens.dark)))
        return self._pictures[file]

    def _fitted(self, form: QTextImageFormat) -> QTextImageFormat:
        """Picture in its own size, or as wide as the text if that is less; scaled here, since Qt does it without smoothing."""
        url, ratio = QUrl(form.name()), self.devicePixelRatioF()
        image = self._picture(url.path())
        bar = self.verticalScrollBar().sizeHint().width()
        room = self.width() - 2 * self.frameWidth() - bar - 2 * int(self.document().documentMargin())
        if image.isNull() or form.width() == min(room, image.width()):
            return form
        if image.width() > room:
            image = image.scaledToWidth(round(room * ratio), Qt.TransformationMode.SmoothTransformation)
            image.setDevicePixelRatio(ratio)
        self.document().addResource(QTextDocument.ResourceType.ImageResource, url, image)
        form.setWidth(image.width() / image.devicePixelRatio())
        form.setHeight(image.height() / image.devicePixelRatio())
        return form

    def _fit_pictures(self) -> None:
        bar = self.verticalScrollBar()
        top, block = bar.value(), self.document().begin()
        while self._pictures and block.isValid():
            self._dress(block)
            block = block.next()
        bar.setValue(top)

    def _rule(self, table: QTextTable) -> None:
        form = table.format()
        form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        form.setBorderBrush(QColor(self._tokens.border))
        form.setBorderCollapse(True)
        form.setBorder(1)
        form.setCellPadding(5)
        table.setFormat(form)


def _centred(piece: Piece, axis: float, ratio: float) -> QImage:
    """A formula with as much above as below the height `axis` px over its line, which text puts in the middle."""
    above = piece.ascent - axis
    half = max(above, piece.height - above)
    image = QImage(round(piece.width * ratio) + 1, round(2 * half * ratio) + 1, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.drawImage(QPointF(0.0, half - above), piece.image)
    painter.end()
    return image


class ManualWindow(QDialog):
    """Manual window; non-modal, so that it can stay open next to the panels it describes."""

    def __init__(self, parent: QWidget, tokens: Tokens):
        super().__init__(parent)
        self.setObjectName("manual")
        self.setWindowTitle("Manual")
        self._tokens = tokens
        self._seen: list[tuple[str, str, int]] = []  # page, heading, and where it was scrolled to when it was left
        self._at = -1
        self.list = named(QTreeWidget(), "manual_contents", "Contents")
        self.list.setHeaderHidden(True)
        self.view = PageView()
        self.back = button("manual_back", "Back", tip="Previous page  (Alt+Left)")
        self.forward = button("manual_forward", "Forward", tip="Next page  (Alt+Right)")
        self.browser = button("manual_site", "Open in browser", tip="Open this page in the documentation built by “make docs”")
        self.search = search_field("manual_search", "Search the manual", "Search all pages; Enter finds the next match")
        self.found = named(note(), "manual_found", "Result of the search")
        self._lay_out()
        self._fill()
        self._wire()

    def _lay_out(self) -> None:
        head, parts, column = QHBoxLayout(), QSplitter(), QVBoxLayout(self)
        for part in (self.back, self.forward):
            part.setAutoDefault(False)
            head.addWidget(part)
        head.addWidget(self.search, 1)
        head.addWidget(self.found)
        self.found.setWordWrap(False)
        head.addWidget(self.browser)
        self.browser.setAutoDefault(False)
        close = QPushButton("Close")
        close.setAutoDefault(False)
        close.clicked.connect(self.close)
        head.addWidget(close)
        parts.addWidget(self.list)
        parts.addWidget(self.view)
        parts.setStretchFactor(1, 1)
        em = self.fontMetrics().height()
        parts.setSizes([18 * em, 44 * em])
        parts.setChildrenCollapsible(False)
        column.addLayout(head)
        column.addWidget(parts, 1)
        room = self.screen().availableSize() - QSize(40, 60)
        self.resize((SIZE * em).boundedTo(room))

    def _fill(self) -> None:
        """The contents, as the pages' own tables of contents have them."""
        above: list[QTreeWidgetItem] = []
        for name, level in pages.contents():
            line = QTreeWidgetItem([pages.title(name)])
            line.setData(0, NAME, name)
            del above[max(level - 1, 0) :]
            if level > 1:
                above[-1].addChild(line)
            else:
                self.list.addTopLevelItem(line)
            above.append(line)

    def _wire(self) -> None:
        self.list.currentItemChanged.connect(self._on_line)
        self.view.anchorClicked.connect(lambda url: self._follow(url.toString()))
        self.back.clicked.connect(lambda: self._step(-1))
        self.forward.clicked.connect(lambda: self._step(1))
        self.browser.clicked.connect(self._open_site)
        self.search.returnPressed.connect(self.find_next)
        self.search.textChanged.connect(lambda _: self.found.setText(""))
        keys = QKeySequence.StandardKey
        for key, act in (
            (keys.Back, lambda: self._step(-1)),
            (keys.Forward, lambda: self._step(1)),
            (keys.Find, self.search.setFocus),
            (keys.FindNext, self.find_next),
            (keys.FindPrevious, lambda: self.find_next(back=True)),
        ):
            QShortcut(QKeySequence(key), self, act)

    def open_page(self, name: str, heading: str = "") -> None:
        """Show a page from a heading on, as the next step of the history."""
        if self._at >= 0 and self._seen[self._at][:2] == (name, heading):
            return
        self._leave()
        del self._seen[self._at + 1 :]
        self._seen.append((name, heading, -1))
        self._at += 1
        self._show()

    def find_next(self, back: bool = False) -> None:
        """Go to the next place of the words that are searched for, on this page or another one."""
        words = self.search.text().strip()
        flags = QTextDocument.FindFlag.FindBackward if back else QTextDocument.FindFlag(0)
        if not words or self.view.find(words, flags):
            return
        names = [name for name, _ in pages.contents()]
        here = names.index(self.view.page.name)
        order = names[here + 1 :] + names[: here + 1]
        for name in reversed(order[:-1]) if back else order:
            if words.casefold() in pages.page(name).markdown.casefold():
                self.open_page(name)
                cursor = self.view.textCursor()
                cursor.movePosition(QTextCursor.MoveOperation.End if back else QTextCursor.MoveOperation.Start)
                self.view.setTextCursor(cursor)
                if self.view.find(words, flags):
                    return
        self.found.setText("Not found")

    def set_theme(self, tokens: Tokens) -> None:
        """Colours, and the present size of text."""
        known = self._tokens, self.view.document().defaultFont()
        self._tokens = tokens
        if self._at >= 0 and known != (tokens, self.view.font()):
            self._leave()
            self._show()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.view.setFocus()

    def _on_line(self, line: QTreeWidgetItem | None) -> None:
        if line is not None:
            self.open_page(line.data(0, NAME))

    def _follow(self, link: str) -> None:
        goal = pages.target(self.view.page.name, link)
        if goal is not None:
            self.open_page(*goal)
        else:
            QDesktopServices.openUrl(QUrl(link))

    def _open_site(self) -> None:
        html = pages.site(self.view.page.name)
        if html is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(html)))

    def _leave(self) -> None:
        """Remember how far the page was read."""
        if self._at >= 0:
            name, heading, _ = self._seen[self._at]
            self._seen[self._at] = name, heading, self.view.verticalScrollBar().value()

    def _step(self, by: int) -> None:
        if 0 <= self._at + by < len(self._seen):
            self._leave()
            self._at += by
            self._show()

    def _show(self) -> None:
        name, heading, top = self._seen[self._at]
        self.view.show_page(pages.page(name), self._tokens)
        if top < 0:
            self.view.go_to(heading)
        else:
            self.view.verticalScrollBar().setValue(top)
        self.back.setEnabled(self._at > 0)
        self.browser.setVisible(pages.site(name) is not None)
        self.forward.setEnabled(self._at + 1 < len(self._seen))
        self.setWindowTitle(f"{self.view.page.title} — Manual")
        blocked = self.list.blockSignals(True)
        lines = self.list.findItems("*", Qt.MatchFlag.MatchWildcard | Qt.MatchFlag.MatchRecursive)
        self.list.setCurrentItem(next(line for line in lines if line.data(0, NAME) == name))
        self.list.blockSignals(blocked)
