"""A window that a script drives: started, found and talked to from here; what the window does with it is in `app/remote`."""

WINDOW_OPTION = "--for-script"
"""Option of a window that a script starts, followed by the name of the folder in which the script looks for it."""
