"""Reading robot files: bytes to a `Robot`, or to one line about the mistake."""

from __future__ import annotations

import difflib
import hashlib
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from armature.engine.errors import ModelError, one_line, shown
from armature.engine.model.file_bytes import Unreadable, file_bytes
from armature.engine.model.file_entries import CollisionEntry, Entry, FrictionEntry, JointEntry, PoseEntry, ToolLimitsEntry
from armature.engine.model.robot import Robot
from armature.engine.model.toml.robot_schema import RobotFile
from armature.engine.model.toml.toml_assembly import assemble
from armature.engine.model.toml.toml_kind import ROBOT, expect_kind

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


REQUIRED = {
    "type": 'it must be "revolute" or "prismatic"',
    "convention": 'it must be "standard" or "modified" (Denavit-Hartenberg)',
    "name": 'give the robot a name, such as name = "my_arm"',
    "joints": "give one table headed [[joints]] per joint",
}
MAX_BYTES = 1_000_000
# tomllib's memory grows with the square of the parts of a dotted key; no file needs more than three.
_DEEP_KEY = re.compile(r"""(?<![\w-])(?:(?:"[^"\n]*+"|'[^'\n]*+'|[\w-]++)[ \t]*+\.[ \t]*+){20}""")


def robot_table(loc: list[Any]) -> type[Entry]:
    """The table of a robot file that `loc` leads to."""
    if loc[:1] == ["joints"]:
        return FrictionEntry if loc[2:] == ["friction"] else JointEntry
    tables: dict[Any, type[Entry]] = {"tool_limits": ToolLimitsEntry, "collision": CollisionEntry}
    return tables.get(loc[0], PoseEntry) if loc else RobotFile


def complaint(
    error: ValidationError,
    table_at: Callable[[list[Any]], type[Entry]] = robot_table,
    required: Mapping[str, str] = REQUIRED,
) -> str:
    """Message about the first fault of pydantic, as "field: reason", and the places of further ones.

    Unknown keys are first, because a misspelt key is also reported as a missing one. `table_at` returns the table at a place in
    the file, `required` the hint for each required key.
    """
    faults = sorted(error.errors(include_url=False), key=lambda fault: fault["type"] != "extra_forbidden")
    loc, field = list(faults[0]["loc"]), _place(faults[0])
    what = _what(faults[0], loc, table_at, required)
    others = list(dict.fromkeys(_place(fault) for fault in faults[1:]))
    more = f"; also wrong: {', '.join(others)}" if others else ""
    return f"{field}: {what}{more}" if field else f"{what}{more}"


def _place(fault: Any) -> str:
    extra = fault.get("ctx", {}).get("field", "")
    return _path([*fault["loc"], extra] if extra else list(fault["loc"]))


def _path(loc: list[Any]) -> str:
    """`joints[2].mass` for ("joints", 2, "mass"); the "[key]" of pydantic is omitted."""
    path = ""
    for part in loc:
        if part == "[key]":
            continue
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    joint = re.match(r"joints\[(\d+)]", path)
    return one_line(path, 120) + (f" (joint {int(joint[1]) + 1})" if joint else "")


def _what(fault: Any, loc: list[Any], table_at: Callable[[list[Any]], type[Entry]], required: Mapping[str, str]) -> str:
    kind, value = fault["type"], fault.get("input")
    if kind == "robot_file":
        return fault["msg"]
    if kind == "extra_forbidden":
        return _unknown_key(str(loc[-1]), table_at(loc[:-1]))
    if kind == "missing":
        return f"missing; {required[loc[-1]]}"
    if kind == "literal_error":
        return f"must be {fault['ctx']['expected'].replace(chr(39), chr(34))}, got {shown(value)}"
    nouns = {"list_type": "an array", "dict_type": "a table", "model_type": "a table", "model_attributes_type": "a table"}
    return f"must be {nouns[kind]}, got {shown(value)}" if kind in nouns else fault["msg"]


def _unknown_key(key: str, table: type[Entry]) -> str:
    valid = list(table.model_fields)
    close = difflib.get_close_matches(key.lower(), valid, n=1, cutoff=0.5)
    hint = f"did you mean {close[0]}? " if close else ""
    return f"unknown key; {hint}valid are {', '.join(valid)}"


def read_toml_robot(path: Path) -> Robot:
    """Robot of the TOML file at `path`.

    Raises:
        ModelError: one line with the file, the field, the mistake and the valid values.
    """
    try:
        return robot_of_bytes(file_bytes(path, MAX_BYTES), path)[1]
    except ValidationError as error:
        raise ModelError(error_line(path, complaint(error))) from None
    except Unreadable as error:
        raise ModelError(error_line(path, str(error))) from None


def robot_of_bytes(data: bytes, path: Path | None) -> tuple[Mapping[str, Any], Robot]:
    """The table of a robot file and the robot it describes. Raises Unreadable and pydantic's ValidationError."""
    if len(data) > MAX_BYTES:
        raise Unreadable(f"is larger than {MAX_BYTES / 1e6:.0f} MB, the maximum for a robot file")
    table = expect_kind(table_of(data, "robot file", "name, convention and [[joints]]"), ROBOT, path or Path("FILE"))
    robot = assemble(RobotFile.model_validate(table), source=path)
    return table, replace(robot, file_hash=hashlib.sha256(data).hexdigest())


def error_line(path: Path, what: str) -> str:
    """One line with the file and the mistake `what`."""
    return one_line(f"{one_line(str(path), 200)}: {what}", 700)


def toml_table(path: Path, kind: str, needs: str) -> dict[str, Any]:
    """Content of a TOML file of some `kind`, which `needs` certain keys. Raises Unreadable."""
    return table_of(file_bytes(path, MAX_BYTES, kind), kind, needs)


def table_of(data: bytes, kind: str, needs: str) -> dict[str, Any]:
    """Content of the bytes of a TOML file of some `kind`, which `needs` certain keys. Raises Unreadable."""
    return _parsed(_text(data, kind, needs), kind)


def _text(data: bytes, kind: str, needs: str) -> str:
    try:
        # Editors on Windows put a byte order mark in front.
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"is not text: byte {error.start} is not UTF-8; a {kind} is a TOML text file") from None
    if not text.strip():
        raise Unreadable(f"is empty; a {kind} needs {needs}")
    return text


def _parsed(text: str, kind: str) -> dict[str, Any]:
    if _DEEP_KEY.search(text):
        raise Unreadable(f"is nested too deeply for a {kind}")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise Unreadable(f"is nested too deeply for a {kind}") from None
    except tomllib.TOMLDecodeError as error:
        raise Unreadable(f"is not TOML: {mistake(text, error)}") from None
    except ValueError:
        # Python refuses to read integers of more than a few thousand digits.
        raise Unreadable("is not TOML: a number has too many digits") from None
