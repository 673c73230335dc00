"""The rules, a module for each theme. A new check is one class here; the catalogue finds it by itself."""
