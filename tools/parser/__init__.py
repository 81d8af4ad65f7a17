"""Train the built-in English parser again: `python -m tools.parser TREEBANK -o FOLDER`."""
