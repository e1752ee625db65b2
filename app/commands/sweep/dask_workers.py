"""`DaskWorkers`: the runs of a sweep on the workers of a Dask cluster, or of a local one started here."""

from __future__ import annotations

import asyncio
import logging
import pickle
import re
import socket
import uuid
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from armature.app.commands.command_arguments import UsageError, note
from armature.app.commands.stop_signals import unheard_by_processes
from armature.app.commands.sweep.crew import Crew
from armature.engine.errors import EngineError, RecordingError
from armature.engine.files import atomic_file
from armature.engine.simulation.sweeps.run_task import (
    RunResult,
    RunTask,
    WorkerAnswer,
    order_of,
    recorded_piece,
    remove_recording,
)

_PIECE = 4 << 20  # bytes


class WorkerGone(Exception):
    """The worker went away with its recording."""


def fetch(client: Any, answer: WorkerAnswer, record: Path, overwrite: bool) -> None:
    """Writes the files of the answer beside each other, the one called as `record` last; the worker's own are removed.

    Raises WorkerGone; RecordingError for the disk here, and for a file in the way.
    """
    for name, size in sorted(answer.files, key=lambda file: file[0] == record.name):
        target = record.with_name(name)
        if target.exists() and not overwrite:
            raise RecordingError(f"{target} already exists; choose another name")
        with atomic_file(target, RecordingError) as part, part.open("wb") as file:
            for offset in range(0, size, _PIECE):
                file.write(_called(client, answer.address, recorded_piece, answer.folder, name, offset, _PIECE))
    _called(client, answer.address, remove_recording, answer.folder)


def _called(client: Any, address: str, function: Any, *arguments: Any) -> Any:
    """What the function gives on that worker."""
    if address not in client.nthreads():
        raise WorkerGone
    try:
        return client.run(function, *arguments, workers=[address])[address]
    except (OSError, KeyError):  # of the connection: the function itself reads what its own worker has just written
        raise WorkerGone from None


_ADDRESS = re.compile(r"(?:(?:tcp|tls|ws|wss|ucx|ucxx)://)?(\[[0-9A-Fa-f:.%]+\]|[^\s/:\[\]]+):(\d{1,5})")
_WAIT = 5  # s
_ANSWERS = 10  # s in which a scheduler says that it is one


def reach(address: str) -> None:
    """Raises UsageError where `address` is none, or no scheduler listens there."""
    match = _ADDRESS.fullmatch(address)
    if match is None or not 0 < int(match[2]) < 65536:
        raise UsageError(
            f"--cluster: {address!r} is not an address; valid: local, or a scheduler's address such as tcp://host:8786"
        )
    try:
        socket.create_connection((match[1].strip("[]"), int(match[2])), timeout=_WAIT).close()
    except (socket.gaierror, UnicodeError):
        raise UsageError(f"--cluster: host {match[1]!r} not found") from None
    except TimeoutError:
        raise UsageError(f"--cluster: no answer from {address} within {_WAIT} s") from None
    except OSError as error:
        raise UsageError(f"--cluster: no connection to {address} ({(error.strerror or str(error)).lower()})") from None
    try:
        kind = asyncio.run(asyncio.wait_for(_identity(address), _ANSWERS)).get("type")
    except (OSError, TimeoutError):
        raise UsageError(f"--cluster: the server at {address} is not a Dask scheduler, or does not answer") from None
    except (TypeError, ValueError, ImportError) as error:  # TLS without certificates, a protocol that is not installed
        raise UsageError(f"--cluster: {address} cannot be used: {error}") from None
    if kind != "Scheduler":
        raise UsageError(f"--cluster: {address} is a Dask {str(kind).lower()}; give the address of the scheduler")


async def _identity(address: str) -> dict[str, Any]:
    """What a server of Dask says of itself."""
    from distributed import Security
    from distributed.core import rpc

    async with rpc(address, timeout=_ANSWERS, connection_args=Security().get_connection_args("client")) as server:
        return await server.identity()


LOCAL = "local"
INSTALL = '--cluster needs the package “distributed”: pip install "armature[cluster]"'
_PATIENCE = 10  # s in which a scheduler answers
_LOSSES = 3  # of a finished run with its worker


