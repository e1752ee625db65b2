"""Report words that a native engineer would not use: `plain_words.py PATH…`; without a path, compare counts with the ceilings.

A hit is one line, `file:line: "word": replacement`. The words are in plain_words.toml, the ceilings in plain_ceilings.toml.
An exception is in the line itself, with its reason: `# plain: quoted lecture text`, in Markdown `<!-- plain: a name -->`.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
WORDS = ROOT / "scripts" / "plain_words.toml"
CEILINGS = ROOT / "scripts" / "plain_ceilings.toml"
PROSE = {".md": "markdown", ".rst": "markdown", ".toml": "toml"}
READ_BY_USERS = ("strings", "markdown", "toml", "public docstrings")  # their ceiling is zero, once all are rewritten
EXCEPTION = re.compile(r"(?<!`)(?:#|<!--|\.\.) plain:[ \t]*(.*?)[ \t]*(?:-->)?$")
NOT_SHOWN = re.compile(r"named|setObjectName|setProperty|property|getattr|setattr|hasattr|import_module|Signal|get|pop|_?icon")
SHOWN = re.compile(r"(?i)label|text|title|tip|caption|button|action|status|holder|error|suffix|prefix|item|message|notice|row")
NO_IMPERATIVE = re.compile(r"(?i)(?!need|feed|speed|embed|bring)\w+(?:ed|ing|(?<!s)s)|the|an?|what|how|no|it")
DEFINITIONS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
TOML_KEYS = re.compile(r"(?m)(?:^[ \t]*|[{,][ \t]*)[\w.-]+(?=[ \t]*=)")
MARKERS = re.compile(r"``[^`]+``|`[^`\n]+`|\]\([^)\s]*\)|<[^>\n]+>|\bhttps?://\S+")  # code and addresses in prose are names


class Hit(NamedTuple):
    """A reported place: the room that counts it, file, line, the words found and their replacement."""

    room: str
    file: str
    line: int
    word: str
    replacement: str

    def __str__(self) -> str:
        return f'{self.file}:{self.line}: "{" ".join(self.word.split())}": {self.replacement}'


class Text(NamedTuple):
    """A docstring, comment, string or page: its kind, first and last line, and whether its line breaks match the file."""

    kind: str
    first: int
    last: int
    text: str
    exact: bool


def load_words(section: str) -> list[tuple[re.Pattern, str]]:
    """Return the compiled patterns of a section of plain_words.toml with their replacements."""
    table = tomllib.loads(WORDS.read_text("utf-8"))[section]
    case = re.IGNORECASE if section == "words" else re.NOFLAG
    return [(re.compile(key.replace(" ", r"\s+"), case), replacement) for key, replacement in table.items()]


def public_names() -> dict[str, set[str]]:
    """Return the names of `armature.__all__` by the file that defines them."""
    found: dict[str, set[str]] = {}
    for node in ast.parse((ROOT / "engine" / "__init__.pyi").read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            file = node.module.removeprefix("armature.").replace(".", "/")
            path = f"{file}.py" if (ROOT / f"{file}.py").is_file() else f"{file}/__init__.py"
            found.setdefault(path, set()).update(alias.name for alias in node.names)
    return found


def room_of(path: str, kind: str) -> str:
    """Return the room whose ceiling counts a text of this kind in this file."""
    if kind == "string":
        return "strings" if path.startswith(("app/", "engine/")) else ""
    if kind in READ_BY_USERS:
        return kind
    first, _, rest = path.partition("/")
    if first in ("app", "engine") and "/" in rest:
        return "/".join(path.split("/")[:2])
    return first if first in ("tests", "assets", "armature", "engine", "app", "docs") else "scripts"


class Source:
    """Docstrings, strings, comments, public functions and classes of a Python file."""

    def __init__(self, content: str, public: set[str]):
        self.public = public
        self.texts: list[Text] = []
        self.functions: list[tuple[int, str]] = []
        self.classes: list[tuple[int, str]] = []
        self._multiline: set[int] = set()
        self._documented: set[int] = set()
        self._read(ast.parse(content), None, None, "")
        self._read_comments(content.splitlines())

    def _read(self, node: ast.AST, parent: ast.AST | None, call: ast.AST | None, owner: str) -> None:
        """Collect from a node and all below it; `call` is its parent, or its parent's parent where that is a keyword."""
        if isinstance(node, DEFINITIONS):
            self._definition(node, owner)
            owner = owner or getattr(node, "name", "")
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            self._docstring(node.value, owner in self.public)  # of an attribute
        elif isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "{…}" for part in node.values]
            self._string(node, "".join(map(str, parts)), call)
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, str) and id(node) not in self._documented and not isinstance(parent, ast.JoinedStr):
                self._string(node, node.value, call)
            return
        for name in node._fields:
            value = getattr(node, name)
            for child in value if isinstance(value, list) else (value,):
                if isinstance(child, ast.AST) and not isinstance(child, ast.Name | ast.expr_context | ast.operator):
                    self._read(child, node, call if isinstance(node, ast.keyword) else node, owner)

    def _definition(self, node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, owner: str) -> None:
        name = getattr(node, "name", "")
        first = node.body[0] if node.body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            self._docstring(first.value, not name.startswith("_") and (owner or name) in self.public)
        if isinstance(node, ast.ClassDef):
            self.classes.append((node.lineno, name))
        elif not isinstance(node, ast.Module) and not name.startswith("_"):
            wrappers = {getattr(wrapper, "id", getattr(wrapper, "attr", "")) for wrapper in node.decorator_list}
            if not wrappers & {"property", "cached_property", "setter"}:
                self.functions.append((node.lineno, name))

    def _docstring(self, node: ast.Constant, public: bool) -> None:
        if id(node) not in self._documented:
            self._documented.add(id(node))
            self._add("public docstrings" if public else "docstring", node, str(node.value))

    def _string(self, node: ast.Constant | ast.JoinedStr, text: str, call: ast.AST | None) -> None:
        """Collect a string unless it is an identifier, such as a key, an object's name or an annotation, or a stylesheet."""
        function = call.func if isinstance(call, ast.Call) else None
        called = getattr(function, "attr", getattr(function, "id", ""))
        if re.fullmatch(r"[a-z_][\w*]*(?:[._/:-][\w*]+)*\(?\)?|[\w.]+\.\w{2,5}|[\W\d_]*", text):
            shown = SHOWN.search(called) and not NOT_SHOWN.fullmatch(called)
        else:
            shown = called not in ("compile", "TypeVar", "setStyleSheet") and "{\n" not in text and "void main" not in text
        self._add("string" if shown else "", node, text)

    def _add(self, kind: str, node: ast.Constant | ast.JoinedStr, text: str) -> None:
        last = node.end_lineno or node.lineno
        exact = text.count("\n") == last - node.lineno
        self._multiline.update(range(node.lineno, last + 1) if exact and last > node.lineno else ())
        if kind:
            self.texts.append(Text(kind, node.lineno, last, text, exact))

    def _read_comments(self, lines: list[str]) -> None:
        """Collect comments; directives to tools, such as `noqa`, do not count."""
        for number, line in enumerate(lines, 1):
            if "#" in line and number not in self._multiline and (comment := re.search(r"(?:^\s*|  )(#\s.*)", line)):
                text = re.sub(r"#\s*(?:noqa|type:|pragma|fmt:)[^#]*?(?= - |$)", "", comment[1])
                self.texts.append(Text("comment", number, number, text, True))


