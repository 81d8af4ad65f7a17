"""Published files become data, one file each."""
