"""The code on a page of the documentation, run in order: Python in one namespace, commands of `armature`, files that it shows."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from armature.app.cli import main

_BLOCK = re.compile(r"^```(?:\{code-block\} )?(\w+)\n(?::caption: (\S+)\n\n?)?(.*?)^```$", re.MULTILINE | re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


@dataclass(frozen=True)
class Block:
    """A block in a fence: its language, the file it is, "" for none, its text and its line."""

    language: str
    file: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    """All of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [Block(m[1], m[2] or "", m[3], text.count("\n", 0, m.start()) + 1) for m in _BLOCK.finditer(text)]


class Runner:
    """Runs the blocks of one page in the folder that is current."""

    def __init__(self, page: Path):
        self.page = page
        self.names: dict = {"__name__": "__main__"}

    def printed(self, block: Block) -> str:
        """What running a block of Python or of commands prints."""
        with contextlib.redirect_stdout(io.StringIO()) as out:
            if block.language == "python":
                exec(compile("\n" * block.line + block.text, self.page.name, "exec"), self.names)
            else:
                for line in block.text.replace("\\\n", " ").splitlines():
                    words = shlex.split(line, comments=True)
                    assert words[0] == "armature" and main(words[1:]) == 0, line
        return out.getvalue()


def differences(told: str, printed: str) -> list[str]:
    """Lines of which words differ, or numbers by more than one unit of the last digit that the page shows."""
    wanted, got = told.splitlines(), printed.splitlines()
    if len(wanted) != len(got):
        return [f"{len(got)} lines for {len(wanted)}", *got]
    return [f"{line!r} instead of {page!r}" for page, line in zip(wanted, got, strict=True) if not _same(page, line)]


def _same(page: str, line: str) -> bool:
    if _words(page) != _words(line):
        return False
    pairs = zip(_NUMBER.findall(page), _NUMBER.findall(line), strict=True)
    return all(abs(float(a) - float(b)) <= 1.001 * _last_digit(a) for a, b in pairs)


def _words(line: str) -> list[str]:
    """The words of a line with every number alike; a blank before the first number of an array stands for the sign it has not."""
    return _NUMBER.sub("#", line).replace("[ ", "[").split()


def _last_digit(number: str) -> float:
    """What the last digit of a number counts; whole numbers are exact."""
    mantissa, _, exponent = number.partition("e")
    decimals = len(mantissa.partition(".")[2])
    return 10.0 ** (int(exponent or 0) - decimals) if decimals or exponent else 0.0
