"""A finished training in its folder: its request, scores and answers.

Only one process at a time uses the folder.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from grice.core.checksums import hash_once
from grice.core.dataset import Dataset
from grice.core.errors import GriceError, one_line
from grice.core.files import read_bytes, read_json, read_json_lines, sha256_of, write_atomically
from grice.core.judgement import Judgement
from grice.learners.training.results import TrainedModel
from grice.models.trained_folder import BODY
from grice.storage.run import Run

DONE, ANSWERS, LOCK = "done.json", "answers.jsonl", "training.lock"
WEIGHTS, RESUME = "*.safetensors", "resume.pt"
FITTED = "fitted.json"


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Lock the folder; wait while another training uses it."""
    from filelock import FileLock, Timeout

    fresh = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / LOCK)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            print(f"{folder}: another process trains here; waiting for it", file=sys.stderr)
            lock.acquire()
    except OSError as error:
        raise GriceError(
            f"{folder}: cannot be written ({error.strerror}); choose another with -o"
        ) from None
    try:
        yield
    except BaseException:
        if fresh and not any(
            path for kind in (WEIGHTS, RESUME, DONE) for path in folder.rglob(kind)
        ):
            # Nothing to go on from: a training that failed leaves no folder that looks like a
            # model.
            shutil.rmtree(folder, ignore_errors=True)
        raise
    finally:
        lock.release()


@contextmanager
def saving(folder: Path) -> Iterator[None]:
    """Convert errors of writing weights within the context to `GriceError`.

    Torch and safetensors raise errors of their own for a full disk.
    """
    from safetensors import SafetensorError

    try:
        yield
    except (OSError, RuntimeError, SafetensorError) as error:
        fact = one_line(f"{folder}: the weights cannot be written ({str(error)[:200]})")
        raise GriceError(f"{fact}; free space, and the same command goes on") from None


def read_finished(
    folder: Path, request: Mapping[str, Any], *, weights: bool
) -> list[TrainedModel] | None:
    """Return the models of this training if it is finished in the folder.

    None means that it is not, or that its weights are needed and were deleted.
    """
    done = _read_record(folder / DONE, request)
    if "models" not in done or (weights and not (done.get("weights") and done.get("sha256"))):
        return None
    for name in _changed(folder, done) if weights else ():
        if not (folder / name).is_file():
            return None
        remedy = "train into another folder, or delete this one to train again"
        raise GriceError(f"{folder / name}: not the weights that this training wrote; {remedy}")
    return [TrainedModel.from_json(model) for model in done["models"]]


def clear_finished(folder: Path) -> None:
    """Delete the record of an earlier training here, whose weights are about to be replaced."""
    (folder / DONE).unlink(missing_ok=True)


def write_finished(
    folder: Path, request: Mapping[str, Any], models: Sequence[TrainedModel], *, weights: bool
) -> None:
    """Write that a training is done; without `weights`, delete them."""
    if not weights:
        for path in folder.rglob(WEIGHTS):
            if BODY not in path.relative_to(folder).parts:
                path.unlink()
    content = [model.to_json() for model in models]
    _write_record(folder / DONE, request, {"weights": weights, "models": content})
    (folder / FITTED).unlink(missing_ok=True)


def write_fitted(folder: Path, request: Mapping[str, Any], models: Sequence[Path]) -> None:
    """Write that the models are trained and saved, before they are scored."""
    _write_record(folder / FITTED, request, {"models": [str(model) for model in models]})


def read_fitted(folder: Path, request: Mapping[str, Any]) -> list[Path]:
    """Return the models of this training that are saved and not yet scored, if there are any."""
    fitted = _read_record(folder / FITTED, request)
    return [] if any(_changed(folder, fitted)) else [Path(m) for m in fitted.get("models", ())]


def _write_record(path: Path, request: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
    """Write a request with what was done for it, and the checksums of all weights."""
    folder = path.parent
    weights = sorted(folder.rglob(WEIGHTS))
    sums = {weight.relative_to(folder).as_posix(): hash_once(weight) for weight in weights}
    with write_atomically(path) as out:
        json.dump({"request": _plain(request), "sha256": sums, **facts}, out, indent=1)
        out.write("\n")


def _read_record(path: Path, request: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was written for this request; empty if nothing was."""
    held = read_json(path, "delete it to train again") if path.is_file() else {}
    return held if held.get("request") == _plain(request) else {}


def _changed(folder: Path, record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the weights of a record that are missing or other than they were."""
    for name, before in record.get("sha256", {}).items():
        if not (folder / name).is_file() or hash_once(folder / name) != before:
            yield name


def write_answers(folder: Path, runs: Mapping[str, Run]) -> None:
    """Write every answer of a trained model to the measured sets, in the format of `preds/…`."""
    with write_atomically(folder / ANSWERS) as out:
        for name, run in runs.items():
            for judgement in run.judgements():
                reply = {
                    "id": judgement.item,
                    "answer": judgement.answer,
                    "probs": judgement.probs,
                    "fault": judgement.fault,
                }
                line = {key: value for key, value in reply.items() if value is not None}
                out.write(json.dumps({**line, "set": name}, ensure_ascii=False) + "\n")


def load_answers(folder: Path, name: str, data: Dataset) -> Run:
    """Load the answers to one measured set.

    Items of two files may have the same ids, so answers are selected by the set's name.
    """
    lines = (line for _, line in read_json_lines(folder / ANSWERS) if line["set"] == name)
    replies = (
        Judgement(line["id"], line.get("answer"), line.get("fault"), line.get("probs"))
        for line in lines
    )
    return Run.recorded(data, str(folder), replies)


def fingerprint_of(folder: Path) -> str:
    """Return a hash that differs for two trained folders.

    It covers the request and the weights; of a file, the content.
    """
    if not folder.is_dir():
        read_bytes(folder)
        return sha256_of(folder)
    done = next(
        (parent / DONE for parent in (folder, folder.parent) if (parent / DONE).is_file()), None
    )
    parts = [sha256_of(done)] if done is not None else []
    parts += [
        hash_once(path) for path in sorted(folder.rglob(WEIGHTS) if done else folder.glob(WEIGHTS))
    ]
    return hashlib.sha256("".join(parts).encode()).hexdigest()


def _plain(request: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(request, default=list))
