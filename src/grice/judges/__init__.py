"""Whatever answers, one file each."""
