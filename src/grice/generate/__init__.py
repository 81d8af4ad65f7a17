"""Grammar and lexicon make data."""
