"""What the arm reaches and where it is singular, as points, voxels and surfaces, cut open."""
