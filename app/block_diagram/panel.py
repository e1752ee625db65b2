"""The block diagram as a strip: Trajectory → Control → Dynamics → ∫ → Kinematics, with the way back."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import QComboBox, QToolButton, QWidget

from armature.app.block_diagram.diagram_signals import ARROWS, Reading, plot_title
from armature.app.block_diagram.parts import ArrowPart, Block, Part, draw_arrow, draw_line
from armature.app.block_diagram.strip_height import folds_by_itself, strip_height
from armature.app.style.colour_tokens import LIGHT, Tokens
from armature.app.style.icons import icon
from armature.app.widgets.controls import choice, named
from armature.engine import Robot

MARGIN = 6  # px
WIDEST = 140  # px of a block, at usual text
BLOCKS = {
    "trajectory": ("Trajectory", "idle"),
    "control": ("Control", "idle"),
    "dynamics": ("Dynamics", "M q̈ + C q̇ + g + ε = τ"),
    "integration": ("∫", ""),
    "kinematics": ("Kinematics", "x = f(q)"),
}
FORWARD = ("desired", "torque", "acceleration", "position", "tool")  # the arrow behind each block


class BlockDiagramPanel(QWidget):
    """`block_clicked(name)`, `plot_requested(name)`, `menu_requested(arrow, place)`, `joint_chosen(joint)`.

    Folds to one line in a low window until a person folds or unfolds it, and again from the next change between low and high.
    """

    block_clicked = Signal(str)
    plot_requested = Signal(str)
    menu_requested = Signal(str, QPoint)
    joint_chosen = Signal(int)

    def __init__(self):
        super().__init__()
        self._tokens: Tokens = LIGHT
        self._low: bool | None = None
        self.folded = False
        self.blocks = {name: Block(name, *words) for name, words in BLOCKS.items()}
        self.arrows = {name: ArrowPart(name, back=name == "feedback") for name in ARROWS}
        for name, block in self.blocks.items():
            block.clicked.connect(lambda _=False, name=name: self.block_clicked.emit(name))
        for name, arrow in self.arrows.items():
            arrow.clicked.connect(lambda _=False, name=name: self.plot_requested.emit(ARROWS[name].plots[0]))
            arrow.menu_requested.connect(lambda place, name=name: self.menu_requested.emit(name, place))
        self._line: list[Part] = [
            part for pair in zip(self.blocks.values(), (self.arrows[name] for name in FORWARD)) for part in pair
        ]
        self._line.append(self.arrows["feedback"])
        for part in self._line:
            part.setParent(self)
            part.installEventFilter(self)
        self.joint: QComboBox = choice("diagram_joint", "Joint shown", {})
        self.joint.setToolTip("Joint whose value is shown on arrows too small for the values of all joints")
        self.joint.setParent(self)
        self.joint.currentIndexChanged.connect(self.joint_chosen)
        self.fold = named(QToolButton(self), "diagram_fold")
        self.fold.setAutoRaise(True)
        self.fold.clicked.connect(lambda: self.set_folded(not self.folded))
        self.set_folded(False)

    def set_robot(self, robot: Robot) -> None:
        """Another arm's joints to choose from."""
        with QSignalBlocker(self.joint):
            self.joint.clear()
            self.joint.addItems(robot.joint_names)
        self._arrange()

    def show_reading(self, name: str, reading: Reading, needed: str = "") -> None:
        """The numbers at an arrow; `needed` says what for where nothing gives them."""
        arrow = self.arrows[name]
        known = arrow.known
        arrow.show_reading(reading, max(self.joint.currentIndex(), 0), bool(needed))
        if arrow.known != known:
            self.update()
        tip = [f"{needed or ARROWS[name].words}:", *(reading.line(k) for k in range(len(reading.names)))] if arrow.known else []
        title = plot_title(ARROWS[name].plots[0])
        more = "; right-click for other plots" if len(ARROWS[name].plots) > 1 else ""
        arrow.setToolTip("\n".join([*(tip or [f"{ARROWS[name].words}: no value at this time"]), f"Click: plot “{title}”{more}"]))
        arrow.setAccessibleDescription(", ".join(tip[1:]))

    def settle(self) -> None:
        """Once all numbers are there: whether a joint has to be chosen."""
        needed = not self.folded and self.joint.count() > 1 and not all(self.arrows[name].tells_all for name in ARROWS)
        if needed != self.joint.isVisibleTo(self):
            self.joint.setVisible(needed)

    # -- folding ---------------------------------------------------------------------------------------------------------------

    def set_folded(self, on: bool) -> None:
        """To one line of symbols, or back."""
        self.folded = on
        for part in self._line:
            part.folded = on
            part.update()
        self.arrows["feedback"].setVisible(not on)
        words = "Unfold the block diagram" if on else "Fold the block diagram to one line"
        self.fold.setToolTip(words)
        self.fold.setAccessibleName(words)
        self._dress()

    def showEvent(self, event):
        super().showEvent(event)
        self.window().installEventFilter(self)
        self._follow()

    def hideEvent(self, event):
        super().hideEvent(event)
        self.window().removeEventFilter(self)

    def fit(self, window: int) -> None:
        """Fold or unfold for a window of that height in px, at the present size of text."""
        low = folds_by_itself(self._text, window)
        if low != self._low:
            self._low = low
            self.set_folded(low)

    def _follow(self) -> None:
        self.fit(self.window().height())

    def eventFilter(self, watched, event) -> bool:
        """The window's size; in a part, ← and → go on to the next and Return presses, as Space does."""
        if watched is not self.window():
            return isinstance(watched, Part) and self._key(watched, event)
        if event.type() == QEvent.Type.Resize:
            self._follow()
        return False

    def _key(self, part: Part, event: QEvent) -> bool:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if not isinstance(event, QKeyEvent) or event.type() == QEvent.Type.KeyRelease or event.modifiers():
            return False
        key = Qt.Key(event.key())
        if key not in (*steps, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if key in steps:
            shown = [other for other in self._line if other.isVisible()]
            shown[(shown.index(part) + steps[key]) % len(shown)].setFocus(Qt.FocusReason.TabFocusReason)
        else:
            part.click()
        return True

    # -- places ----------------------------------------------------------------------------------------------------------------

    @property
    def _text(self) -> int:
        """Height of a line of text, px."""
        return self.fontMetrics().height()

    def minimumSizeHint(self) -> QSize:
        """As wide as the titles and a number at each arrow."""
        width = sum(part.least() for part in self._line[:-1]) + 2 * MARGIN + (self._button() if self.folded else 0)
        return QSize(width, strip_height(self._text, self.folded))

    def sizeHint(self) -> QSize:
        """As high as it is, and wide."""
        return QSize(1000, self.minimumSizeHint().height())

    def _button(self) -> int:
        return self.fold.sizeHint().width() + 4

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Every part in its place: blocks as wide as they need or a little more, arrows share what is left."""
        h, right = self._text, self._button() if self.folded else 0
        room = self.width() - 2 * MARGIN - right
        least = [part.least() for part in self._line[:-1]]
        spare = max(0, room - sum(least))
        most = WIDEST * h // 16
        widths = [
            width
            if self.folded or isinstance(part, ArrowPart) or part is self.blocks["integration"]
            else min(max(most, part.wish()), width + spare // 2)
            if part is self.blocks["dynamics"]
            else min(max(most, width), width + spare // 8)
            for part, width in zip(self._line, least)
        ]
        share, x = max(0, room - sum(widths)) // len(FORWARD), MARGIN
        middle = self.height() // 2 if self.folded else MARGIN + h + 5
        for part, width in zip(self._line, widths):
            if isinstance(part, ArrowPart):
                width += share
                top, height = (middle - h // 2 - 3, h + 6) if self.folded else (middle - h - 4, 4 * h + 10)
            else:
                height = h + 8 if self.folded else 2 * h + 10
                top = middle - height // 2
                height += h if part is self.blocks["dynamics"] and not self.folded else 0  # what ε is, below its equation
            part.setGeometry(x, top, width, height)
            x += width
        start, end = self.blocks["control"].geometry().center().x(), self.arrows["position"].geometry().center().x()
        lane = middle + 4 * h - h // 3 + 9
        self.arrows["feedback"].setGeometry(start + 2, lane - h // 2 - 2, end - start - 4, h + 4)
        side = self.fold.sizeHint()
        top = middle - side.height() // 2 if self.folded else self.height() - side.height() - 3
        self.fold.setGeometry(QRect(QPoint(self.width() - side.width() - 4, top), side))
        hint = self.joint.sizeHint()
        self.joint.setGeometry(MARGIN, self.height() - hint.height() - 3, min(hint.width(), start - 2 * MARGIN), hint.height())
        self.settle()
        self.update()

    def paintEvent(self, event):
        """The corners of the way back."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(self._tokens.border))
        painter.drawLine(0, self.height() - 1, self.width(), self.height() - 1)
        if self.folded:
            return
        lane, control = self.arrows["feedback"].geometry(), self.blocks["control"].geometry()
        flows = self.arrows["feedback"].known
        colour = QColor(self._tokens.text if flows else self._tokens.muted)
        y, bottom = lane.center().y() + 0.5, control.bottom() + 1.0
        draw_line(
            painter,
            QPointF(lane.right() + 3, self.arrows["position"].geometry().bottom()),
            QPointF(lane.right() + 3, y),
            colour,
            flows,
        )
        draw_line(painter, QPointF(lane.right() + 3, y), QPointF(lane.right(), y), colour, flows)
        draw_line(painter, QPointF(lane.left(), y), QPointF(lane.left() - 2, y), colour, flows)
        draw_arrow(painter, QPointF(lane.left() - 2, y), QPointF(lane.left() - 2, bottom), colour, flows)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours, and the present size of text."""
        self._tokens = tokens
        for part in self._line:
            part.tokens = tokens
            part.setFont(self.font())
            part.update()
        self._dress()
        if self.isVisible():
            self._follow()

    def _dress(self) -> None:
        self.fold.setIcon(icon("expanded" if self.folded else "unfold", self._tokens.text))
        self.setFixedHeight(self.minimumSizeHint().height())
        self.updateGeometry()
        self._arrange()
