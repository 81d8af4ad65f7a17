"""Models and other judges, and how they are asked and read."""
