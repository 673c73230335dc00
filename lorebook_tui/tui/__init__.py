"""The screen: a workbench for lore, built on Textual. Nothing below it knows that it exists."""
