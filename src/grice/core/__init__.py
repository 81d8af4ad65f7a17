"""Core types shared by all subpackages."""
