#!/usr/bin/env bash
# Every linter, even after one has failed; fails if any did.
set -uo pipefail
cd "$(dirname "$0")/.."
bin=.venv/bin
failed=()

check() {
    local name=$1
    shift
    echo "--- $name"
    "$@" || failed+=("$name")
}

check "ruff check" $bin/ruff check .
check "ruff format" $bin/ruff format --check .
check "plain words" $bin/python scripts/plain_words.py
check "import contracts" $bin/lint-imports
check "types" $bin/mypy

if [ ${#failed[@]} -gt 0 ]; then
    printf 'failed: %s\n' "${failed[@]}" >&2
    exit 1
fi
