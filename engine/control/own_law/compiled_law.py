"""`compile_law`: a user-defined controller compiled by numba, and the engine's functions that it calls, for one state."""

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

from armature.engine.control.own_law.arm_functions import task_weights
from armature.engine.control.own_law.law_subset import BUILTINS, Layout, MemoryAsVariables, NotCompiled, why_not
from armature.engine.dynamics.forward import forward_dynamics_many
from armature.engine.dynamics.friction import subtract_friction
from armature.engine.dynamics.mass_matrix import mass_matrix_many
from armature.engine.dynamics.newton_euler import rnea_many
from armature.engine.dynamics.regressor import regressor_many
from armature.engine.jit import MAT, MODEL, Kernel
from armature.engine.kinematics.pose_kernels import frame_poses_many, jacobian_many
from armature.engine.model.robot import Robot

FIGURES = ("q_min", "q_max", "qd_max", "tau_max", "home", "tau_measured")
MEASURED = FIGURES.index("tau_measured")


class CompiledArm(NamedTuple):
    """The `arm` of a compiled controller.

    P is the packed model, `body` the body of the tool with X_BF `(4, 4)`, `figures` `(6, n)` has the rows of `FIGURES`, and
    `weights` `(6,)` are the task weights.
    """

    n: int
    P: np.ndarray
    body: int
    X_BF: np.ndarray
    figures: np.ndarray
    weights: np.ndarray


def compiled_arm(robot: Robot) -> CompiledArm:
    """Return the arm for a compiled controller; measured torques are written into its `figures`."""
    tool, home = robot.tool_frame, robot.configurations["home"]
    figures = np.array([robot.q_min, robot.q_max, robot.qd_max, robot.tau_max, home, np.zeros(robot.n)])
    return CompiledArm(robot.n, robot.packed, tool.body, tool.X_BF, figures, task_weights(robot))


def serves(robot: Robot) -> bool:
    """True if these functions accept the arm: without mimic joints, and with masses."""
    return robot.coupling is None and robot.has_dynamics


@cache
def compiled_functions() -> dict[str, Callable[..., Any]]:
    """Return functions by name, with the `CompiledArm` as first argument; they raise ValueError for invalid vectors."""
    rnea, mass_matrix, forward_dynamics, jacobian, pose, regressor = (
        _dispatcher(kernel)
        for kernel in (rnea_many, mass_matrix_many, forward_dynamics_many, jacobian_many, frame_poses_many, regressor_many)
    )

    @numba.njit
    def row(arm, vector):
        if vector.shape != (arm.n,):
            raise ValueError("expected one number per joint")
        out = np.empty((1, arm.n))
        for i in range(arm.n):
            if not np.isfinite(vector[i]):
                raise ValueError("expected finite numbers")
            out[0, i] = vector[i]
        return out

    def arm_rnea(arm, q, qd, qdd):
        out = np.empty((1, arm.n))
        rnea(arm.P, row(arm, q), row(arm, qd), row(arm, qdd), out, 0, 1)
        return out[0]

    def arm_gravity(arm, q):
        out, still = np.empty((1, arm.n)), np.zeros((1, arm.n))
        rnea(arm.P, row(arm, q), still, still, out, 0, 1)
        return out[0]

    def arm_mass_matrix(arm, q):
        out = np.empty((1, arm.n, arm.n))
        mass_matrix(arm.P, row(arm, q), out, 0, 1)
        return out[0]

    def arm_forward_dynamics(arm, q, qd, tau):
        out = np.empty((1, arm.n))
        if forward_dynamics(arm.P, row(arm, q), row(arm, qd), row(arm, tau), np.empty((0, 0, 0)), out, 0, 1) >= 0:
            raise ValueError("the mass matrix is singular")
        return out[0]

    def arm_jacobian(arm, q):
        out = np.empty((1, 6, arm.n))
        jacobian(arm.P, row(arm, q), arm.body, arm.X_BF, out, 0, 1)
        return out[0]

    def arm_pose(arm, q):
        out = np.empty((1, 4, 4))
        pose(arm.P, row(arm, q), arm.body, arm.X_BF, out, 0, 1)
        return out[0]

    def arm_regressor(arm, q, qd, qdd):
        out = np.empty((1, arm.n, 10 * arm.n))
        regressor(arm.P, row(arm, q), row(arm, qd), row(arm, qdd), out, 0, 1)
        return out[0]

    def arm_friction(arm, qd):
        out, still = np.empty(arm.n), np.zeros(arm.n)
        subtract_friction(arm.P, row(arm, qd)[0], still, out)
        return -out

    made = (arm_friction, arm_rnea, arm_gravity, arm_mass_matrix, arm_forward_dynamics, arm_jacobian, arm_pose, arm_regressor)
    return {function.__name__.removeprefix("arm_"): numba.njit(function) for function in made}


