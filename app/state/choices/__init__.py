"""What a person chooses and the program keeps, apart from Qt."""
