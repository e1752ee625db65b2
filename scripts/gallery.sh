#!/usr/bin/env bash
# The pictures of README and docs: every arm, light and dark, with frames and with ellipsoids, and one of each capability.
# A URDF arm with meshes is drawn where the package example-robot-data is installed.
set -euo pipefail
cd "$(dirname "$0")/.."
out=assets/screenshots
mkdir -p "$out/arms"

shot() { .venv/bin/python main.py screenshot "$@"; }

for file in robots/*.toml; do
    arm=$(basename "$file" .toml)
    for theme in light dark; do
        shot "$arm" "$out/arms/${arm}_frames_$theme.png" --theme $theme --size 400x300 --no-caption
        shot "$arm" "$out/arms/${arm}_ellipsoids_$theme.png" --theme $theme --size 400x300 --no-caption --show grid,ellipsoid,force
    done
done

# The pictures by which robots are chosen; each is named after what its file holds.
rm -f assets/thumbnails/*.png
.venv/bin/python -c "
from pathlib import Path
from armature.app.robots.thumbnails import Thumbnails
for file in sorted(Path('robots').glob('*.toml')):
    Thumbnails(Path('assets/thumbnails')).draw(file, lambda: False)"

shot puma560 "$out/dh_step.png" --dh-step 9.6 --show grid --size 840x560
shot puma560 "$out/recursion.png" --rnea-step 17 --qd "0.5,0.8,-0.6,0,0.4,0" --qdd "0,1,0,0,0,0" --show grid --theme dark --size 840x560
shot panda "$out/gizmo.png" --drag z=0.12 --show grid --theme dark --size 840x560
shot puma560 "$out/singular.png" --q "0, 0.8, -2.6, 0, 0, 0" --show grid,ellipsoid,lost_motion --size 840x560
shot puma560 "$out/workspace.png" --workspace voxels,y,0.5 --show grid --theme dark --size 840x560
shot puma560 "$out/surfaces.png" --workspace points,y,0.5 --show grid,singular_surfaces --size 840x560
shot puma560 "$out/joints.png" --show grid,axes,com --size 840x560

urdf=$(.venv/bin/python -c "
from importlib.metadata import distribution
print(distribution('example-robot-data').locate_file('cmeel.prefix/share/example-robot-data/robots/kinova_description/robots/kinova.urdf'))" 2>/dev/null || true)
if [ -f "$urdf" ]; then
    shot "$urdf" "$out/urdf_meshes.png" --show grid --size 840x560
fi

.venv/bin/python scripts/window_pictures.py

# Copies for the manual, and its pictures of arms.
.venv/bin/python scripts/manual_pictures.py --all
