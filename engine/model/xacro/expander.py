"""Process that expands a xacro file: the request is on standard input, the URDF or the error on standard output.

It is separate because the library stores its state in its module, an endless expansion must be stopped from outside, and a file
must not affect the program that opens it.
"""

from __future__ import annotations

import errno
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any
from xml.dom import expatbuilder, minidom
from xml.parsers.expat import ExpatError

import xacro
from xacro import substitution_args

from armature.engine.model.file_bytes import Unreadable, check_text, file_bytes, real_path
from armature.engine.model.xacro.guarded_reading import AllowedFolders, evaluate, evaluated_argument, guard

MAX_BYTES = 10_000_000
_MOST_ELEMENTS = 100_000
_MOST_CALLS = 5_000  # of macros
_MOST_DEPTH = 60  # macros in macros; no robot has twenty
_LONGEST_TEXT = 1_000_000

Place = tuple[str, int]
Element = Any  # of xml.dom.minidom, with the place it comes from put on it here


class Arguments(dict[str, str]):
    """Arguments of a file; records which of them were used."""

    def __init__(self, given: dict[str, str]):
        super().__init__(given)
        self.looked_at: set[str] = set()

    def __contains__(self, name: object) -> bool:
        self.looked_at.add(str(name))
        return super().__contains__(name)

    def __getitem__(self, name: str) -> str:
        self.looked_at.add(name)
        return super().__getitem__(name)


class _Builder(expatbuilder.ExpatBuilderNS):
    """Elements that know their place: `place` is (file, line)."""

    def __init__(self, file: str):
        super().__init__()
        self._file = file

    def start_element_handler(self, name, attributes):
        super().start_element_handler(name, attributes)
        element: Element = self.curNode
        element.place = (self._file, self.getParser().CurrentLineNumber)


class Expansion:
    """Expansion of one file to a URDF."""

    def __init__(self, file: Path, arguments: dict[str, str]):
        self.file, self.arguments, self.reading = file, Arguments(arguments), AllowedFolders(file)
        self._elements = self._calls = 0

    def expanded(self) -> Element:
        """The outermost element, expanded. Raises what the library raises."""
        self._take_over()
        self.reading.close_the_rest()
        xacro.init_stacks(str(self.file))
        document = self._parse(None, str(self.file))
        root: Element = document.documentElement
        if root.tagName == "robot":
            xacro.process_doc(document, mappings=self.arguments, verbosity=0)
        return root

    def _take_over(self) -> None:
        """Replace functions of the library by guarded, counting and locating ones."""
        xacro.safe_eval = evaluate
        substitution_args._eval = evaluated_argument
        substitution_args._eval_find = self.reading.package
        guard(xacro._global_symbols)
        xacro.parse = self._parse
        original, called, text = minidom.Element.cloneNode, xacro.handle_macro_call, xacro.eval_text

        def cloned(node, deep):
            copy = original(node, deep)
            for one, other in zip(_elements(node), _elements(copy)):
                other.place = getattr(one, "place", None)
                self._count()
            return copy

        def macro_call(node, macros, symbols):
            if node.tagName.startswith("xacro:"):
                self._calls += 1
                if len(xacro.macrostack) >= _MOST_DEPTH:
                    raise xacro.XacroException(f"macros call each other endlessly: {_stack()}")
                if self._calls > _MOST_CALLS:
                    raise xacro.XacroException(f"calls more than {_MOST_CALLS:,} macros, the maximum")
            return called(node, macros, symbols)

        def eval_text(written, symbols):
            value = text(written, symbols)
            if isinstance(value, (str, list, tuple)) and len(value) > _LONGEST_TEXT:
                raise xacro.XacroException(f"a value of {len(value):,} characters or parts is too large")
            return value

        minidom.Element.cloneNode = cloned  # type: ignore[method-assign]
        xacro.handle_macro_call, xacro.eval_text = macro_call, eval_text

    def _parse(self, given: Any, name: str) -> minidom.Document:
        """A file as elements with their places; in place of the library's."""
        path = Path(name)
        above = [str(real_path(Path(file))) for file in xacro.filestack[:-1] if file]
        if str(real_path(path)) in above:
            raise xacro.XacroException(f"includes itself: {' in '.join(Path(f).name for f in xacro.filestack[::-1])}")
        try:
            data = file_bytes(path, MAX_BYTES, "xacro file")
        except Unreadable as error:
            if above and not path.is_file():
                xacro.filestack.pop()
                raise xacro.XacroException(exc=FileNotFoundError(errno.ENOENT, str(error), str(path))) from None
            raise
        check_text(data)
        document = _Builder(str(path)).parseString(data)
        self._count(len(list(_elements(document.documentElement))))
        return document

    def _count(self, more: int = 1) -> None:
        self._elements += more
        if self._elements > _MOST_ELEMENTS:
            raise xacro.XacroException(f"expands to more than {_MOST_ELEMENTS:,} elements, the maximum")


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """{"text", "places", "arguments"} of an expanded file, or {"problem", "file", "line"} and, where one is missing, "needs"."""
    expansion = Expansion(Path(request["file"]), request["arguments"])
    try:
        root = expansion.expanded()
        text = root.toxml()
        if len(text) > MAX_BYTES:
            raise xacro.XacroException(f"expands to a URDF of more than {MAX_BYTES / 1e6:.0f} MB, the maximum")
    except RecursionError as error:
        return _problem("expands itself endlessly", error)
    except MemoryError:
        return {"problem": "needs too much memory; look for a macro or value that grows endlessly", "file": "", "line": 0}
    except ExpatError as error:
        words = str(error).partition(":")[0]
        hint = '; <robot> needs xmlns:xacro="http://www.ros.org/wiki/xacro"' if words == "unbound prefix" else ""
        return {"problem": f"is not XML: {words}{hint}", "file": xacro.filestack[-1], "line": error.lineno}
    except Exception as error:  # any error of an expression is reported with its place, and this process ends
        unknown = sorted(set(request["arguments"]) - expansion.arguments.looked_at)
        hint = f"; up to this place the argument {unknown[0]!r} is unused" if unknown else ""
        return _problem(_words(error) + hint, error) | _needs(error)
    places = [list(getattr(node, "place", None) or ("", 0)) for node in _elements(root)]
    unknown = sorted(set(request["arguments"]) - expansion.arguments.looked_at)
    return {"text": text, "places": places, "unknown": unknown, "known": sorted(expansion.arguments.looked_at)}


