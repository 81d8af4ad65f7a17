"""What several rooms must agree on: verb signatures, conjunctions, UNLI's slider."""