class DaskWorkers(Crew):
    """The workers of the scheduler at `address`, or `jobs` processes of this machine for "local"; raises UsageError."""

    def __init__(self, address: str, jobs: int):
        super().__init__()
        try:
            from distributed import Client, LocalCluster
        except ImportError:
            raise UsageError(INSTALL) from None
        _silence()
        self._address, self._cluster, self._told_to_wait = address, None, False
        self._topic, self._lost = f"sweep-{uuid.uuid4().hex[:12]}", Counter[int]()
        self._call = _for_any_scheduler()
        if address == LOCAL:
            with unheard_by_processes():
                self._cluster = LocalCluster(
                    n_workers=jobs,
                    threads_per_worker=1,
                    processes=True,
                    memory_limit=0,
                    dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                )
        else:
            reach(address)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # other versions of Dask: what matters is compared run by run
            self._client = Client(self._cluster or address, timeout=_PATIENCE, set_as_default=False)
        self._client.subscribe_topic(self._topic, self._hear)
        self._threads, self._stopping = 0, False
        self.look()

    @property
    def room(self) -> int:
        """As of `Crew`."""
        return max(1, 2 * self._threads)

    def submit(self, task: RunTask) -> Any:
        """As of `Crew`."""
        key = f"{self._topic}-{task.number}-{self._lost[task.number]}"
        return self._client.submit(self._call, order_of(task, self._topic), key=key, pure=False)

    def result(self, future: Any, task: RunTask) -> RunResult | None:
        """As of `Crew`."""
        from distributed import KilledWorker

        if future.status in ("cancelled", "lost"):
            if not self._stopping:
                self._expect_scheduler()
            return RunResult(task.number, None, "stopped", False, 0.0)
        try:
            missing, text = future.result()
        except KilledWorker as error:
            return RunResult(task.number, None, f"its worker was killed {error.allowed_failures + 1} times", False, 0.0)
        if missing:
            raise UsageError(f"{missing}; install Armature there: pip install armature")
        answer: WorkerAnswer = pickle.loads(text)
        if answer.foreign:
            raise UsageError(f"worker {answer.address} {answer.foreign}; results would not be bit-identical")
        return self._with_recording(answer, task)

    def look(self) -> None:
        """As of `Crew`."""
        self._expect_scheduler()
        self._threads = sum(self._client.nthreads().values())
        if not self._threads and not self._told_to_wait:
            self._told_to_wait = True
            note(f"{self._address} has no workers yet; waiting for one")
        running = {task.number for task in self._tasks.values()}
        self.shares = {number: share for number, share in self.shares.items() if number in running}

    def stop(self) -> None:
        """As of `Crew`."""
        self._stopping = True
        under_way = [future for future in self._tasks if not future.done()]
        if under_way and self._client.status == "running":
            self._client.cancel(under_way, force=True)

    def end(self) -> None:
        """As of `Crew`."""
        self._client.close(timeout=_PATIENCE)
        if self._cluster is not None:
            self._cluster.close(timeout=_PATIENCE)

    def _with_recording(self, answer: WorkerAnswer, task: RunTask) -> RunResult | None:
        result, record = answer.result, task.run.record
        assert result is not None
        if record is None or not answer.files:
            return result
        try:
            fetch(self._client, answer, record, task.overwrite)
        except WorkerGone:
            self._lost[task.number] += 1
            if self._lost[task.number] >= _LOSSES:
                return RunResult(
                    task.number, None, "its worker was lost several times before its recording was fetched", False, 0.0
                )
            self.begin(task)
            return None
        except EngineError as error:
            return RunResult(task.number, None, str(error), False, result.seconds)
        return result

    def _hear(self, event: tuple[float, tuple[int, float]]) -> None:
        number, share = event[1]
        self.shares[number] = share

    def _expect_scheduler(self) -> None:
        if self._client.status != "running":
            raise UsageError(f"the connection to the scheduler at {self._address} was lost; finished runs are saved")


def _silence() -> None:
    """What ends a sweep is told in one line; Dask has given each of its loggers a level of its own."""
    for name in [name for name in logging.root.manager.loggerDict if name.split(".")[0] == "distributed"]:
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _for_any_scheduler() -> Callable[[dict[str, Any]], tuple[str, bytes]]:
    """What is called on a worker: a function without a module, which a scheduler without Armature reads, too."""

    def call(order):
        try:
            from armature.engine.simulation.sweeps.run_task import work_on
        except ImportError as error:
            from distributed import get_worker

            return f"worker {get_worker().address} has no compatible Armature ({error})", b""
        return "", work_on(order)

    return call
