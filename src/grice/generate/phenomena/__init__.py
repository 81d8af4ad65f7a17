"""Each file here is one phenomenon."""
