"""Everything that touches the disk: files, the shipped samples, and the workspace made of them. Shows nothing."""
