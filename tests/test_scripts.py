"""What the scripts around the tests decide."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "scripts" / "newer_python.sh"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="shell scripts")


@pytest.fixture
def machine(tmp_path):
    """A checkout on a machine that has these interpreters: a version each, or None for one that does not start."""

    def made(pythons: dict[str, int | None], pyenv: tuple[int, ...] = (), **environment) -> str:
        def stand_in(path: Path, minor: int | None) -> None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("#!/bin/sh\nexit 127\n" if minor is None else f"#!/bin/sh\necho {minor}\n")
            path.chmod(0o755)

        for name, minor in pythons.items():
            stand_in(tmp_path / name, minor)
        for minor in pyenv:
            stand_in(tmp_path / "pyenv" / "versions" / f"3.{minor}.0" / "bin" / "python3", minor)
        script = tmp_path / "scripts" / SCRIPT.name
        script.parent.mkdir()
        script.write_text(SCRIPT.read_text())
        clean = {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin", "PYENV_ROOT": str(tmp_path / "pyenv"), "HOME": str(tmp_path)}
        done = subprocess.run(["bash", script], env=clean | environment, capture_output=True, text=True, timeout=20)
        assert done.returncode == 0 and not done.stderr, done
        return os.path.relpath(done.stdout.strip(), tmp_path) if done.stdout else ""

    return made


OWN = {".venv/bin/python": 11}


@pytest.mark.parametrize(
    ("pythons", "pyenv", "found"),
    [
        ({**OWN, "bin/python3.13": 13, "bin/python3.12": 12, "bin/python3.14": None}, (), "bin/python3.13"),
        ({**OWN, "bin/python3.13": None, "bin/python3.14": None, "bin/python3.12": 12}, (), "bin/python3.12"),
        (
            {**OWN, "bin/python3.13": None, "bin/python3.12": None, "bin/python3.14": None},
            (13,),
            "pyenv/versions/3.13.0/bin/python3",
        ),
        ({**OWN, "bin/python3.13": None, "bin/python3.12": None, "bin/python3.14": None}, (), ""),
        ({".venv/bin/python": 13, "bin/python3.13": 13, "bin/python3.12": 12, "bin/python3.14": 14}, (), "bin/python3.14"),
        ({".venv/bin/python": 14, "bin/python3.13": 13, "bin/python3.12": 12, "bin/python3.14": 14}, (13,), ""),
        ({"bin/python3": 12, "bin/python3.13": 13}, (), "bin/python3.13"),
    ],
    ids=[
        "the proven one first",
        "a shim that starts nothing",
        "pyenv",
        "none",
        "above that of .venv",
        "none above",
        "no .venv yet",
    ],
)
def test_a_newer_python_is_found_where_there_is_one(machine, pythons, pyenv, found):
    assert machine(pythons, pyenv) == found


def test_a_newer_python_can_be_chosen_or_left_out(machine, tmp_path):
    other = tmp_path / "other"
    other.write_text("#!/bin/sh\necho 14\n")
    other.chmod(0o755)
    assert machine({**OWN, "bin/python3.13": 13}, NEWER_PYTHON=str(other)) == "other"


def test_none_is_wanted(machine):
    assert machine({**OWN, "bin/python3.13": 13}, NEWER_PYTHON="") == ""


# .ci/run, in a checkout whose scripts only say what they were requested


@pytest.fixture
def ci(tmp_path):
    """Runs it: exit status and what was printed. `newer` is the interpreter that is found."""

    def made(
        newer: str,
        setup: str = "exit 0",
        engine: str = "exit 0",
        everything: str = "true",
        again: str = "exit 0",
        docs: str = "true",
        lint: str = "true",
    ) -> tuple[int, list[str]]:
        say = 'echo "$(basename "$0") $*"'
        files = {
            ".ci/run": (ROOT / ".ci" / "run").read_text(),
            "scripts/newer_python.sh": f"echo {newer}",
            "scripts/setup.sh": f'touch .venv/.installed-test\nif [ -n "$ARMATURE_VENV" ]; then echo "with $PYTHON"; {setup}; fi',
            ".venv-newer/bin/python": f'[ "$1" = --version ] && echo Python 3.13.0 && exit\n{say}\n{engine}',
            ".venv/bin/python": f"{say}\n{again}",
        }
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text if text.startswith("#!") else f"#!/bin/bash\n{text}\n")
            path.chmod(0o755)
        recipes = {
            "test": ["echo '== 7 passed in 1s =='", everything],
            "lint": ["echo linted", lint],
            "docs": ["echo documented", docs],
        }
        rules = (f"{target}:\n" + "".join(f"\t@{line}\n" for line in lines) for target, lines in recipes.items())
        (tmp_path / "Makefile").write_text("".join(rules))
        clean = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}  # this may run in a make
        done = subprocess.run([tmp_path / ".ci" / "run"], env=clean, capture_output=True, text=True, timeout=30)
        return done.returncode, done.stdout.splitlines()

    return made


ENGINE = "python -m pytest -n 2 --dist loadfile --max-worker-restart 0 -m not soak --cases 2 tests/engine"


@pytest.mark.long
def test_ci_tests_the_engine_under_the_newer_python_too(ci):
    code, said = ci("/somewhere/python3.13")
    assert code == 0 and said[-1] == "== 7 passed in 1s ==" and "linted" in said
    assert said.index("== 7 passed in 1s ==") < said.index("--- the engine's tests under Python 3.13.0") < said.index(ENGINE)


def test_ci_says_that_there_is_none_and_goes_on(ci):
    code, said = ci("")
    assert code == 0 and ENGINE not in said and "linted" in said and said[-1] == "== 7 passed in 1s =="
    assert any("No Python newer" in line for line in said)


def test_ci_fails_where_the_newer_python_does(ci):
    code, said = ci("/somewhere/python3.13", engine="exit 1")
    assert code == 1 and "linted" in said and said[-1] == "== 7 passed in 1s =="


def test_ci_fails_and_says_why_where_the_newer_one_cannot_be_set_up(ci):
    code, said = ci("/somewhere/python3.13", setup="echo no wheel for it; exit 3")
    assert code == 3 and "no wheel for it" in said and "with /somewhere/python3.13" in said and "linted" in said


def test_ci_fails_where_the_documentation_does(ci):
    code, said = ci("", docs="false")
    assert code == 2 and "documented" in said and said[-1] == "== 7 passed in 1s =="


def test_ci_fails_where_a_linter_does_and_shows_what_it_said(ci):
    code, said = ci("", lint="false")
    assert code == 2 and "linted" in said and "documented" in said and said[-1] == "== 7 passed in 1s =="


def test_ci_fails_where_a_test_does(ci):
    code, said = ci("/somewhere/python3.13", everything="false")
    assert code == 2 and ENGINE in said and "linted" in said


FAILS = "echo FAILED tests/test_x.py::test_y; false"
AGAIN = "python -m pytest --last-failed --last-failed-no-failures none -m not soak"


def test_ci_tries_a_failed_test_once_more_and_says_so(ci):
    code, said = ci("", everything=FAILS)
    assert code == 0 and said.index("--- 1 failed and are tried once more, alone") < said.index(AGAIN)


def test_ci_fails_where_it_fails_again(ci):
    code, said = ci("", everything=FAILS, again="exit 1")
    assert code == 1 and AGAIN in said and "linted" in said


def test_ci_runs_all_once_more_where_a_worker_was_lost_and_says_so(ci):
    lost = 'test -e tried && exit 0; touch tried; echo "[gw0] node down: Not properly terminated"; false'
    code, said = ci("", everything=lost)
    assert code == 0 and said.count("== 7 passed in 1s ==") >= 2
    assert "--- the run hung or lost a worker, see above, and is tried once more" in said


@pytest.mark.parametrize("more", ["echo '[gw0] node down: Not properly terminated'", "for k in 1 2 3; do echo FAILED x; done"])
def test_ci_fails_after_a_crash_and_after_many_failures(ci, more):
    code, said = ci("", everything=f"{more}; {FAILS}")
    assert code == 2 and AGAIN not in said
