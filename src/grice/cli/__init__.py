"""The commands: file `x.py` is the command `x`; each reads flags, calls a function and prints."""

from __future__ import annotations

import errno
import importlib
import pkgutil
import sys
from collections.abc import Collection, Sequence

import typer

from grice.cli._flags import flatten
from grice.cli._streams import drop, flush_streams, open_streams
from grice.core.errors import GriceError, escape_controls, one_line

# Commands in the order of a workflow; the others follow by name.
ORDER = (
    "profile list show check fetch make mine train judge merge table compare gate power"
    " reproduce collect report board pack"
)


def build(verbs: Collection[str] = ()) -> typer.Typer:
    """Build the command line with these commands; by default all, in the order of a workflow."""
    app = typer.Typer(
        name="grice",
        help="Shows what a language model takes from what is not said.",
        no_args_is_help=True,
        add_completion=True,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    names = dict.fromkeys([*ORDER.split(), *_verbs()])
    for name in (name for name in names if not verbs or name in verbs):
        verb = getattr(importlib.import_module(f"grice.cli.{name}"), name)
        if isinstance(verb, typer.Typer):
            app.add_typer(verb, name=name.replace("_", "-"))
        else:
            app.command(name.replace("_", "-"))(flatten(verb))
    return app


def main() -> None:
    """Run a command; report a user error as one line on stderr with an exit code."""
    open_streams()
    try:
        code = build(_asked(sys.argv[1:]))(standalone_mode=False, prog_name="grice")
        if code == 130:
            # Typer turns an interrupt into this code and says nothing.
            raise KeyboardInterrupt
        flush_streams()
        sys.exit(code if isinstance(code, int) else 0)
    except GriceError as error:
        print(f"grice: {one_line(str(error))}", file=sys.stderr)
        sys.exit(error.code)
    except typer.Exit as done:
        sys.exit(done.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        print("grice: interrupted; the same command goes on from here", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        drop(1)
        sys.exit(0)
    except OSError as error:
        if error.filename is not None:
            fact = f"{one_line(str(error.filename)[:200])}: {error.strerror}; check the path"
        elif error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
            drop(1)
            fact = f"output cannot be written ({error.strerror}); free space and try again"
        else:
            raise
        print(f"grice: {fact}", file=sys.stderr)
        sys.exit(1)
    except Exception as error:
        if hasattr(error, "exit_code") and hasattr(error, "show"):
            vars(error).update(message=escape_controls(getattr(error, "message", "")))
            error.show()
            sys.exit(error.exit_code)
        raise


def _version(is_requested: bool) -> None:
    if is_requested:
        from grice import __version__

        print(f"grice {__version__}")
        raise typer.Exit


def _options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and stop."
    ),
) -> None:
    """Show what a language model infers from what is not said."""


def _asked(words: Sequence[str]) -> list[str]:
    """Return the command that is called, if any, since importing the others takes long."""
    verb = words[0].replace("-", "_") if words else ""
    return [verb] if verb in _verbs() else []


def _verbs() -> list[str]:
    return [
        module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")
    ]
