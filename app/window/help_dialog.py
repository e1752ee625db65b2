"""F1: the first steps, and every command, key and gesture, from the tables they are made of; Enter runs the command found."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMainWindow,
    QPushButton,
    QScrollArea,
    QStyledItemDelegate,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from armature.app.widgets.actions import Actions
from armature.app.widgets.controls import search_field
from armature.app.widgets.dock import Dock
from armature.app.window.former_names import FORMER_NAMES
from armature.app.window.help_gestures import GESTURES

BESIDE = 12  # pixels of a column that its text does not get


class WrappedLines(QStyledItemDelegate):
    """Of the lines of `tree` within groups, whose own titles span all columns."""

    def __init__(self, tree: QTreeWidget):
        super().__init__(tree)
        self._tree = tree

    def sizeHint(self, option, index) -> QSize:
        """As Qt has it, or as high as the text."""
        usual = super().sizeHint(option, index)
        if not index.parent().isValid():
            return QSize(0, usual.height())
        indent = self._tree.indentation() if index.column() == 0 else 0
        room = QRect(0, 0, max(40, self._tree.columnWidth(index.column()) - indent - BESIDE), 10_000)
        metrics = self._tree.fontMetrics()
        text = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, str(index.data() or ""))
        return QSize(usual.width(), max(usual.height(), usual.height() - metrics.height() + text.height()))


FIRST_STEPS = (
    ("Pose the arm", "Drag a link in the view, drag a slider, or enter a value. Ctrl+Z undoes it."),
    ("Reach a singularity", "Stretch the elbow or the wrist: the arm turns amber, then red, and Kinematics shows the reason."),
    ("See how far it reaches", "Workspace › Compute draws the reachable positions, coloured by manipulability."),
    ("Let it fall", "Space runs the simulation. The Simulation panel has a torque slider for each joint; Backspace resets."),
    ("Record it", "Ctrl+R records every step to a file. Open the file to replay it."),
)
KEYS = 0.42  # of the table's width, at most
Row = tuple[str, str, str, str, str]
WORDS, COMMAND, TEXT, NAME, FORMER = (Qt.ItemDataRole.UserRole + k for k in range(5))


class HelpDialog(QDialog):
    """Non-modal: it can stay open while trying things."""

    def __init__(self, actions: Actions, window: QMainWindow):
        super().__init__(window)
        self.setObjectName("help_dialog")
        self.setWindowTitle("Commands and first steps")
        self._actions = actions
        columns = QHBoxLayout(self)
        columns.setContentsMargins(20, 16, 20, 14)
        columns.setSpacing(24)
        columns.addWidget(self._steps(), 2)
        columns.addLayout(self._table(rows(actions, window)), 5)
        em = self.fontMetrics().height()
        room = window.screen().availableSize()
        self.resize(min(60 * em, room.width() - 40), min(40 * em, room.height() - 60))

    def _steps(self) -> QScrollArea:
        """They scroll where large text leaves them no room."""
        steps = QWidget()
        column = QVBoxLayout(steps)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(_title("First steps"))
        for k, (head, text) in enumerate(FIRST_STEPS, start=1):
            label, body = QLabel(f"{k}  {head}"), QLabel(text)
            label.setProperty("role", "section")
            label.setWordWrap(True)
            body.setWordWrap(True)
            body.setProperty("role", "muted")
            body.setContentsMargins(self.fontMetrics().horizontalAdvance("8  "), 0, 0, 8)
            column.addWidget(label)
            column.addWidget(body)
        column.addStretch(1)
        area = QScrollArea(widgetResizable=True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(steps)
        return area

    def _table(self, lines: list[Row]) -> QVBoxLayout:
        hint = "Search: key, word or menu; Enter runs it"
        self.search = search_field("help_search", "Search commands, keys and gestures", hint)
        self.search.textChanged.connect(self._filter)
        self.search.installEventFilter(self)
        self.table = QTreeWidget()
        self.table.setObjectName("help_table")
        self.table.setAccessibleName("Commands, keys and gestures")
        self.table.setHeaderHidden(True)
        self.table.setColumnCount(2)
        self.table.setRootIsDecorated(False)
        self.table.setIndentation(14)
        self.table.setSelectionMode(QTreeWidget.SelectionMode.SingleSelection)
        self.table.setWordWrap(True)
        self.table.setItemDelegate(WrappedLines(self.table))
        self.table.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.table.itemActivated.connect(self._run)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._nothing = QLabel("No command found.")
        self._nothing.setProperty("role", "muted")
        self._nothing.hide()
        for line in lines:
            self._add(*line)
        self.table.expandAll()
        self.table.setItemsExpandable(False)
        self.table.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Fixed)
        self.table.viewport().installEventFilter(self)
        close = QPushButton("Close")
        close.setAutoDefault(False)
        close.clicked.connect(self.close)
        column, head, foot = QVBoxLayout(), QHBoxLayout(), QHBoxLayout()
        head.addWidget(_title("Commands, keys, gestures"))
        head.addWidget(self.search, 1)
        foot.addWidget(self._nothing, 1)
        foot.addStretch()
        foot.addWidget(close)
        column.addLayout(head)
        column.addWidget(self.table, 1)
        column.addLayout(foot)
        return column

    def _add(self, group: str, keys: str, text: str, more: str, command: str):
        last = self.table.topLevelItem(self.table.topLevelItemCount() - 1)
        if last is None or last.text(0) != group:
            last = QTreeWidgetItem(self.table, [group])
            last.setFirstColumnSpanned(True)
            font = self.font()
            font.setBold(True)
            last.setFont(0, font)
            last.setFlags(Qt.ItemFlag.ItemIsEnabled)
        line = QTreeWidgetItem(last, [keys, text])
        line.setToolTip(1, text)
        line.setData(0, WORDS, " ".join((group, keys, text, more)).casefold())
        line.setData(0, COMMAND, command)
        line.setData(0, TEXT, text)
        line.setData(0, NAME, next((c.text.rstrip("…") for c in self._actions.commands if c.name == command), text))
        line.setData(0, FORMER, _former_names(group, command))

    def _filter(self, text: str):
        """Show the lines that have all the words."""
        words, found = text.casefold().split(), False
        groups = [self.table.topLevelItem(i) for i in range(self.table.topLevelItemCount())]
        for group in filter(None, groups):
            any_here = False
            for line in filter(None, [group.child(i) for i in range(group.childCount())]):
                fits = all(word in line.data(0, WORDS) for word in words)
                former = "" if fits else _matching(line.data(0, FORMER), words)
                name, title = line.data(0, NAME), line.data(0, TEXT)
                line.setText(1, f"{name}  ({former}){title.removeprefix(name)}" if former else title)
                fits |= bool(former)
                line.setHidden(not fits)
                any_here |= fits
            group.setHidden(not any_here)
            found |= any_here
        self._nothing.setVisible(not found)
        shown = self._commands_shown()
        if shown and words:
            self.table.setCurrentItem(min(shown, key=lambda line: _distance(line.text(1), text.strip())))
        else:
            self.table.setCurrentIndex(QModelIndex())

    def _commands_shown(self) -> list[QTreeWidgetItem]:
        """The lines of commands that fit, in their order."""
        groups = [self.table.topLevelItem(i) for i in range(self.table.topLevelItemCount())]
        lines = [group.child(i) for group in groups if group is not None for i in range(group.childCount())]
        return [line for line in lines if line is not None and not line.isHidden() and line.data(0, COMMAND)]

    def _run(self, line: QTreeWidgetItem | None):
        """Close the dialog and run the command of a line or show its dock; do nothing for gestures and disabled commands."""
        name = line.data(0, COMMAND) if line is not None else ""
        if name.startswith("dock_") and (window := self.parent()) is not None:
            self.close()
            for dock in window.findChildren(Dock, name):
                dock.bring_up()
        elif name and name != "help" and self._actions[name].isEnabled():
            self.close()
            self._actions[name].trigger()

    def eventFilter(self, watched, event) -> bool:
        """From the search field arrows choose a command and Enter runs it; the columns share what room there is."""
        if watched is self.table.viewport() and event.type() == event.Type.Resize:
            self._share_room()
        if watched is not self.search or event.type() != event.Type.KeyPress:
            return super().eventFilter(watched, event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run(self.table.currentItem())
            return True
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(event.key(), 0)
        shown = self._commands_shown()
        if step and shown:
            now = self.table.currentItem()
            k = shown.index(now) + step if now in shown else 0
            self.table.setCurrentItem(shown[max(0, min(k, len(shown) - 1))])
            return True
        return False

    def showEvent(self, event):
        super().showEvent(event)
        self.search.setFocus()
        self.search.clear()

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() in (event.Type.FontChange, event.Type.StyleChange):
            QTimer.singleShot(0, self, self._share_room)

    def _share_room(self):
        """Keys are as wide as the longest of them, up to their share of the table; what is longer wraps."""
        self.table.setColumnWidth(0, min(self.table.sizeHintForColumn(0), int(KEYS * self.table.viewport().width())))
        self.table.scheduleDelayedItemsLayout()  # other widths, other line breaks


def _distance(command: str, typed: str) -> int:
    """How far a command's name is from what was typed: the same, begun so, a word begun so, or only found somewhere."""
    name, typed = command.partition(":")[0].casefold(), typed.casefold()
    return 0 if name == typed else 1 if name.startswith(typed) else 2 if f" {typed}" in name else 3


