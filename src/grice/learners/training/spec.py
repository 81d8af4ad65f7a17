"""Training specification by dataset names, and the datasets, each read once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from grice.core.dataset import Dataset
from grice.core.errors import InputError, unknown
from grice.core.scale import NLI, Scale
from grice.learners.training.data import collect_texts, exclude_overlap, surrogate_scores

MIXES = ("uniform", "proportional")
WAYS = ("aft", "iaft")


@dataclass(frozen=True)
class TrainingSpec:
    """What to learn, in order: `on` one task or, with `mix`, several; `then` a target after it.

    `adversarial` with `how=aft` is learnt after `on`; with `how=iaft` beside a fresh equal sample
    of `on` that contains conjunctions, in every epoch. `start` is a trained folder that takes the
    place of the first stage. `apart` names sets whose texts must not be among the training pairs;
    `ask` sets that are answered and scored like `dev` but choose nothing; `unlabelled` sets whose
    texts the teachers of a distilled model label.
    """

    on: Sequence[str]
    dev: Sequence[str] = ()
    then: Sequence[str] = ()
    mix: str = ""
    adversarial: str = ""
    how: str = ""
    start: str = ""
    apart: Sequence[str] = ()
    ask: Sequence[str] = ()
    unlabelled: Sequence[str] = ()
    surrogate: bool = False
    amount: int = 0

    def __post_init__(self) -> None:
        if self.mix and self.mix not in MIXES:
            raise unknown("way to mix tasks", self.mix, MIXES)
        if bool(self.adversarial) != bool(self.how) or (self.how and self.how not in WAYS):
            raise InputError(
                "adversarial training is --adversarial DATASET with --how aft or iaft, both or"
                " neither"
            )

    @property
    def staged(self) -> bool:
        """Whether there is a second stage."""
        return bool(self.then or self.how)

    @property
    def measured(self) -> list[str]:
        """The sets to answer and score, each once."""
        return list(dict.fromkeys([*self.dev, *self.ask]))

    @property
    def names(self) -> list[str]:
        """Every dataset named, each once."""
        hard = [self.adversarial] if self.adversarial else []
        every = [*self.on, *self.then, *hard, *self.measured, *self.apart, *self.unlabelled]
        return list(dict.fromkeys(every))


@dataclass(frozen=True)
class TrainingData:
    """The datasets of a spec by name, and the fingerprint of each as it was read."""

    spec: TrainingSpec
    sets: Mapping[str, Dataset]
    fingerprints: Mapping[str, str]
    _train_sets: dict[str, Dataset] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @classmethod
    def read(cls, spec: TrainingSpec, load: Callable[[str], Dataset]) -> TrainingData:
        """Load every dataset that the spec names, each once however often it is named."""
        sets = {name: load(name) for name in spec.names}
        return cls(spec, sets, {name: data.fingerprint for name, data in sets.items()})

    def train_set(self, name: str) -> Dataset:
        """Return the dataset to train on, without pairs that share a text with the `apart` sets."""
        if name not in self._train_sets:
            data = self.sets[name]
            if self.spec.apart:
                data = exclude_overlap(data, self._texts_apart)
            self._train_sets[name] = self._graded(data)
        return self._train_sets[name]

    def measured_set(self, name: str) -> Dataset:
        """Return the dataset to measure on, with surrogate scores if those are learnt."""
        return self._graded(self.sets[name])

    def dev_names(self, trained_on: str) -> list[str]:
        """Return the dev sets on the scale of a training set; a stage on another scale has none."""
        scale = self._scale(trained_on)
        return [name for name in self.spec.dev if self._scale(name) == scale]

    @cached_property
    def unlabelled_texts(self) -> list[tuple[str, str | None]]:
        """The texts of the `unlabelled` sets that no measured set has, each once."""
        if not self.spec.unlabelled:
            return []
        held = {row for name in self.spec.measured for row in _texts(self.sets[name])}
        texts = (row for name in self.spec.unlabelled for row in _texts(self.train_set(name)))
        return list(dict.fromkeys(row for row in texts if row not in held))

    @cached_property
    def _texts_apart(self) -> frozenset[str]:
        return collect_texts(self.sets[name] for name in self.spec.apart)

    def _graded(self, data: Dataset) -> Dataset:
        return surrogate_scores(data) if self.spec.surrogate and data.scale == NLI else data

    def _scale(self, name: str) -> Scale:
        return self._graded(self.sets[name]).scale


def _texts(data: Dataset) -> Iterator[tuple[str, str | None]]:
    return data.frame.select("premise", "hypothesis").iter_rows()
