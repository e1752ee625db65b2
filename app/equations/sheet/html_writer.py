"""A derivation sheet as one HTML file that needs nothing beside it."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable
from html import escape, unescape

from armature.app.equations.sheet.blocks import Display, Equation, Heading, Line, Math, Matrix, Paragraph, Part, Sheet, Table
from armature.app.equations.sheet.pieces import Pieces
from armature.app.equations.sheet.rich_words import spaced
from armature.app.equations.typesetter import SIZE, Typesetter

SCALE = 1.18 / SIZE  # em of a formula's px
INSIDE = re.compile(r"<svg[^>]*>(.*)</svg>", re.DOTALL)
STYLE = """
@page { size: A4; margin: 17mm 16mm 18mm }
* { box-sizing: border-box }
html { background: #e9ecf1 }
body { font: 10.5pt/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; font-variant-numeric: tabular-nums; color: #1c2330;
  background: #fff; max-width: 210mm; margin: 8mm auto; padding: 17mm 16mm; box-shadow: 0 1px 12px #0003 }
header { display: grid; grid-template-columns: 1fr 1fr; gap: 8mm; align-items: start; margin-bottom: 6mm }
header img { width: 100%; border: 1px solid #dde2ea; border-radius: 6px }
h1 { font-size: 21pt; line-height: 1.15; margin: 0 }
.subtitle { color: #5b6575; margin: 1mm 0 5mm }
h2 { font-size: 14.5pt; margin: 9mm 0 2mm; padding-bottom: 1mm; border-bottom: 1.5px solid #2f6fd0; break-after: avoid }
h3 { font-size: 11pt; margin: 5mm 0 1.5mm; color: #27508f; break-after: avoid }
p { margin: 1.5mm 0 }
.quiet { color: #5b6575; font-size: 9.5pt }
.equation { display: grid; grid-template-columns: max-content 1fr; column-gap: .5em; margin: 1.2mm 0 1.2mm 3mm;
  break-inside: avoid }
.display { display: flex; flex-wrap: wrap; align-items: center; gap: .3em .55em; margin: 2.5mm 0 2.5mm 3mm; break-inside: avoid }
.pair { display: inline-flex; align-items: center; gap: .55em; max-width: 100%; overflow-x: auto }
table { border-collapse: collapse; margin: 2.5mm 0; break-inside: avoid; font-size: 9.5pt }
table.rows { border-top: 1px solid #b9c2cf; border-bottom: 1px solid #b9c2cf }
table.rows th { font-weight: 600; color: #5b6575; border-bottom: 1px solid #dde2ea }
table.rows td, table.rows th { padding: .8mm 2.4mm; text-align: right; vertical-align: baseline }
table.rows .word { text-align: left }
table.matrix { margin: 0; position: relative }
table.matrix td { padding: .25mm 1.6mm; text-align: center; white-space: nowrap }
table.matrix td:first-child { padding-left: 2.4mm }
table.matrix td:last-child { padding-right: 2.4mm }
table.matrix::before, table.matrix::after { content: ""; position: absolute; top: 0; bottom: 0; width: .4em;
  border: 1.2px solid currentColor }
table.matrix::before { left: 0; border-right: none }
table.matrix::after { right: 0; border-left: none }
.m { display: inline-block; fill: currentColor; overflow: visible }
s { color: #b3261e }
footer { margin-top: 10mm; color: #5b6575; font-size: 8.5pt }
@media print { html { background: none } body { box-shadow: none; margin: 0; padding: 0; max-width: none } }
"""


def as_html(sheet: Sheet, typesetter: Typesetter, proceed: Callable[[float], None]) -> bytes:
    """The file; before each block `proceed` is told what share of them is done."""
    return _Html(typesetter).page(sheet, proceed)


class _Html:
    """Each formula is drawn once, and used where it stands."""

    def __init__(self, typesetter: Typesetter):
        self._pieces = Pieces(typesetter)
        self._drawn: dict[str, tuple[str, str]] = {}  # name and paths of each piece

    def page(self, sheet: Sheet, proceed: Callable[[float], None]) -> bytes:
        body = []
        for k, block in enumerate(sheet.blocks):
            proceed(k / len(sheet.blocks))
            body.append(self._block(block))
        picture = ""
        if sheet.picture:
            data = b64encode(sheet.picture).decode()
            picture = f'<img alt="{escape(unescape(sheet.title))}" src="data:image/png;base64,{data}">'
        facts = self._table(sheet.facts)
        head = f'<div><h1>{sheet.title}</h1><p class="subtitle">{sheet.subtitle}</p>{facts}</div>{picture}'
        drawn = "".join(f'<g id="{name}">{paths}</g>' for name, paths in self._drawn.values())
        text = (
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            f"<title>{sheet.title}: derivation</title><style>{STYLE}</style></head><body>"
            f'<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>{drawn}</defs></svg>'
            f"<header>{head}</header>\n{''.join(body)}\n<footer>{sheet.foot}</footer></body></html>\n"
        )
        return text.encode()

    def _block(self, block) -> str:
        match block:
            case Heading(text, level):
                return f"\n<h{level + 1}>{text}</h{level + 1}>"
            case Paragraph(line, quiet):
                kind = ' class="quiet"' if quiet else ""
                return f"<p{kind}>{self._line(line)}</p>"
            case Equation(left, right):
                return f'<div class="equation"><div>{self._line(left)}</div><div>{self._line(right)}</div></div>'
            case Table():
                return self._table(block)
            case Display(pairs):
                return f'<div class="display">{"".join(self._pair(*pair) for pair in pairs)}</div>'
        raise TypeError(block)

    def _table(self, table: Table) -> str:
        kinds = [' class="word"' if k < table.words else "" for k in range(max(map(len, table.rows), default=0))]
        head = "".join(f"<th{kind}>{self._line(cell)}</th>" for kind, cell in zip(kinds, table.titles))
        rows = "".join(
            "<tr>" + "".join(f"<td{kind}>{self._line(cell)}</td>" for kind, cell in zip(kinds, row)) + "</tr>"
            for row in table.rows
        )
        return f'<table class="rows">{f"<thead><tr>{head}</tr></thead>" if head else ""}<tbody>{rows}</tbody></table>'

    def _pair(self, left: Line, matrix: Matrix) -> str:
        rows = "".join("<tr>" + "".join(f"<td>{self._line(cell)}</td>" for cell in row) + "</tr>" for row in matrix.rows)
        return f'<span class="pair">{self._line(left)}<table class="matrix">{rows}</table></span>'

    def _line(self, line: Line) -> str:
        return "".join((" " if space else "") + self._part(part) for part, space in spaced(line))

    def _part(self, part: Part) -> str:
        if not isinstance(part, Math):
            return part
        composed = self._pieces.composed(part.latex)
        box, used = composed.box, "".join(self._use(piece, x) for piece, x in composed.pieces)
        width, height, below = box.width() * SCALE, box.height() * SCALE, (box.y() + box.height()) * SCALE
        size = f"width:{width:.3f}em;height:{height:.3f}em;vertical-align:{-below:.3f}em"
        view = f"{box.x():.2f} {box.y():.2f} {box.width():.2f} {box.height():.2f}"
        return f'<svg class="m" viewBox="{view}" style="{size}" role="img" aria-label="{escape(part.latex)}">{used}</svg>'

    def _use(self, piece: str, x: float) -> str:
        """One piece, so far along the line; drawn when it is first used."""
        if piece not in self._drawn:
            inside = INSIDE.search(self._pieces.svg(piece).decode())
            paths = inside[1].replace(' fill="black"', "") if inside else ""
            self._drawn[piece] = f"m{len(self._drawn) + 1}", paths
        place = f' x="{x:.2f}"' if x else ""
        return f'<use href="#{self._drawn[piece][0]}"{place}/>'
