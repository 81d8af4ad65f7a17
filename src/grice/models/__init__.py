"""Running of neural networks: checkpoints, tokens, batches, ONNX Runtime and torch.

Judges and learners share it.
"""
