"""Widgets: each draws one kind of thing and posts facts; none changes another."""
