"""The reader of replies: which one answer a text gives, or why it gives none.

A label counts only if a sentence states exactly that label, and nothing denies, weighs, questions
or lists it. Everything else is an invalid response of a kind that says why.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from grice.core.fault import Fault, FaultKind
from grice.core.scale import Scale
from grice.judges import reply_grammar as grammar
from grice.judges.reply_frames import concluded_frame, frame_of
from grice.judges.reply_labels import LabelPatterns, Mention
from grice.judges.reply_number import read_number
from grice.judges.reply_text import (
    ANSWER_KEYS,
    JsonObject,
    ReplyAnswer,
    blank,
    blank_item_columns,
    clause_around,
    json_objects,
    label_key,
    sentences_of,
    shorten,
)

# A longer reply than this is no answer that a person would read either.
MAX_CHARACTERS = 50_000
MAX_OPENING = 600
# Characters around a boxed answer that may deny it.
AROUND = 400
# A JSON list, even of one label, lists it.
LIST = re.compile(r"\s*\[\s*\".*\"\s*\]\s*", re.S)


@dataclass(frozen=True)
class StatedLabel:
    """A sentence that states a label; `explicit` if it says that this is the answer."""

    label: str
    start: int
    end: int
    sentence_start: int
    explicit: bool
    rest: str
    questioned: bool = False
    conflict: bool = False


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
    if scale.numeric:
        return read_number(text, scale)
    return _LabelReader(text, words, letters=letters).read()


class _LabelReader:
    """One reply, read for one of some labels."""

    def __init__(self, text: str, words: Sequence[str], *, letters: bool) -> None:
        self.words, self.letters = tuple(words), letters
        self.raw = text
        self.labels = LabelPatterns(words, letters=letters)
        plain = blank(
            self._without_quotes(blank_item_columns(text.translate(grammar.PLAIN))), grammar.MARKUP
        )
        self.plain = "".join(" " if _is_decoration(character) else character for character in plain)

    def _without_quotes(self, text: str) -> str:
        """Blank the quoted texts of the item that name no label."""
        return grammar.QUOTED.sub(
            lambda quote: quote[0] if self.labels.first(quote[0]) else " " * len(quote[0]), text
        )

    def read(self) -> ReplyAnswer | Fault:
        """Return the answer or the reason why there is none."""
        objects = list(json_objects(self.raw))
        if objects:
            return self._read_json(objects)
        if LIST.fullmatch(self.raw):
            return self._fault(FaultKind.UNREADABLE)
        boxed = list(grammar.BOXED.finditer(self.plain))
        statements = self._boxed(boxed) if boxed else self._statements()
        if not statements:
            return self._why_none()
        return self._accept(statements)

    def _statements(self) -> list[StatedLabel]:
        sentences = list(sentences_of(self.plain))
        return [s for i, part in enumerate(sentences) if (s := self._statement(i, sentences, part))]

    def _statement(
        self, index: int, sentences: Sequence[tuple[int, str]], part: tuple[int, str]
    ) -> StatedLabel | None:
        """Return the label that a sentence states, or None."""
        start, sentence = part
        mention = self.labels.first(sentence)
        if mention is None or mention.start > MAX_OPENING:
            return None
        opening, letter = self._opening(sentence[: mention.start])
        frame = frame_of(opening) or concluded_frame(opening)
        if frame is None:
            return None
        after = sentence[mention.end :]
        conflict = bool(letter and self.letters and self.labels.of_letter(letter) != mention.label)
        if not _ends(after, is_bare=frame.is_bare):
            return None
        if after.strip() == ":" and index + 1 == len(sentences):
            return None
        explicit = frame.explicit or grammar.TAIL.match(after) is None
        previous = sentences[index - 1][1] if index else ""
        if (frame.is_bare or previous.rstrip().endswith(":")) and self._framed(previous):
            return None
        return StatedLabel(
            mention.label,
            start + mention.start,
            start + mention.end,
            start,
            explicit,
            after,
            after.rstrip().endswith("?"),
            conflict,
        )

    def _opening(self, before: str) -> tuple[str, str]:
        """Return what stands before a label without brackets, and the letter of its option."""
        plain = " ".join(re.sub(r"[(\[{<]+\s*$", " ", before).split()).lower().lstrip("([{<")
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
        runs_on = not re.search(r"[.!]['\")]*$", before)
        listing = before.endswith((":", "?")) and bool(grammar.LISTING.search(before))
        masked = self.labels.masked(before)
        return runs_on and (
            listing or bool(grammar.DENIAL.search(masked)) or bool(grammar.HEDGE.search(masked))
        )

    def _boxed(self, boxes: Sequence[re.Match[str]]) -> list[StatedLabel]:
        statements = []
        for box in boxes:
            group = 1 if box[1] is not None else 3
            content = box[group] or ""
            inner = self._statement(0, [(0, content)], (0, content))
            # The sentence around the box may deny it.
            before = self.plain[max(0, box.start() - AROUND) : box.start()]
            last = re.split(r"[.!?]\s|\n", before)[-1]
            denied = grammar.DENIAL.search(last) or grammar.HEDGE.search(last)
            if inner is None or denied or inner.rest.strip(" .)\n"):
                return []
            start = box.start(group) + inner.start
            after = self.plain[box.end() : box.end() + AROUND].split("\n")[0]
            statements.append(
                StatedLabel(
                    inner.label,
                    start,
                    box.end(),
                    box.start(),
                    True,
                    after,
                    after.lstrip(" }$").startswith("?"),
                )
            )
        return statements

    def _accept(self, statements: Sequence[StatedLabel]) -> ReplyAnswer | Fault:
        """Return the label of the statements if nothing in the reply speaks against it."""
        last = statements[-1]
        if any(s.questioned for s in statements):
            return self._fault(FaultKind.QUESTIONED)
        if len({s.label for s in statements}) > 1 or any(s.conflict for s in statements):
            return self._fault(FaultKind.SEVERAL)
        for statement in statements:
            if (kind := self._qualified(statement)) is not None:
                return self._fault(kind)
        after = self.plain[last.end :]
        if (kind := self._taken_back(after)) is not None:
            return self._fault(kind)
        before = self.plain[: statements[0].sentence_start]
        between = self.plain[statements[0].end : last.sentence_start]
        # A conclusion may weigh other labels before it comes.
        earlier = "" if last.explicit else f"{before}\n{between}"
        if (kind := self._spoken_against(last.label, earlier, after)) is not None:
            return self._fault(kind)
        if grammar.DECLINED.search(self.plain):
            return self._fault(FaultKind.REFUSED)
        return ReplyAnswer(last.label, statements[0].start)

    def _qualified(self, statement: StatedLabel) -> FaultKind | None:
        """Return what the sentence of a statement says against it."""
        tail = grammar.TAIL.match(statement.rest)
        if tail is None:
            return None
        aside, gloss = tail["aside"] or "", tail["gloss"] or ""
        if aside and grammar.REASON.match(aside):
            return None
        if grammar.SCARCE.match(aside or gloss):
            return None
        n_words = len(re.findall(r"\w+", aside or gloss))
        masked = self.labels.masked(aside or gloss)
        weighs = re.match(r"\W*(?:or|if|unless|but|though|although|except)\b", aside, re.I)
        if (n_words <= 3 or weighs) and grammar.HEDGE.search(masked):
            return FaultKind.HEDGED
        other = self.labels.first(aside)
        denies = not self.labels.first(aside or gloss) and not grammar.DENIAL.search(
            statement.label
        )
        if n_words <= 3 and denies and grammar.DENIAL.search(masked):
            return FaultKind.NEGATED
        stated = self._statement(0, [(0, aside)], (0, aside)) if other else None
        return FaultKind.SEVERAL if stated and stated.label != statement.label else None

    def _taken_back(self, after: str) -> FaultKind | None:
        """Return whether what follows a statement takes it back, doubts it or asks about it."""
        if grammar.RETRACTION.search(after):
            return FaultKind.NEGATED
        if grammar.DOUBT.search(after):
            return FaultKind.HEDGED
        first = True
        for _, sentence in sentences_of(after):
            if sentence.rstrip().endswith("?") and not grammar.COURTESY.match(sentence):
                return FaultKind.QUESTIONED
            if grammar.SCARCE.match(sentence):
                continue
            if not first and len(re.findall(r"\w+", sentence)) <= 3:
                masked = self.labels.masked(sentence)
                if grammar.DENIAL.search(masked):
                    return FaultKind.NEGATED
                if grammar.HEDGE.search(masked):
                    return FaultKind.HEDGED
            first = False
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

    def _read_json(self, objects: Sequence[JsonObject]) -> ReplyAnswer | Fault:
        values = [
            value
            for _, _, pairs in objects
            for key, value in pairs
            if " ".join(re.split(r"[\s_-]+", key.casefold())) in ANSWER_KEYS
        ]
        labels = {self._value(value) for value in values}
        if None in labels or not labels:
            return self._fault(FaultKind.UNREADABLE) if not values else self._why_value(values)
        if len(labels) > 1:
            return self._fault(FaultKind.SEVERAL)
        label = labels.pop()
        assert label is not None
        outside = self._outside(objects, values)
        keys = {label_key(key) for _, _, pairs in objects for key, _ in pairs}
        named = any(statement.label != label for statement in outside._statements())
        if named or keys & set(self.labels.by_word):
            return self._fault(FaultKind.SEVERAL)
        kind = outside._taken_back(outside.plain) or outside._spoken_against(
            label, "", outside.plain
        )
        if kind is not None:
            return self._fault(kind)
        start = objects[0][0]
        return ReplyAnswer(label, max(self.raw.casefold().find(label.casefold(), start), start))

    def _outside(self, objects: Sequence[JsonObject], values: Sequence[Any]) -> _LabelReader:
        """Return the reader of the text around the objects and of their other texts."""
        others = "\n".join(
            value
            for _, _, pairs in objects
            for _, value in pairs
            if isinstance(value, str) and value not in values
        )
        start, end = objects[0][0], max(end for _, end, _ in objects)
        around = f"{self.raw[:start]}\n{others}\n{self.raw[end:]}"
        return _LabelReader(around, self.words, letters=self.letters)

    def _value(self, value: Any) -> str | None:
        """Return the label that a value of a JSON object is."""
        if not isinstance(value, str):
            return None
        inner = _LabelReader(value, self.words, letters=self.letters)
        statement = inner._statement(0, [(0, inner.plain)], (0, inner.plain))
        if statement is None or statement.questioned or statement.conflict:
            return None
        alone = not statement.rest.strip(" .)]") and statement.start <= 14
        return statement.label if alone else None

    def _why_value(self, values: Sequence[Any]) -> Fault:
        text = next((v for v in values if isinstance(v, str) and self._value(v) is None), "")
        return (
            _LabelReader(text, self.words, letters=self.letters)._why_none()
            if text
            else (self._fault(FaultKind.UNREADABLE))
        )

    def _why_none(self) -> Fault:
        """Return the reason why no sentence states a label."""
        if grammar.REFUSAL.search(self.plain):
            return self._fault(FaultKind.REFUSED)
        named = {mention.label for mention in self.labels.mentions(self.plain)}
        if not named:
            lettered = re.fullmatch(
                r"\W*(?:option\W*)?[A-Ta-t]\b(?:[.):].*)?\W*", self.plain, re.S | re.I
            )
            return self._fault(
                FaultKind.LETTER if lettered and not self.letters else FaultKind.UNREADABLE
            )
        if len(named) > 1:
            return self._fault(FaultKind.SEVERAL)
        masked = self.labels.masked(self.plain)
        for kind, pattern in (
            (FaultKind.QUESTIONED, re.compile(r"\?")),
            (FaultKind.NEGATED, grammar.DENIAL),
            (FaultKind.HEDGED, grammar.HEDGE),
        ):
            if pattern.search(masked):
                return self._fault(kind)
        return self._fault(FaultKind.UNREADABLE)

    def _fault(self, kind: FaultKind) -> Fault:
        return Fault(kind, shorten(self.raw))


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
    if is_bare and grammar.IS_THE_ANSWER.fullmatch(rest):
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
