"""Labels in a text: where a reply names one, by its word, its stem or its letter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grice.core.scale import NLI
from grice.judges.reply_text import LETTERS, label_key, stands_alone

STEMS = {
    "entailment": r"entail(?:s|ed|ing|ments?)?",
    "contradiction": r"contradict(?:s|ed|ory|ing|ions?)?",
    "neutral": r"neutral(?:ity|ly)?",
}
# Ordinary words: as labels they are mentioned only where they are a clause of their own.
ORDINARY = {"yes", "no", "true", "false", "unknown", "maybe", "some", "all", "none", "not"}


@dataclass(frozen=True)
class Mention:
    """A label, or the letter of one, at a position in a text."""

    label: str
    start: int
    end: int


class LabelPatterns:
    """The labels of a prompt as patterns; `letters` if the prompt showed a letter for each."""

    def __init__(self, words: Sequence[str], *, letters: bool) -> None:
        self.words, self.letters = tuple(words), letters
        ordered = sorted(self.words, key=len, reverse=True)
        alternatives = "|".join(
            re.sub(r"(?:\\?[-_\s])+", r"[-_\\s]+", re.escape(w)) for w in ordered
        )
        self.pattern = re.compile(rf"(?<![\w-])(?:{alternatives})(?![\w-]|'(?!s\b)\w)", re.I)
        self.list_pattern = re.compile(
            rf"\(?\b(?:{alternatives})(?:[ ]*(?:,|/|\||\bor\b|\band\b|&)+[ ]*(?:or |and )?"
            rf"(?:{alternatives})){{{max(1, len(self.words) - 1)},}}\b\)?",
            re.I,
        )
        self.by_word = {label_key(word): word for word in self.words}

    def first(self, sentence: str, start: int = 0) -> Mention | None:
        """Return the first label of a sentence from a start, or the letter that stands for one."""
        match = self.pattern.search(sentence, start)
        word = (
            Mention(self.by_word[label_key(match[0])], match.start(), match.end())
            if match
            else None
        )
        if not self.letters:
            return word
        for letter in re.finditer(r"(?<![\w'])([A-Ta-t])(?![\w']|-\w)", sentence):
            if letter.start() < start:
                continue
            label = self.of_letter(letter[1])
            before, after = sentence[: letter.start()], sentence[letter.end() :]
            if word is not None and letter.start() > word.start:
                break
            if label is None or (
                re.match(r"\s+\w", after)
                and not re.match(r"\s+(?:is|would be|because|since|as)\b", after)
            ):
                continue
            if letter[1].islower() and not (
                re.fullmatch(r"[\s(\[]*", before) and re.fullmatch(r"[\s)\].:]*.*", after, re.S)
            ):
                continue
            if word is not None and re.fullmatch(
                r"[\s.:)\]\-=(]*", sentence[letter.end() : word.start]
            ):
                return word
            return Mention(label, letter.start(), letter.end())
        return word

    def named(self, sentence: str) -> Iterator[Mention]:
        """Yield each label that a sentence names, by its word or its letter."""
        mention = self.first(sentence)
        while mention is not None:
            yield mention
            mention = self.first(sentence, mention.end)

    def without_lists(self, text: str) -> str:
        """Replace lists of all labels, which repeat the options, so that offsets stay."""
        return self.list_pattern.sub(self._options, text)

    def _options(self, match: re.Match[str]) -> str:
        labels = {label_key(label[0]) for label in self.pattern.finditer(match[0])}
        return " " * len(match[0]) if len(labels) == len(self.words) else match[0]

    def of_letter(self, letter: str) -> str | None:
        """Return the label that a letter stands for, or None."""
        index = LETTERS.find(letter.upper())
        return self.words[index] if 0 <= index < len(self.words) else None

    def mentions(self, text: str) -> Iterator[Mention]:
        """Yield each mention of a label in running text, also by a word of the same stem."""
        stems = set(self.words) <= set(NLI.labels)
        pattern = (
            re.compile("|".join(rf"(?P<{w}>(?<!\w){STEMS[w]}(?!\w))" for w in self.words), re.I)
            if stems
            else self.pattern
        )
        for match in pattern.finditer(text):
            label = (match.lastgroup or "") if stems else self.by_word[label_key(match[0])]
            if label.casefold() in ORDINARY and not stands_alone(text, match):
                continue
            yield Mention(label, match.start(), match.end())
        if self.letters:
            for match in re.finditer(r"(?<![\w'.])([A-T])(?![\w']|-\w)", text):
                named = self.of_letter(match[1])
                article = match[1] in "AI" and re.match(r"\s+[a-z]", text[match.end() :])
                if named is not None and not article:
                    yield Mention(named, match.start(), match.end())

    def masked(self, text: str) -> str:
        """Return a text without its labels, whose words may look like denials."""
        return self.pattern.sub(" ", text)
