"""What the program with its own Python holds besides what PyInstaller finds by itself, and what it leaves out: plain lists."""

from __future__ import annotations

PACKAGE = "armature"
"""Taken whole, as the wheel has it: modules with their sources, by which kernels are known again, robots, assets and kernels."""

HIDDEN = ("mujoco", "imageio", "imageio_ffmpeg", "PIL.Image", "scipy.linalg.cython_blas", "scipy.linalg.cython_lapack")
"""Imported by name only: where what they are for is asked for, and the last two by compiled code that multiplies matrices."""

LEFT_OUT = ("pinocchio", "pyarrow")
"""Imported by name, too, and told as missing where they are asked for: a referee of `armature check`, tables as Parquet."""

WITH_DATA = ("ziamath", "ziafont", "latex2mathml", "collada", "pyqtgraph")
"""Packages that open files of their own: fonts, tables of letters, schemas."""

EXCLUDED = (
    "tkinter",
    "pytest",
    "IPython",
    "matplotlib",
    "pandas",
    "setuptools",
    "pip",
    "pyqtgraph.examples",
    "mujoco.viewer",
    "mujoco.studio",
    "mujoco.sysid",
    "mujoco_studio",
    "glfw",
    "PySide6.QtNetwork",
    "PySide6.QtQml",
    "PySide6.QtQuick",
    "PySide6.QtTest",
    "PySide6.QtWebEngineCore",
)
"""Modules that something imports where it finds them, and that nothing here needs."""

NOT_NEEDED = (
    "imageio_ffmpeg/binaries/",  # 170 MB; the system's ffmpeg writes films, too
    "plugins/platformthemes/libqgtk3",  # and with it all of GTK; the portal's dialogs stay
    "libgtk-3",
    "libgdk-3",
    "libgdk_pixbuf",
    "libatk",
    "libatspi",
    "libcairo",
    "libpango",
    "libepoxy",
    "libharfbuzz.so",
    "libthai",
    "libdatrie",
    "libfribidi",
    "PySide6/Qt/qml/",
    "PySide6/Qt/translations/",
    "PySide6/translations/",
    "libQt6Qml",
    "libQt6Quick",
    "libQt6VirtualKeyboard",
    "libQt6WebEngine",
    "libQt6Pdf",
    "plugins/platforminputcontexts/libqtvirtualkeyboard",
    "plugins/platforms/libqeglfs",
    "plugins/platforms/libqlinuxfb",
    "plugins/platforms/libqvnc",
    "plugins/platforms/libqvkkhrdisplay",
    "plugins/egldeviceintegrations/",
    "libQt6EglFS",
    "plugins/generic/",
    "plugins/networkinformation/",
    "plugins/tls/",
    "plugins/qmltooling/",
    "plugins/imageformats/libqpdf",
    "pyqtgraph/examples/",
    "/tests/",
)
"""Parts of the names of files that come along with what is needed."""


def is_needed(name: str) -> bool:
    """Whether the file of that name in the folder stays in it."""
    return not any(part in name.replace("\\", "/") for part in NOT_NEEDED)
