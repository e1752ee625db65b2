"""`on_one_thread`: linear algebra on one thread."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")


def on_one_thread(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Decorate a function that runs BLAS on one thread, in all callers at the same time.

    The matrices are small: waiting threads cost more than they save, up to ten times the whole if other programs are active.
    """

    @wraps(function)
    def alone(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        from threadpoolctl import threadpool_limits  # slow import

        with threadpool_limits(limits=1, user_api="blas"):
            return function(*args, **kwargs)

    return alone
