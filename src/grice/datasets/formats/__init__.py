"""How published files are read and fetched: helpers that several datasets share."""
