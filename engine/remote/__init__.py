"""A window that a script drives: started, found and talked to from here; what the window does with it is in `app/remote`."""
