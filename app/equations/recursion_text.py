"""The equations of a move of recursive Newton–Euler as rich text: in symbols, with the numbers put in, and what comes out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

import numpy as np

from armature.app.scene.overlays.newton_euler.rnea_terms import Line, Quantity
from armature.app.scene.overlays.newton_euler.rnea_walk import Phase
from armature.app.state.units import significant

KINDS = {
    Phase.START: ("w", "wd", "v", "a"),
    Phase.OUTWARD: ("w", "wd", "v", "a", "a_c"),
    Phase.FORCES: ("F", "N"),
    Phase.INWARD: ("f", "n", "tau"),
}
"""What kind of arrow the result of each line is, in their order."""

SUBSCRIPT = re.compile(r"_(\w+(?:,\w+)?)")


def symbols(text: str) -> str:
    """Symbols with their subscripts as rich text."""
    return SUBSCRIPT.sub(r"<sub>\1</sub>", escape(text))


def equations(lines: Sequence[Line], colours: Sequence[str], muted: str) -> str:
    """All lines of a move, the symbol of each result in its colour, then the inertias that stand in them."""
    shown = [_line(line, colour, muted) for line, colour in zip(lines, colours, strict=True)]
    matrices = {part.symbol: part for line in lines for term in line.terms for part in term.parts if np.ndim(part.value) == 2}
    return "".join([*shown, *(_matrix(part, muted) for part in matrices.values())])


def _line(line: Line, colour: str, muted: str) -> str:
    left = line.result.symbol
    steps = [*map(symbols, line.steps), f"<b>{escape(line.value)}</b>"]
    rows = "".join(
        f"<tr><td>{symbols(left) if k == 0 else ''}&nbsp;</td><td>=&nbsp;</td><td>{step}</td></tr>"
        for k, step in enumerate(steps)
    )
    rows = rows.replace(symbols(left), f'<b style="color:{colour}">{symbols(left)}</b>', 1)
    return f'<p style="margin:6px 0 0 0; color:{muted}">{escape(line.meaning)}</p><table cellspacing="0">{rows}</table>'


def _matrix(inertia: Quantity, muted: str) -> str:
    """The inertia about the centre of mass."""
    value = np.asarray(inertia.value)
    scale = float(np.abs(value).max())
    rows = "".join(
        "<tr>" + "".join(f'<td align="right">&nbsp;{significant(float(x), 4, scale)}&nbsp;</td>' for x in row) + "</tr>"
        for row in value
    )
    words = f"{symbols(inertia.symbol)}, inertia about the centre of mass, kg·m²"
    return f'<p style="margin:6px 0 0 0; color:{muted}">{words}</p><table cellspacing="0">{rows}</table>'
