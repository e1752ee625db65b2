"""Expressions of xacro files: Python that computes with values and can reach nothing else.

The check of the library lets files out: names in an inner function, `$(eval …)` and `vars` lead to modules, and so to commands.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

import xacro

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
_TAKEN_AWAY = ("vars", "type")  # by which a file comes to what functions are made of
_TEXT_BY_NAME = ("format", "format_map")  # which reach attributes by what a text says


_POWER = "__power__"  # which no expression can name
_LARGEST_POWER = 4096  # bits


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
    """$(eval …): an expression that knows arguments, packages and the environment; in place of the library's."""
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
