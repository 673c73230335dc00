"""The rows of the registry, a module for each part of the screen."""
