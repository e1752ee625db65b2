"""Processes of this machine, or workers of a Dask cluster, that simulate the runs of a scenario."""
