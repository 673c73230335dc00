"""The command line: everything the program can do without a screen."""
