"""What each command does: one module a verb, one function that returns data."""