def rows(actions: Actions, window: QMainWindow) -> list[Row]:
    """Group, keys, text, tooltip and name of every command by its menu, of gestures (no name) and of renamed docks."""
    places = _menu_places(window)
    order = list(dict.fromkeys(places.values()))
    commands = [command for command in actions.commands if actions[command.name] in places]
    commands.sort(key=lambda c: (order.index(places[actions[c.name]]), c.place if c.help is None else c.help))
    lines = [(places[actions[c.name]], _keys(actions[c.name]), _words(c.text, c.tip), c.tip, c.name) for c in commands]
    others = [c for c in actions.commands if actions[c.name] not in places]
    docks = [dock for dock in window.findChildren(Dock) if dock.objectName() in FORMER_NAMES]
    return [
        *((group, keys, text, "", "") for group, keys, text in GESTURES),
        *lines,
        *(("View › Panels", "", dock.windowTitle(), "", dock.objectName()) for dock in docks),
        *(("Elsewhere", _keys(actions[c.name]), _words(c.text, c.tip), c.tip, c.name) for c in others),
    ]


def _former_names(group: str, command: str) -> list[str]:
    """Former titles of a command or dock, and of the menus above it, each as a remark."""
    menus = group.split(" › ")
    paths = ["/".join(menus[: k + 1]) for k in range(len(menus))]
    own = FORMER_NAMES.get(command, ()) or FORMER_NAMES.get(f"action_{command}", ())
    above = [name for path in paths for name in FORMER_NAMES.get(path, ())]
    return [f"formerly {name}" for name in own] + [f"menu formerly {name}" for name in above]


def _matching(former: list[str], words: list[str]) -> str:
    """The first remark with all the words."""
    return next((remark for remark in former if all(word in remark.casefold() for word in words)), "")


def _words(text: str, tip: str) -> str:
    """The command's name, and the sentence about it where that says more."""
    name = text.rstrip("…")
    return f"{name}: {tip[0].lower()}{tip[1:]}" if tip and tip != name else name


def _keys(action: QAction) -> str:
    return " or ".join(keys.toString(QKeySequence.SequenceFormat.NativeText) for keys in action.shortcuts())


def _menu_places(window: QMainWindow) -> dict[QAction, str]:
    """Where in the menu bar each action stands, such as "View › Camera"."""
    places: dict[QAction, str] = {}

    def walk(menu, path: str):
        for action in menu.actions():
            name = action.text().replace("&", "")
            here = f"{path} › {name}" if path else name
            if action.menu() is not None:
                walk(action.menu(), here)
            elif not action.isSeparator():
                places[action] = path

    walk(window.menuBar(), "")
    return places


def _title(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("role", "title")
    return label
