"""The cell: objects around the arm, edited in a dock and in the view."""
