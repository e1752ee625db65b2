"""Questions beside the arm, and checked."""
