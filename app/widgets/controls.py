"""Small controls with the names that tests, screen readers and scripts know them by, and rows and forms of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, overload

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from armature.app.state.units import significant
from armature.app.widgets.choice_box import ChoiceBox
from armature.app.widgets.plain_field import PlainField

Control = TypeVar("Control", bound=QWidget)
Button = TypeVar("Button", bound=QAbstractButton)
FIELDS = QAbstractSpinBox, QComboBox, QAbstractSlider, QLineEdit, QPlainTextEdit
Act = Callable[[], object]


def named(control: Control, name: str, title: str = "", tip: str = "") -> Control:
    """The control with its object name, its name for screen readers, and its tooltip; that of a field is its name by default."""
    control.setObjectName(name)
    if title:
        control.setAccessibleName(title)
    if tip or (title and isinstance(control, FIELDS)):
        control.setToolTip(tip or title)
    return control


def search_field(name: str, title: str, hint: str) -> QLineEdit:
    """A line to search by, with a button that clears it."""
    field = named(QLineEdit(), name, title)
    field.setPlaceholderText(hint)
    field.setClearButtonEnabled(True)
    for clear in field.findChildren(QToolButton):
        clear.setAccessibleName("Clear")
    return field


@overload
def button(name: str, text: str, title: str = "", tip: str = "", *, act: Act | None = None) -> QPushButton: ...
@overload
def button(name: str, text: str, title: str, tip: str, kind: type[Button], *, act: Act | None = None) -> Button: ...
def button(
    name: str,
    text: str,
    title: str = "",
    tip: str = "",
    kind: type[QAbstractButton] = QPushButton,
    *,
    act: Act | None = None,
) -> QAbstractButton:
    """Return a button that calls `act`; screen readers read `title`, or else the text."""
    result = named(kind(), name, title, tip)
    result.setText(text)
    if act is not None:
        result.clicked.connect(lambda _=False: act())
    return result


def primary(press: Button) -> Button:
    """Mark a button as the one that is usually pressed next."""
    press.setProperty("role", "primary")
    return press


def check(name: str, text: str, tip: str = "", on: bool = False) -> QCheckBox:
    """A box to tick with that text."""
    box = named(QCheckBox(text), name, tip=tip)
    box.setChecked(on)
    return box


def choice(name: str, title: str, items: Mapping[Any, str], tip: str = "", now: Any = None) -> QComboBox:
    """A box to choose a key of `items` from, shown as its value, `now` or the first at the beginning; its data are the keys."""
    box = named(ChoiceBox(), name, title, tip)
    for key, text in items.items():
        box.addItem(text, key)
    if now is not None:
        box.setCurrentIndex(box.findData(now))
    return box


def speeds(name: str, title: str, factors: Iterable[float], tip: str = "") -> QComboBox:
    """A box to choose a speed from, one of these times the usual one, which it begins with."""
    return choice(name, title, {factor: f"{significant(factor)} ×" for factor in factors}, tip, now=1.0)


def number(
    name: str,
    title: str,
    bounds: tuple[float, float],
    value: float,
    *,
    decimals: int = 0,
    step: float = 1.0,
    suffix: str = "",
    tip: str = "",
) -> PlainField:
    """A field for a number within bounds, which counts once it is typed in full."""
    field = named(PlainField(), name, title, tip)
    field.setRange(*bounds)
    field.setDecimals(decimals)
    field.setSingleStep(step)
    field.setSuffix(suffix)
    field.setValue(value)
    return field


def row(*parts: QWidget | None, stretch: QWidget | None = None, spacing: int = 6) -> QWidget:
    """Parts side by side; what room is left goes to `stretch`, or to where None stands among the parts."""
    widget = QWidget()
    line = QHBoxLayout(widget)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(spacing)
    for part in parts:
        if part is None:
            line.addStretch(1)
        else:
            line.addWidget(part, int(part is stretch))
    return widget


def column(*parts: QWidget | None, margins: tuple[int, int, int, int] = (0, 0, 0, 0), spacing: int = 6) -> QWidget:
    """Return parts below each other; free height is at None."""
    widget = QWidget()
    fill(widget, *parts, margins=margins, spacing=spacing)
    return widget


def fill(
    widget: QWidget,
    *parts: QWidget | None,
    margins: tuple[int, int, int, int] = (0, 0, 0, 0),
    spacing: int = 6,
    stretches: tuple[int, ...] = (),
    across: bool = False,
) -> None:
    """Lay parts out in a widget, below each other or `across`, with these stretches; free room is at None."""
    layout = QHBoxLayout(widget) if across else QVBoxLayout(widget)
    layout.setContentsMargins(*margins)
    layout.setSpacing(spacing)
    for part in parts:
        if part is None:
            layout.addStretch(1)
        else:
            layout.addWidget(part)
    for k, stretch in enumerate(stretches):
        layout.setStretch(k, stretch)


def form(rows: Iterable[tuple[str | None, QWidget]], spacing: int = 6) -> QWidget:
    """Fields below each other, each as wide as there is room; one without a title stands where titles do."""
    widget = QWidget()
    layout = QFormLayout(widget)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setVerticalSpacing(spacing)
    layout.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    for title, field in rows:
        layout.addRow(field) if title is None else layout.addRow(title, field)
    return widget


def value_of(control: QWidget) -> Any:
    """Value of a box, a choice (its key), a number or a text."""
    match control:
        case QAbstractButton():
            return control.isChecked()
        case QComboBox():
            return control.currentData()
        case QLineEdit():
            return control.text()
        case PlainField():
            return control.value()
    raise TypeError(f"{control} has no value")


class OptionForm:
    """Controls of the fields of a value, by name. `enter(name, value)` receives what the user sets."""

    def __init__(self, controls: Mapping[str, QWidget], enter: Callable[[str, Any], object]):
        self.controls = controls
        for name, control in controls.items():
            changed = {QAbstractButton: "toggled", QComboBox: "currentIndexChanged", QLineEdit: "textChanged"}
            signal = next((signal for kind, signal in changed.items() if isinstance(control, kind)), "valueChanged")
            getattr(control, signal).connect(lambda _, name=name, control=control: enter(name, value_of(control)))

    def show(self, values: Mapping[str, Any]) -> None:
        """Show values by the names of the fields; text that is being typed is not replaced while its value is the same."""
        for name, control in self.controls.items():
            value = values[name]
            if value == value_of(control):
                continue
            with QSignalBlocker(control):
                match control:
                    case QAbstractButton():
                        control.setChecked(value)
                    case QComboBox():
                        control.setCurrentIndex(control.findData(value))
                    case QLineEdit():
                        control.setText(value)
                    case PlainField():
                        control.setValue(value)