def _elements(node: Element) -> Iterator[Element]:
    """The element and all in it, in the order of the file."""
    todo = [node]
    while todo:
        yield (one := todo.pop())
        todo += [child for child in reversed(one.childNodes) if child.nodeType == child.ELEMENT_NODE]


def _chain(error: BaseException) -> list[BaseException]:
    """The error and those that the library wrapped in it, innermost last."""
    chain = [error]
    while isinstance(chain[-1], xacro.XacroException) and isinstance(chain[-1].exc, Exception):
        chain.append(chain[-1].exc)
    return chain


def _words(error: BaseException) -> str:
    """Message of the error, with the innermost expression."""
    chain = _chain(error)
    cause = chain[-1]
    if isinstance(cause, substitution_args.ArgException):
        return f"needs the argument {cause.args[0]!r}"
    where = [str(one.suffix).strip() for one in chain if isinstance(one, xacro.XacroException) and one.suffix]
    if isinstance(cause, MemoryError):
        what = "needs too much memory"
    elif isinstance(cause, SyntaxError):
        what = f"is not a valid expression: {cause.msg}"
    elif isinstance(cause, FileNotFoundError):
        what = f"file not found: {cause.filename}"
    else:
        what = str(cause.args[0] if isinstance(cause, xacro.XacroException) and cause.args else cause) or type(cause).__name__
    name = _nameless(cause.__traceback__)
    what = what.replace(": missing attribute", f" {name!r}: missing attribute", 1) if name else what
    return f"{what} {where[-1]}" if where else what


def _nameless(trace: TracebackType | None) -> str:
    """The name of the element whose attributes the library was at; "" if it has none."""
    tag = None
    while trace is not None:
        tag, trace = trace.tb_frame.f_locals.get("tag", tag), trace.tb_next
    return str(tag.getAttribute("name")) if isinstance(tag, minidom.Element) else ""


def _needs(error: BaseException) -> dict[str, str]:
    cause = _chain(error)[-1]
    return {"needs": str(cause.args[0])} if isinstance(cause, substitution_args.ArgException) else {}


def _problem(words: str, error: BaseException) -> dict[str, Any]:
    file, line = _place(error.__traceback__) or (str(xacro.filestack[-1] or "") if xacro.filestack else "", 0)
    return {"problem": words, "file": file, "line": line}


def _place(trace: TracebackType | None) -> Place | None:
    """Place in the file of the innermost element that the library was processing."""
    found = None
    while trace is not None:
        for name in ("node", "elt"):
            place = getattr(trace.tb_frame.f_locals.get(name), "place", None)
            found = place or found
        trace = trace.tb_next
    return found


def _stack() -> str:
    names = list(dict.fromkeys(macro.body.getAttribute("name") for macro in xacro.macrostack))
    return ", ".join(names[-4:])


if __name__ == "__main__":
    sys.setrecursionlimit(5000)
    reply = answer(json.load(sys.stdin))
    json.dump(reply, sys.stdout)
