"""`python -m grice` is the command `grice`."""

from grice.cli import main

if __name__ == "__main__":
    main()
