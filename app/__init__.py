"""The desktop program."""

if __name__ != "armature.app":
    raise ImportError("the program is imported as armature.app")