def _dispatcher(kernel: Kernel) -> Callable[..., Any]:
    """Load or compile a kernel; return the function that compiled code calls."""
    kernel.compile()
    return kernel.dispatcher


_OPTIONS = {"boundscheck": True, "error_model": "python", "nogil": True}
"""An index out of bounds and a division by zero raise as in Python; without the GIL a time limit is checked during a call."""
_MOST_TURNS = 1_000_000_000  # of the loops of a function, in one call of it
_GROWS = (operator.mul, operator.imul, operator.pow, operator.ipow)
_ADDS = (operator.add, operator.sub, operator.iadd, operator.isub)
_LOGGED = (types.Float, types.Integer, types.Boolean)


class CompiledLaw(NamedTuple):
    """`call(t, q, qd, goal, arm, values, *memory)` returns tau, the values logged under the names `log`, and the new memory.

    `call` is None for a controller that runs as Python, for the reason `why`.
    """

    call: Callable[..., Any] | None = None
    values: Callable[..., Any] = tuple
    log: tuple[str, ...] = ()
    why: str = ""


@lru_cache(maxsize=64)
def compile_law(text: str, names: tuple[str, ...], goal: type, memory: Layout) -> CompiledLaw:
    """Compile the `control` of a text for the names of its parameters, the type of its `goal` and the layout of its memory."""
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
        raise NotCompiled("control must be defined once, as a function")
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
    """Return the type of `p` in compiled code; numba distinguishes such tuples by their names."""
    return namedtuple("Values_" + "_".join(names), names)


def _arm_type() -> types.Type:
    """Return the numba type of a `CompiledArm`."""
    return types.NamedTuple((types.int64, MODEL, types.int64, MAT, types.float64[:, ::1], types.float64[::1]), CompiledArm)


class _Builder:
    """Compiles the functions of a file with numba, each after the functions that it calls."""

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
        """Return the value of a name of the file: a compiled function or a constant."""
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
    """Turns `p.log["e"] = …` into a variable that is returned with the torque."""

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
        return node  # it may not be reached: `p.log` remains, and the controller runs as Python

    def visit_If(self, node: ast.If) -> ast.If:
        return node

    @property
    def variables(self) -> list[str]:
        return [f"_log_{k}" for k in range(len(self.names))]


def _give(control: ast.FunctionDef, variables: list[str]) -> None:
    """Return these variables with the torque as a tuple; where there are any, only the last statement may return."""
    returns = [node for node in ast.walk(control) if isinstance(node, ast.Return)]
    if variables and (len(returns) != 1 or control.body[-1] is not returns[0]):
        raise NotCompiled("it writes to p.log or p.memory and has a return before the end of the function")
    for node in returns:
        more: list[ast.expr] = [ast.Name(name, ast.Load(), lineno=node.lineno) for name in variables]
        node.value = ast.Tuple([node.value or ast.Constant(0.0), *more], ast.Load(), lineno=node.lineno)


class _LimitedLoops(ast.NodeTransformer):
    """Makes loops raise after `_MOST_TURNS`, as nothing interrupts compiled code; Python then reports the line."""

    def __init__(self, function: ast.FunctionDef):
        if any(isinstance(x, ast.For) for x in ast.walk(function)):
            function.body[:0] = ast.parse("_turns = 0").body

    def visit_For(self, node: ast.For) -> ast.For:
        self.generic_visit(node)
        node.body[:0] = ast.parse(f"_turns += 1\nif _turns > {_MOST_TURNS}:\n    raise OverflowError('turns')").body
        return node


class _ArmCalls(ast.NodeTransformer):
    """Turns `arm.rnea(q, qd, qdd)` into `arm_rnea(arm, q, qd, qdd)`, and `arm.tau_max` into `arm.figures[3]`."""

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
    """Raise NotCompiled for sums of integers that may exceed 64 bits, which Python's integers may."""
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
