"""What runs a network: checkpoints, tokens, batches, ONNX Runtime and torch.

Judges and learners share it.
"""
