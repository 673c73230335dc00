"""Does this key occur in this text, and where. Pure; knows no entries, layers or turns."""
