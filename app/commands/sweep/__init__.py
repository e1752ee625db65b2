"""Who performs the runs of a scenario: processes of this machine or the workers of a Dask cluster."""
