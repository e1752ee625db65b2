"""`on_one_thread`: linear algebra on one thread."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from threading import Lock
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

_P = ParamSpec("_P")
_R = TypeVar("_R")
_loading = Lock()


@cache
def _libraries() -> ThreadpoolController:
    """Return the loaded BLAS libraries, which are listed once.

    While they are listed no library may be loaded: listing waits for the interpreter, loading in another thread for the list.
    """
    import scipy.optimize  # noqa: F401  # loads the libraries; slow import
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def on_one_thread(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Decorate a function that runs BLAS on one thread, in all callers at the same time.

    The matrices are small: waiting threads cost more than they save, up to ten times the whole if other programs are active.
    """

    @wraps(function)
    def alone(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        with _loading:
            libraries = _libraries()
        with libraries.limit(limits=1, user_api="blas"):
            return function(*args, **kwargs)

    return alone
