"""How a window is told that a script has begun it."""

OPTION = "--for-script"
"""Followed by the name of the folder in which that script looks for it."""
