"""`on_one_thread`: linear algebra that does not wait for other cores."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")


def on_one_thread(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """The function with BLAS kept to one thread while it runs, whoever calls BLAS meanwhile.

    Its matrices are small: threads that wait for each other cost more than they save, and where other programs are at work up to
    ten times the whole.
    """

    @wraps(function)
    def alone(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        from threadpoolctl import threadpool_limits  # which only this needs

        with threadpool_limits(limits=1, user_api="blas"):
            return function(*args, **kwargs)

    return alone
