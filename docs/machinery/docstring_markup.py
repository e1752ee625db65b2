"""A docstring of Armature as reStructuredText: its sections as fields, its equations typeset, its public names as links.

A docstring is plain text: a sentence, paragraphs with equations, and the sections Args, Returns, Raises and Source.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Collection

from docs.machinery.plain_equations import Piece, pieces

SECTIONS = {"Args": "Arguments", "Returns": "Returns", "Raises": "Raises", "Source": "Source"}
MOST_WORDS = 14  # beside an equation that stands on a line of its own
_SECTION = re.compile(rf"^({'|'.join(SECTIONS)}):(?:[ ]+(.*))?$", re.MULTILINE)
_ITEM = re.compile(r"\n(?=\w+Error[^.\n]*:|\")")  # of what is returned or raised
_CLAUSE = re.compile(r"(?<=[,;:.)\w])[ ]{2,}|(?<=;)\s+|\n(?=[ ])")


def as_rst(docstring: str, links: Collection[str]) -> list[str]:
    """Lines of reStructuredText; `links` are the public names that stand for themselves here."""
    start = _SECTION.search(docstring)
    body = docstring[: start.start()] if start else docstring
    lines = [line for paragraph in _paragraphs(body) for line in [*_paragraph(paragraph, links), ""]]
    for name, content in _sections(docstring[len(body) :]):
        lines += [f":{SECTIONS[name]}:", *textwrap.indent("\n".join(_section(name, content, links)), "    ").splitlines(), ""]
    return lines


def inline(text: str, links: Collection[str], equations: bool = True) -> str:
    """A stretch of text, with its code, equations and links."""
    cut = pieces(text) if equations else [Piece(text, False)]
    return "".join(rf"\ :math:`{piece.text}`\ " if piece.is_math else _words(piece.text, links) for piece in cut).strip()


def _words(text: str, links: Collection[str]) -> str:
    parts = re.split(r"(``.+?``|`[^`\n]+`)", text)
    return "".join(_code(part.strip("`"), links) if k % 2 else _plain(part, links) for k, part in enumerate(parts))


def _code(text: str, links: Collection[str]) -> str:
    name = text.removeprefix("armature.")
    if name in links:
        return rf"\ :py:obj:`~armature.{name}`\ "
    return rf"\ ``{text}``\ "


def _plain(text: str, links: Collection[str]) -> str:
    errors = {name for name in links if name.endswith("Error")}
    pattern = re.compile(rf"\b({'|'.join(sorted(errors))})\b|(?<![\w.])([a-z]+(?:_[a-z]+)+)\b" if errors else r"(?!)()()")
    result, done = "", 0
    for found in pattern.finditer(text):
        mark = f":py:obj:`~armature.{found[1]}`" if found[1] else f"``{found[2]}``"
        result += _escaped(text[done : found.start()]) + rf"\ {mark}\ "
        done = found.end()
    return result + _escaped(text[done:])


def _escaped(text: str) -> str:
    return re.sub(r"([\\*`|_])", r"\\\1", text)


def _paragraphs(body: str) -> list[str]:
    return [part.strip("\n") for part in re.split(r"\n[ ]*\n", body) if part.strip()]


def _paragraph(text: str, links: Collection[str]) -> list[str]:
    """Code, or prose with the equations that stand alone on lines of their own."""
    if text.startswith(" ") and _is_code(text):
        return [".. code-block:: python", "", *textwrap.indent(textwrap.dedent(text), "    ").splitlines()]
    lines: list[str] = []
    shown = False
    for clause in filter(None, (clause.strip() for clause in _CLAUSE.split(text))):
        clause = " ".join(clause.split("\n"))
        alone = _stands_alone(clause)
        if alone and not shown:
            lines += ["", ".. rst-class:: equation", ""]
        elif shown and not alone:
            lines.append("")
        lines.append(("| " if alone else "") + inline(clause, links))
        shown = alone
    return lines


def _is_code(text: str) -> bool:
    try:
        ast.parse(textwrap.dedent(text))
    except SyntaxError:
        return False
    return True


def _stands_alone(clause: str) -> bool:
    """Whether it begins with an equation and says little else."""
    cut = pieces(clause)
    first = cut[0].text if cut and cut[0].is_math else ""
    words = sum(len(re.findall(r"[A-Za-z]{2,}", piece.text)) for piece in cut if not piece.is_math)
    return bool(re.search(r"=|\\le |\\propto|\\leftarrow", first)) and words <= MOST_WORDS and len(first) > 12


def _sections(text: str) -> list[tuple[str, str]]:
    found = list(_SECTION.finditer(text))
    ends = [match.start() for match in found[1:]] + [len(text)]
    return [(match[1], ((match[2] or "") + text[match.end() : end]).strip("\n")) for match, end in zip(found, ends)]


def _section(name: str, content: str, links: Collection[str]) -> list[str]:
    if name == "Source":
        return [inline(" ".join(content.split()), links, equations=False)]
    text = textwrap.dedent(content)
    if name != "Args":
        return [line for item in _ITEM.split(text) for line in (inline(" ".join(item.split()), links), "")]
    lines = []
    for item in _arguments(text):
        names, colon, told = item.partition(": ")
        if not colon or not re.fullmatch(r"\w+(?:, \w+)*", names):
            lines += [f"* {inline(item, links)}"]
        else:
            lines += [f"* **{names.replace('_', chr(92) + '_')}**: {inline(told, links)}"]
    return lines


def _arguments(text: str) -> list[str]:
    """What begins at the margin, with the lines below it that are indented."""
    return [" ".join(part.split()) for part in re.split(r"\n(?![ ])", text) if part.strip()]
