"""Classify the failed tests of the last run, or check the list of tests that may fail: `flaky.py classify`, `flaky.py check`.

A failed test is run once more, alone, only to learn whether it always fails. One that passes is written to build/flaky.txt.
The exit status is 0 where all failed tests passed then and are on the list.
"""

import json
import subprocess
import sys
import tomllib
from datetime import date, timedelta
from pathlib import Path

LIST, REPORT, FAILED = Path(".ci/known_flaky.toml"), Path("build/flaky.txt"), Path(".pytest_cache/v/cache/lastfailed")
KEYS = {"id": str, "reason": str, "entered": date, "expires": date}
MOST_KNOWN, MOST_RUN, LONGEST = 3, 10, timedelta(days=14)


def known() -> set[str]:
    """Test ids of the list; ends the program with one line where the list breaks a rule."""
    entries, today = tomllib.loads(LIST.read_text()).get("test", []), date.today()
    if len(entries) > MOST_KNOWN:
        sys.exit(f"{LIST}: {len(entries)} entries, at most {MOST_KNOWN} are allowed")
    for entry in entries:
        if {key: type(value) for key, value in entry.items()} != KEYS or not entry["reason"].strip():
            sys.exit(f"{LIST}: an entry has id, reason, entered and expires, not {entry}")
        if not entry["entered"] <= today or entry["expires"] - entry["entered"] > LONGEST:
            sys.exit(f"{LIST}: {entry['id']}: an entry begins today at the latest and ends after {LONGEST.days} days")
        if entry["expires"] < today:
            sys.exit(f"{LIST}: {entry['id']}: expired on {entry['expires']}")
    return {entry["id"] for entry in entries}


def classify() -> int:
    """Run each failed test alone, write the report, and return the exit status."""
    failed = sorted(json.loads(FAILED.read_text())) if FAILED.exists() else []
    commands = {test: [".venv/bin/python", "-m", "pytest", test] for test in failed[:MOST_RUN]}
    flaky = {test for test, command in commands.items() if subprocess.run(command, check=False).returncode == 0}
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text("".join(f"flaky: {test}\n" for test in sorted(flaky)))
    return int(not failed or not set(failed) <= flaky & known())


if __name__ == "__main__":
    if sys.argv[1:] == ["classify"]:
        sys.exit(classify())
    known()
