"""Runs on disk: responses, headers, sessions, and checks of what is stored."""
