"""What every test stands on: a display of its own, software OpenGL, settings that are not the user's."""

from __future__ import annotations

import atexit
import faulthandler
import gc
import os
import shutil
import signal
import sys
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from tests import selection, time_limits
from tests.chance import SEED, SOAK, draw_anew
from tests.selection import has_no_quick_test, is_quick, needs_kernels
from tests.virtual_display import NoVirtualDisplayError, use_virtual_display

os.environ["PYOPENGL_ERROR_CHECKING"] = "1"  # after every call, so that a test names the one at fault

STDERR = pytest.StashKey[int]()

settings.register_profile("same", deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
settings.register_profile("new", parent=settings.get_profile("same"), derandomize=False, print_blob=True)
settings.load_profile("new" if SOAK else "same")
if SOAK:
    draw_anew()
else:
    # Else it draws also what stands in the sources of the modules that happen to be loaded: other examples in each process.
    providers.is_local_module_file = lambda path: False


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    """Before Qt or OpenGL are imported by anybody.

    Each process that runs tests gets an X server of its own: two windows on one display without a window manager would take
    the keyboard focus from each other. `ARMATURE_DISPLAY=keep` runs the tests on the display that is there, to watch them.
    """
    config.pluginmanager.register(selection)
    gc.disable()  # in what is imported for the tests there is no garbage, and to look for it takes 9 of 22 seconds
    _isolate_settings()
    os.environ["LP_NUM_THREADS"] = "0"  # software OpenGL draws on the thread that asks for it: each core has tests of its own
    config.stash[STDERR] = os.dup(2)  # while a test runs, 2 is what pytest captures
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a script; the processes of tests must hear it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if sys.platform != "win32":  # where each process stands when `timeout` ends a run that hangs
        faulthandler.register(signal.SIGTERM, file=config.stash[STDERR], chain=True)
    hands_out_work = not hasattr(config, "workerinput") and config.getoption("numprocesses", None)
    if sys.platform.startswith("linux") and os.environ.get("ARMATURE_DISPLAY") != "keep" and not hands_out_work:
        try:
            use_virtual_display()
        except NoVirtualDisplayError as error:
            raise pytest.UsageError(str(error)) from None


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_protocol(item):
    """Limit the time of a test: beyond it the process shows the stacks of its threads and ends."""
    if item.config.getvalue("usepdb"):
        return (yield)
    faulthandler.dump_traceback_later(time_limits.of_test(item), file=item.config.stash[STDERR], exit=True)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(trylast=True)
def pytest_exception_interact(node):
    """Limit the fixtures of a test that failed, too."""
    if not node.config.getvalue("usepdb"):
        faulthandler.dump_traceback_later(time_limits.CLEAN_UP, file=node.config.stash[STDERR], exit=True)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    """Limit the end of the process, which waits for threads; xdist ends a worker, which is idle until the others are done."""
    if not hasattr(config, "workerinput"):
        faulthandler.dump_traceback_later(time_limits.CLEAN_UP, file=config.stash[STDERR], exit=True)


def pytest_addoption(parser):
    """`--quick`: the tests that quick.txt lists; `--cases 2`: every test, with its first two cases."""
    parser.addoption("--quick", action="store_true", help="run the tests that tests/quick.txt lists")
    parser.addoption("--cases", type=int, metavar="N", help="run at most N cases of each parametrised test")


def pytest_ignore_collect(collection_path, config):
    """Leave out files without a quick test: importing them takes longer than running the others."""
    return True if config.getoption("quick") and collection_path.is_file() and has_no_quick_test(collection_path) else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Order and select: tests without kernels first, then those that build and install the program, so that none is left last."""
    items.sort(key=lambda item: (needs_kernels(item), item.path.parent != config.rootpath / "tests"))
    if config.getoption("quick"):
        _keep(config, items, list(map(is_quick, items)))
    most = config.getoption("cases")
    if most is not None:
        seen: Counter = Counter()
        seen_before = [seen.update([name := item.nodeid.partition("[")[0]]) or seen[name] for item in items]
        _keep(config, items, [count <= most for count in seen_before])


def _keep(config, items: list, wanted: list[bool]) -> None:
    """Deselect the items that are not wanted."""
    config.hook.pytest_deselected(items=[item for item, keep in zip(items, wanted, strict=True) if not keep])
    items[:] = [item for item, keep in zip(items, wanted, strict=True) if keep]


def pytest_collection_finish():
    """What is there by now stays out of the collections to come."""
    gc.freeze()
    gc.enable()


def pytest_report_header() -> str | None:
    """What makes a run with SOAK=1 draw the same again; for an example of Hypothesis, its failure tells that."""
    return f"drawn by chance: {SEED}={os.environ[SEED]}" if SOAK else None


def _isolate_settings():
    """The user's configuration stays untouched; the cache folder stays the user's, with the compiled kernels in it."""
    home = tempfile.mkdtemp(prefix="armature-tests-")
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"):
        folder = Path(home, name.lower())
        folder.mkdir(mode=0o700)
        os.environ[name] = str(folder)
