"""Reading and writing of files: atomic writes, and errors that name their line."""

from __future__ import annotations

import contextlib
import csv
import errno
import glob
import gzip
import hashlib
import io
import itertools
import os
import re
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Literal

from grice.core.errors import GriceError, InputError, bad_line
from grice.core.limits import BYTES, LINE, limit, raise_with
from grice.core.parsing import parse_json, parse_toml

csv.field_size_limit(1 << 27)
# What the operating system and the readers of archives raise; RuntimeError for an encrypted one.
UNREADABLE = (OSError, EOFError, zipfile.BadZipFile, zlib.error, RuntimeError)
# Control characters that a terminal, XML or a spreadsheet would interpret.
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
# Beginning of a formula; leading apostrophes are included, so that escaping can be undone.
FORMULA = re.compile(r"'*(?:[=+@\t\r]|-(?!\d+(\.\d+)?\Z))")


# How text is written, on every system alike.
TEXT_MODE = {"mode": "w", "encoding": "utf-8", "newline": "\n"}


def data_folder() -> Path:
    """Return the folder of published files: `GRICE_DATA`, or the user's data directory."""
    named = os.environ.get("GRICE_DATA")
    if named:
        return Path(named).expanduser()
    import platformdirs

    return Path(platformdirs.user_data_dir("grice"))


def read_bytes(path: Path) -> bytes:
    """Return the content of a file, unpacked if it is `.gz`.

    `archive.zip/member` is read from inside the archive. More than `GRICE_MAX_BYTES` is refused
    before it is in memory, and so is what is no plain file, such as a pipe.
    """
    with _open(path) as raw:
        content = raw.read(limit(BYTES) + 1)
        _check_size(path, len(content))
        return content


@contextlib.contextmanager
def _open(path: Path) -> Iterator[IO[bytes] | gzip.GzipFile]:
    """Open a file for reading, unpacked; report every failure in one line."""
    try:
        if path.is_dir():
            raise InputError(f"{path}: is a folder, not a file; name the file inside it")
        archive = next((p for p in path.parents if p.suffix == ".zip" and p.is_file()), None)
        if archive is not None:
            with (
                zipfile.ZipFile(archive) as bundle,
                bundle.open(path.relative_to(archive).as_posix()) as member,
            ):
                yield member
            return
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: is a device or a pipe; save its output to a file first")
        with path.open("rb") as raw:
            yield gzip.GzipFile(fileobj=raw) if path.suffix == ".gz" else raw
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; check the path") from None
    except KeyError:
        raise InputError(f"{path}: the archive has no such member; fetch it again") from None
    except UNREADABLE as error:
        raise GriceError(
            f"{path}: cannot be read ({error}); check the file and its permissions"
        ) from None
    except ValueError:
        raise InputError(f"{str(path)!r}: no such file; a path holds no NUL character") from None


def _check_size(path: Path, size: int) -> None:
    if size > (max_bytes := limit(BYTES)):
        raise InputError(
            f"{path}: holds more than {max_bytes:,} bytes once unpacked; {raise_with(BYTES)}"
        )


def is_file(path: Path) -> bool:
    """Return whether the file exists, on the disk or inside an archive."""
    archive = next((p for p in path.parents if p.suffix == ".zip" and p.is_file()), None)
    if archive is None:
        return path.is_file()
    return path.relative_to(archive).as_posix() in archive_members(archive)


def archive_members(archive: Path) -> list[str]:
    """Return the names of the files in an archive."""
    try:
        with zipfile.ZipFile(archive) as bundle:
            return bundle.namelist()
    except (OSError, zipfile.BadZipFile) as error:
        raise InputError(
            f"{archive}: not a zip archive ({error}); write or fetch it again"
        ) from None


def read_text(path: Path) -> str:
    """Return UTF-8 text, with or without a byte-order mark; line ends are left as they are."""
    raw = read_bytes(path)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_utf8(path, raw[: error.start].count(b"\n") + 1, raw[error.start]) from None
    if not text.strip():
        raise InputError(f"{path}: the file is empty; it needs at least one row")
    return text


def _not_utf8(path: Path, line: int, byte: int) -> InputError:
    return bad_line(path, line, f"byte 0x{byte:02x} is not UTF-8", "save the file as UTF-8")


def read_json_lines(path: Path, *, once: bool = False) -> Iterator[tuple[int, Any]]:
    """Yield (line number, value) of each line that is not blank; `once` as for `parse_json`.

    The file is read line by line, so that it is never in memory as a whole.
    """
    longest, is_empty = limit(LINE), True
    for number, line in _lines(path, longest):
        if not line.strip():
            continue
        is_empty = False
        if len(line) > longest:
            fact = f"a line of more than {longest:,} characters"
            raise bad_line(path, number, fact, raise_with(LINE))
        try:
            yield number, parse_json(line, once=once)
        except ValueError as error:
            remedy = "each line is one JSON object"
            raise bad_line(path, number, f"not JSON ({error})", remedy) from None
    if is_empty:
        raise InputError(f"{path}: the file is empty; it needs at least one row")


def _lines(path: Path, longest: int) -> Iterator[tuple[int, str]]:
    """Yield the number and text of each line, at least one character more than `longest` of it."""
    size, max_line = 0, 4 * longest + 8
    with _open(path) as raw:
        for number in itertools.count(1):
            line = raw.readline(max_line)
            if not line:
                return
            size += len(line)
            _check_size(path, size)
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise _not_utf8(path, number, line[error.start]) from None
            yield number, text.rstrip("\n")


