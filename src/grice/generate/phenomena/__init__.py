"""One file a phenomenon."""
