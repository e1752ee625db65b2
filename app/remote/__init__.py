"""The window, driven by a script: `armature.show` on the other side."""
