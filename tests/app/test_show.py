"""`armature.show`: a window in a process of its own, driven from this one; every window here is a real one."""

from __future__ import annotations

import os
import pickle
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from html import unescape
from pathlib import Path

import numpy as np
import pytest

import armature
from armature.engine.remote import messages
from armature.engine.remote.meeting_place import KEY, Place, places, root
from armature.engine.remote.show import reap
from tests.test_readme import page
from tests.time_limits import PROCESS, wait_until

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module", autouse=True)
def place_of_our_own(tmp_path_factory):
    """Windows of these tests alone, where the folders above could be entered by everybody."""
    folder = tmp_path_factory.mktemp("runtime")
    old = os.environ["XDG_RUNTIME_DIR"]
    os.environ["XDG_RUNTIME_DIR"] = str(folder)
    for above in (folder, *folder.parents):
        if above.stat().st_uid == os.geteuid() and above != above.parent:
            above.chmod(above.stat().st_mode | 0o011)
    yield
    for place in places():
        os.kill(place.card["pid"], signal.SIGTERM)
    wait_until(lambda: reap() or not (list(places()) or list(root().iterdir())))
    os.environ["XDG_RUNTIME_DIR"] = old


@pytest.fixture(scope="module")
def window():
    """The process of one window that tests share."""
    view = armature.show("panda")
    (place,) = places()
    view.disconnect()
    return place


@pytest.fixture
def view(window):
    """A view of that window."""
    with armature.show("panda") as view:
        yield view
    assert window.folder.exists()


def test_a_script_drives_the_arm_and_reads_what_the_window_has(view):
    assert not view.held and view.is_open and view.robot.name == "panda"
    q = view.robot.configurations["ready"]
    for k in range(1000):
        view.q = q + 0.2 * np.sin(k / 100)
        view.plot("error", k)
    assert np.array_equal(view.q, q + 0.2 * np.sin(9.99))
    view.flush()
    wait_until(lambda: view.drawn == 1000)
    assert np.array_equal(view.q, q + 0.2 * np.sin(9.99))  # as the window says
    assert view.latency > 0.0 and view.drawn == 1000


def test_what_cannot_be_set_is_told_at_once(view):
    with pytest.raises(armature.DimensionError, match=r"panda: q must be 7 finite numbers"):
        view.q = [0.0] * 6
    for wrong, why in (
        (lambda: view.plot("a", "x"), "plot 'a': 'x' is neither a number nor a 1-D array"),
        (lambda: view.plot("a", np.zeros((2, 2))), r"plot 'a': give a number or a 1-D array, not an array of shape \(2, 2\)"),
        (lambda: view.plot("a", [1, 2], names=["b"]), "give 2 names, one per value, or none; not 1"),
        (lambda: view.arrow([0, 0, 0], [0, 0, 1], "F", colour="redd"), "arrow 'F': the colour must be \"#rrggbb\", not 'redd'"),
        (lambda: [view.plot("b", k) for k in (1, [1, 2])], "plot 'b': has 1 values per point, not 2; call clear"),
        (lambda: view.slider("z", 0, 1, 7), "slider 'z': the start must be between 0 and 1, not 7"),
        (lambda: view.on_drag(3), "on_drag: must be a function of q, not 3"),
    ):
        with pytest.raises(armature.DimensionError, match=why):
            wrong()
    with pytest.raises(AttributeError, match="no settable attribute 'Q'"):
        view.Q = [0.0] * 7
    with pytest.raises(armature.DimensionError, match="not finite"):
        view.q = [np.nan] * 7
    with pytest.raises(armature.ViewError, match="list cannot be shown"):
        view.show([1, 2])
    with pytest.raises(armature.ModelError, match="no robot of this name"):
        view.robot = "pand"
    assert view.is_open


def test_the_next_script_takes_the_window_that_the_last_one_left(window):
    program = (
        "import armature\nwith armature.show('panda') as view:\n    view.q = view.q + 0.1\n    view.flush()\n    print(*view.q)"
    )
    seen = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True, timeout=PROCESS)
        for _ in range(2)
    ]
    first, second = (np.array(run.stdout.split(), float) for run in seen)
    assert np.allclose(second - first, 0.1)
    assert [place.folder for place in places()] == [window.folder]


def test_a_killed_script_leaves_the_window_alive(window):
    program = (
        "import armature, sys, time\nview = armature.show('panda')\nprint('up', flush=True)\n"
        "while True:\n    view.q = view.q * 0.999\n    view.plot('x', 1.0)\n    time.sleep(0.001)"
    )
    script = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert script.stdout.readline() == "up\n"
    time.sleep(0.2)
    script.kill()
    script.wait()
    with armature.show("panda") as view:
        assert [place.folder for place in places()] == [window.folder]
        view.q = np.zeros(7)
        wait_until(lambda: view.drawn == 1)


