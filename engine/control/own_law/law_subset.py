"""The part of Python in which a controller is the same whether numba compiles it or not, and its memory as variables."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping
from typing import Any

import numpy as np

MATH = {"sin", "cos", "tanh", "atan", "atan2", "fabs", "copysign", "hypot", "pi", "tau", "e"}
NUMPY = {
    *("abs", "absolute", "all", "any", "arctan", "arctan2", "argmax", "argmin", "array", "clip", "concatenate", "cos", "cosh"),
    *(
        "cross",
        "diag",
        "dot",
        "exp",
        "eye",
        "float64",
        "full",
        "hstack",
        "isfinite",
        "log",
        "max",
        "maximum",
        "mean",
        "min",
        "minimum",
    ),
    *("ones", "ones_like", "outer", "pi", "sign", "sin", "sinh", "sqrt", "sum", "tan", "tanh", "transpose", "where", "zeros"),
    *("hstack", "zeros_like", "linalg"),
}
LINALG = {"det", "inv", "norm", "pinv", "solve"}
BUILTINS = {"abs", "float", "len", "max", "min", "range"}
METHODS = {"copy", "dot", "max", "mean", "min", "sum"}
FIELDS = {"T", "shape", "size"}
ARM_FUNCTIONS = {"gravity": 1, "rnea": 3, "mass_matrix": 1, "jacobian": 1, "pose": 1, "forward_dynamics": 3, "friction": 1}
ARM_FUNCTIONS |= {"regressor": 3}
"""Functions of the arm that a compiled controller may call, with the number of their arguments."""
ARM_FIGURES = ("n", "q_min", "q_max", "qd_max", "tau_max", "home", "weights", "tau_measured")

_NODES = (
    *(ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AugAssign, ast.For, ast.If, ast.Expr, ast.Pass),
    *(ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call, ast.Attribute, ast.Name, ast.Constant),
    *(ast.Subscript, ast.Slice, ast.Tuple, ast.List, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context),
)
_NOT = (ast.Is, ast.IsNot, ast.In, ast.NotIn, ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift, ast.Invert)


class NotCompiled(Exception):
    """The reason why a controller runs as Python."""


def why_not(node: ast.FunctionDef, modules: dict[str, str], helpers: set[str]) -> None:
    """Raise NotCompiled for a function outside the part of Python that is the same.

    `modules` maps names of the file to "numpy" and "math"; `helpers` are functions of the same file.
    """
    arguments = node.args
    if node.decorator_list or arguments.defaults or arguments.kwonlyargs or arguments.vararg or arguments.kwarg:
        raise NotCompiled(f"line {node.lineno}: {node.name} has decorators or defaults")
    for item in (x for statement in node.body for x in ast.walk(statement)):
        line = f"line {getattr(item, 'lineno', node.lineno)}"
        if isinstance(item, ast.FunctionDef) or not isinstance(item, _NODES) or isinstance(item, _NOT):
            raise NotCompiled(f"{line}: {type(item).__name__}")
        if isinstance(item, ast.For):
            _is_over_range(item, line)
        elif isinstance(item, ast.Call):
            _is_known(item, modules, helpers, line)
        elif isinstance(item, ast.Attribute):
            _is_figure(item, modules, line)
        elif isinstance(item, ast.Constant) and not (_is_number(item.value) or _is_docstring(item, node)):
            raise NotCompiled(f"{line}: {item.value!r:.20}")
        elif isinstance(item, (ast.Assign, ast.AugAssign)):
            _is_plain(item, line)
        elif isinstance(item, ast.Name) and item.id not in BUILTINS and item.id in vars(builtins):
            raise NotCompiled(f"{line}: {item.id}")


def _is_number(value: object) -> bool:
    return isinstance(value, (bool, float)) or (isinstance(value, int) and abs(value) < 2**31)


def _is_docstring(item: ast.Constant, node: ast.FunctionDef) -> bool:
    first = node.body[0]
    return isinstance(first, ast.Expr) and first.value is item


def _is_over_range(item: ast.For, line: str) -> None:
    call = item.iter
    if item.orelse or not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"):
        raise NotCompiled(f"{line}: a loop without range(...)")


def _is_plain(item: ast.Assign | ast.AugAssign, line: str) -> None:
    targets = item.targets if isinstance(item, ast.Assign) else [item.target]
    for target in (x for y in targets for x in _leaves(y)):
        base = target.value if isinstance(target, ast.Subscript) else target
        if not isinstance(base, ast.Name):
            raise NotCompiled(f"{line}: {ast.unparse(target)} = …")


def _is_figure(item: ast.Attribute, modules: dict[str, str], line: str) -> None:
    """Fields of numpy and math, of goal, arm and p, and of arrays."""
    base, name = item.value, item.attr
    if isinstance(base, ast.Name) and base.id in modules:
        known = name in (NUMPY if modules[base.id] == "numpy" else MATH)
    elif isinstance(base, ast.Attribute) and isinstance(base.value, ast.Name) and base.value.id in modules:
        known = base.attr == "linalg" and name in LINALG
    elif isinstance(base, ast.Name) and base.id == "p":
        known = name not in ("memory", "log")
    elif isinstance(base, ast.Name) and base.id == "arm":
        known = name in ARM_FUNCTIONS or name in ARM_FIGURES
    elif isinstance(base, ast.Name) and base.id == "goal":
        known = name in ("q", "qd", "qdd")
    else:
        known = name in FIELDS or name in METHODS
    if not known:
        raise NotCompiled(f"{line}: {ast.unparse(item)}")


def _is_known(item: ast.Call, modules: dict[str, str], helpers: set[str], line: str) -> None:
    function = item.func
    if item.keywords or any(isinstance(x, ast.Starred) for x in item.args):
        raise NotCompiled(f"{line}: {ast.unparse(function)} is called with named arguments")
    if isinstance(function, ast.Name):
        if function.id not in BUILTINS | helpers:
            raise NotCompiled(f"{line}: {function.id}")
    elif not isinstance(function, ast.Attribute):
        raise NotCompiled(f"{line}: {ast.unparse(function)}")
    elif ast.unparse(function.value) == "arm" and ARM_FUNCTIONS.get(function.attr) != len(item.args):
        raise NotCompiled(f"{line}: arm.{function.attr} with {len(item.args)} arguments")


Layout = tuple[tuple[str, int], ...]
"""Names, and the number of dimensions of their arrays of floats; 0 for a float."""


def layout_of(memory: Mapping[str, Any]) -> Layout:
    """Return the layout of a memory after the first call. Raises NotCompiled for anything but floats and arrays of floats."""
    found = []
    for name, value in memory.items():
        if not isinstance(name, str) or _dimensions(value) is None:
            raise NotCompiled(f"p.memory[{name!r:.40}] is neither a float nor an array of floats")
        found.append((name, int(np.ndim(value))))
    return tuple(found)


def memory_values(memory: Mapping[str, Any], layout: Layout) -> list[Any] | None:
    """Return the values of a memory of this layout, arrays as copies; None for another layout."""
    if len(memory) != len(layout):
        return None
    values = []
    for name, dimensions in layout:
        value: Any = memory.get(name)
        if _dimensions(value) != dimensions:
            return None
        values.append(value.copy() if dimensions else value)
    return values


def _dimensions(value: Any) -> int | None:
    if isinstance(value, float):
        return 0
    return value.ndim or None if type(value) is np.ndarray and value.dtype == float else None


class MemoryAsVariables(ast.NodeTransformer):
    """Turns `p.memory["x"]` into a variable of `control` and deletes `if "x" not in p.memory:`, true in the first call.

    Raises NotCompiled for a controller that stores arrays by name and changes some in place: two entries of the memory may then
    be the same array, which the variables are not.
    """

    def __init__(self, layout: Layout):
        self._names = [name for name, _ in layout]
        self.variables = [f"_memory_{k}" for k in range(len(layout))]
        self._kept: set[str] = set(self.variables)  # and other names of the same arrays
        self._by_name = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.body = [statement for statement in node.body if not _is_beginning(statement)] or [ast.Pass()]
        self.generic_visit(node)
        for item in ast.walk(node):
            target = item.target if isinstance(item, ast.AugAssign) else item
            in_place = isinstance(item, ast.AugAssign) or (isinstance(item, ast.Subscript) and isinstance(item.ctx, ast.Store))
            if self._by_name and in_place and _base(target) in self._kept:
                line = getattr(item, "lineno", node.lineno)
                raise NotCompiled(f"line {line}: it changes arrays in p.memory in place, and they may be shared")
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        self.generic_visit(node)
        plain = any(not isinstance(value, (ast.BinOp, ast.UnaryOp, ast.Call, ast.Constant)) for value in _leaves(node.value))
        to = {leaf.id for target in node.targets for leaf in _leaves(target) if isinstance(leaf, ast.Name)}
        self._by_name |= plain and bool(to & set(self.variables))
        if any(_base(value) in self._kept for value in _leaves(node.value)):
            self._kept |= to
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        if ast.unparse(node.value) != "p.memory" or not isinstance(node.slice, ast.Constant):
            return node
        if node.slice.value not in self._names:
            raise NotCompiled(f"line {node.lineno}: p.memory[{node.slice.value!r:.40}] must exist from the first call on")
        return ast.copy_location(ast.Name(self.variables[self._names.index(node.slice.value)], node.ctx), node)


def _leaves(value: ast.expr) -> list[ast.expr]:
    return list(value.elts) if isinstance(value, (ast.Tuple, ast.List)) else [value]


def _is_beginning(statement: ast.stmt) -> bool:
    """True for `if "x" not in p.memory:` without else."""
    if not isinstance(statement, ast.If) or statement.orelse or not isinstance(statement.test, ast.Compare):
        return False
    test = statement.test
    names = isinstance(test.left, ast.Constant) and isinstance(test.left.value, str)
    return names and isinstance(test.ops[0], ast.NotIn) and [ast.unparse(x) for x in test.comparators] == ["p.memory"]


def _base(target: ast.AST) -> str:
    """The name at the root of subscripts and attributes."""
    while isinstance(target, (ast.Subscript, ast.Attribute)):
        target = target.value
    return target.id if isinstance(target, ast.Name) else ""
