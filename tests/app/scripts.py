"""Scripts that drive the window of a test, each on a thread of this process."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import armature
from armature.app.remote.feature import RemoteFeature


class Script:
    """Calls `work(view)` beside the window; `result` is what it gave or what it raised."""

    def __init__(self, window, work: Callable[[armature.View], Any], *what, **options):
        remote = window.features[RemoteFeature]
        remote.listen()
        self._work, self._what, self._options = work, what or ("panda",), options
        self.result: Any = None
        self._thread = threading.Thread(target=self._run, name="test-script", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            with armature.show(*self._what, **self._options) as view:
                self.result = self._work(view)
        except BaseException as error:
            self.result = error

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return not self._thread.is_alive()
