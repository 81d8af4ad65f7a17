"""How a sentence states a label: only words that name the task lead to it.

A clause states the label at its end if all its words are words of the task (`words/replies.tsv`)
and the last one links to an answer: "the answer is", "I would choose", "label:". Denials, hedges
and people other than the writer are no such words. A clause before it may give the reason.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from grice.core.words import read_lists
from grice.judges import reply_grammar as grammar

LISTS = {
    name: frozenset(words)
    for name, words in read_lists(Path(__file__).parent / "words" / "replies.tsv").items()
}
ARROWS = frozenset(("->", "=>", "→", "⇒"))
SIGNS = ARROWS | {":", "=", "-", "|"}
ANSWERS, THEREFORE, FILLERS = LISTS["answers"], LISTS["therefore"], LISTS["fillers"]
OPENERS = LISTS["openers"] | THEREFORE
LEADS = LISTS["leads"] | OPENERS
SAYS = LISTS["says"]
LINKS = LISTS["links"] | SIGNS
SUBJECTS = LISTS["subjects"] | ANSWERS
TASK_WORDS = SAYS | LINKS | SUBJECTS | FILLERS | LISTS["others"] | (OPENERS - {"yes"})
# Words of the task that state nothing: a definition, an instruction, a question, one of several.
NO_STATEMENT = re.compile(
    r"^(?:is|are|should|would|do|does|can|will|am|for|with|to|as|of|which|given|by|from|in|under|on"
    r"|at|and)\b|^(?:answer|label) (?:with|as|it|this)\b|\b(?:i|we) considered$|\bwhich (?:is|are)$"
    r"|\b(?:can|could|will|have to) be$"
    r"|\bgiven (?:that|the (?:label|answer))\b|\bshould (?!be\b)|\b(?:given|is) as$"
    r"|\b(?:answers|labels|options|choices) are$"
    r"|^they (?!(?:are|form|have|stand|constitute|represent)\b)"
    r"|^(?:say|choose|pick|select|give|assign|call|consider|find|see|mark|classify|put|take)\b"
    r"|\b(?:is|are|would|should|will) (?:the|it|this|that|we|i)$"
)
ONE_OF_SEVERAL = re.compile(
    r"\b(?:one|second|third|only|next|other|example|sample) (?:best |possible )?"
    r"(?:answer|option|label|choice|pair)\b"
)
CONTRACTIONS = (
    ("'s", " is"),
    ("'d", " would"),
    ("'ll", " will"),
    ("'m", " am"),
    ("'re", " are"),
    ("'ve", " have"),
)
# Where a clause that gives the reason may end.
CLAUSE_END = re.compile(
    r"[,;:](?: (?:and )?|$)| - |[→⇒]|[-=]>"
    r"| (?:and )?(?=(?:so|thus|therefore|hence|meaning|making|which (?:makes|means)) )"
)
# What an answer is based on, and the options it is chosen from.
BASIS = re.compile(
    r"(?:based on|given|considering|according to|from|looking at|with respect to|regarding"
    r"|as for)"
    r" (?:(?:this|that|it)(?=,|$)|(?:\w+ ){0,3}(?:above|analysis|premises?|information|reasoning"
    r"|context|text|sentences?|definitions?|evidence|hypothesis|relationship"
    r"|relation|provided|given)(?: alone| only)?)"
    r"|(?:out )?(?:of|between|among|from)(?: (?:the |these )?(?:\w+ )?(?:options|labels|choices))?"
)
# A clause on the two sentences, after which a label is the conclusion: "both cannot hold; …".
TOLD = re.compile(
    r"^(?=\S+ \S+ \S)(?!.*\b(?:labels?|words?|answers?)\b).*"
    r"\b(?:premise|hypothesis|they|both|sentences|statements)\b"
)
# A ground that denies the other two labels.
BOTH_DENIED = re.compile(
    r"neither\b.* nor\b|(?:no|not)\b.*\b(?:no|not|nor)\b|.*\bcannot be \w+ed\b"
    r"|.*n't\b.*n't\b"
)
# What restricts a statement or reports it, instead of giving its reason.
RESTRICTED = re.compile(
    r"^(?:in|at|for|to|on|under|by|with|without|literally|logically|semantically|pragmatically"
    r"|strictly|technically|sometimes|usually|often|except|please|or|only|where\w*"
    r"|once|should|were|had"
    r"|(?!considering|looking|comparing|analy[sz]ing|reading|having|knowing"
    r"|putting)\w+ing|granted|until|provided|from|seen|read|taken"
    r"|as (?:they|you|some|many|most|one|people|he|she|far|long|soon))\b"
    r"|(?<!n't )(?<!not )\b(?:say|says|said|claims?|thinks?|thought|insists?|writes?|wrote|asks?"
    r"|argues?|believes?|suggests?|answer(?:s|ed)|is|are|was|the|a|example|format)$"
)
# What may follow a label that is the subject: "neutral is the right answer", "neutral fits best".
PREDICATE = re.compile(
    r"\s+(?:it is|exists|arises|is present"
    r"|(?:clearly |best )?(?:applies|fits|describes|captures|holds)(?: best)?"
    r"|(?:is|would be) the (?:right|correct|best) one"
    r"|is what i would (?:go for|go with|choose|pick|say|call it)"
    r"|(?:is|would be)(?: (?:the|my|our))?(?: (?:most|best|right|correct|appropriate|accurate"
    r"|final|logical|suitable|nli))*(?: (?P<noun>[a-z]+))?)\b(?P<rest>[^.!,;:(]*)(?:[.!,;:(].*)?",
    re.I | re.S,
)


@dataclass(frozen=True)
class LabelFrame:
    """What leads to a label: nothing of its own, or words that say that this is the answer."""

    is_bare: bool
    explicit: bool


def frame_of(opening: str) -> LabelFrame | None:
    """Return how the words of the task state the label that they lead to, or None."""
    opening = _expanded(opening).replace("natural language", "natural-language")
    *leads, core = re.split(r"\s*[,.!;](?:\s+|$)", opening.removeprefix("which "))
    if leads and core.startswith(("is", "would be", "must be")):
        core = f"{leads.pop(0)} {core}"
    if not all(_introduces(lead) for lead in leads):
        return None
    *introduction, core = _split_introduction(core)
    therefore = any(grammar.THEREFORE.search(lead) for lead in (*leads, *introduction))
    words = re.findall(r"[-=]+>|[:=→⇒|]|(?<!\S)-(?!\S)|[^\s:=→⇒|]+", core)
    if words[1:2] == [":"] and words[0] in LEADS:
        words = words[2:]
    while words and words[0] in OPENERS and words[1:2] != ["is"]:
        therefore |= words.pop(0) in THEREFORE
    words = _without_fillers(words)
    if set(words) <= SIGNS or words in (["option"], ["choice"], ["letter"]):
        return LabelFrame(is_bare=True, explicit=therefore)
    if not set(words) <= TASK_WORDS or ONE_OF_SEVERAL.search(" ".join(words)):
        return None
    return _stated(words, therefore=therefore)


def _expanded(text: str) -> str:
    """Return a text with the contractions of its verbs written out."""
    for short, long in CONTRACTIONS:
        text = re.sub(rf"(?<=\w){short}\b", long, text)
    return text


def _introduces(lead: str) -> bool:
    """Return whether a phrase before a statement adds nothing to it."""
    if lead in LISTS["introductions"] or BASIS.fullmatch(lead):
        return True
    if ONE_OF_SEVERAL.search(lead):
        return False
    words = set(lead.split())
    return bool(words) and (
        words <= LEADS or (lead.startswith(("for th", "in th")) and words <= TASK_WORDS)
    )


def _split_introduction(core: str) -> list[str]:
    """Return an introduction that no comma sets off, if there is one, and the rest."""
    basis = BASIS.match(core)
    starts = [basis[0]] if basis else []
    starts += [phrase for phrase in LISTS["introductions"] if core.startswith(phrase)]
    for start in sorted(starts, key=len, reverse=True):
        if re.match(r" ?[:-] ?| |$", core[len(start) :]):
            return [start, re.sub(r"^ ?[:-]? ?", "", core[len(start) :])]
    return [core]


def _without_fillers(words: list[str]) -> list[str]:
    """Return the words before a label without those that only lead over to it."""
    while words and (words[-1] in FILLERS or words[-2:] == ["is", "that"]):
        if words[-1] in ("example", "instance") and set(words) <= FILLERS:
            return ["example"]
        words = words[:-1]
    if not words or words[-1] not in ("label", "option", "choice", "answer", "class"):
        return words
    leads_over = words[-2:-1] and words[-2] in ("the", "is", "as", "choose", "pick", "say")
    return _without_fillers(words[:-1]) if leads_over else words


def _stated(words: list[str], *, therefore: bool) -> LabelFrame | None:
    """Return the frame of words of the task that end in a link, or None if they state nothing."""
    explicit = therefore or bool((ANSWERS | SAYS) & set(words))
    while words and words[-1] in SIGNS:
        words = words[:-1]
        if words and words[0] != "given" and words[-1] in ANSWERS | {"pair"}:
            return LabelFrame(is_bare=False, explicit=True)
        words = _without_fillers(words)
    while (sign := next((i for i, word in enumerate(words) if word in SIGNS), None)) is not None:
        if not ANSWERS & set(words[:sign]):
            return None
        words = words[sign + 1 :]
    if not words or words[-1] not in LINKS or NO_STATEMENT.search(" ".join(words)):
        return None
    going_on = any(word.endswith("ing") for word in words)
    if not going_on and not SUBJECTS & set(words[:-1]):
        return None
    # Only the writer answers: "they say" reports, "choose" is an instruction.
    is_verb = words[-1] in SAYS - {"for", "with", "on"}
    if is_verb and not going_on and not {"i", "we", "makes"} & set(words):
        return None
    return LabelFrame(is_bare=False, explicit=explicit)


def is_the_answer(after: str) -> bool:
    """Return whether what follows a label that is the subject says that it is the answer."""
    predicate = PREDICATE.fullmatch(_expanded(after))
    if predicate is None:
        return False
    noun = (predicate["noun"] or "here").casefold()
    rest = re.split(r"\b(?:because|since|as)\b", predicate["rest"].casefold())[0]
    return noun in ANSWERS | {"fit", "match", "description", "here"} and (
        set(rest.split()) <= TASK_WORDS
    )


def concluded_frame(opening: str) -> LabelFrame | None:
    """Return the frame after a clause that gives its reason: "some left, so the answer is"."""
    opening = _expanded(opening)
    for cut in reversed(list(CLAUSE_END.finditer(opening))):
        ground, link = opening[: cut.start()], cut[0].strip(" ,;")
        conclusion = f"{link} {opening[cut.end() :]}".strip()
        if link == ":":
            conclusion = conclusion.removeprefix(": ")
        if not link:
            conclusion = re.sub(r"^which is(?= an?\b)", "this is", conclusion)
        frame = frame_of(conclusion)
        if frame is not None and _concludes(ground, link, conclusion, is_bare=frame.is_bare):
            return frame
    return None


def _concludes(ground: str, link: str, conclusion: str, *, is_bare: bool) -> bool:
    """Return whether a clause is a ground for the conclusion after it, and no condition of it."""
    if grammar.THEREFORE.match(conclusion) and not grammar.UNFINISHED_CONDITION.match(ground):
        return True
    if grammar.HEDGE.match(ground):
        return False
    if grammar.CONDITION.search(ground) and not grammar.REASONED.match(ground):
        return False
    if RESTRICTED.search(ground):
        return False
    if not is_bare and link != ":":
        return True
    if link in ARROWS:
        return bool(BOTH_DENIED.match(ground)) or not grammar.DENIAL.match(ground)
    if BOTH_DENIED.match(ground) and link == ":":
        return True
    if link not in (":", "") or not TOLD.search(ground):
        return False
    return not grammar.DENIAL.search(ground) and not grammar.HEDGE.search(ground)
