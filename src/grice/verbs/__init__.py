"""The commands as functions: one module per command, one function that returns data."""
