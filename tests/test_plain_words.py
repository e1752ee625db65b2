"""The linter of plain words reports each kind of fault, and only that."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from tests.time_limits import PROCESS

ROOT = Path(__file__).resolve().parents[1]
SPEC = importlib.util.spec_from_file_location("plain_words", ROOT / "scripts" / "plain_words.py")
plain_words = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(plain_words)


@pytest.fixture
def report(tmp_path, monkeypatch):
    """Write a file into an empty repository and return its hits as (room, line, word)."""
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "__init__.pyi").write_text("from armature.engine.arm import reach as reach\n")
    monkeypatch.setattr(plain_words, "ROOT", tmp_path)

    def hits(content: str, name: str = "app/room/panel.py", *others: str) -> list[tuple[str, int, str]]:
        files = [tmp_path / other for other in (*others, name)]
        for file in files:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, "utf-8")
        return [(hit.room, hit.line, hit.word) for hit in plain_words.hits_of(files)]

    return hits


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ('"""What a pose leaves."""', ("app/room", 1, "What …")),
        ('class A:\n    """Draw.\n\n    The arm is told.\n    """', ("app/room", 4, "told")),
        ('class A:\n    x: int\n    """Of the arm."""', ("app/room", 3, "Of …")),
        ("x = 1  # the panel says so", ("app/room", 1, "says")),
        ('label("Mass the controller reckons with")', ("strings", 1, "reckons")),
        ('raise ValueError(\n    f"{x}: there is no "\n    f"limit; it stays {y}"\n)', ("strings", 3, "stays")),
        ('label("What moves the arm")', ("strings", 1, "What …")),
        ("def turned(x): ...", ("app/room", 1, "turned")),
        ("def put_away(x): ...\ndef given_back(x): ...", ("app/room", 2, "given_back")),
    ],
)
def test_a_fault_in_python_is_found_in_its_line(report, content, found):
    assert report(content) == [found]


@pytest.mark.parametrize(
    "content",
    [
        '"""Return the pose of the tool, 4×4."""',
        'x = table["told"], {"stays": 1}, named(box, "kept")',
        'label("What is the rank of J?")',
        'label("A step takes 3 s; the point lies in the plane; R stands for rotation.")',
        "def _told(x): ...\ndef is_found(x): ...\ndef sorted_rows(x): ...",
        "class A:\n    @property\n    def enabled(self): ...",
    ],
)
def test_plain_words_names_and_keys_pass(report, content):
    assert report(content) == []


def test_each_page_robot_and_public_docstring_counts_as_read_by_users(report):
    assert report("# A page\n\nThe dock tells\nwhat\nis new, `told` in code.", "docs/page.md") == [
        ("markdown", 3, "tells"),
        ("markdown", 4, "what\nis"),
    ]
    assert report('title = "Puma"  # inertia reckoned by hand', "robots/puma.toml") == [("toml", 1, "reckoned")]
    text = 'def reach(q):\n    """Those who ask."""\ndef helper(q):\n    """Nothing."""'
    assert [room for room, *_ in report(text, "engine/arm.py")] == ["public docstrings"] * 2 + ["engine"]


def test_a_class_name_is_used_once(report):
    assert report("class Wanted: ...", "app/b/x.py", "app/a/x.py") == [("app/b", 1, "Wanted")]
    assert report("class Wanted: ...", "tests/b/x.py", "tests/a/x.py") == []


def test_an_exception_needs_a_reason_and_a_hit(report):
    assert report('label("Tell me more")  # plain: the user speaks') == []
    assert [word for _, _, word in report('label("Tell me more")  # plain:')] == ["Tell", "plain:"]
    assert [word for _, _, word in report('label("More")  # plain: the user speaks')] == ["plain:"]
    assert report("As the book says. <!-- plain: quotation -->", "docs/page.md") == []


@pytest.mark.parametrize(
    ("subject", "problem"),
    [
        ("Draw the ghost arm of the selected IK solution", ""),
        ("Draw the ghost arm; fix its colour", "semicolon"),
        ("Draw the ghost arm of the selected IK solution in the colour of the selected row", "characters"),
        ("Draws the ghost arm", "imperative"),
        ("draw the ghost arm", "capital"),
        ("Cancel what is given up", "given up"),
    ],
)
def test_subjects_of_commits(subject, problem):
    problems = plain_words.subject_problems(subject)
    assert any(problem in line for line in problems) if problem else not problems


def test_a_ceiling_fails_above_and_below_its_count_and_is_only_lowered(report, tmp_path, monkeypatch, capsys):
    ceilings = tmp_path / "ceilings.toml"
    monkeypatch.setattr(plain_words, "CEILINGS", ceilings)
    report("x = 1  # it says so")
    panel = [tmp_path / "app/room/panel.py"]

    def status(most: int, lower: bool = False) -> int:
        ceilings.write_text(f'# Head.\n\n"app/room" = {most}\n')
        return plain_words.check(panel, lower)

    assert [status(1), status(0), status(2), status(2, lower=True)] == [0, 1, 1, 0]
    assert ceilings.read_text() == '# Head.\n\n"app/room" = 1\n'
    assert "--lower" in capsys.readouterr().out


def test_the_command_lists_strings_and_hits():
    def listed(*arguments: str) -> list[str]:
        command = [sys.executable, "scripts/plain_words.py", *arguments]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PROCESS).stdout.splitlines()

    assert any(line.endswith("'Armature'") for line in listed("--strings", "app/state/files.py"))
    assert listed("scripts/plain_words.toml") == []