def test_a_closed_window_raises_one_clear_error():
    view = armature.show("scara", new=True)
    (place,) = [place for place in places() if place.key == view_key(view)]
    os.kill(place.card["pid"], signal.SIGKILL)
    wait_until(lambda: not view.is_open)
    for use in (lambda: view.q, lambda: setattr(view, "q", [0, 0, 0]), lambda: view.plot("x", 1), view.clear, view.flush):
        with pytest.raises(armature.ViewError, match=r"^the window was closed$"):
            use()
    assert view.wait(0.0)
    view.close()
    wait_until(lambda: reap() or place.folder not in [left.folder for left in places()])


def view_key(view):
    """The secret of the window that a view drives."""
    return (view._place / KEY).read_bytes()


def test_nobody_else_gets_in(window):
    assert window.folder.stat().st_mode & 0o777 == root().stat().st_mode & 0o777 == 0o700
    assert (window.folder / KEY).stat().st_mode & 0o777 == 0o600
    assert window.folder.joinpath("socket").stat().st_mode & 0o077 == 0


def test_a_wrong_secret_is_refused(window, tmp_path):
    from multiprocessing import AuthenticationError
    from multiprocessing.connection import Client

    with pytest.raises(AuthenticationError):
        Client(window.card["address"], authkey=b"guessed")
    with Client(window.card["address"]) as stranger, suppress(OSError):  # says nothing that proves it
        heard = [stranger.recv_bytes()]
        for _ in range(3):
            stranger.send_bytes(messages.encode(messages.Hello(messages.PROTOCOL, "thief", 1)))
        with pytest.raises((EOFError, OSError)):
            while stranger.poll(8.0):
                heard.append(stranger.recv_bytes())
        assert not [said for said in heard if b"Welcome" in said]
    for nonsense in (b"", b"\xc1", b"GET / HTTP/1.1\r\n\r\n", pickle.dumps(os.getpid), messages.encode(messages.Welcome(1))):
        with Client(window.card["address"], authkey=window.key) as confused:
            confused.send_bytes(nonsense)
            with pytest.raises((EOFError, OSError)):
                wait_until(lambda: confused.recv_bytes() and False)
    with armature.show("panda") as view:  # and the window still waits for whoever knows it
        assert view.is_open


@pytest.mark.skipif(not sys.platform.startswith("linux") or os.geteuid() != 0, reason="only root can play another user")
def test_another_user_cannot_talk_to_the_window(window):
    program = f"""
import os, socket
os.setgroups([]); os.setgid(65534); os.setuid(65534)
for act in (lambda: open({str(window.folder / KEY)!r}), lambda: os.listdir({str(window.folder)!r})):
    try: act(); print("read")
    except PermissionError: print("refused")
try:
    socket.socket(socket.AF_UNIX).connect({window.card["address"]!r}); print("connected")
except PermissionError: print("refused")
"""
    seen = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd="/", check=True, timeout=PROCESS)
    assert seen.stdout.split() == ["refused"] * 3
    try:
        for folder in (window.folder, window.folder.parent):  # secret and socket themselves refuse, too
            folder.chmod(0o711)
        seen = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, cwd="/", check=True, timeout=PROCESS
        )
        assert seen.stdout.split() == ["refused"] * 3
    finally:
        window.folder.chmod(0o700)
        window.folder.parent.chmod(0o700)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_web_page_finds_nothing_to_talk_to(window):
    """The window listens on no network, to which alone a page can speak."""
    pid = window.card["pid"]
    own = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # the window closed it meanwhile
            own.add(str(link.readlink()))
    assert own
    for table in ("tcp", "tcp6", "udp", "udp6"):
        lines = Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]
        assert not {f"socket:[{line.split()[9]}]" for line in lines} & own


def test_without_a_display_the_error_says_so(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(armature.ViewError, match=r"the window did not open: no display .*DISPLAY"):
        armature.show("panda")
    assert not [folder for folder in root().iterdir() if not Place(folder).card]


def test_the_readme_s_script_and_the_ten_lines_that_stream_a_file(window):
    code = re.findall(r"```python\n(.*?)```", page("scripts"), re.DOTALL)[0]
    seen = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=PROCESS)
    assert seen.returncode == 0 and not seen.stdout + seen.stderr, seen.stderr
    with armature.show("panda") as view:
        ready = view.robot.configurations["ready"]
        assert np.allclose(view.q, ready + np.array([0.5, 0.3, 0, 0.4, 0, 0, 0]) * (1 - 0.99**300), atol=1e-9)
    folder = ROOT / "assets/scripts"
    example = [sys.executable, folder / "stream_csv.py", folder / "reach.csv", "panda"]
    began = time.monotonic()
    subprocess.run(example, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=True, timeout=PROCESS)
    assert time.monotonic() - began > 3.5  # as fast as it was measured
    last = np.loadtxt(folder / "reach.csv", delimiter=",", skiprows=1)[-1]
    with armature.show("panda") as view:
        assert np.array_equal(view.q, last[1:])
    code_lines = [line for line in (folder / "stream_csv.py").read_text().splitlines() if line and not line.startswith('"""')]
    assert len(code_lines) == 11


