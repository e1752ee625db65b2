"""Dynamics in NumPy, for what must not wait for a compiled kernel."""
