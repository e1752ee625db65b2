"""What a person does, as undo steps."""
