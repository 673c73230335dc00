"""Token counting behind one protocol; the vocabularies lie inside the package, nothing is ever downloaded."""
