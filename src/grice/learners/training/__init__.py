"""Training: the loop, its arguments, the nets, stages, and the folder of a trained model."""
