"""Parameters of an arm from what was recorded of it: the motion that shows them, the estimate, and how far to trust it."""