def relative(path: Path) -> str:
    """Return the printed name of a file: its path from the root of the repository, if it is inside."""
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.as_posix()


def read(path: Path, public: dict[str, set[str]]) -> tuple[list[Text], Source | None]:
    """Return the texts of a file, and its names if it is a Python file."""
    content = path.read_text("utf-8")
    if path.suffix == ".py":
        source = Source(content, public.get(relative(path), set()))
        return source.texts, source
    names = TOML_KEYS if path.suffix == ".toml" else MARKERS
    blanked = names.sub(lambda code: "\N{BULLET}" * len(code[0]), content)
    return [Text(PROSE[path.suffix], 1, content.count("\n") + 1, blanked, True)], None


def hits_of(paths: list[Path]) -> list[Hit]:
    """Return the hits of all files, each file's in the order of its lines."""
    public = public_names()
    found: list[Hit] = []
    classes: dict[str, str] = {}
    for path in paths:
        texts, source = read(path, public)
        found += sorted(file_hits(path, texts, source.functions if source else []), key=lambda hit: hit.line)
        file = relative(path)
        for line, name in source.classes if source and file.startswith(("app/", "engine/")) else ():
            if name in classes:
                found.append(
                    Hit(room_of(file, "class"), file, line, name, f"a name of its own: {classes[name]} is a {name}, too")
                )
            classes.setdefault(name, f"{file}:{line}")
    return found


def file_hits(path: Path, texts: list[Text], functions: list[tuple[int, str]]) -> list[Hit]:
    """Return the hits of one file, and its exceptions that have no reason or no hit."""
    name, lines = relative(path), path.read_text("utf-8").splitlines()
    excepted = {number: match[1] for number, line in enumerate(lines, 1) if (match := EXCEPTION.search(line))}
    used: set[int] = set()
    found: list[Hit] = []

    def add(text: Text, start: int, word: str, replacement: str) -> None:
        line = locate(text, start, word, lines)
        covering = {line, text.last if path.suffix == ".py" else line} & {number for number, reason in excepted.items() if reason}
        used.update(covering)
        if not covering and (room := room_of(name, text.kind)):
            found.append(Hit(room, name, line, word, replacement))

    for text in texts:
        plain = EXCEPTION.sub("", text.text) if text.kind == "comment" else text.text
        starts = "headless" if "docstring" in text.kind else "strings" if text.kind == "string" else ""
        begun = 0
        for pattern, replacement in TABLE.get(starts, ()):
            if match := pattern.match(plain.lstrip()):
                begun = 1 + len(plain) - len(plain.lstrip())
                add(text, 0, f"{match[0]} …", replacement)
        for pattern, replacement in TABLE["words"]:
            for match in pattern.finditer(plain, begun):
                add(text, match.start(), match[0], replacement)
    for line, function in functions:
        for pattern, replacement in TABLE["names"]:
            if pattern.fullmatch(function):
                add(Text("name", line, line, function, True), 0, function, replacement)
    for number, reason in excepted.items():
        if number not in used:
            problem = "remove the exception, nothing in this line needs it" if reason else "an exception needs a reason"
            found.append(Hit(room_of(name, PROSE.get(path.suffix, "comment")), name, number, "plain:", problem))
    return found


