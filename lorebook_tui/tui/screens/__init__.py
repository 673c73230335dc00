"""Screens: the workbench and the dialogs over it."""
