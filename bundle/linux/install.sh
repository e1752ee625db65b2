#!/bin/sh
# Puts Armature into this user's menu, with its icon and its types of files, and the command `armature` into ~/.local/bin.
# The folder stays where it is. `./install.sh --remove` takes all of it out again.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
data=${XDG_DATA_HOME:-$HOME/.local/share}
entry=$data/applications/armature.desktop
types=$data/mime/packages/armature-types.xml
icons=$data/icons/hicolor
command=$HOME/.local/bin/armature

case ${1:-} in
'')
    mkdir -p "$data/applications" "$data/mime/packages" "$icons/scalable/apps" "$icons/256x256/apps" "$HOME/.local/bin"
    # In a desktop entry the program's path stands in quotes, with a backslash before what has a meaning there.
    program=$(printf '%s' "$here/armature" | sed 's/[\\"`$]/\\\\&/g; s/%/%%/g; s/[&|]/\\&/g')
    sed "s|^Exec=armature|Exec=\"$program\"|" "$here/share/armature.desktop" >"$entry"
    cp "$here/share/armature-types.xml" "$types"
    cp "$here/share/armature.svg" "$icons/scalable/apps/armature.svg"
    cp "$here/share/armature.png" "$icons/256x256/apps/armature.png"
    ln -sf "$here/armature" "$command"
    ;;
--remove)
    rm -f "$entry" "$types" "$icons/scalable/apps/armature.svg" "$icons/256x256/apps/armature.png" "$command"
    ;;
*)
    echo "usage: install.sh [--remove]" >&2
    exit 2
    ;;
esac

# Where the desktop's tools are not installed it finds the files by itself, later.
! command -v update-mime-database >/dev/null || update-mime-database "$data/mime"
! command -v update-desktop-database >/dev/null || update-desktop-database "$data/applications"
