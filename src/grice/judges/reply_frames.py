"""How a sentence states a label: what leads to it, and what only names the task on the way."""

from __future__ import annotations

import re
from dataclasses import dataclass

from grice.judges import reply_grammar as grammar

ARROWS = ("→", "⇒", "->", "=>")
# Where a clause that gives the reason may end.
CLAUSE_END = re.compile(
    r"[,;] (?:and )?| - |[→⇒]|[-=]>"
    r"| (?:and )?(?=(?:so|thus|therefore|hence|meaning|making|which (?:makes|means)) )"
)
# Words before a conclusion that add nothing to it.
INTRODUCTION = re.compile(
    r"to (?:summari[sz]e|sum up|conclude|recap|answer (?:your|the) question|be (?:clear|precise))"
    r"|in (?:nli terms|terms of nli|summary|other words|short|sum|total|the end|essence)"
    r"|for (?:this|that|these|those|the above) reasons?"
    r"|with (?:this|that|these)(?: facts?)? in mind"
    r"|all in all|(?:all )?taken together|all things considered|by definition|on balance"
    r"|from (?:this|that|the above)|at the end of the day"
)
REASONED = re.compile(r"(?:since|because|given that|while|although|though|even though)\b")
# Words that name the task and its parts.
_WORDS = """
a an the my our this that these those both two i i'd i'll we we'd we'll us it it's its your here
here's is are be am will would should must can to of for from in on at between with as and by under
given so thus therefore hence then now finally overall clearly definitely simply confidently best
most correct appropriate accurate suitable fitting right final logical semantic textual logically
nli standard answer label relation relationship verdict option choice result conclusion judgment
judgement classification category prediction response output decision inference class assessment
evaluation determination describe describes captures fits fit matches characterizes characterises
applies represents summarizes reflects expresses premise hypothesis claim sentence sentences
statement statements text texts pair information evidence analysis reasoning above provided based
according considering requested respect conclude concluded determine determined infer inferred see
say state classify classified categorize categorized categorise categorised labeled labelled assign
assigned select selected choose chosen pick described characterize characterized call called mark
marked judge judged consider considered means meaning indicates indicating makes making follows
gives leads one only alone holds exists obtains in question have i've we've that's own going go with
went settle settling decide decided arrive opt opting ultimately natural-language
"""
TASK_WORDS = frozenset(_WORDS.split())
_NOUNS = r"answer|label|relation(?:ship)?|verdict|classification|category|prediction|inference"
_HEADS = rf"(?:{_NOUNS}|hypothesis|statement|claim|pair|i|i'd|i'll|we|we'd|this|it)"
# A definition, an instruction or a comparison in the words of the task.
_NO_STATEMENT = (
    r"for .*\bto be$|.*\bcan be$|.*:.|.*\b(?:is|given) as$|given (?:that )?the label"
    r"|.*\bshould (?:consider|judge|call|label|mark)\b.*"
    r"|.*\boptions?(?: (?:is|as|the))?$|.*\b(?:would|is|are|should|will) (?:the|it|this|that)\b"
)
_OBJECT = (
    r"(?:it|this(?: one)?|(?:the|this|our) (?:\w+ )?(?:pair|relation(?:ship)?|hypothesis|statement"
    r"|answer|label|verdict|classification))"
)
TASK_STATEMENT = re.compile(
    rf"(?=(?:.* )?{_HEADS}\b)(?!{_NO_STATEMENT})(?:.* )?"
    r"(?:(?:is|it's|are|be|as|conclude|choose|select|pick|assign|labell?ed|classified|considered"
    rf"|called|judged|that's|go(?:ing)? with|settl(?:e|ing) on|decided? on|arrive at"
    rf"|opt(?:ing)? for|(?:call|label|makes|making|classify|mark|consider|judge) {_OBJECT})"
    rf"|(?:{_NOUNS}|pair|as|be|is|conclude) ?(?:[:=→]|-+>|=+>))"
    rf"(?: ?(?:an?|the|one of|in(?: an?)?))?(?: {grammar.CLEAR})*"
    r"(?: (?:case|instance|example) of(?: an?)?)?"
)


@dataclass(frozen=True)
class LabelFrame:
    """What leads to a label: nothing of its own, or words that say that this is the answer."""

    is_bare: bool
    explicit: bool


def frame_of(opening: str) -> LabelFrame | None:
    """Return how a sentence states the label that its opening leads to, or None."""
    opening = opening.replace("natural language inference", "nli").removeprefix("which ")
    if (stated := grammar.STATEMENT.fullmatch(opening)) is not None:
        says_so = bool(stated["noun"] or stated["saying"])
        therefore = grammar.THEREFORE.search(stated["opener"] or "")
        return LabelFrame(not (says_so or stated["about"]), says_so or bool(therefore))
    words = set(re.findall(r"[^\s,:=→>-]+", opening))
    if words <= TASK_WORDS and TASK_STATEMENT.fullmatch(opening):
        return LabelFrame(is_bare=False, explicit=True)
    return None


def concluded_frame(opening: str) -> LabelFrame | None:
    """Return the frame after a clause that gives its reason: "some left, so the answer is"."""
    for cut in reversed(list(CLAUSE_END.finditer(opening))):
        ground, link = opening[: cut.start()], cut[0].strip(" ,;")
        conclusion = f"{link} {opening[cut.end() :]}".strip()
        reasoned = REASONED.match(ground)
        if (not reasoned and grammar.CONDITION.search(ground)) or grammar.HEDGE.match(ground):
            continue
        frame = frame_of(conclusion)
        if frame is None:
            continue
        drawn = grammar.GROUND.match(ground) and not frame.is_bare
        arrow = link in ARROWS and not grammar.DENIAL.match(ground)
        introduced = INTRODUCTION.fullmatch(ground) and not frame.is_bare
        if drawn or introduced or arrow or grammar.THEREFORE.match(conclusion):
            return frame
    return None
