"""The linter: rules that carry their code, proof and fix, and the machinery that runs them over files and books."""
