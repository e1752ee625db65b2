"""The text of a robot file in parts: its head, its tables, and its joints one by one, each with the comments about it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

HEAD, TABLE, ROW, INLINE, GLUE = "head", "table", "row", "inline", "glue"

# Whatever may hold brackets or line ends that mean nothing, before the brackets and line ends that do.
_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*|[\[\]{}]|\n",
    re.DOTALL,
)
_JOINTS = re.compile(r"""[ \t]*(?:joints|"joints"|'joints')[ \t]*=[ \t]*\[""")
_AFTER_ROW = re.compile(r"(?:\s|#[^\n]*\n)*,[ \t]*(?:#[^\n]*|\r)?\n?|[ \t]*(?:#[^\n]*|\r)?\n?")
_COMMENTS_ABOVE = re.compile(r"(?:[ \t]*#[^\n]*\n)*\Z")


@dataclass(frozen=True)
class Part:
    """Part of the text: `core` is the TOML, `lead` the comments above, `tail` the text up to the next part.

    `kind` is "head" (keys of the file itself), "table" (`[root]` and its subtables), "row" (a joint headed `[[joints]]`),
    "inline" (a joint as `{ … }` in `joints = [ … ]`) or "glue" (the brackets around those).
    """

    kind: str
    root: str
    lead: str
    core: str
    tail: str

    @property
    def text(self) -> str:
        """The whole piece."""
        return self.lead + self.core + self.tail

    @property
    def is_joint(self) -> bool:
        """Whether it is one of the joints."""
        return self.kind == INLINE or (self.kind == ROW and self.root == "joints")


def split(text: str) -> tuple[Part, ...]:
    """The parts of a text that is TOML; joined they are the text again."""
    groups = _groups(text)
    parts = []
    for k, (kind, root, start, end) in enumerate(groups):
        before = groups[k - 1][3] if k else 0
        after = groups[k + 1][2] if k + 1 < len(groups) else len(text)
        lead = text[_lead_start(text, before, start) if k else 0 : start]
        tail = text[end : _lead_start(text, end, after) if k + 1 < len(groups) else after]
        parts += _head(lead, text[start:end], tail) if kind == HEAD else [Part(kind, root, lead, text[start:end], tail)]
    return tuple(parts)


def _groups(text: str) -> list[tuple[str, str, int, int]]:
    """Kind, root, start and end of the statements that belong together, the head first even where it is empty."""
    groups = [(HEAD, "", 0, 0)]
    for start, end in _statements(text):
        kind, root, first, _ = groups[-1]
        line = text[start:end]
        if not line.lstrip().startswith("["):
            groups[-1] = (kind, root, first if groups[-1][3] else start, end)
            continue
        ((name, value),) = tomllib.loads(line).items()
        if name == root and not isinstance(value, list):  # [joints.friction] under [[joints]]
            groups[-1] = (kind, root, first, end)
        else:
            groups.append((ROW if isinstance(value, list) else TABLE, name, start, end))
    return groups


def _statements(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each header and each key with its value, line ends included."""
    depth, line, seen, used = 0, 0, 0, False
    for token in _TOKEN.finditer(text):
        sign = token[0]
        used = used or bool(text[seen : token.start()].strip("\ufeff \t\r")) or sign[0] not in "#\n"
        seen = token.end()
        if sign in "[{":
            depth += 1
        elif sign in "]}":
            depth -= 1
        elif sign == "\n" and depth == 0:
            if used:
                yield _begin(text, line), token.end()
            line, used = token.end(), False
    if used or text[seen:].strip("\ufeff \t\r"):
        yield _begin(text, line), len(text)


def _begin(text: str, line: int) -> int:
    return line + text.startswith("\ufeff", line)


def _lead_start(text: str, low: int, start: int) -> int:
    """Start of the comments directly above `start`."""
    above = _COMMENTS_ABOVE.search(text, low, start)
    return start if above is None else above.start()


def _head(lead: str, core: str, tail: str) -> list[Part]:
    """The head, taken apart where it has the joints as inline tables."""
    for start, end in _statements(core):
        if opening := _JOINTS.match(core, start):
            rows, rest = _inline_rows(core[start : opening.end()], core[opening.end() : end])
            return [Part(HEAD, "", lead, core[:start], ""), *rows, *_after(rest, core[end:], tail)]
    return [Part(HEAD, "", lead, core, tail)]


def _after(closing: str, core: str, tail: str) -> list[Part]:
    """The closing bracket, and a second head where keys of the file follow it."""
    if not core.strip():
        return [Part(GLUE, "", "", closing, core + tail)]
    return [Part(GLUE, "", "", closing, ""), Part(HEAD, "", "", core, tail)]


def _inline_rows(opened: str, body: str) -> tuple[list[Part], str]:
    """Split `joints = [` with its inline tables into parts; return them and the rest from the closing bracket on."""
    first = re.match(r"[ \t]*(?:#[^\n]*)?\r?\n", body)
    begin = first.end() if first else 0
    parts = [Part(GLUE, "", "", opened + body[:begin], "")]
    depth, start, end = 0, begin, begin
    for token in _TOKEN.finditer(body, begin):
        if token[0] in "[{":
            start, depth = (token.start() if depth == 0 else start), depth + 1
        elif token[0] in "]}":
            depth -= 1
            if depth == 0:
                after = _AFTER_ROW.match(body, token.end())
                stop = after.end() if after else token.end()
                parts.append(Part(INLINE, "joints", body[end:start], body[start : token.end()], body[token.end() : stop]))
                end = stop
    return parts, body[end:]
