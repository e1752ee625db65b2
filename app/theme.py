"""Colours, fonts and spacing of the program, for light and dark."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

from app.stylesheet import stylesheet


@dataclass(frozen=True)
class Tokens:
    """Named colours as #rrggbb; `series` are the colours of curves, told apart by colour-blind eyes too (after Okabe and Ito)."""

    dark: bool
    window: str
    surface: str
    raised: str
    hover: str
    border: str
    text: str
    muted: str
    accent: str
    accent_soft: str
    on_accent: str
    good: str
    warn: str
    danger: str
    record: str
    series: tuple[str, ...]


LIGHT = Tokens(
    dark=False,
    window="#f3f5f8",
    surface="#ffffff",
    raised="#eaeef3",
    hover="#e1e7ef",
    border="#d5dbe4",
    text="#1b2430",
    muted="#5a6778",
    accent="#1f6feb",
    accent_soft="#dbe8fd",
    on_accent="#ffffff",
    good="#16794a",
    warn="#9a5b00",
    danger="#c62433",
    record="#d6293a",
    series=("#0072b2", "#d55e00", "#00855f", "#b8528f", "#b07a00", "#3a9bd0", "#6b4fb3", "#4d5866"),
)
DARK = Tokens(
    dark=True,
    window="#14181f",
    surface="#1b212b",
    raised="#252d39",
    hover="#2e3846",
    border="#303a48",
    text="#e4e9f0",
    muted="#93a0b2",
    accent="#5b9dff",
    accent_soft="#21385c",
    on_accent="#08121f",
    good="#4cc38a",
    warn="#f5b14c",
    danger="#ff6b74",
    record="#ff5d68",
    series=("#56b4e9", "#ff8a3d", "#2fc79a", "#e491c3", "#f0c23c", "#7fa8ff", "#b79cff", "#b8c2cf"),
)
LEVELS = ("good", "warn", "danger")


def level_colour(tokens: Tokens, level: int) -> str:
    """Colour of a singularity level: 0 fine, 1 near, 2 there."""
    return getattr(tokens, LEVELS[level])


def fixed_font(scale: float = 1.0) -> QFont:
    """Digits of equal width at `scale` times the size of the program's text."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(QApplication.font().pointSizeF() * scale)
    return font


def apply(app: QApplication, theme: str, text_scale: int = 100) -> Tokens:
    """Dress the whole program in `theme` ("system", "light" or "dark"); returns the colours in force."""
    hints = app.styleHints()
    if theme == "system":
        hints.unsetColorScheme()
    else:
        hints.setColorScheme(Qt.ColorScheme.Dark if theme == "dark" else Qt.ColorScheme.Light)
    # some platforms know no scheme and keep reporting "unknown": the user's word counts first
    dark = theme == "dark" or (theme == "system" and hints.colorScheme() == Qt.ColorScheme.Dark)
    tokens = DARK if dark else LIGHT
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    font.setPointSizeF(9.5 * text_scale / 100)
    font.setFeature(QFont.Tag("tnum"), 1)
    app.setStyleSheet("")  # under a style sheet, widgets that exist would not take over the font
    app.setFont(font)
    app.setPalette(palette(tokens))
    app.setStyleSheet(stylesheet(tokens))
    return tokens


def palette(tokens: Tokens) -> QPalette:
    """The Qt palette of these colours."""
    roles = QPalette.ColorRole
    colours = {
        roles.Window: tokens.window,
        roles.WindowText: tokens.text,
        roles.Base: tokens.surface,
        roles.AlternateBase: tokens.window,
        roles.Text: tokens.text,
        roles.Button: tokens.raised,
        roles.ButtonText: tokens.text,
        roles.BrightText: tokens.danger,
        roles.ToolTipBase: tokens.raised,
        roles.ToolTipText: tokens.text,
        roles.PlaceholderText: tokens.muted,
        roles.Highlight: tokens.accent,
        roles.HighlightedText: tokens.on_accent,
        roles.Accent: tokens.accent,
        roles.Link: tokens.accent,
        roles.Light: tokens.hover,
        roles.Midlight: tokens.raised,
        roles.Mid: tokens.border,
        roles.Dark: tokens.border,
        roles.Shadow: tokens.border,
    }
    result = QPalette()
    for role, colour in colours.items():
        result.setColor(role, QColor(colour))
    faded = QColor(tokens.muted)
    faded.setAlphaF(0.55)
    for role in (roles.WindowText, roles.Text, roles.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, role, faded)
    return result
