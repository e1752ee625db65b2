"""`compiled`: an own law as numba compiles it, where that means the same."""

from __future__ import annotations

import ast
import operator
import warnings
from collections import namedtuple
from collections.abc import Callable
from functools import cache, lru_cache
from types import ModuleType
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types
from numba.core.errors import NumbaError, NumbaPerformanceWarning

from armature.engine.control.own_law.compiled_arm import FIGURES, CompiledArm, compiled_functions
from armature.engine.control.own_law.law_memory import Layout, MemoryAsVariables
from armature.engine.control.own_law.law_subset import BUILTINS, NotCompiled, why_not
from armature.engine.jit import MAT, MODEL

_OPTIONS = {"boundscheck": True, "error_model": "python", "nogil": True}
"""What is out of bounds or divided by zero raises, as in Python; a time limit is counted meanwhile."""
_MOST_TURNS = 1_000_000_000  # of the loops of a function, in one call of it
_GROWS = (operator.mul, operator.imul, operator.pow, operator.ipow)
_ADDS = (operator.add, operator.sub, operator.iadd, operator.isub)
_LOGGED = (types.Float, types.Integer, types.Boolean)


class CompiledLaw(NamedTuple):
    """`call(t, q, qd, goal, arm, values, *memory)` gives tau, what is logged under `log`, and the memory as it is then; None, and
    `why`, where it stays Python."""

    call: Callable[..., Any] | None = None
    values: Callable[..., Any] = tuple
    log: tuple[str, ...] = ()
    why: str = ""


@lru_cache(maxsize=64)
def compiled(text: str, names: tuple[str, ...], goal: type, memory: Layout) -> CompiledLaw:
    """The `control` of a text, whose parameters have these names, and which is given a `goal` and keeps a memory."""
    try:
        return _compiled(ast.parse(text), names, goal, memory)
    except NotCompiled as error:
        return CompiledLaw(why=str(error))
    except NumbaError as error:
        line = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
        return CompiledLaw(why=f"numba: {line[:120]}")


def _compiled(tree: ast.Module, names: tuple[str, ...], goal: type, memory: Layout) -> CompiledLaw:
    space: dict[str, Any] = {"__name__": "own_law"}
    exec(compile(tree, "law", "exec"), space)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    if "control" not in functions or sum(isinstance(node, ast.FunctionDef) for node in tree.body) != len(functions):
        raise NotCompiled("control is not a single function")
    log, kept = _Log(), MemoryAsVariables(memory)
    control = kept.visit(log.visit(functions["control"]))
    control.args.args += [ast.arg(name) for name in kept.variables]
    _give(control, log.variables + kept.variables)
    made: dict[str, Any] = {f"arm_{name}": function for name, function in compiled_functions().items()}
    _Builder(space, functions, made).build(control)
    vector = types.float64[::1]
    values = _values(names)
    kinds = [types.float64, vector, vector, types.NamedUniTuple(vector, 3, goal), _arm_type()]
    kinds.append(types.NamedUniTuple(types.float64, len(names), values) if names else types.NamedTuple((), values))
    held = [types.Array(types.float64, dimensions, "C") if dimensions else types.float64 for _, dimensions in memory]
    call = made["control"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaPerformanceWarning)
        call.compile((*kinds, *held))
    for function in (made[name] for name in functions.keys() & made.keys()):
        _keeps_integers_small(function)
    _gives_numbers(call.nopython_signatures[0].return_type, held)
    call.disable_compile()
    return CompiledLaw(call, values, tuple(log.names))


@cache
def _values(names: tuple[str, ...]) -> Any:
    """The `p` of a compiled law; numba tells such tuples apart by their names."""
    return namedtuple("Values_" + "_".join(names), names)


def _arm_type() -> types.Type:
    """The numba type of a `CompiledArm`."""
    return types.NamedTuple((types.int64, MODEL, types.int64, MAT, types.float64[:, ::1], types.float64[::1]), CompiledArm)


class _Builder:
    """Makes numba functions of those of a file, each behind those it uses."""

    def __init__(self, space: dict[str, Any], functions: dict[str, ast.FunctionDef], made: dict[str, Any]):
        self._space, self._functions, self._made = space, functions, made
        self._modules = {
            name: value.__name__
            for name, value in space.items()
            if isinstance(value, ModuleType) and value.__name__ in ("numpy", "math")
        }
        self._under_way: set[str] = set()

    def build(self, node: ast.FunctionDef) -> None:
        if node.name in self._under_way:
            raise NotCompiled(f"line {node.lineno}: {node.name} calls itself")
        self._under_way.add(node.name)
        why_not(node, self._modules, set(self._functions) - {"control"})
        own = {x.arg for x in node.args.args}
        own |= {x.id for x in ast.walk(node) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}
        if own & (set(self._modules) | BUILTINS | {"arm", "p", "goal"}) - {x.arg for x in node.args.args}:
            raise NotCompiled(f"line {node.lineno}: {node.name} gives a known name another meaning")
        space = {name: self._space[name] for name in self._modules} | self._made
        used = {x.id: x for x in ast.walk(node) if isinstance(x, ast.Name) and x.id not in own | BUILTINS}
        for name, at in used.items():
            if name not in self._modules:
                space[name] = self._constant(name, at.lineno)
        text = ast.unparse(ast.fix_missing_locations(_LimitedLoops(node).visit(_ArmCalls().visit(node))))
        exec(text, space)
        self._made[node.name] = numba.njit(**_OPTIONS)(space[node.name])
        self._under_way.discard(node.name)

    def _constant(self, name: str, line: int) -> Any:
        """What a name means in the file: a function of it, or something that stays as it is."""
        if name in self._functions:
            if name not in self._made:
                self.build(self._functions[name])
            return self._made[name]
        value = self._space.get(name)
        if isinstance(value, np.ndarray) and value.dtype == float:
            return np.ascontiguousarray(value)
        if isinstance(value, float) or (isinstance(value, int) and abs(value) < 2**31):
            return value
        raise NotCompiled(f"line {line}: {name}")


