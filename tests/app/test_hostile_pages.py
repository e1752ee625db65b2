"""Hostile inputs of web pages: each is refused in one line, or is harmless in the page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from armature import engine
from armature.app.cli import main
from tests import chromium

TEXT = "</script><script>x()</script><!--\"'&amp;\u2028\u2029{data}{script}\\"
"""Names and notes."""


@pytest.fixture(scope="module")
def lines():
    """Lines of a recording as a table."""
    robot = engine.load_robot("scara")
    recording = engine.simulate(robot, robot.configurations["home"], None, 0.01, 1e-3)
    return [",".join(recording.columns), *(",".join(map(repr, row.tolist())) for row in recording.table())]


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    tab = chromium.Chromium(tmp_path_factory.mktemp("chromium")) if chromium.PROGRAM else None
    yield tab
    if tab is not None:
        tab.close()


def row(lines, number: int, *values: str, first: int = 0) -> list[str]:
    """The lines with other values from column `first` on of row `number`."""
    cells = lines[number].split(",")
    cells[first : first + len(values)] = values
    return [*lines[:number], ",".join(cells), *lines[number + 1 :]]


REFUSED = {
    "without rows": (lambda lines: lines[:1], "no complete sample"),
    "empty": (lambda lines: [""], "run.csv"),
    "other columns": (lambda lines: ["a,b,c", "1,2,3"], "run.csv"),
    "decreasing times": (lambda lines: row(lines, 5, "0.0001"), "run.csv"),
    "time that is no number": (lambda lines: row(lines, 5, "nan"), "run.csv"),
    "huge time": (lambda lines: row(lines, 11, "1e308"), "has times above 1e+10 s"),
    "short row": (lambda lines: [*lines[:5], lines[5].rpartition(",")[0], *lines[6:]], "run.csv"),
    "text in a row": (lambda lines: row(lines, 5, "x()", first=1), "run.csv"),
    "not UTF-8": (lambda lines: [*lines[:5], "\udcff\udcfe", *lines[5:]], "run.csv"),
}
HARMLESS = {
    "one row": lambda lines: lines[:2],
    "NaN": lambda lines: row(lines, 1, *["nan"] * 12, first=1),
    "infinity": lambda lines: row(lines, 5, "inf", "-inf", first=1),
    "huge numbers": lambda lines: row(lines, 5, "1e308", "-1e308", "1e200", first=1),
    "equal times": lambda lines: row(lines, 5, lines[4].partition(",")[0]),
}
METADATA = {
    "events": {"events": [3, None, {"kind": "payload", "row": -1, "payload": TEXT}, {"kind": "x", "row": 10**30}]},
    "payload": {"payload": [{"mass": -1, "com": [TEXT], "inertia": None}]},
    "cell": {"cell": {"name": "../../table", "sha256": TEXT}},
    "changes": {"changes": [{"payload": {"mass": 1e300, "com": [1, 2], "inertia": [[]]}}]},
}


def write_recording(folder: Path, lines, metadata=None) -> Path:
    path = folder / "run.csv"
    path.write_bytes("\n".join([*lines, ""]).encode("utf-8", "surrogateescape"))
    if metadata is not None:
        known = {"joints": list(engine.load_robot("scara").joint_names), "robot": "scara"}
        (folder / "run.csv.meta.json").write_text(json.dumps({**known, **metadata}))
    return path


def check_harmless(browser, page: Path) -> None:
    """The page has one script of its own, and opens without a complaint."""
    text = page.read_text("utf-8")
    assert text.count("</script>") == 2 and text.count("<script") == 2
    if browser is not None:
        browser.open(page)
        browser.run("page.times && page.setTime(page.times[page.times.length - 1])")
        browser.picture()
        assert browser.complaints == [] and browser.requests == [page.resolve().as_uri()]


@pytest.mark.parametrize("kind", REFUSED)
def test_a_hostile_recording_is_refused_in_one_line(tmp_path, capsys, lines, kind):
    change, message = REFUSED[kind]
    path = write_recording(tmp_path, change(lines))
    assert main(["page", str(path), str(tmp_path / "out.html"), "--robot", "scara"]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1 and len(error) < 400
    assert not (tmp_path / "out.html").exists()


@pytest.mark.parametrize("kind", [*HARMLESS, *METADATA])
def test_an_odd_recording_becomes_a_harmless_page(tmp_path, lines, browser, kind):
    path = write_recording(tmp_path, HARMLESS.get(kind, list)(lines), METADATA.get(kind, {}))
    assert main(["page", str(path), str(tmp_path / "out.html")]) == 0
    check_harmless(browser, tmp_path / "out.html")


@pytest.mark.parametrize("arguments", [["--robot", "panda"], ["--robot", "no_such_arm"], ["--signals", TEXT], ["--cell", TEXT]])
def test_what_does_not_fit_a_recording_is_refused_in_one_line(tmp_path, capsys, lines, arguments):
    path = write_recording(tmp_path, lines, {})
    assert main(["page", str(path), str(tmp_path / "out.html"), *arguments]) == 2
    assert capsys.readouterr().err.count("\n") == 1 and not (tmp_path / "out.html").exists()


@pytest.mark.parametrize("robot", ["", TEXT, "../../etc/passwd"])
def test_a_recording_of_an_unknown_robot_is_refused_in_one_line(tmp_path, capsys, lines, robot):
    path = write_recording(tmp_path, lines, {"robot": robot})
    assert main(["page", str(path), str(tmp_path / "out.html")]) == 2
    error = capsys.readouterr().err
    assert "--robot" in error and error.count("\n") == 1


@pytest.mark.parametrize("name", ["run.npz", "run.mcap", "run.mat"])
def test_a_truncated_recording_is_refused_in_one_line(tmp_path, capsys, name):
    robot = engine.load_robot("scara")
    path = engine.simulate(robot, robot.configurations["home"], None, 0.01, 1e-3).save(tmp_path / name)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 3])
    assert main(["page", str(path), str(tmp_path / "out.html")]) == 2
    error = capsys.readouterr().err
    assert name in error and error.count("\n") == 1


def test_hostile_names_and_notes_are_text(tmp_path, browser):
    file, title = tmp_path / "arm.toml", "<img src=x onerror=x()>"
    text = engine.load_robot("scara").source.read_text("utf-8")
    file.write_text(f"title = {json.dumps(title)}\n" + "\n".join(one for one in text.splitlines() if not one.startswith("title")))
    assert main(["page", str(file), str(tmp_path / "out.html"), "--notes", TEXT]) == 0
    check_harmless(browser, tmp_path / "out.html")
    if browser is not None:
        assert browser.run("document.querySelector('.notes').textContent") == TEXT
        assert browser.run("document.getElementById('title').textContent") == title
        assert browser.run("document.querySelectorAll('img').length") == 0