def locate(text: Text, start: int, word: str, lines: list[str]) -> int:
    """Return the line of a match: by counting line breaks, or in joined literals the first line that has its first word."""
    if text.exact:
        return min(text.first + text.text.count("\n", 0, start), text.last)
    first = word.split(maxsplit=1)[0]
    return next((number for number in range(text.first, text.last + 1) if first in lines[number - 1]), text.first)


def files_under(under: list[str]) -> list[Path]:
    """Return the Python, Markdown and TOML files that git has, or would add, under the given paths."""
    listed = set(git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *under).split("\0"))
    read_here = re.compile(r".*\.(?:py|md|rst)|(?:robots|assets)/.*\.toml")
    return [path for name in sorted(listed) if read_here.fullmatch(name) and (path := ROOT / name).is_file()]


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def commit_problems(span: str) -> list[str]:
    """Return the problems of the subjects of a range of commits."""
    commits = [line.partition("\t") for line in git("log", "--format=%h%x09%s", span).splitlines()]
    return [f"{name}: {subject}: {problem}" for name, _, subject in commits for problem in subject_problems(subject)]


def subject_problems(subject: str) -> list[str]:
    """Return what CONTRIBUTING.md forbids in a commit's subject: length, semicolon, mood and words."""
    first = subject.split(maxsplit=1)[0] if subject.strip() else ""
    problems = [f'"{match[0]}": {text}' for pattern, text in TABLE["words"] if (match := pattern.search(subject))]
    if len(subject) > 72:
        problems.append(f"{len(subject)} characters, at most 72")
    if ";" in subject:
        problems.append("a semicolon; make it two commits")
    if not first[:1].isupper() or subject.endswith("."):
        problems.append("begin with a capital letter and end without a period")
    if NO_IMPERATIVE.fullmatch(first):
        problems.append(f'"{first}" is no imperative')
    return problems


def check(paths: list[Path], lower: bool) -> int:
    """Compare the counts of all rooms with their ceilings, after lowering these if `lower`; return the exit status."""
    hits = hits_of(paths)
    counts = Counter(hit.room for hit in hits)
    ceilings = tomllib.loads(CEILINGS.read_text("utf-8"))
    if lower:
        ceilings = {room: min(ceilings.get(room, 0), counts[room]) for room in ceilings}
        head = CEILINGS.read_text("utf-8").partition("\n\n")[0]
        CEILINGS.write_text(head + "\n\n" + "".join(f'"{room}" = {most}\n' for room, most in ceilings.items()), "utf-8")
    failed = False
    for room in sorted(counts.keys() | ceilings.keys()):
        count, most = counts[room], ceilings.get(room, 0)
        if count > most:
            if room in READ_BY_USERS:
                print(*(hit for hit in hits if hit.room == room), sep="\n")
            print(f"{room}: {count} hits, at most {most} are allowed; scripts/plain_words.py PATH lists them")
        elif count < most and room not in READ_BY_USERS:
            print(f"{room}: {count} hits, fewer than its ceiling of {most}: lower it with scripts/plain_words.py --lower")
        failed |= count > most or (count < most and room not in READ_BY_USERS)
    return int(failed)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", help="files or folders whose hits are listed; none: compare all with the ceilings")
    parser.add_argument("--strings", action="store_true", help="list all strings that a user can read, hits or not")
    parser.add_argument("--users", action="store_true", help="list only hits in what users read, none in docstrings of code")
    parser.add_argument("--lower", action="store_true", help="lower the ceilings to today's counts; none is raised")
    parser.add_argument("--commits", metavar="RANGE", help="check the subjects of these commits, such as main..HEAD")
    options = parser.parse_args()
    if options.commits:
        problems = commit_problems(options.commits)
        print(*problems, sep="\n", end="\n" if problems else "")
        return int(bool(problems))
    paths = files_under(options.paths)
    if options.strings:
        for path in paths:
            for text in sorted(read(path, {})[0], key=lambda text: text.first):
                if text.kind == "string":
                    print(f"{relative(path)}:{text.first}: {text.text!r}")
        return 0
    if not options.paths:
        return check(paths, options.lower)
    hits = [hit for hit in hits_of(paths) if hit.room in READ_BY_USERS or not options.users]
    print(*hits, sep="\n", end="\n" if hits else "")
    print(f"{len(hits)} hits", file=sys.stderr)
    return int(bool(hits))


TABLE = {section: load_words(section) for section in ("words", "headless", "strings", "names")}

if __name__ == "__main__":
    sys.exit(main())
