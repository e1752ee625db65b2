"""Equations as MathML, which browsers set without a script; their letters are STIX Two Math, which ziamath brings."""

from __future__ import annotations

import shutil
from pathlib import Path

import ziamath
from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx

WORD_JOINER = "&#8288;"  # keeps the point behind an equation on its line
FONT = Path(ziamath.__file__).parent / "fonts" / "STIXTwoMath-Regular.ttf"


def setup(app: Sphinx) -> dict:
    """Sphinx's door: the renderer `mathml`, and its font beside the pages."""
    app.add_html_math_renderer("mathml", (_inline, None), (_display, None))
    app.connect("build-finished", _bring_font)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _inline(writer, node: nodes.math) -> None:
    writer.body.append(convert(node.astext()) + WORD_JOINER)
    raise nodes.SkipNode


def _display(writer, node: nodes.math_block) -> None:
    writer.body.append(f'<div class="math">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def _bring_font(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        shutil.copy(FONT, Path(app.outdir) / "_static" / FONT.name)
