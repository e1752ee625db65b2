"""Trajectories in the window: drafted from waypoints, planned, looked at, run."""
