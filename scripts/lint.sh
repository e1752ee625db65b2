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

# What reads the package without running it gets the folders where an installation has them.
package=build/package
rm -rf $package
mkdir -p $package/armature
ln -s "$PWD"/armature/*.py "$PWD"/armature/*.pyi "$PWD"/{engine,app,robots,assets} $package/armature/
root=$PWD
cd $package
check "import contracts" "$root/$bin/lint-imports" --config "$root/pyproject.toml"
check "types" "$root/$bin/mypy" --config-file "$root/pyproject.toml"

if [ ${#failed[@]} -gt 0 ]; then
    printf 'failed: %s\n' "${failed[@]}" >&2
    exit 1
fi
