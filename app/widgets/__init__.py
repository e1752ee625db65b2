"""Small controls that panels are made of."""
