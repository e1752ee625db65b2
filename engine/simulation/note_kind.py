"""`NoteKind`: what a recording notes between its rows."""

from __future__ import annotations

from enum import StrEnum


class NoteKind(StrEnum):
    """The `kind` of an event in a recording's metadata; the values are part of the file format.

    The first say what was set, and `BEGIN` all that a simulation has besides what the metadata tell; the last ones how rows come
    about: the arm begins to move by itself, stops, is posed, or its time is set back or forth.
    `CONTACT` does nothing: a link went below the floor.
    """

    BEGIN = "begin"
    STATE = "state"
    RESET = "reset"
    TORQUE = "torque"
    CONTROLLER = "controller"
    SENSORS = "sensors"
    DISTURBANCE = "disturbance"
    TRAJECTORY = "trajectory"
    HOLD = "hold"
    PAYLOAD = "payload"
    PULL = "pull"
    MODEL = "model"
    DT = "dt"
    INTEGRATOR = "integrator"
    ENTER = "enter"
    LEAVE = "leave"
    JUMP = "jump"
    POSE = "pose"
    CONTACT = "contact"
