#!/usr/bin/env bash
# The program with its own Python: dist/armature/ and dist/armature-VERSION-SYSTEM.tar.gz. Needs the wheel of scripts/wheel.sh in dist/.
set -euo pipefail
cd "$(dirname "$0")/.."
python=.venv/bin/python
version=$($python -c 'from armature.engine.version import VERSION; print(VERSION)')
tag=$($python -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
wheel=$(ls dist/armature-"$version"-"$tag"-"$tag"-*.whl)
venv=build/app/venv

# An environment of its own: what the tests need is nothing that the program should bring.
wanted=$(sha256sum constraints.txt pyproject.toml | sha256sum | cut -d' ' -f1)
if [ "$(cat "$venv/.installed" 2>/dev/null)" != "$wanted" ]; then
    $python -m venv --clear "$venv"
    "$venv/bin/python" -m pip install -q --disable-pip-version-check --no-input -c constraints.txt "$wheel[video,mjcf,app]"
    echo "$wanted" >"$venv/.installed"
else
    "$venv/bin/python" -m pip install -q --disable-pip-version-check --no-input --no-deps --no-index --force-reinstall "$wheel"
fi

(cd build/app && venv/bin/python -m PyInstaller --noconfirm --log-level WARN --distpath ../../dist --workpath work ../../bundle/armature.spec)
if [ "$(uname -s)" = Linux ]; then
    mkdir -p dist/armature/share
    cp bundle/linux/install.sh dist/armature/
    cp bundle/linux/armature.desktop bundle/linux/armature-types.xml assets/icons/armature.svg bundle/icons/armature.png dist/armature/share/
    cp LICENSE README.md dist/armature/
fi
name=armature-$version-$(uname -s | tr '[:upper:]' '[:lower:]')_$(uname -m)
tar -C dist --owner=0 --group=0 -czf "dist/$name.tar.gz" armature
echo "dist/armature: $(du -sm dist/armature | cut -f1) MB; dist/$name.tar.gz: $(du -sm "dist/$name.tar.gz" | cut -f1) MB"
