"""Common mistakes in TOML: the line, its error and the correction, since the parser reports only a column."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator

from armature.engine.errors import one_line

_LONGEST = 60  # characters of a line that are shown
_LONGEST_LINE = 400  # of one that is corrected
_PLACE = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)$")
_STATEMENT = re.compile(r"""^\s*(?P<key>[\w.'"-]+)\s*=\s*(?P<value>.*)$""", re.DOTALL)
_STRING = re.compile(r""""(?:[^"\\]|\\.)*"|'[^']*\'""")
_WORD = re.compile(r"[+-]?(?:\d[\d.]*\s*\*\s*)?[^\W\d_][\w.*/+\- ()]*")
_UNIT = re.compile(r"\d\s*(?:°|%|mm|cm|m|kg|g|rad|deg|Nm|N·m|N|s)\s*(?:$|[,\]#])")
_LARGE = r"\b(?:True|TRUE|False|FALSE|NaN|NAN|Infinity)\b"
_SMALL = {"true": "true", "false": "false", "nan": "nan", "infinity": "inf"}

Change = Callable[[str], str]


def mistake(text: str, error: tomllib.TOMLDecodeError) -> str:
    """One-line error message for invalid TOML: line number, error, and the correction if there is an obvious one."""
    lines = text.splitlines()
    place = _PLACE.search(str(error))
    words = _PLACE.sub("", str(error))
    number = int(place[1]) if place and place[1] else len(lines)
    at = _start(lines, min(number, len(lines)) - 1, words)
    line = lines[at].strip()
    start = f"line {at + 1}, {_shown(line)}: "
    if twice := re.match(r"Cannot declare \('([\w.-]+)',\) twice", words):
        return f"{start}[{twice[1]}] is given twice; to list several joints or runs, head each table [[{twice[1]}]]"
    if words.startswith("Cannot overwrite"):
        return f"{start}the key is given twice in its table; give it only once"
    if line.startswith("<"):
        return f"{start}this is XML; rename a URDF to .urdf, a MuJoCo model to .xml"
    if nothing := re.search(r"=\s*(None|null|nil)\s*(?:#.*)?$", line):
        return f"{start}{nothing[1]} is not a value in TOML; remove the key"
    if _STATEMENT.match(line) and _UNIT.search(_STRING.sub('""', line)):
        return f"{start}write numbers without units: lengths in m, masses in kg, angles in rad, or in degrees for keys with _deg"
    if words.startswith("Invalid initial character") and "{" in line:
        return f"{start}a table in braces must be on one line, without a comma after its last value"
    for what, corrected in _corrections(line) if len(line) <= _LONGEST_LINE else ():
        return f"{start}{what}; write {_shown(corrected)}"
    if _STATEMENT.match(line) and not re.search(r"=\s*\S", line):
        return f"{start}a value is missing after ="
    return start + words[:1].lower() + words[1:]


def _start(lines: list[str], at: int, words: str) -> int:
    """Line index of the unclosed bracket or string; the parser reports the next line that does not fit."""
    if words.startswith("Unclosed array"):
        for k in range(at, max(at - 50, -1), -1):
            bare = _STRING.sub('""', lines[k].partition("#")[0])
            if _STATEMENT.match(lines[k]) and bare.count("[") > bare.count("]"):
                return k
    while at > 0 and not lines[at].strip():
        at -= 1
    return at


def _shown(line: str) -> str:
    return one_line(line, _LONGEST)


def _corrections(line: str) -> Iterator[tuple[str, str]]:
    """Yield error and corrected line for every change, or combination of changes, that makes the line valid TOML."""
    for what, change in _CHANGES:
        if (corrected := change(line)) != line and _is_toml(corrected):
            yield what, corrected
    messages, together = [], line
    for what, change in _CHANGES:
        if (corrected := change(together)) != together:
            messages.append(what)
            together = corrected
    if len(messages) > 1 and _is_toml(together):
        yield " and ".join(messages), together


def _is_toml(line: str) -> bool:
    """A statement, a header, or some elements of an array that goes over several lines."""
    for whole in (line, f"x = [{line}]" if not _STATEMENT.match(line) and not line.startswith("[[") else line):
        try:
            tomllib.loads(whole)
        except (ValueError, RecursionError):
            continue
        return True
    return False


def _outside_strings(pattern: str, replacement: str | Callable[[re.Match[str]], str]) -> Change:
    """Change that replaces the pattern in the value only: not in the key, in quotes or in a comment."""

    def change(line: str) -> str:
        statement = _STATEMENT.match(line)
        start = statement.start("value") if statement else 0
        out, at = [line[:start]], start
        for part in re.finditer(rf"{_STRING.pattern}|#.*", line):
            if part.start() < at:
                continue
            out += [re.sub(pattern, replacement, line[at : part.start()]), part[0]]
            at = part.end()
        return "".join([*out, re.sub(pattern, replacement, line[at:])])

    return change


def _quoted(line: str) -> str:
    """Words and expressions such as pi/2 in quotes, the whole value or each element of an array."""
    statement = _STATEMENT.match(line)
    value = statement["value"] if statement else line
    bare, comment = re.match(r"([^#]*?)(\s*#.*)?$", value, re.DOTALL).groups("")  # type: ignore[union-attr]
    if '"' in bare or "'" in bare or "{" in bare or not (statement or bare.endswith((",", "]"))):
        return line
    inner = re.fullmatch(r"\[([^\[\]]*)\]", bare)
    if inner:
        parts = [part.strip() for part in inner[1].split(",")]
        new = f"[{', '.join(_in_quotes(part) for part in parts)}]"
    else:
        new = _in_quotes(bare.strip())
    return f"{line[: len(line) - len(value)]}{new}{comment}"


def _in_quotes(part: str) -> str:
    part = part.replace("π", "pi")
    return f'"{part}"' if _WORD.fullmatch(part) and part not in ("true", "false", "inf", "-inf", "nan") else part


def _closed(line: str) -> str:
    """A quote or bracket that was opened, closed."""
    bare, hash_sign, comment = line.partition("#")
    for quote in "\"'":
        if bare.count(quote) % 2:
            bare += quote
    stripped = _STRING.sub('""', bare)
    missing = "]" * (stripped.count("[") - stripped.count("]")) + "}" * (stripped.count("{") - stripped.count("}"))
    return bare + missing + hash_sign + comment


_CHANGES: tuple[tuple[str, Change], ...] = (
    ("quotes must be straight", lambda line: re.sub("[“”„«»]", '"', re.sub("[‘’‚]", "'", line))),
    ("a minus sign must be the hyphen -", _outside_strings("[−–—]", "-")),
    ("a key and its value must be separated by =", lambda line: re.sub(r"^([\w.-]+)\s*(?::=?|==)\s*", r"\1 = ", line)),
    ("a key and its value must be separated by =", _outside_strings(r"(\w+)\s*:\s*", r"\1 = ")),
    ("comments must begin with #", _outside_strings(r"(^|\s+)(?://|;|%)(?=\s)", r"\1#")),
    ("a line must not end with ;", _outside_strings(r"\s*;\s*$", "")),
    ("a number needs a digit before its point", _outside_strings(r"(?<![\w.])\.(?=\d)", "0.")),
    ("a number needs a digit after its point", _outside_strings(r"(?<=\d)\.(?![\d\w])", ".0")),
    ("decimals need a point", lambda line: re.sub(r"^([\w.-]+\s*=\s*[+-]?\d+),(\d+)\s*(#.*)?$", r"\1.\2 \3", line).rstrip()),
    (
        "elements of an array must be separated by commas",
        _outside_strings(r"\[[^\[\],]*\]", lambda found: _with_commas(found[0])),
    ),
    ("arrays must be in brackets", _outside_strings(r"^\(([^()]*)\)$", r"[\1]")),
    ("true, false, nan and inf must be lower case", _outside_strings(_LARGE, lambda found: _SMALL[found[0].lower()])),
    ("numbers must not start with zeros", _outside_strings(r"(?<![\w.])0+(?=\d)", "")),
    ("numbers must not contain blanks", lambda line: re.sub(r"^([\w.-]+\s*=\s*\d+)\s+(\d{3})$", r"\1\2", line)),
    ("a backslash in a path must be /", lambda line: _STRING.sub(lambda found: found[0].replace("\\", "/"), line)),
    ("text and expressions must be in quotes", _quoted),
    ("a quote or bracket is not closed", _closed),
)


def _with_commas(array: str) -> str:
    parts = [part for part in re.split(r"[\s;,]+", array[1:-1].strip()) if part]
    return f"[{', '.join(parts)}]"
