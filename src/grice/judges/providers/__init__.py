"""The shelf of judges: one file a provider."""
