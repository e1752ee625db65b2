"""The part of Python in which a law means the same whether numba compiles it or not."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

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
"""What a compiled law may call of the arm, and with how many arguments."""
ARM_FIGURES = ("n", "q_min", "q_max", "qd_max", "tau_max", "home", "weights", "tau_measured")

_NODES = (
    *(ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AugAssign, ast.For, ast.If, ast.Expr, ast.Pass),
    *(ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call, ast.Attribute, ast.Name, ast.Constant),
    *(ast.Subscript, ast.Slice, ast.Tuple, ast.List, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context),
)
_NOT = (ast.Is, ast.IsNot, ast.In, ast.NotIn, ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift, ast.Invert)


class NotCompiled(Exception):
    """Why a law runs as Python, in a few words."""


def why_not(node: ast.FunctionDef, modules: dict[str, str], helpers: set[str]) -> None:
    """Raises NotCompiled for a function that goes beyond the part that is the same.

    `modules` says what names mean "numpy" and "math"; `helpers` are functions of the same file.
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
        raise NotCompiled(f"{line}: a loop that does not use range(...)")


def _is_plain(item: ast.Assign | ast.AugAssign, line: str) -> None:
    targets = item.targets if isinstance(item, ast.Assign) else [item.target]
    for target in (x for y in targets for x in _leaves(y)):
        base = target.value if isinstance(target, ast.Subscript) else target
        if not isinstance(base, ast.Name):
            raise NotCompiled(f"{line}: {ast.unparse(target)} = …")


def _leaves(target: ast.expr) -> Iterator[ast.expr]:
    yield from target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]


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
        raise NotCompiled(f"{line}: {ast.unparse(function)} with named arguments")
    if isinstance(function, ast.Name):
        if function.id not in BUILTINS | helpers:
            raise NotCompiled(f"{line}: {function.id}")
    elif not isinstance(function, ast.Attribute):
        raise NotCompiled(f"{line}: {ast.unparse(function)}")
    elif ast.unparse(function.value) == "arm" and ARM_FUNCTIONS.get(function.attr) != len(item.args):
        raise NotCompiled(f"{line}: arm.{function.attr} with {len(item.args)} arguments")
