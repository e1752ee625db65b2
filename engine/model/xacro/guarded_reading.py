"""Restrictions of the process that expands a xacro file: it may only read files of the robot and its packages.

This does not depend on harmless expressions: Python reports every file, process and connection to the hook before it is opened.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import xacro

from armature.engine.model.file_bytes import real_path
from armature.engine.model.urdf.package_folders import belongs_to, folders_around, package_folders

_ALLOWED = (
    ast.Expression,
    ast.BoolOp,
    ast.BinOp,
    ast.UnaryOp,
    ast.Compare,
    ast.IfExp,
    ast.Call,
    ast.keyword,
    ast.Starred,
    ast.Attribute,
    ast.Subscript,
    ast.Slice,
    ast.Name,
    ast.Constant,
    ast.List,
    ast.Tuple,
    ast.Dict,
    ast.Set,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.comprehension,
    ast.expr_context,
    ast.boolop,
    ast.operator,
    ast.unaryop,
    ast.cmpop,
)
_TAKEN_AWAY = ("vars", "type")  # they give access to Python's types
_TEXT_BY_NAME = ("format", "format_map")  # they access attributes by text


_POWER = "__power__"  # which no expression can name
_LARGEST_POWER = 4096  # bits
_HARMLESS = {"compile", "exec", "builtins.id", "glob.glob", "glob.glob/2", "object.__getattr__", "sys._getframe"}
_LOOKS = {"open", "os.listdir", "os.scandir"}
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
MEMORY = 2 * 1024**3  # most bytes of an expansion, where the system supports a limit


class ForbiddenExpression(Exception):
    """An expression that does more than compute."""


class _Powers(ast.NodeTransformer):
    """Puts `_power` in the place of **."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """a ** b as a call."""
        self.generic_visit(node)
        if not isinstance(node.op, ast.Pow):
            return node
        return ast.Call(ast.Name(_POWER, ast.Load()), [node.left, node.right], [])


def _power(base: Any, exponent: Any) -> Any:
    """base ** exponent, unless whole numbers would keep the machine busy for ever."""
    if isinstance(base, int) and isinstance(exponent, int) and exponent * base.bit_length() > _LARGEST_POWER:
        raise ForbiddenExpression(f"a whole number of more than {_LARGEST_POWER:,} bits is too large")
    return base**exponent


def evaluate(expression: str, names: dict[str, Any], local: Mapping[str, Any] | None = None) -> Any:
    """The value of an expression in which only `names` mean something; in place of `xacro.safe_eval`."""
    tree = ast.parse(expression.strip(), mode="eval")
    for node in ast.walk(tree):
        _check(node)
    tree = ast.fix_missing_locations(_Powers().visit(tree))
    names.update(__builtins__={_POWER: _power})
    return eval(compile(tree, "<expression>", "eval"), names, local)


def _check(node: ast.AST) -> None:
    if not isinstance(node, _ALLOWED):
        raise ForbiddenExpression(f"{type(node).__name__} is not allowed in an expression; only computations are")
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    if name.startswith("__") or (isinstance(node, ast.Attribute) and (name.startswith("_") or name in _TEXT_BY_NAME)):
        raise ForbiddenExpression(f"{name} is not allowed in an expression; only computations are")


def guard(symbols: dict[str, Any]) -> None:
    """Takes out of the library's symbols what leads a file to Python itself."""
    for name in _TAKEN_AWAY:
        dict.pop(symbols["python"], name, None)


def evaluated_argument(text: str, context: Mapping[str, Any]) -> str:
    """Evaluate $(eval …), an expression with arguments, packages and the environment; replaces the library's function."""
    from xacro import substitution_args

    arguments = context.get("arg", {})
    known = {
        "arg": lambda name: substitution_args.convert_value(arguments[name], "auto"),
        "find": substitution_args._eval_find,
        "env": substitution_args._eval_env,
        "optenv": substitution_args._eval_optenv,
    }
    values = {name: substitution_args.convert_value(value, "auto") for name, value in arguments.items()}
    plain = {"true": True, "false": False}
    symbols = xacro._global_symbols
    usual = {name: symbols[name] for name in (*symbols["math"], "list", "dict", "map", "str", "float", "int", "True", "False")}
    return str(evaluate(text, {**usual, **plain, **values, **known}))


class ForbiddenReading(Exception):
    """A file outside of the robot's folder and packages, or anything but reading."""


class AllowedFolders:
    """The folders that one robot may be read from, the packages it names among them."""

    def __init__(self, file: Path):
        self._starts = list(dict.fromkeys([real_path(file).parent, file.absolute().parent]))
        self._folders = [folder for start in self._starts for folder in folders_around(start)]
        self.seen: dict[str, None] = {}

    def package(self, name: str) -> str:
        """Folder of a package, for $(find NAME). Raises ForbiddenReading if it is missing."""
        found = package_folders(name, self._starts) if name.strip(".") and not set(name) & set("/\\") else []
        if not found:
            raise ForbiddenReading(
                f"package {name!r} not found in the folders around the file, nor in ROS_PACKAGE_PATH, AMENT_PREFIX_PATH or "
                "ARMATURE_PACKAGE_PATH"
            )
        self._folders += [folder for folder in found if folder not in self._folders]
        return str(found[0])

    def close_the_rest(self) -> None:
        """Restrict this process permanently to reading in these folders."""
        _limit_memory()
        sys.addaudithook(self._hook)

    def _hook(self, event: str, details: tuple[Any, ...]) -> None:
        if event in _HARMLESS:
            return
        if event not in _LOOKS:
            raise ForbiddenReading(f"not allowed in a robot file: {event}")
        place, mode, flags = (*details, None, None)[:3]
        if isinstance(place, int) or (event == "open" and (flags or 0) & _WRITES) or (mode and set(str(mode)) & set("wax+")):
            raise ForbiddenReading("a robot file may not write files")
        path = Path(os.fsdecode(place if place is not None else "."))
        if path.name == "package.xml" and event == "open":
            return
        if not self._may_read(path):
            raise ForbiddenReading(f"{str(path)!r} is outside the robot's folder and its packages and is not read")
        self.seen[str(path)] = None

    def _may_read(self, path: Path) -> bool:
        try:
            place = real_path(path)
        except (OSError, ValueError):
            return False
        return any(belongs_to(place, folder) for folder in self._folders)


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows: there the time limit alone ends an expansion that grows without end
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