class _Log(ast.NodeTransformer):
    """`p.log["e"] = …` as a variable that the law gives besides its torque."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        node.targets = [self._variable(target) for target in node.targets]
        return node

    def _variable(self, target: ast.expr) -> ast.expr:
        if isinstance(target, ast.Tuple):
            target.elts = [self._variable(leaf) for leaf in target.elts]
        if not (isinstance(target, ast.Subscript) and ast.unparse(target.value) == "p.log"):
            return target
        name = target.slice.value if isinstance(target.slice, ast.Constant) else None
        if not isinstance(name, str):
            return target
        self.names += [] if name in self.names else [name]
        return ast.copy_location(ast.Name(f"_log_{self.names.index(name)}", ast.Store()), target)

    def visit_For(self, node: ast.For) -> ast.For:
        return node  # logged there, it might not be logged at all: `p.log` stays, and the law runs as Python

    def visit_If(self, node: ast.If) -> ast.If:
        return node

    @property
    def variables(self) -> list[str]:
        return [f"_log_{k}" for k in range(len(self.names))]


def _give(control: ast.FunctionDef, variables: list[str]) -> None:
    """Make it give a tuple of the torque and these variables, from its one `return` at its end where there are some."""
    returns = [node for node in ast.walk(control) if isinstance(node, ast.Return)]
    if variables and (len(returns) != 1 or control.body[-1] is not returns[0]):
        raise NotCompiled("it writes to p.log or p.memory and has a return before its end")
    for node in returns:
        more: list[ast.expr] = [ast.Name(name, ast.Load(), lineno=node.lineno) for name in variables]
        node.value = ast.Tuple([node.value or ast.Constant(0.0), *more], ast.Load(), lineno=node.lineno)


class _LimitedLoops(ast.NodeTransformer):
    """Loops that raise after `_MOST_TURNS`, because nothing interrupts compiled code: the law in Python then says the line."""

    def __init__(self, function: ast.FunctionDef):
        if any(isinstance(x, ast.For) for x in ast.walk(function)):
            function.body[:0] = ast.parse("_turns = 0").body

    def visit_For(self, node: ast.For) -> ast.For:
        self.generic_visit(node)
        node.body[:0] = ast.parse(f"_turns += 1\nif _turns > {_MOST_TURNS}:\n    raise OverflowError('turns')").body
        return node


class _ArmCalls(ast.NodeTransformer):
    """`arm.rnea(q, qd, qdd)` as `arm_rnea(arm, q, qd, qdd)`, `arm.tau_max` as `arm.figures[3]`."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if not (isinstance(node.value, ast.Name) and node.value.id == "arm" and node.attr in FIGURES):
            return node
        node.attr, row = "figures", FIGURES.index(node.attr)
        return ast.Subscript(node, ast.Constant(row), ast.Load())

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        function = node.func
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "arm":
            node.args.insert(0, function.value)
            node.func = ast.Name(f"arm_{function.attr}", ast.Load())
        return node


def _keeps_integers_small(function: Any) -> None:
    """Raises NotCompiled for sums of integers that could leave 64 bits, where Python's would go on."""
    for overload in function.overloads.values():
        annotation = overload.type_annotation
        for expression, signature in annotation.calltypes.items():
            if getattr(expression, "op", "") not in ("binop", "inplace_binop") or signature is None:
                continue
            if all(isinstance(getattr(kind, "dtype", kind), types.Integer) for kind in signature.args):
                operands = [annotation.typemap[x.name] for x in (expression.lhs, expression.rhs)]
                small = any(isinstance(kind, types.IntegerLiteral) for kind in operands)
                if expression.fn in _GROWS or (expression.fn in _ADDS and not small):
                    raise NotCompiled("it adds or multiplies integers, which can overflow in compiled code")


def _gives_numbers(kind: types.Type, memory: list[types.Type]) -> None:
    tau, *logged = list(kind)
    logged, held = logged[: len(logged) - len(memory)], logged[len(logged) - len(memory) :]
    if not (isinstance(tau, types.Array) and tau.ndim == 1 and tau.dtype == types.float64):
        raise NotCompiled(f"it returns {tau}, not an array of floats")
    for item in logged:
        if not isinstance(item, _LOGGED) and not (isinstance(item, types.Array) and item.ndim <= 1):
            raise NotCompiled(f"it logs {item}")
    for item, first in zip(held, memory, strict=True):
        if _kind(item) != _kind(first):
            raise NotCompiled(f"it keeps {item} where {first} was")


def _kind(item: types.Type) -> Any:
    return (item.ndim, item.dtype) if isinstance(item, types.Array) else item
