"""Notebook views of the engine: recordings as web pages or as tables with curves, and pictures of robots."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from html import escape
from pathlib import Path

import numpy as np

from armature.engine.errors import EngineError
from armature.engine.files import atomic_write, child_environment, shipped, user_cache

WIDTH, HEIGHT, LEFT, FOOT = 300, 120, 52, 16  # pixels of one drawing, and what its numbers take of it
CELLS = 120  # a curve has its least and its greatest value in each
SERIES = ("#0072b2", "#d55e00", "#00855f", "#b8528f", "#b07a00", "#3a9bd0", "#6b4fb3", "#7d8896")
SIZE = "320x240"
PATIENCE = 60.0  # s that a picture or page may take
LONGEST = 100_000  # samples of a recording that is shown as a page
PAGE_HEIGHT = 560  # pixels


def page_frame(page: str) -> str:
    """Return a web page as an element of a notebook, in which its own policy holds and which has no access to the notebook."""
    return (
        f"<iframe title='Armature' sandbox='allow-scripts' style='width:100%;height:{PAGE_HEIGHT}px;border:0'"
        f' srcdoc="{escape(page)}"></iframe>'
    )


def recording_page(save: Callable[[Path], object], title: str) -> str | None:
    """Return the web page of the recording that `save(path)` writes; None where it cannot be drawn, as without its robot."""
    with tempfile.TemporaryDirectory(prefix="armature-") as folder:
        recording = Path(folder) / "recording.npz"
        try:
            save(recording)
        except (EngineError, OSError):
            return None
        page = _output("page", recording, "page.html", f"--title={title}")
    return None if page is None else page.decode()


def facts_html(facts: Mapping[str, str], below: str) -> str:
    """Return facts as a table, with other HTML below."""
    rows = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in facts.items()
    )
    return f"<div><table>{rows}</table>{below}</div>"


def curves_html(t: np.ndarray, curves: Mapping[str, np.ndarray], names: Sequence[str]) -> str:
    """Return `curves` `(N, n)` by title over t `(N,)` s below each other, with one legend."""
    legend = " ".join(
        f"<span style='white-space:nowrap'><span style='color:{_colour(k)}'>&#9632;</span> {escape(name)}</span>"
        for k, name in enumerate(names)
    )
    drawn = "".join(_drawing(title, t, values) for title, values in curves.items()) if len(t) else ""
    return f"<div>{drawn}</div><div style='font-size:85%'>{legend}</div>"


def _drawing(title: str, t: np.ndarray, values: np.ndarray) -> str:
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    if high - low < 1e-12 * max(1.0, abs(high)):
        low, high = low - 1.0, high + 1.0
    end = float(t[-1]) if t[-1] > t[0] else float(t[0]) + 1.0
    wide, tall = WIDTH - LEFT - 4, HEIGHT - FOOT - 18
    lines = []
    for k, column in enumerate(values.T):
        for x, y in _stretches(t, column):
            across = LEFT + wide * (x - t[0]) / (end - t[0])
            down = 18 + tall * (high - y) / (high - low)
            points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(across, down))
            lines.append(f"<polyline points='{points}' fill='none' stroke='{_colour(k)}' stroke-width='1.3'/>")
    text = "<text fill='currentColor' font-size='10'"
    return (
        f"<svg width='{WIDTH}' height='{HEIGHT}' role='img' aria-label='{escape(title)}'>"
        f"{text} x='{LEFT}' y='11' font-weight='bold'>{escape(title)}</text>"
        f"{text} x='{LEFT - 5}' y='26' text-anchor='end'>{high:.4g}</text>"
        f"{text} x='{LEFT - 5}' y='{18 + tall}' text-anchor='end'>{low:.4g}</text>"
        f"{text} x='{LEFT}' y='{HEIGHT - 3}'>{t[0]:.4g}</text>"
        f"{text} x='{WIDTH - 4}' y='{HEIGHT - 3}' text-anchor='end'>{end:.4g} s</text>"
        f"<rect x='{LEFT}' y='18' width='{wide}' height='{tall}' fill='none' stroke='currentColor' stroke-opacity='0.3'/>"
        f"{''.join(lines)}</svg>"
    )


def _stretches(t: np.ndarray, y: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Each stretch of numbers by itself, thinned: of each cell the samples with the least and the greatest value."""
    sound = np.flatnonzero(np.isfinite(y))
    parts = np.array_split(sound, CELLS) if len(sound) > 2 * CELLS else []
    gaps = np.flatnonzero(np.diff(sound) > 1)
    kept = [pick for part in parts for pick in (part[y[part].argmin()], part[y[part].argmax()])] if parts else sound
    kept = np.unique(np.concatenate([kept, sound[gaps], sound[gaps + 1]]).astype(int))
    for one in np.split(kept, np.searchsorted(kept, sound[gaps + 1])):
        if len(one):
            yield t[one], y[one]


def _colour(k: int) -> str:
    return SERIES[k % len(SERIES)]


def robot_png(source: Path, file_hash: str, companion_hash: str) -> bytes | None:
    """The PNG of a robot's file as it was read; None where it cannot be drawn. One that ships has its picture with it."""
    digest = hashlib.sha256((file_hash + companion_hash).encode()).hexdigest() if companion_hash else file_hash
    name = f"{source.name.partition('?')[0].rpartition('.')[0]}-{digest[:12]}.png"
    kept = user_cache() / "notebook" / name
    for file in (shipped("assets", "thumbnails") / name, kept):
        with suppress(OSError):
            return file.read_bytes()
    data = _output("screenshot", source, "robot.png", f"--size={SIZE}", "--show=", "--no-caption", "--no-corner", "--transparent")
    if data is not None:
        with suppress(OSError):  # a full disk or a read-only folder: the picture is drawn again next time
            kept.parent.mkdir(parents=True, exist_ok=True)
            atomic_write(kept, data)
    return data


def _output(command: str, source: Path, name: str, *options: str) -> bytes | None:
    """The file that a command writes: no Qt in the process of a script or a notebook."""
    with tempfile.TemporaryDirectory(prefix="armature-") as folder:
        out, quiet = Path(folder) / name, subprocess.DEVNULL
        line = [sys.executable, "-P", "-m", "armature", command, str(source.absolute()), str(out), *options]
        try:
            subprocess.run(line, stdin=quiet, stdout=quiet, stderr=quiet, env=child_environment(), timeout=PATIENCE, check=True)
            return out.read_bytes()
        except (OSError, subprocess.SubprocessError):
            return None
