#!/usr/bin/env bash
# Checks for the system libraries and programs that the program (`run`) and its tests (`test`) need.
# Root on Debian or Ubuntu: installs what is missing. Anyone else: prints the one command to type and fails.
# Usage: scripts/system_packages.sh run|test [extra package ...]
set -euo pipefail
what=${1:?usage: system_packages.sh run|test [package ...]}
shift

[ "$(uname -s)" = Linux ] || exit 0

# soname = Debian/Ubuntu package. What Qt's xcb and Wayland platforms and PyOpenGL load.
libraries="
libGL.so.1=libgl1
libEGL.so.1=libegl1
libOpenGL.so.0=libopengl0
libGLX.so.0=libglx0
libX11.so.6=libx11-6
libX11-xcb.so.1=libx11-xcb1
libxcb.so.1=libxcb1
libxcb-cursor.so.0=libxcb-cursor0
libxcb-glx.so.0=libxcb-glx0
libxcb-icccm.so.4=libxcb-icccm4
libxcb-image.so.0=libxcb-image0
libxcb-keysyms.so.1=libxcb-keysyms1
libxcb-randr.so.0=libxcb-randr0
libxcb-render.so.0=libxcb-render0
libxcb-render-util.so.0=libxcb-render-util0
libxcb-shape.so.0=libxcb-shape0
libxcb-shm.so.0=libxcb-shm0
libxcb-sync.so.1=libxcb-sync1
libxcb-util.so.1=libxcb-util1
libxcb-xfixes.so.0=libxcb-xfixes0
libxcb-xkb.so.1=libxcb-xkb1
libxkbcommon.so.0=libxkbcommon0
libxkbcommon-x11.so.0=libxkbcommon-x11-0
libwayland-client.so.0=libwayland-client0
libwayland-cursor.so.0=libwayland-cursor0
libwayland-egl.so.1=libwayland-egl1
libfontconfig.so.1=libfontconfig1
libfreetype.so.6=libfreetype6
libdbus-1.so.3=libdbus-1-3
libdrm.so.2=libdrm2
libglib-2.0.so.0=libglib2.0-0
libzstd.so.1=libzstd1
"

[ "$what" = test ] && libraries+="libgomp.so.1=libgomp1" # Pinocchio

missing=("$@")
known=$(PATH="$PATH:/sbin:/usr/sbin" ldconfig -p)
for pair in $libraries; do
    [[ $known == *"${pair%%=*} "* ]] || missing+=("${pair#*=}")
done

# A driver behind the GL dispatcher: Mesa's (with its software renderer) unless the machine brings its own.
if [[ $known != *libGLX_nvidia.so.0* || $what = test ]]; then
    [[ $known == *libGLX_mesa.so.0* ]] || missing+=(libglx-mesa0)
    [[ $known == *libEGL_mesa.so.0* ]] || missing+=(libegl-mesa0)
    compgen -G '/usr/lib*/dri/swrast_dri.so' >/dev/null || compgen -G '/usr/lib/*/dri/swrast_dri.so' >/dev/null ||
        compgen -G '/usr/lib/*/libgallium-*.so' >/dev/null || compgen -G '/usr/lib64/libgallium-*.so' >/dev/null ||
        missing+=(libgl1-mesa-dri)
fi

# Keyboard tables, and at least one font: without them a window opens with dead keys and empty boxes for letters.
[ -d /usr/share/X11/xkb ] || [ -d /usr/share/xkeyboard-config-2 ] || missing+=(xkb-data)
[ -n "$(find -L /usr/share/fonts /usr/local/share/fonts "${HOME:-/nonexistent}/.fonts" "${HOME:-/nonexistent}/.local/share/fonts" \
    \( -name '*.ttf' -o -name '*.otf' -o -name '*.ttc' \) -print -quit 2>/dev/null)" ] || missing+=(fontconfig fonts-dejavu-core)

if [ "$what" = test ]; then
    command -v Xvfb >/dev/null || missing+=(xvfb)
    command -v xauth >/dev/null || missing+=(xauth)
fi

[ ${#missing[@]} -gt 0 ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "Armature needs system packages that are missing here (Debian's names): ${missing[*]}" >&2
    exit 1
fi
if [ "$(id -u)" -ne 0 ]; then
    echo "Armature needs system packages that are missing here. Please type this, then try again:" >&2
    echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
    exit 1
fi
echo "Installing system packages: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
