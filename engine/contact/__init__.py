"""Contacts: distances between the links of an arm, and between them and the objects of a cell."""
