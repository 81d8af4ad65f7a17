"""The registry of judges: one file per provider."""
