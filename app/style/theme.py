"""Fonts and colours of the program, put on."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QPalette
from PySide6.QtWidgets import QApplication

from armature.app.style.colour_tokens import DARK, LIGHT, Tokens

POINTS = 9.5  # of text of the usual size


def fixed_font(scale: float = 1.0) -> QFont:
    """Digits of equal width at `scale` times the size of the program's text."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(QApplication.font().pointSizeF() * scale)
    return font


def text_font(points: float) -> QFont:
    """The font of the program's text, with digits of equal width."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    font.setPointSizeF(points)
    font.setFeature(QFont.Tag("tnum"), 1)
    if QFontInfo(font).family() == "DejaVu Sans":
        font.setFeature(QFont.Tag("mark"), 0)  # with its own places for marks, the dots of q̇ and q̈ are not drawn
    return font


def prepare(app: QApplication, theme: str, text_scale: int = 100) -> Tokens:
    """Font and palette of `theme` ("system", "light" or "dark"); returns the colours in force.

    The program as a whole has no style sheet: each widget that is made or moved under one goes through all its rules again,
    eight times the time of making a large panel. Each part of the window has one, and gets it when it stands.
    """
    hints = app.styleHints()
    if theme == "system":
        hints.unsetColorScheme()
    else:
        hints.setColorScheme(Qt.ColorScheme.Dark if theme == "dark" else Qt.ColorScheme.Light)
    # some platforms know no scheme and keep reporting "unknown": the user's word counts first
    dark = theme == "dark" or (theme == "system" and hints.colorScheme() == Qt.ColorScheme.Dark)
    tokens = DARK if dark else LIGHT
    font = text_font(POINTS * text_scale / 100)
    if app.font() != font:  # else every widget would be laid out anew
        app.setFont(font)
    app.setPalette(palette(tokens))
    return tokens


def palette(tokens: Tokens) -> QPalette:
    """The Qt palette of these colours, by the roles that `stylesheet.ROLES` names."""
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
        roles.LinkVisited: tokens.good,
        roles.Light: tokens.hover,
        roles.Midlight: tokens.accent_soft,
        roles.Mid: tokens.border,
        roles.Dark: tokens.border,
        roles.Shadow: tokens.warn,
    }
    result = QPalette()
    for role, colour in colours.items():
        result.setColor(role, QColor(colour))
    faded = QColor(tokens.muted)
    faded.setAlphaF(0.55)
    for role in (roles.WindowText, roles.Text, roles.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, role, faded)
    return result
