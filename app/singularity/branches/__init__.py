"""Every way in which the arm takes the pose that its tool has."""
