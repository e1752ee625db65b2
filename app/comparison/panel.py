"""The dock *Compare*: second arm, shared motion, place, and the table of both arms."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QHeaderView, QMenu, QWidget

from armature.app.comparison.second_arm_model import COPY, DRIVES, FILE, IDENTIFIED, PLACES, SIMULATED, SecondArmModel
from armature.app.state.evented import Binder, on
from armature.app.state.units import Units, significant
from armature.app.state.window_state import WindowState
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import OptionForm, button, choice, form, named, number, row
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import Section, note, page
from armature.app.widgets.steady import Steady
from armature.app.widgets.tables.read_only_table import ReadOnlyTable
from armature.engine import shipped_robots
from armature.engine.thresholds import Level

if TYPE_CHECKING:
    from armature.engine import ComparisonRow

SOURCES = {COPY: "Copy of the open arm", IDENTIFIED: "Identified arm", FILE: "Robot file…"}
HEADS = {"First": "The open robot", "Second": "The second arm", "Δ": "Difference: second minus first"}
DRIVE_TIP = (
    "All but the tool path needs joints of the same number and types.\n"
    "Own controller: the second arm keeps the built-in controller that the open arm had when the second was selected."
)
PLACE_TIP = "Over the first arm: the second arm is translucent, and both have the same base"
EXTRA_TIP = "Mass that the tool of the second arm holds in addition to the payload of the first"
CHANGES = {"drive": "what both arms share", "beside": "place of the second arm", "extra": "payload of the second arm"}
LARGEST = 500.0  # kg
DECIMALS = 4


class SecondArmPanel(QWidget):
    """`choose(source)` selects the second arm, `has_identified()` returns True if there is an identified arm."""

    def __init__(
        self, model: SecondArmModel, state: WindowState, choose: Callable[[str], object], has_identified: Callable[[], bool]
    ):
        super().__init__()
        self._model, self._state, self._choose, self._has_identified = model, state, choose, has_identified
        content = page(self, "Compare")
        arm = Section("Second arm")
        self.source = button("compare_source", "Select…", "Second arm", "Select the robot that is shown with the open one")
        self.source.setMenu(self._menu())
        self.drive = choice("compare_drive", "Shared by both arms", DRIVES, DRIVE_TIP)
        self.place = choice("compare_place", "Place of the second arm", PLACES, PLACE_TIP)
        self.extra = number(
            "compare_extra", "Additional payload", (0.0, LARGEST), 0.0, decimals=3, step=0.5, suffix=" kg", tip=EXTRA_TIP
        )
        self.end = button("compare_end", "End comparison", act=lambda: choose(""))
        arm.add(
            form(
                (
                    ("Arm", self.source),
                    ("Shared", self.drive),
                    ("Place", self.place),
                    ("Payload", row(self.extra, None, self.end)),
                )
            )
        )
        self._problem = named(note(), "compare_problem")
        arm.add(Steady(2, self._problem))
        self.table = ReadOnlyTable("compare_table", "Differences of both arms", HEADS)
        self.table.fit_columns()
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._note = named(note(), "compare_note")
        content.addWidget(arm)
        content.addWidget(self.table, 1)
        content.addWidget(Steady(3, self._note))
        options = {"drive": self.drive, "beside": self.place, "extra": self.extra}
        self._options = OptionForm(options, lambda name, value: self._model.change(CHANGES[name], **{name: value}))

    def bind(self, views: Binder) -> None:
        """Bind the views."""
        model = self._model
        views.bind(self._show_choice, on(model, "choice", "drive", "why_unlike"))
        views.bind(self._show_texts, on(model, "problem", "note", "why_unlike", "choice"))
        views.bind(self._show_table, on(model, "table"), on(self._state, "units"))

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        included = QMenu("Included robot", menu)
        for place, sources in ((menu, SOURCES), (included, {name: name for name in shipped_robots()})):
            for source, text in sources.items():
                place.addAction(text, partial(self._choose, source)).setObjectName(f"compare_with_{source.strip('@')}")
        menu.insertMenu(menu.actions()[0], included)
        menu.aboutToShow.connect(lambda: menu.actions()[2].setEnabled(self._has_identified()))
        return menu

    def _show_choice(self) -> None:
        model = self._model
        source = model.choice.source
        self.source.setText(SOURCES.get(source, source.rpartition("/")[2]) or "Select…")
        self._options.show({**vars(model.choice), "drive": model.drive})
        entries: Any = self.drive.model()
        for key in ("joints", *SIMULATED):
            is_possible = not model.why_unlike and (key != "trajectory" or model.choice.control is not None)
            entries.item(self.drive.findData(key)).setEnabled(is_possible)
        for control in (self.drive, self.place, self.extra, self.end):
            control.setEnabled(model.second is not None)

    def _show_texts(self) -> None:
        model = self._model
        why = f"{model.why_unlike}: both share the tool path." if model.why_unlike else ""
        self._problem.setText(model.problem or why)
        set_style_property(self._problem, "level", str(Level.WARN if model.problem else Level.FINE))
        self._note.setText(model.note)

    def _show_table(self) -> None:
        table, units = self._model.table, self._state.units
        rows = {} if table is None else dict(_texts(one, units) for one in table.rows)
        self.table.show_rows(rows)

    def set_theme(self, tokens: Tokens) -> None:
        """Set the size of the table's text."""
        self.table.set_theme(tokens)


def _texts(row: ComparisonRow, units: Units) -> tuple[str, list[str]]:
    """Return the name of a row with its unit, and its values in the units of the window."""
    factor, unit = 1.0, row.unit
    if unit in ("rad", "m"):
        factor, unit = units.factor(unit == "m"), units.symbol(unit == "m")
    quantity = row.quantity.replace("torque peak", "τ peak")  # leaves the numbers their width
    name = f"{quantity} [{unit}]" if unit else quantity
    return name, [significant(round(value * factor, DECIMALS)) for value in (row.a, row.b, row.difference)]
