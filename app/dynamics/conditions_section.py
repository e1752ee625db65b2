"""What acts on the arm: gravity, what the tool holds, friction joint by joint, and the joints' stops."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QGridLayout, QLabel, QWidget

from armature.app.state.choices.model_choices import ModelChoices
from armature.app.state.edits.pose_edit import next_gesture
from armature.app.widgets.controls import check, choice, named, row
from armature.app.widgets.section import Section
from armature.app.widgets.value_field import ValueField
from armature.engine import Payload
from armature.engine.model.body import Friction
from armature.engine.model.robot import Robot

PRESETS = {"Earth": 9.81, "Moon": 1.62, "Mars": 3.72, "Zero": 0.0}
OTHER = "Other"
COLUMNS = 3
MASS = 0.851  # kg
CARRYING = "The running trajectory grasps and releases objects, so it sets the payload"
DENSITY = 1000.0  # kg/m³, of the box that stands for what the tool holds


class ConditionsSection(Section):
    """Tells what a person chose, and with which gesture; `set_robot` shows what a robot's file says."""

    gravity_chosen = Signal(object, int)
    smooth_chosen = Signal(object)
    stops_chosen = Signal(bool)
    payload_chosen = Signal(object, int)

    def __init__(self):
        super().__init__("External conditions")
        form_widget = self.add(QWidget())
        self._form = QFormLayout(form_widget)
        self._form.setContentsMargins(2, 0, 2, 0)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)  # large text in a narrow dock
        tip = "Gravitational acceleration on Earth, the Moon, Mars, or zero; always along −z of the world"
        self._preset = choice("gravity_preset", "Gravity", {name: name for name in (*PRESETS, OTHER)}, tip)
        self._preset.activated.connect(lambda _: self._take_preset())
        self._gravity = self._vector("gravity", "Gravity along {} of the world, m/s²", 2, 0.1)
        self._form.addRow("Gravity", self._preset)
        self._form.addRow("x, y, z in m/s²", row(*self._gravity, None, spacing=4))
        for field in self._gravity:
            field.entered.connect(lambda _, gesture: self._tell_gravity(gesture))
        self._holds = check("payload_on", "Payload", "Attach a payload to the tool, also during a run")
        title, tip = "Payload mass, kg", "Payload mass. Drawn as a cube with the density of water, which also gives its inertia"
        self._mass = named(ValueField(3, 0.1, " kg", widest=1e4), "payload_mass", title, tip)
        self._mass.setMinimum(0.0)
        self._mass.show_value(MASS)
        self._com = self._vector("payload_com", "Payload centre of mass along {} of the tool frame, m", 3, 0.01)
        self._form.addRow(self._holds, self._mass)
        self._form.addRow("Centre of mass, m", row(*self._com, None, spacing=4))
        self._has_hand, self._load_state = True, (False, True)
        self._load_tips = [(part, part.toolTip()) for part in (self._holds, self._mass, *self._com)]
        self._holds.toggled.connect(lambda _: self._tell_payload(next_gesture()))
        for field in (self._mass, *self._com):
            field.entered.connect(lambda _, gesture: self._tell_payload(gesture))
        self._stops = check("joint_stops", "Joints stop at their limits", "If off, joints move beyond their limits")
        self._stops.toggled.connect(self.stops_chosen)
        self._form.addRow(self._stops)
        self._friction = QWidget()
        self._joints = QGridLayout(self._friction)
        self._joints.setContentsMargins(0, 0, 0, 0)
        self._boxes: dict[str, QCheckBox] = {}
        self._friction_label = QLabel("Joint friction")
        self._form.addRow(self._friction_label, self._friction)

    def _vector(self, name: str, title: str, decimals: int, step: float) -> list[ValueField]:
        fields = [ValueField(decimals, step, "", widest=1e3) for _ in "xyz"]
        for axis, field in zip("xyz", fields, strict=True):
            named(field, f"{name}_{axis}", title.format(axis), title.format(axis))
            field.show_value(0.0)
        return fields

    def set_robot(self, robot: Robot):
        """The conditions of a robot's file, with empty hands."""
        self._show_gravity(robot.gravity)
        for box, on in ((self._holds, False), (self._stops, True)):
            with QSignalBlocker(box):
                box.setChecked(on)
        self._has_hand = robot.frame().body >= 0
        self.set_carrying(False)
        self._stops.setEnabled(bool(np.isfinite([robot.q_min, robot.q_max]).any()))
        for box in self._boxes.values():
            self._joints.removeWidget(box)
            box.hide()
            box.deleteLater()
        self._boxes = {}
        rough = [name for name, body in zip(robot.joint_names, robot.joint_bodies) if robot.bodies[body].friction != Friction()]
        for k, name in enumerate(rough):
            box = self._boxes[name] = check(f"friction_{name}", name, f"If off, the friction of {name} is zero")
            box.setChecked(True)
            box.toggled.connect(lambda _: self._tell_friction())
            self._joints.addWidget(box, k // COLUMNS, k % COLUMNS)
        for part in (self._friction, self._friction_label):
            part.setVisible(bool(rough))

    def set_friction(self, on: bool):
        """Whether there is friction at all."""
        self._friction.setEnabled(on)
        self._friction.setToolTip("" if on else "Joint friction is switched off in the Simulation panel")

    def show_choices(self, choices: ModelChoices, robot: Robot):
        """How the simulated arm differs from the robot's file; what the tool holds tells `show_payload`."""
        self._show_gravity(robot.gravity if choices.gravity is None else choices.gravity)
        for box, on in ((self._stops, choices.stops), *((box, name not in choices.smooth) for name, box in self._boxes.items())):
            with QSignalBlocker(box):
                box.setChecked(on)

    def show_payload(self, payload: Payload | None):
        """Show the payload, None for none."""
        with QSignalBlocker(self._holds):
            self._holds.setChecked(payload is not None)
        if payload is not None:
            for field, value in zip((self._mass, *self._com), (payload.mass, *payload.com), strict=True):
                field.show_value(float(value))

    def set_carrying(self, carrying: bool):
        """Set whether the running trajectory sets the payload instead of these fields."""
        state = carrying, self._has_hand
        if state == self._load_state:
            return
        self._load_state = state
        for part, tip in self._load_tips:
            part.setEnabled(not carrying and self._has_hand)
            part.setToolTip(CARRYING if carrying else tip)

    def set_theme(self):
        """The present size of text."""
        for field in (*self._gravity, *self._com, self._mass):
            field.refit()
        self._holds.setMinimumHeight(self._mass.sizeHint().height())

    def _show_gravity(self, g):
        for field, value in zip(self._gravity, g, strict=True):
            field.show_value(float(value))
        straight = next((name for name, down in PRESETS.items() if np.allclose(g, (0.0, 0.0, -down), atol=5e-3)), OTHER)
        self._preset.setCurrentText(straight)

    def _take_preset(self):
        name = self._preset.currentText()
        if name == OTHER:
            self._gravity[0].setFocus()
        else:
            self._show_gravity((0.0, 0.0, -PRESETS[name]))
            self._tell_gravity(next_gesture())

    def _tell_gravity(self, gesture: int):
        g = tuple(field.value() for field in self._gravity)
        self._show_gravity(g)
        self.gravity_chosen.emit(g, gesture)

    def _tell_friction(self):
        self.smooth_chosen.emit(frozenset(name for name, box in self._boxes.items() if not box.isChecked()))

    def _tell_payload(self, gesture: int):
        mass = self._mass.value()
        holds = self._holds.isChecked() and mass > 0
        com = np.array([field.value() for field in self._com])
        side = np.cbrt(mass / DENSITY)
        self.payload_chosen.emit(Payload(mass, com, mass * side**2 / 6 * np.eye(3)) if holds else None, gesture)
