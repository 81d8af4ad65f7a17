"""Training of grice-mini: pairs made from the training texts with operators, and the loop."""
