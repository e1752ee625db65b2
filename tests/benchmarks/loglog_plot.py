"""A plot with two logarithmic axes as SVG text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 640, 480
LEFT, RIGHT, TOP, BOTTOM = 70, 150, 20, 50
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")


def loglog_plot(
    x: Sequence[float],
    curves: Mapping[str, Sequence[float]],
    guides: Mapping[str, tuple[float, float]],
    x_title: str,
    y_title: str,
) -> str:
    """`curves` over x as lines with points; `guides` as dashed powers, each (exponent, value at the last x)."""
    values = [v for curve in curves.values() for v in curve]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))

    def place(a: float, b: float) -> tuple[float, float]:
        across = math.log(a / x[0]) / math.log(x[-1] / x[0])
        up = (math.log10(b) - low) / (high - low)
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)

    parts = [*_axes(x, low, high, place, x_title, y_title)]
    for colour, (name, curve) in zip(COLOURS, curves.items()):
        points = [place(a, b) for a, b in zip(x, curve)]
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in points]
        parts.append(_text(points[-1][0] + 10, points[-1][1] + 4, name, colour))
    for name, (power, last) in guides.items():
        start = max(x[0], x[-1] * (10**low / last) ** (1 / power))
        (a, b), (c, d) = place(start, last * (start / x[-1]) ** power), place(x[-1], last)
        parts.append(f'<path d="M{a:.1f},{b:.1f} L{c:.1f},{d:.1f}" stroke="#888" stroke-dasharray="5 4"/>')
        parts.append(_text(a + 8, b - 8, name, "#666"))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="13">'
    return "\n".join([head, f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>', *parts, "</svg>\n"])


def _axes(x, low: int, high: int, place, x_title: str, y_title: str) -> list[str]:
    parts, top = [], HEIGHT - BOTTOM
    for power in range(low, high + 1):
        y = place(x[0], 10.0**power)[1]
        parts.append(f'<path d="M{LEFT},{y:.1f} H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(_text(LEFT - 8, y + 4, f"{10.0**power:.0e}", "#333", "end"))
    for value in (a for a in (2, 5, 10, 20, 50, 100) if x[0] <= a <= x[-1]):
        a = place(value, 10.0**low)[0]
        parts.append(f'<path d="M{a:.1f},{TOP} V{top}" stroke="#ddd"/>')
        parts.append(_text(a, top + 18, str(value), "#333", "middle"))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x_title, "#333", "middle"))
    parts.append(f'<g transform="translate(16 {(TOP + top) / 2}) rotate(-90)">{_text(0, 0, y_title, "#333", "middle")}</g>')
    return parts


def _text(x: float, y: float, text: str, colour: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}">{escape(text)}</text>'
