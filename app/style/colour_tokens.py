"""The named colours, for light and dark."""

from __future__ import annotations

from dataclasses import dataclass

from armature.engine.thresholds import Level


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

    def colour(self, name: str) -> str:
        """Return the colour #rrggbb of a name, or of curve k by its number "k"; a colour #rrggbb is returned unchanged."""
        if name.startswith("#"):
            return name
        return self.series[int(name) % len(self.series)] if name.isdigit() else str(getattr(self, name))


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


def level_colour(tokens: Tokens, level: Level) -> str:
    """Colour of a level of the singularity."""
    return {Level.FINE: tokens.good, Level.WARN: tokens.warn, Level.STOP: tokens.danger}[level]
