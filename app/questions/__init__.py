"""Questions asked beside the arm, and checked."""
