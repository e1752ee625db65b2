"""Simulation: integrators, stepper, pacing, worker thread, snapshots."""
