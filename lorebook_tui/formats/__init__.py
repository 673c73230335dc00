"""Bytes to lore and back, without loss. Opens no file; knows the model and nothing else."""