def test_a_script_that_simply_ends_has_shown_its_last_pose(window):
    program = "import armature\nview = armature.show('panda')\nview.q = [0.1, 0.2, 0.3, -0.4, 0.5, 0.6, 0.7]"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, timeout=PROCESS)
    with armature.show("panda") as view:
        assert np.array_equal(view.q, [0.1, 0.2, 0.3, -0.4, 0.5, 0.6, 0.7])


def test_a_script_that_hangs_holds_up_nobody(window):
    program = (
        "import armature, os, signal\nview = armature.show('panda')\n"
        "print('up', flush=True)\nos.kill(os.getpid(), signal.SIGSTOP)"
    )
    script = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert script.stdout.readline() == "up\n"
    with armature.show("rp", new=True) as view:  # the window that it has is not taken
        assert len(list(places())) == 2
        view.close()
    script.kill()
    script.wait()
    wait_until(lambda: len(list(places())) == 1)


def test_two_programs_at_once_have_a_window_each(window):
    program = (
        "import armature\nwith armature.show('rp') as view:\n"
        "    print(view.robot.name, flush=True)\n    input()\n    view.close()"
    )
    with armature.show("panda") as view:
        view.q = np.zeros(7)
        pipe = subprocess.PIPE
        other = subprocess.Popen([sys.executable, "-c", program], stdin=pipe, stdout=pipe, text=True, cwd=ROOT)
        assert other.stdout.readline() == "rp\n"
        assert len(list(places())) == 2 and view.robot.name == "panda"
        view.q = np.full(7, 0.1)
        view.flush()
        assert np.array_equal(view.q, np.full(7, 0.1))
        other.communicate("\n", timeout=PROCESS)
        wait_until(lambda: len(list(places())) == 1)


def test_the_same_program_goes_on_in_its_window(window):
    first = armature.show("panda")
    second = armature.show("panda")
    assert [place.folder for place in places()] == [window.folder]
    with pytest.raises(
        armature.ViewError, match=r"the next armature.show of this script uses the window again; show\(…, new=True\)"
    ):
        first.q = np.zeros(7)
    second.q = np.full(7, 0.2)
    second.flush()
    second.disconnect()


def test_a_notebook_drives_the_window_and_its_kernel_may_die(window):
    nbformat = pytest.importorskip("nbformat")
    from nbclient import NotebookClient
    from nbclient.exceptions import DeadKernelError

    cells = [
        "import sys, armature\nview = armature.show('panda')",
        "view = armature.show('panda')  # as when the cell is run again",
        "view.q = view.robot.configurations['ready']\nview.flush()",
        "view.robot",
        "armature.simulate(view.robot, view.q, None, 0.05, 1e-3)",
        "view",
        "'PySide6' in sys.modules",
        "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
    ]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells])
    client = NotebookClient(book, timeout=PROCESS, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}})
    with pytest.raises(DeadKernelError):
        client.execute()
    robot, recording, page, qt = (book.cells[k].outputs[-1]["data"] for k in (3, 4, 5, 6))
    assert robot["image/png"] and qt["text/plain"] == "False"
    assert "<iframe" in recording["text/html"] and "<title>Franka Emika Panda</title>" in unescape(page["text/html"])
    with armature.show("panda") as view:
        assert [place.folder for place in places()] == [window.folder]
        assert np.array_equal(view.q, view.robot.configurations["ready"])


def has_drawn(view, number):
    return view.drawn == number


def memory(pid):
    """What a process holds, in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("frames", [8, pytest.param(1000, marks=[pytest.mark.soak, pytest.mark.timeout(900)])])
def test_streaming_on_and_on_does_not_grow(window, frames):
    """A hundred poses and samples for each frame, with everything else a script shows; the first part fills a plot's memory.

    Every part sends and draws as much as the next, so that a leak is in all of them, and modules that the window loads some time
    after its start are in a few.
    """
    pids, held = (os.getpid(), window.card["pid"]), []
    with armature.show("panda") as view:
        ready, k = view.robot.configurations["ready"], 0
        for part in range(6):
            for _ in range(frames):
                for _ in range(100 if part else 1000):
                    k += 1
                    view.q = ready + 0.2 * np.sin(k / 500)
                    view.plot("error", [k, -k], names=["a", "b"])
                    view.ghost("goal", ready + 0.3 * np.cos(k / 700))
                    view.arrow([0.4, 0, 0.5], [0, 0, k % 100], "F")
                    view.text(f"step {k}")
                    view.slider("kp", 0, 1, 0.5)
                wait_until(partial(has_drawn, view, k))
            held.append([memory(pid) for pid in pids])
    grown = np.diff(held, axis=0).min(axis=0)
    assert (grown < 0.5).all(), held
