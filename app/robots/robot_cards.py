"""`RobotCards`: robots by picture, under the headings of their groups."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QImage, QPainter, QPalette, QPen, QPixmap, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from armature.app.robots.robot_catalogue import GROUPS, Entry, Place

PICTURE = QSize(160, 120)  # logical pixels
ENTRY = Qt.ItemDataRole.UserRole
_MARGIN = 8
_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class RobotCards(QListView):
    """Tells `chosen()` when another robot is current, `taken()` when the current one shall be opened, `wanted(place)` when a
    picture is missing that a person would see."""

    chosen = Signal()
    taken = Signal()
    wanted = Signal(object)

    def __init__(self):
        super().__init__()
        self.setObjectName("robot_cards")
        self.setAccessibleName("Robots")
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setWordWrap(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self._cards: dict[Place, QStandardItem] = {}
        self._pictures: dict[Place, QPixmap | None] = {}
        self._model = QStandardItemModel(self)
        self.setModel(self._model)
        self.setItemDelegate(_Card(self))
        self.activated.connect(lambda _: self.taken.emit())
        self.selectionModel().currentChanged.connect(lambda *_: self.chosen.emit())

    def clear(self) -> None:
        """No robots."""
        self._cards, self._pictures = {}, {}
        self._model.clear()

    def add(self, entry: Entry) -> None:
        """One more robot, behind those of its group."""
        headings = [self._model.item(row) for row in range(self._model.rowCount())]
        rank = [GROUPS.index(item.data(ENTRY).group if isinstance(item.data(ENTRY), Entry) else item.text()) for item in headings]
        mine = GROUPS.index(entry.group)
        row = sum(group <= mine for group in rank)
        if mine not in rank:
            heading = QStandardItem(entry.group)
            heading.setFlags(Qt.ItemFlag.NoItemFlags)
            self._model.insertRow(row, heading)
            row += 1
        card = QStandardItem(entry.title)
        card.setData(entry, ENTRY)
        card.setData(f"{entry.title}, {entry.subtitle}", Qt.ItemDataRole.AccessibleTextRole)
        card.setToolTip(entry.refusal or str(entry.place.file))
        self._model.insertRow(row, card)
        self._cards[entry.place] = card

    def set_picture(self, place: Place, picture: QImage | None) -> None:
        """The picture of a robot, None where there can be none."""
        self._pictures[place] = None if picture is None or picture.isNull() else QPixmap.fromImage(picture)
        if place in self._cards:
            self.update(self._cards[place].index())

    def picture(self, place: Place) -> QPixmap | None:
        """What was set, with a word to those who draw pictures where nothing was."""
        if place not in self._pictures:
            self._pictures[place] = None
            self.wanted.emit(place)
        return self._pictures[place]

    def current(self) -> Entry | None:
        """The robot that is chosen."""
        index = self.currentIndex()
        return index.data(ENTRY) if index.isValid() and not self.isRowHidden(index.row()) else None

    def choose(self, place: Place) -> None:
        """Make a robot the chosen one, in sight."""
        if place in self._cards:
            self.setCurrentIndex(self._cards[place].index())

    def narrow(self, words: str) -> None:
        """Show only the robots that these words fit; the first of them is chosen where the chosen one is not among them."""
        shown = {place for place, card in self._cards.items() if card.data(ENTRY).fits(words)}
        groups = {self._cards[place].data(ENTRY).group for place in shown}
        for row in range(self._model.rowCount()):
            entry = self._model.item(row).data(ENTRY)
            hidden = entry.place not in shown if isinstance(entry, Entry) else self._model.item(row).text() not in groups
            self.setRowHidden(row, hidden)
        if self.current() is None and shown:
            self.choose(min(shown, key=lambda place: self._cards[place].row()))
        self.scheduleDelayedItemsLayout()
        self.chosen.emit()

    def keyPressEvent(self, event) -> None:
        """Enter opens what is chosen."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.taken.emit()
        else:
            super().keyPressEvent(event)

    def moves(self, key: int) -> bool:
        """Whether a key pressed beside the cards goes through them."""
        return key in _KEYS


class _Card(QStyledItemDelegate):
    """Paints a heading across the whole width, or a robot's picture with up to three lines below it."""

    def __init__(self, cards: RobotCards):
        super().__init__(cards)
        self._cards = cards

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        line = QFontMetrics(self._cards.font()).height()
        if not isinstance(index.data(ENTRY), Entry):
            return QSize(self._cards.viewport().width() - 2, 2 * line)
        return QSize(PICTURE.width() + 2 * _MARGIN, PICTURE.height() + 3 * line + 2 * _MARGIN + 6)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        entry, palette = index.data(ENTRY), self._cards.palette()
        painter.save()
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        if isinstance(entry, Entry):
            self._card(painter, option, entry, palette)
        else:
            painter.setFont(_bold(self._cards.font()))
            painter.setPen(palette.color(QPalette.ColorRole.Text))
            flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
            painter.drawText(option.rect.adjusted(_MARGIN, 0, 0, -4), flags, index.data())
        painter.restore()

    def _card(self, painter: QPainter, option: QStyleOptionViewItem, entry: Entry, palette: QPalette) -> None:
        rect: QRect = option.rect.adjusted(3, 3, -3, -3)
        state = option.state
        chosen, hovered = bool(state & QStyle.StateFlag.State_Selected), bool(state & QStyle.StateFlag.State_MouseOver)
        border = palette.color(QPalette.ColorRole.Highlight if chosen or hovered else QPalette.ColorRole.Mid)
        painter.setPen(QPen(border, 2.0 if chosen else 1.0))
        painter.setBrush(palette.color(QPalette.ColorRole.AlternateBase))
        painter.drawRoundedRect(rect, 6, 6)
        at = QRect(rect.center().x() - PICTURE.width() // 2 + 1, rect.top() + 4, PICTURE.width(), PICTURE.height())
        picture = self._cards.picture(entry.place)
        if picture is not None:
            painter.drawPixmap(at, picture)
        text = palette.color(QPalette.ColorRole.Text)
        if entry.robot is None:
            text.setAlphaF(0.5)
        painter.setPen(text)
        bold = _bold(self._cards.font())
        for above, words in enumerate(reversed(in_two_lines(entry.title, QFontMetrics(bold), rect.width() - 12)), start=1):
            self._line(painter, rect, above, words, bold)
        text.setAlphaF(0.65)
        painter.setPen(text)
        self._line(painter, rect, 0, entry.subtitle, self._cards.font())

    def _line(self, painter: QPainter, rect: QRect, above: int, words: str, font: QFont) -> None:
        metrics = QFontMetrics(font)
        line = QRect(rect.left() + 6, rect.bottom() - 3 - (above + 1) * metrics.height(), rect.width() - 12, metrics.height())
        painter.setFont(font)
        words = metrics.elidedText(words, Qt.TextElideMode.ElideRight, line.width())
        painter.drawText(line, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter, words)


def in_two_lines(title: str, metrics: QFontMetrics, width: int) -> list[str]:
    """The title as it is, or where it is too wide with its last words, the type of the arm, on a line of their own."""
    words = title.split()
    if metrics.horizontalAdvance(title) <= width or len(words) < 2:
        return [title]
    cut = next((k for k in range(1, len(words)) if metrics.horizontalAdvance(" ".join(words[k:])) <= width), len(words) - 1)
    return [" ".join(words[:cut]), " ".join(words[cut:])]


def _bold(font: QFont) -> QFont:
    out = QFont(font)
    out.setBold(True)
    return out
