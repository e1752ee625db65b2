"""A Christoffel symbol and the sums it stands in, as rich text with the numbers put in."""

from __future__ import annotations

import numpy as np

from armature.app.state.units import significant

Slope = tuple[tuple[int, int], int]
"""The place in M, row before column, and the joint along which it is taken."""


def slopes_of(place: tuple[int, int, int]) -> list[Slope]:
    """The slopes in c_kij = ½ (∂M_kj/∂q_i + ∂M_ki/∂q_j − ∂M_ij/∂q_k), in this order."""
    k, i, j = place
    return [(_pair(k, j), i), (_pair(k, i), j), (_pair(i, j), k)]


def symbol_line(place: tuple[int, int, int], slopes: np.ndarray) -> str:
    """c_kij from its slopes; `slopes[i, j, k]` is ∂M_ij/∂q_k."""
    scale = max(1.0, float(np.abs(slopes).max(initial=0.0)))
    parts, values = slopes_of(place), [float(slopes[(*pair, along)]) for pair, along in slopes_of(place)]
    texts = [f"∂M{_sub(*pair)}/∂q{_sub(along)}" for pair, along in parts]
    first, second, third = (_put_in(value, scale) for value in values)
    value = significant(0.5 * (values[0] + values[1] - values[2]), scale=scale)
    return f"c{_sub(*place)} = ½ ({texts[0]} + {texts[1]} − {texts[2]})<br>= ½ ({first} + {second} − {third}) = <b>{value}</b>"


def sum_line(k: int, j: int, symbols: np.ndarray, qd: np.ndarray) -> str:
    """C_kj = Σ_i c_kij qd_i, with those symbols `(n,)` that are not 0."""
    scale = max(1.0, float(np.abs(symbols).max(initial=0.0)))
    shown = [i for i in range(len(symbols)) if abs(symbols[i]) > 1e-12 * scale]
    name = f"C{_sub(k, j)} = Σ{_sub_text('i')} c{_sub_text(f'{k + 1}i{j + 1}')} q̇{_sub_text('i')}"
    if not shown:
        return f"{name} = <b>0</b>: every c<sub>{k + 1}i{j + 1}</sub> is 0 at this pose"
    terms = " + ".join(f"c{_sub(k, i, j)} q̇{_sub(i)}" for i in shown)
    numbers = " + ".join(f"{_put_in(float(symbols[i]), scale)} · {_put_in(float(qd[i]), 1.0)}" for i in shown)
    return f"{name} = {terms}<br>= {numbers} = <b>{significant(float(symbols @ qd), scale=scale)}</b>"


def order_line(place: tuple[int, int, int]) -> str:
    """What texts call it that write c_ijk, with the joint whose torque it adds to last."""
    k, i, j = place
    return f"c{_sub(k, i, j)}: the first index is the joint of the torque. Textbooks with it last write c{_sub(i, j, k)}."


def _pair(i: int, j: int) -> tuple[int, int]:
    return min(i, j), max(i, j)


def _put_in(value: float, scale: float) -> str:
    text = significant(value, scale=scale)
    return text if text[0].isdigit() else f"({text})"


def _sub(*joints: int) -> str:
    between = "," if max(joints) > 8 else ""
    return _sub_text(between.join(str(k + 1) for k in joints))


def _sub_text(text: str) -> str:
    return f"<sub>{text}</sub>"
