#!/usr/bin/env bash
# Prepares everything a make target needs and does nothing, fast, when it is already there.
# Usage: scripts/setup.sh run|test|kernels|dev|docs
#   run: the program; test: and the tests; kernels: and the compiled kernels; dev: and the linters; docs: the documentation
# PYTHON=/path/to/python3.x picks the interpreter behind a new environment, ARMATURE_VENV=.venv-newer another place for it.
set -euo pipefail
cd "$(dirname "$0")/.."
level=${1:?usage: setup.sh run|test|kernels|dev|docs}
venv=${ARMATURE_VENV:-.venv}

case $level in
    run) extras='' packages=run ;;
    test | kernels) extras='[test]' packages=test ;;
    dev) extras='[test,dev]' packages=test ;;
    docs) extras='[docs]' packages=test ;; # its pictures are drawn as in the tests
    *) echo "setup.sh: unknown level '$level'; it is run, test, kernels, dev or docs" >&2; exit 2 ;;
esac

suits() { "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null; }

find_python() {
    local candidate
    for candidate in ${PYTHON:-} python3 python3.13 python3.12 python3.11 python3.14 /usr/bin/python3; do
        if suits "$candidate"; then command -v "$candidate"; return; fi
    done
}

# uv installs the same versions in a third of pip's time; pip brings it, and does the work itself where uv cannot.
install_packages() {
    local pip=("$venv/bin/python" -m pip install --disable-pip-version-check --no-input)
    if "${pip[@]}" -q -c constraints.txt uv && "$venv/bin/uv" pip install --python "$venv/bin/python" "$@"; then return; fi
    echo "uv could not install them; pip does, which takes a few minutes"
    "${pip[@]}" "$@"
}

# --- Python and system packages
python=''
needed=()
if ! suits "$venv/bin/python" || ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    python=$(find_python)
    if [ -z "$python" ]; then
        # Distributions whose python3 is older carry 3.11 or 3.12 under its own name.
        for name in python3 python3.12 python3.11; do
            version=$(apt-cache policy "$name" 2>/dev/null | sed -n 's/^ *Candidate: *\(3\.[0-9]*\).*/\1/p')
            case $version in 3.11 | 3.12 | 3.13 | 3.14) needed=("$name" "$name-venv"); break ;; esac
        done
        [ ${#needed[@]} -gt 0 ] || { echo "Armature needs Python 3.11 to 3.14 and found none; set PYTHON=/path/to/python3" >&2; exit 1; }
    elif ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        needed=("python$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')-venv")
    fi
fi
bash scripts/system_packages.sh "$packages" ${needed[@]+"${needed[@]}"}

# --- the virtual environment
if [ -n "$python" ] || [ ${#needed[@]} -gt 0 ]; then
    python=$(find_python)
    echo "Creating $venv with $("$python" --version)"
    "$python" -m venv --clear "$venv"
fi

# --- the pinned dependencies
wanted=$(cat pyproject.toml constraints.txt | sha256sum | cut -d' ' -f1)
stamp=$venv/.installed-${level/kernels/test}
if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
    echo "Installing the packages that constraints.txt pins"
    quiet=(-q)
    [ -t 1 ] && quiet=()
    install_packages ${quiet[@]+"${quiet[@]}"} -c constraints.txt -e ".$extras"
    echo "$wanted" >"$stamp"
fi

# --- the compiled kernels, for tests, measurements and pictures; the program compiles them while its window is open
if [ "$level" = kernels ] || [ "$level" = docs ]; then
    wanted=$( { find engine -name '*.py' -print0 | sort -z | xargs -0 cat; echo "$wanted"; } | sha256sum | cut -d' ' -f1)
    if [ "$(cat "$venv/.warm" 2>/dev/null)" != "$wanted" ]; then
        "$venv/bin/python" -m armature.engine.kernels
        echo "$wanted" >"$venv/.warm"
    fi
fi
