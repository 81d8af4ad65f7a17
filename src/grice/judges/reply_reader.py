"""The reader of replies: which one answer a text gives, or why it gives none.

A label counts only if a sentence states exactly that label, and nothing denies, weighs, questions
or lists it. Everything else is an invalid response of a kind that says why.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from grice.core.fault import Fault, FaultKind
from grice.core.scale import Scale
from grice.judges import reply_grammar as grammar
from grice.judges.reply_frames import LISTS, concluded_frame, frame_of, is_the_answer
from grice.judges.reply_labels import LabelPatterns, Mention
from grice.judges.reply_number import read_number
from grice.judges.reply_text import (
    ReplyAnswer,
    answer_lines,
    blank,
    clause_around,
    sentences_of,
    shorten,
)

# A longer reply than this is no answer that a person would read either.
MAX_CHARACTERS = 50_000
MAX_OPENING = 600
# Characters of the sentence around a mention.
AROUND = 400
# A JSON list, even of one label, lists it.
LIST = re.compile(r"\s*\[\s*\".*\"\s*\]\s*|\s*\{\s*\"[^\":]*\"\s*\}\s*", re.S)

# What makes of a statement a condition, an exception or a report.
WEIGHED = re.compile(
    r"\W*(?:or|if|unless|but|though|although|except|provided|as long as|\w+ly speaking|n|adj"
    r"|says?|said)\b",
    re.I,
)
REPORTED = re.compile(r"\W*(?:says?|said)\b", re.I)


@dataclass(frozen=True)
class StatedLabel:
    """A sentence that states a label; `explicit` if it says that this is the answer."""

    label: str
    start: int
    end: int
    explicit: bool
    rest: str
    conflict: bool = False

    @property
    def is_questioned(self) -> bool:
        """Whether the sentence ends as a question."""
        return self.rest.rstrip().endswith("?")


def read_reply(
    text: str, words: Sequence[str], scale: Scale, *, letters: bool = False
) -> ReplyAnswer | Fault:
    """Return the one answer that a text gives, or the reason why it gives none.

    Args:
        text: The reply without its reasoning.
        words: The labels as the prompt showed them, in its order.
        scale: The scale of the answer.
        letters: Whether the prompt showed a letter for each label.
    """
    text = unicodedata.normalize("NFC", text)
    if not text.strip():
        return Fault(FaultKind.UNREADABLE, "an empty reply")
    if len(text) > MAX_CHARACTERS:
        return Fault(FaultKind.UNREADABLE, f"a reply of {len(text):,} characters")
    text = grammar.TEX.sub(lambda tex: f"{' ' * len(tex[1])}{tex[2]} ", text)
    lines = answer_lines(text)
    if lines is None:
        if LIST.fullmatch(text):
            return Fault(FaultKind.UNREADABLE, shorten(text))
        return read_number(text, scale) if scale.numeric else _read_label(text, words, letters)
    if scale.numeric:
        reading = read_number("\n".join(lines.answers) or "none", scale)
    else:
        reading = _read_label(lines.text, words, letters)
    if isinstance(reading, Fault):
        return Fault(reading.kind, shorten(text))
    start = text.casefold().find(str(reading.answer).casefold(), lines.start)
    return ReplyAnswer(reading.answer, max(start, lines.start))


def _read_label(text: str, words: Sequence[str], letters: bool) -> ReplyAnswer | Fault:
    reader = _LabelReader(text, words, letters=letters)
    statements = reader.statements()
    answer = reader.accept(statements) if statements else reader.why_none()
    return Fault(answer, shorten(text)) if isinstance(answer, FaultKind) else answer


class _LabelReader:
    """One reply, read for one of some labels."""

    def __init__(self, text: str, words: Sequence[str], *, letters: bool) -> None:
        self.letters = letters
        self.labels = LabelPatterns(words, letters=letters)
        text = text.translate(grammar.PLAIN).replace("e.g.", "e g,")
        plain = blank(self._without_quotes(text), grammar.MARKUP)
        self.plain = "".join(" " if _is_decoration(character) else character for character in plain)
        self.unlisted = self.labels.without_lists(self.plain)

    def _without_quotes(self, text: str) -> str:
        """Blank the quoted texts of the item that name no label."""
        return grammar.QUOTED.sub(
            lambda quote: quote[0] if self.labels.first(quote[0]) else " " * len(quote[0]), text
        )

    def statements(self) -> list[StatedLabel]:
        """Return the labels that the sentences state."""
        stated, previous = [], ""
        for start, sentence in sentences_of(self.unlisted):
            is_last = not self.unlisted[start + len(sentence) :].strip()
            statement = self._statement(start, sentence, previous, is_last=is_last)
            stated += [statement] if statement else []
            previous = sentence
        return stated

    def _statement(
        self, start: int, sentence: str, previous: str = "", *, is_last: bool = True
    ) -> StatedLabel | None:
        """Return the label that a sentence states, or None."""
        for mention in self.labels.named(sentence[:MAX_OPENING]):
            opening, letter = self._opening(sentence[: mention.start])
            frame = None if self.labels.pattern.search(opening) else frame_of(opening)
            frame = frame or concluded_frame(opening)
            after = sentence[mention.end :]
            if frame is None or not _ends(after, is_bare=frame.is_bare):
                continue
            leads_on = after.strip() == ":" and is_last
            after_colon = frame.is_bare or previous.rstrip().endswith(":")
            if leads_on or (after_colon and self._framed(previous)):
                continue
            explicit = frame.explicit or grammar.TAIL.match(after) is None
            conflict = bool(letter and self.letters) and (
                self.labels.of_letter(letter) != mention.label
            )
            end = start + mention.end
            return StatedLabel(mention.label, start + mention.start, end, explicit, after, conflict)
        return None

    def _opening(self, before: str) -> tuple[str, str]:
        """Return what stands before a label without brackets, and the letter of its option."""
        plain = " ".join(re.sub(r"[(\[{<]+\s*$", " ", before).split()).lower()
        plain = re.sub(r"\[(\w+)\]:?", r"\1 :", plain).lstrip("([{<")
        plain = re.sub(r" ?\([^()]{1,40}\)(?= ?:)", "", plain)
        lettered = re.search(
            r"(?:^|(?<=[\s(\[:]))\(?([a-t])\s?[.):\]]+\s*-?$|\b([a-t]) ?[-=:]+$", plain
        )
        if lettered is None:
            return plain.strip(), ""
        rest = plain[: lettered.start()].rstrip("([ ")
        return rest, (lettered[1] or lettered[2]).upper()

    def _framed(self, before: str) -> bool:
        """Return whether the sentence before a bare label makes of it something else."""
        before = before.strip()
        if before.endswith(":") and frame_of(self._opening(before)[0]):
            return False
        runs_on = not re.search(r"[.!]['\")]*$", before)
        listing = before.endswith((":", "?")) and bool(grammar.LISTING.search(before))
        masked = self.labels.masked(before)
        hedged = not before.endswith("?") and grammar.HEDGE.search(masked)
        return runs_on and bool(listing or hedged or grammar.DENIAL.search(masked))

    def accept(self, statements: Sequence[StatedLabel]) -> ReplyAnswer | FaultKind:
        """Return the label of the statements if nothing in the reply speaks against it."""
        last = statements[-1]
        if any(s.is_questioned for s in statements):
            return FaultKind.QUESTIONED
        if len({s.label for s in statements}) > 1 or any(s.conflict for s in statements):
            return FaultKind.SEVERAL
        for statement in statements:
            if (kind := self._qualified(statement)) is not None:
                return kind
        after = self.unlisted[last.end :]
        if (kind := self._taken_back(after)) is not None:
            return kind
        before = self.unlisted[: statements[0].start]
        between = self.unlisted[statements[0].end : last.start]
        # A conclusion may weigh other labels before it comes.
        earlier = "" if last.explicit else f"{before}\n{between}"
        if (kind := self._spoken_against(last.label, earlier, after)) is not None:
            return kind
        if grammar.DECLINED.search(self.plain):
            return FaultKind.REFUSED
        return ReplyAnswer(last.label, statements[0].start)

    def _qualified(self, statement: StatedLabel) -> FaultKind | None:
        """Return what the sentence of a statement says against it."""
        tail = grammar.TAIL.match(statement.rest)
        if tail is None:
            return None
        aside, gloss = tail["aside"] or "", tail["gloss"] or ""
        if WEIGHED.match(aside) or REPORTED.match(gloss):
            return FaultKind.HEDGED
        kind = self._remark(aside or gloss)
        if kind is FaultKind.HEDGED:
            return kind
        if self.labels.first(aside or gloss) is None:
            return None if grammar.DENIAL.search(statement.label) else kind
        stated = self._statement(0, aside)
        return FaultKind.SEVERAL if stated and stated.label != statement.label else None

    def _remark(self, text: str) -> FaultKind | None:
        """Return whether a few words hedge or deny; a longer remark gives a reason."""
        masked = self.labels.masked(text)
        words = re.findall(r"[\w']+", masked.casefold())
        if len(words) <= 3 and grammar.HEDGE.search(masked):
            return FaultKind.HEDGED
        only_denies = set(words) <= LISTS["denials"] and grammar.DENIAL.search(masked)
        return FaultKind.NEGATED if only_denies else None

    def _taken_back(self, after: str) -> FaultKind | None:
        """Return whether what follows a statement takes it back, doubts it or asks about it."""
        if grammar.RETRACTION.search(after):
            return FaultKind.NEGATED
        if grammar.DOUBT.search(after):
            return FaultKind.HEDGED
        for number, (_, sentence) in enumerate(sentences_of(after)):
            if sentence.rstrip().endswith("?") and not grammar.COURTESY.match(sentence):
                return FaultKind.QUESTIONED
            is_long = len(re.findall(r"[\w']+", sentence)) > 3
            if not number or is_long:
                continue
            if (kind := self._remark(sentence)) is not None:
                return kind
        return None

    def _spoken_against(self, label: str, before: str, after: str) -> FaultKind | None:
        """Return whether other mentions of labels speak against the one that was stated."""
        for text in (before, after):
            for mention in self.labels.mentions(text):
                clause_before, clause_after = clause_around(text, mention.start, mention.end)
                denied = bool(
                    grammar.DENIES.search(clause_before) or grammar.DENIED_AFTER.match(clause_after)
                )
                if mention.label != label and not denied and not _hypothetical(text, mention):
                    return FaultKind.SEVERAL
                if mention.label == label and denied:
                    return FaultKind.NEGATED
                if mention.label == label and re.match(r"[^.!\n]*+\?", text[mention.end :][:400]):
                    return FaultKind.QUESTIONED
        return None

    def why_none(self) -> FaultKind:
        """Return the reason why no sentence states a label."""
        if grammar.REFUSAL.search(self.plain):
            return FaultKind.REFUSED
        named = {mention.label for mention in self.labels.mentions(self.plain)}
        if not named:
            lettered = re.fullmatch(
                r"\W*(?:option\W*)?[A-Ta-t]\b(?:[.):].*)?\W*", self.plain, re.S | re.I
            )
            return FaultKind.LETTER if lettered and not self.letters else FaultKind.UNREADABLE
        if len(named) > 1:
            return FaultKind.SEVERAL
        masked = self.labels.masked(self.plain)
        for kind, pattern in (
            (FaultKind.QUESTIONED, re.compile(r"\?")),
            (FaultKind.NEGATED, grammar.DENIAL),
            (FaultKind.HEDGED, grammar.HEDGE),
        ):
            if pattern.search(masked):
                return kind
        return FaultKind.UNREADABLE


def _hypothetical(text: str, mention: Mention) -> bool:
    """Return whether the sentence of a mention only tells what that label would take."""
    start = max(text.rfind("\n", 0, mention.start), text.rfind(". ", 0, mention.start)) + 1
    sentence = re.split(r"\n|\.\s", text[start : mention.end + AROUND])[0]
    return start > 0 and bool(grammar.HYPOTHETICAL.search(sentence))


def _ends(after: str, *, is_bare: bool) -> bool:
    """Return whether a label's phrase ends where what follows it begins.

    A bare label may also be the subject: "neutral is the answer".
    """
    tail = grammar.TAIL.match(after)
    if tail is not None:
        return not _is_value(tail)
    rest = after.rstrip()
    if is_bare and is_the_answer(rest):
        return True
    return rest.endswith("?") and not after.strip("?! \n)")


def _is_value(tail: re.Match[str]) -> bool:
    """Return whether a label heads a value, as in a table of scores."""
    colon, gloss = (tail["colon"] or ".").strip(), tail["gloss"] or ""
    if colon[-1:] in (":", ">", "→", "⇒") and grammar.SHORT_VALUE.fullmatch(gloss):
        return True
    return colon != "." and grammar.VALUE.match(gloss) is not None


def _is_decoration(character: str) -> bool:
    """Return whether a character is a picture that neither denies nor weighs anything."""
    if character < "\u2000" or character in grammar.DENYING + grammar.WEIGHING:
        return False
    return unicodedata.category(character) in ("So", "Sk", "Mn", "Cf")
