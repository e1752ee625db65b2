"""Sweeps: many runs of a scenario, in one table, here or on other machines."""
