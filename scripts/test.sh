#!/usr/bin/env bash
# Run pytest with the given arguments while the kernels compile: tests/conftest.py starts with the tests that need none.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh test
mkdir -p build
set -m # a process group of its own, so that all of it can be ended
scripts/setup.sh kernels >build/kernels.log 2>&1 &
kernels=$!
set +m
trap 'kill -- "-$kernels" 2>/dev/null || true' EXIT

# Bytecode is saved: each process that a test starts would else compile the program's sources again.
PYTHONDONTWRITEBYTECODE='' ARMATURE_COMPILER=$kernels \
    .venv/bin/python -m pytest -n "${JOBS:-2}" --dist loadfile --no-loadscope-reorder --max-worker-restart 0 "$@"
