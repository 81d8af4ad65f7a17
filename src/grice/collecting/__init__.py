"""Collection of human judgments."""
