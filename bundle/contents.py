"""Lists for PyInstaller: modules and data that it does not find by itself, and files to leave out."""

from __future__ import annotations

PACKAGE = "armature"
"""Included completely, as in the wheel: modules with their sources (kernels are cached by source), robots, assets and kernels."""

HIDDEN = ("mujoco", "imageio", "imageio_ffmpeg", "PIL.Image", "scipy.linalg.cython_blas", "scipy.linalg.cython_lapack")
"""Modules that are imported by name, when needed; the last two by compiled code that multiplies matrices."""

LEFT_OUT = ("pinocchio", "pyarrow")
"""Optional modules imported by name, reported as missing when needed: a reference of `armature check`, tables as Parquet."""

WITH_DATA = ("ziamath", "ziafont", "latex2mathml", "collada", "pyqtgraph")
"""Packages with data files: fonts, tables of letters, schemas."""

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
"""Optional imports of other packages, unused by the program."""

NOT_NEEDED = (
    "imageio_ffmpeg/binaries/",  # 170 MB; the system's ffmpeg writes films, too
    "plugins/platformthemes/libqgtk3",  # and with it all of GTK; the portal's dialogs remain
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
"""Parts of names of unused files that PyInstaller collects."""


def is_needed(name: str) -> bool:
    """Return whether the file is needed in the built folder."""
    return not any(part in name.replace("\\", "/") for part in NOT_NEEDED)
