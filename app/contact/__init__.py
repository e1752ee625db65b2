"""Contacts of the arm with itself and its surroundings, shown in the view."""
