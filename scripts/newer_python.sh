#!/usr/bin/env bash
# Prints an interpreter of Python 3.12 to 3.14 that is newer than the one of .venv, and nothing where the machine has none.
# NEWER_PYTHON=/path/to/python3.x picks it; empty means none.
set -euo pipefail
cd "$(dirname "$0")/.."

# The y of Python 3.y, of an interpreter that is there and can make environments.
minor() { "$1" -c 'import sys, ensurepip, venv; print(sys.version_info[1] if sys.version_info[0] == 3 else 0)' 2>/dev/null; }

own=$(minor .venv/bin/python || minor "${PYTHON:-python3}" || echo 11)
if [ -n "${NEWER_PYTHON+set}" ]; then
    candidates=("$NEWER_PYTHON")
else
    pyenv=${PYENV_ROOT:-$HOME/.pyenv}/versions
    candidates=(python3.1{3,4,2} "$pyenv"/3.1{3,4,2}.*/bin/python3)
fi
for candidate in "${candidates[@]}"; do
    y=$([ -z "$candidate" ] || minor "$candidate" || true)
    if [ "${y:-0}" -gt "$own" ] && [ "$y" -ge 12 ] && [ "$y" -le 14 ]; then
        command -v "$candidate"
        exit
    fi
done
