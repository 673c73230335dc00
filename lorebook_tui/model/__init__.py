"""What lore is: frozen values and pure edits. Imports nothing of the project but `errors`."""
