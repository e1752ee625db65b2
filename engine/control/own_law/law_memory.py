"""What a compiled law keeps in `p.memory`: variables that it is given and gives back."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

import numpy as np

from armature.engine.control.own_law.law_subset import NotCompiled

Layout = tuple[tuple[str, int], ...]
"""Names with how many dimensions their arrays of floats have; 0 for a float."""


def layout_of(memory: Mapping[str, Any]) -> Layout:
    """What the law, as Python, has put there in its first call. Raises NotCompiled for anything but floats and arrays of them."""
    found = []
    for name, value in memory.items():
        if not isinstance(name, str) or _dimensions(value) is None:
            raise NotCompiled(f"p.memory[{name!r:.40}] is neither a float nor an array of floats")
        found.append((name, int(np.ndim(value))))
    return tuple(found)


def taken(memory: Mapping[str, Any], layout: Layout) -> list[Any] | None:
    """The values of a memory that is laid out so, arrays as copies; None where it is not."""
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
    """`p.memory["x"]` as a variable of `control`, and nothing of what stands under `if "x" not in p.memory:`, which happens in
    the first call alone, in Python.

    Raises NotCompiled for a law that keeps arrays by name and changes some in place: two entries of the memory may then be the
    same array, which the variables are not.
    """

    def __init__(self, layout: Layout):
        self._names = [name for name, _ in layout]
        self.variables = [f"_memory_{k}" for k in range(len(layout))]
        self._kept: set[str] = set(self.variables)  # and names that mean the same arrays
        self._by_name = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.body = [statement for statement in node.body if not _is_beginning(statement)] or [ast.Pass()]
        self.generic_visit(node)
        for item in ast.walk(node):
            target = item.target if isinstance(item, ast.AugAssign) else item
            in_place = isinstance(item, ast.AugAssign) or (isinstance(item, ast.Subscript) and isinstance(item.ctx, ast.Store))
            if self._by_name and in_place and _base(target) in self._kept:
                line = getattr(item, "lineno", node.lineno)
                raise NotCompiled(f"line {line}: it changes arrays in p.memory in place, which may not be copies")
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
            raise NotCompiled(f"line {node.lineno}: p.memory[{node.slice.value!r:.40}] does not exist from the first call on")
        return ast.copy_location(ast.Name(self.variables[self._names.index(node.slice.value)], node.ctx), node)


def _leaves(value: ast.expr) -> list[ast.expr]:
    return list(value.elts) if isinstance(value, (ast.Tuple, ast.List)) else [value]


def _is_beginning(statement: ast.stmt) -> bool:
    """Whether it is `if "x" not in p.memory:`, with nothing else."""
    if not isinstance(statement, ast.If) or statement.orelse or not isinstance(statement.test, ast.Compare):
        return False
    test = statement.test
    names = isinstance(test.left, ast.Constant) and isinstance(test.left.value, str)
    return names and isinstance(test.ops[0], ast.NotIn) and [ast.unparse(x) for x in test.comparators] == ["p.memory"]


def _base(target: ast.AST) -> str:
    """The name that something is a part of."""
    while isinstance(target, (ast.Subscript, ast.Attribute)):
        target = target.value
    return target.id if isinstance(target, ast.Name) else ""
