"""The colours of the scene: calm, told apart by lightness as well as hue, so that colour-blind eyes keep up."""

from __future__ import annotations

from dataclasses import dataclass

LINKS = ("#d9dee4", "#7fa8cc")
HOUSING = "#343c47"
ACCENT = "#5b93c4"
ACCENT_SECOND = "#d9822b"
PEDESTAL = "#aeb7c1"
RAIL = "#b9c2cc"
HAND = "#3f4853"
FINGER = "#c3cad2"
MASS = "#4477aa"
COLLISION = "#e08e4f"
CELL = "#9aa6a0"
MISSING = "#c9a35a"
AXIS_X, AXIS_Y, AXIS_Z = "#e5484d", "#2fa84f", "#3b82f6"
ELLIPSOID = "#33a1c9"
FORCE = "#c94f9a"
INERTIA = "#8f7ae5"
INERTIA_EDGE = "#7259e0"
GAUGE = "#12a594"
PULL, PAYLOAD = "#f2542d", "#c8a165"
COM_LIGHT, COM_DARK, COM_TOTAL, COM_LINE = "#ffffff", "#14181d", "#ffcf33", "#b98500"
LOST = "#8a2be2"
CONTACT, CLEARANCE = "#ff2e63", ("#0b7f63", "#3fd0a8")
SURFACES = {"bounds": "#0072b2", "inside": "#e69f00", "limit": "#86b8d9", "limit_inside": "#d9c48a"}
TRACE = "#ee7733"
# Quantities of recursive Newton–Euler, on light and on dark ground.
RNEA = {
    "w": ("#0072b2", "#5fb8f0"),
    "wd": ("#7048c8", "#b79bff"),
    "v": ("#0b7f63", "#3fd0a8"),
    "a": ("#b85c00", "#ffab4d"),
    "a_c": ("#b02a78", "#ff8cc8"),
    "F": ("#c0282d", "#ff7d7d"),
    "N": ("#7048c8", "#b79bff"),
    "f": ("#0072b2", "#5fb8f0"),
    "n": ("#0b7f63", "#3fd0a8"),
    "tau": ("#b85c00", "#ffc04d"),
}
PATH = "#1b9e9e"
MOVE_LIGHT, MOVE_DARK = "#b03a8c", "#f09bd2"
WARNING = ("#000000", "#f5a300", "#e02020")
GLOW = "#9fd0ff"
SELECTED = "#ffd166"
KNOB = "#b65fb0"
WARNING_TEXT = (("#000000", "#8a4600", "#b3121f"), ("#ffffff", "#ffc061", "#ff8a90"))
CAUTION, CAUTION_TEXT = "#e69f00", ("#8a4600", "#ffc061")


@dataclass(frozen=True)
class Theme:
    """What differs between light and dark, as "#rrggbb"."""

    top: str
    bottom: str
    floor: str
    floor_below: str  # of its underside
    line: str
    text: str
    halo: str
    shadow: float


LIGHT = Theme("#f7f9fb", "#cfd8e1", "#e9eef2", "#c98a4b", line="#8795a3", text="#26303b", halo="#ffffff", shadow=0.66)
DARK = Theme("#2b333d", "#12161b", "#343d49", "#b5763a", line="#6d7a88", text="#dfe6ee", halo="#12161b", shadow=0.85)


def theme(dark: bool) -> Theme:
    """The theme by its switch."""
    return DARK if dark else LIGHT
