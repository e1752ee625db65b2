#!/usr/bin/env bash
# A wheel with compiled kernels in dist/, for the Python of .venv: ready without compiling on x86-64-v3, on any other processor after.
# `python -m build` makes the one for every Python and system, without kernels.
set -euo pipefail
cd "$(dirname "$0")/.."
python=.venv/bin/python
kernels=$PWD/build/kernels-$($python -c 'import sys; print("%d.%d" % sys.version_info[:2])')
mkdir -p "$kernels"
$python scripts/shipped_kernels.py "$kernels"
ARMATURE_COMPILED=$kernels $python -m hatchling build -t wheel -d dist