def read_json(path: Path, remedy: str) -> dict[str, Any]:
    """Return the JSON object that a file holds; `remedy` says what to do where it holds none."""
    try:
        value = parse_json(read_bytes(path))
    except ValueError as error:
        raise InputError(f"{path}: not JSON ({error}); {remedy}") from None
    if not isinstance(value, dict):
        raise InputError(f"{path}: holds no JSON object; {remedy}")
    return value


def read_toml(path: Path, remedy: str) -> dict[str, Any]:
    """Return the tables of a TOML file; `remedy` says what to do where it is not TOML."""
    try:
        return parse_toml(read_text(path))
    except ValueError as error:
        raise InputError(f"{path}: not TOML ({error}); {remedy}") from None


def read_table(
    path: Path,
    *,
    delimiter: str = "\t",
    quoted: bool = True,
    columns: Sequence[str] = (),
    repeated: Sequence[str] = (),
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield (line number, row) of a delimited file with a header; LF, CRLF and CR end a line.

    `quoted=False` reads quotes literally, as ConjNLI, MED and SICK need; PragmEval needs the
    default. Two columns of the same name are refused, except those in `repeated` (of published
    files), of which the last is read.
    """
    text = read_text(path)
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting, strict=quoted
    )
    line = 1
    try:
        header = next(reader)
        for column, count in Counter(header).items():
            if count > 1 and column not in repeated:
                remedy = "rename one, since only one could be read"
                raise bad_line(path, 1, f"two columns are called '{column}'", remedy)
        for column in columns:
            if column not in header:
                remedy = f"the columns are {', '.join(header)}"
                raise bad_line(path, 1, f"no column '{column}'", remedy)
        while True:
            line = reader.line_num + 1
            row = next(reader)
            if not row:
                continue
            if len(row) != len(header):
                fact = f"{len(row)} fields where the header has {len(header)}"
                raise bad_line(path, line, fact, "check delimiters and quotes on this line")
            yield line, dict(zip(header, row, strict=True))
    except StopIteration:
        return
    except csv.Error as error:
        remedy = "close the quote, or double it inside a quoted field"
        raise bad_line(path, line, f"unbalanced quotes ({error})", remedy) from None


def escape_formula(value: Any) -> Any:
    """Return a cell that no spreadsheet reads as a formula: text like one gets an apostrophe."""
    return f"'{value}" if isinstance(value, str) and FORMULA.match(value) else value


def unescape_formula(text: str) -> str:
    """Return the text that `escape_formula` was given."""
    return text[1:] if text.startswith("'") and FORMULA.match(text) else text


@contextlib.contextmanager
def write_atomically(path: Path, *, binary: bool = False) -> Iterator[IO[Any]]:
    """Write a file that appears complete or not at all.

    It is written next to its path, synced and renamed; its folder is synced too. A link stays, and
    its target is written. A device or a pipe is written directly.
    """
    path = Path(path)
    if path.exists() and not path.is_file() and not path.is_dir():
        with _write_through(path, binary=binary) as through:
            yield through
        return
    try:
        path = Path(os.path.realpath(path)) if path.is_symlink() else path
        if path.is_symlink():
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        make_folder(path.parent)
        _sweep(path)
        handle, name = _part(path)
    except OSError as error:
        raise _unwritable(path, error) from None
    try:
        kind: Any = {"mode": "wb"} if binary else TEXT_MODE
        out: IO[Any] = os.fdopen(handle, **kind)
        with contextlib.ExitStack() as held:
            if os.name == "posix":
                # The lock lasts until the file is renamed; other systems cannot rename an open
                # file.
                held.callback(os.close, os.dup(handle))
            with out:
                yield out
                out.flush()
                os.fsync(out.fileno())
            Path(name).chmod(0o644)
            Path(name).replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise _unwritable(path, error) from None
    finally:
        Path(name).unlink(missing_ok=True)


@contextlib.contextmanager
def _write_through(path: Path, *, binary: bool) -> Iterator[IO[Any]]:
    """Open a device or a pipe for writing; report errors as for a file."""
    kind: Any = {"mode": "wb"} if binary else TEXT_MODE
    try:
        with path.open(**kind) as out:
            yield out
    except OSError as error:
        raise _unwritable(path, error) from None


def _part(path: Path) -> tuple[int, str]:
    """Create and lock a new file next to a path, again if another writer removed it meanwhile."""
    while True:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        if hold(handle) is not False and os.fstat(handle).st_nlink:
            return handle, name
        os.close(handle)


def to_write(path: Path) -> Path:
    """Check the path of a file to write before the work starts; refuse a device or a pipe."""
    if path.is_dir() or not path.name:
        raise InputError(f"{path}: is a folder, not a file to write; name a file with -o")
    if path.exists() and not path.is_file():
        raise InputError(
            f"{path}: is a device or a pipe; name a file with -o, other files are written next to"
            " it"
        )
    return path


def make_folder(folder: Path) -> None:
    """Create a folder and its missing parents, and sync them so that they survive a power cut."""
    lacking = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for path in lacking:
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Sync a folder's list of names to the disk, so that a new file survives a power cut."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _sweep(path: Path) -> None:
    """Delete the temporary files of killed writers of this file: those that nobody has locked."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.*.part"):
        with contextlib.suppress(OSError), left.open("rb") as part:
            if hold(part.fileno()):
                left.unlink()


def hold(handle: int) -> bool | None:
    """Lock a file as being written for as long as it is open here.

    False if another process has locked it, None if it cannot be locked.
    """
    try:
        import fcntl
    except ModuleNotFoundError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _unwritable(path: Path, error: OSError) -> GriceError:
    return GriceError(
        f"{path}: cannot be written ({error.strerror or error}); nothing was changed, free space or"
        " choose another folder"
    )


def sha256_of(path: Path) -> str:
    """Return the SHA-256 checksum of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
