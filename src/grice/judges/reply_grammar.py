"""Patterns of replies: how an answer is stated, and what takes a stated answer back."""

from __future__ import annotations

import re

# Characters that deny a label, and that weigh one.
DENYING = "¬≠☐❌❎✗✘✖🚫👎⛔"
WEIGHING = "~≈🤔🤷❓⁇"

THEREFORE = re.compile(
    r"(?:and )?\b(?:so|thus|therefore|hence|overall|in conclusion|in summary|in short|to conclude"
    r"|consequently|accordingly|finally|as a result|conclusion"
    r"|(?:which )?(?:mak(?:es|ing)|mean(?:s|ing)|indicat(?:es|ing)))\b"
)
# The end of the label's own phrase, and what separates it from an explanation.
TAIL = re.compile(
    r"[\s)\]}>]*+(?:(?:relation(?:ship)?|label|option|class|category|pair|one)\b)?[\s)\]}>✅✔️👍]*+"
    r"(?:(?P<end>[.!]*+\s*+$)"
    r"|(?P<comma>[,;])(?P<aside>.*)"
    r"|(?P<colon>:|[→⇒]|[-=]+>|[(\[|]|\.\s++(?=\S)|(?<=\s)-++\s|--++)(?P<gloss>.*)"
    r"|(?P<why>\b(?:because|since|given(?: that)?|due to|based on|in this case|here|to each other"
    r"|(?:with respect|relative|in relation) to|to (?:the|one another)"
    r"|of what|of (?:the|this) (?:premise|first)|between (?:the|them|these|premise|both)"
    r"|rather than|instead of|as opposed to"
    r"|to th(?:is|e) (?:pair|item|one)"
    r"|with (?:the|each other|one another|respect|regard)|for (?:the|this|these)"
    r"|as(?!\s+(?:well|if|though|opposed|long|far|much|soon|a|an)\b))\b.*))",
    re.S,
)
CONDITION = re.compile(
    r"\b(?:if|when|unless|suppose|assuming|were|had|whether"
    r"|(?<!premise )(?<!hypothesis )(?<!sentence )(?<!statement )says? that|claims?)\b"
)
REASONED = re.compile(r"(?:since|because|given that|while|although|though|even though)\b")
# A condition without what follows from it.
UNFINISHED_CONDITION = re.compile(r"(?:if|unless|suppose|assuming)\b(?!.*(?:,|\bthen\b))")
# A sentence that tells what another label would take: "entailment would require that".
HYPOTHETICAL = re.compile(
    r"\b(?:would (?:only |then )?(?:have|need|require|mean|imply|hold|apply)\b"
    r"|would (?:only )?be\b[^.;]*\b(?:if|only when|had)\b|requires?\b|were\b|means? that"
    r"|(?:occurs?|holds?|applies|arises?) (?:only )?(?:when|if|where)\b)",
    re.I,
)
DENIAL = re.compile(
    r"\b(?:not|never|neither|nor|no|none|cannot|non|hardly|scarcely|barely|rarely|seldom|without"
    r"|except|excluding|instead of|rather than|as opposed to|far from|anything but|unlike|lacks?"
    r"|fails? to|reject\w*|deny|denies|denied|doubt\w*|opposite|wrong|incorrect|false(?:ly)?"
    r"|exclud\w+|eliminat\w+|rul(?:e|es|ed|ing) out|impossible|isnt|aint|un(?:true|likely))\b"
    rf"|n't\b|[{DENYING}]",
    re.I,
)
DENIES = re.compile(
    r"\b(?:not(?! (?:only|just|merely|simply))|never|neither|nor|no(?! (?:less|other))|cannot"
    r"|rather than|instead of|as opposed to|without|lacks?|rul(?:e|es|ed|ing) out|exclud\w+"
    r"|insufficient|too (?:weak|little)|falls? short)\b|n't\b",
    re.I,
)
DENIED_AFTER = re.compile(
    r"\W*(?:is|are|was|can be|would be|does|do|did|can|has)?\s*"
    r"(?:not\b|n't\b|out\b|ruled out|excluded|impossible|hardly|never\b|wrong|incorrect|false\b)",
    re.I,
)
HEDGE = re.compile(
    r"\b(?:probably|perhaps|maybe|possibly|likely|presumably|supposedly|might|may|could|would"
    r"|seems?|appears?|looks? like|i think|i believe|i guess|i suppose|i feel|i assume|not sure"
    r"|unsure|uncertain|unclear|arguabl[ey]|either|or|if|unless|whether|though|although|but"
    r"|except|depend\w*|doubt\w*|almost|nearly|somewhat|partly|partially|mostly|kind of|sort of"
    r"|close to|between|in a (?:way|sense)|approximately|roughly|about|around|leaning|lean"
    r"|tentative\w*"
    r"|guess\w*|apparently|potentially|conceivably|more or less|barely|slightly|weak(?:ly)?)\b"
    rf"|[{WEIGHING}]",
    re.I,
)
# The writer's own doubt, wherever it stands.
DOUBT = re.compile(
    r"\bi(?:'m| am) (?:not|un|only guess|just guess|guess)|\bi (?:don't|do not) know\b"
    r"|\bi (?:guess|suppose|think|believe|feel|assume|doubt|could be|may be|might be)\b"
    r"|\bnot (?:\w+ )?(?:sure|confident)\b|\bunsure\b"
    r"|(?<!evidence )(?<!information )\beither way\b|\barguabl[ey]\b"
    r"|\bhard to (?:say|tell|judge|decide)\b(?! (?:whether|if|from))"
    r"|\bcould (?:also|just as well|equally|as well)\b|\balternatively\b|\bor (?:maybe"
    r"|perhaps|not)\b"
    r"|\b(?:toss-?up|borderline|50/50|coin flip|low confidence|my best guess|just a guess)\b"
    r"|\b(?:may|might|could) be (?:wrong|mistaken|argued)\b",
    re.I,
)
# Words that take back what was said.
RETRACTION = re.compile(
    r"\b(?:wait|hold on|hmm+|scratch that|strike that|never ?mind|second thoughts?|correction|oops"
    r"|my (?:mistake|bad)|take (?:that|it|this) back|kidding|jk|i meant|changed? my mind"
    r"|let me (?:re|correct|change)\w*|retract\w*|ignore (?:that|this|the above|my)|disregard"
    r"|wrong(?:ly)?|incorrect(?:ly)?|mistaken(?:ly)?|a mistake|joke|joking|lied|lying|yeah,? right"
    r"|as if|in your dreams|my foot|sarcas\w*|opposite day)\b"
    r"|\b(?:not|n't|never) (?:(?:the|a|really|quite|entirely|actually) )*(?:right|correct"
    r"|the answer)\b"
    r"|(?:^|[.!?;,\n]\s*)(?:actually|rather|no|nope|not|nah|or|but no)\b(?=\W*(?:$|[,.!?;]"
    r"|it\b|that\b"
    r"|really\b|actually\b|rather\b|maybe\b))"
    r"|\b(?:that|this|it)(?:'s| is| was)(?:n't| not) (?:true|so|it|the case|right"
    r"|correct)\b(?! that)",
    re.I,
)
DECLINED = re.compile(
    r"\bi(?:'m| am) (?:sorry|unable)|\bas an ai\b|\bi must decline\b|\bi(?:'d| would) rather not\b"
    r"|\byes,? please\b|\bno,? thank|\b(?:please|could you|can you) "
    r"(?:give|provide|send|share|tell|paste|supply|specify)\b"
    r"|\bi (?:can ?not|can't|won't|will not|am not able to|couldn't) (?:answer|help|comply|assist"
    r"|provide|choose|decide|do|continue|give|judge|classify|pick|select|respond)\b",
    re.I,
)
REFUSAL = re.compile(
    r"\b(i('m| am) (sorry|unable|not able)|i (can ?not|can't|won't|will not)|as an ai\b|i must"
    r" decline)",
    re.I,
)
# A question to the user that asks nothing about the answer.
COURTESY = re.compile(
    r"\W*(?:would you like|do you want|is there anything|does (?:that|this) help|can i help"
    r"|shall i|should i|any (?:other|more) questions|do you have|need (?:any|more)"
    r"|next (?:pair|one|item|question)|(?:but )?why(?: (?:so|is that))?\W*$|how so\W*$)",
    re.I,
)
LISTING = re.compile(
    r"\b(?:options|choices|labels|candidates|possibilities|categories|classes)\b", re.I
)
BOXED = re.compile(
    r"\\boxed\s*\{([^{}]*)\}|<(answer|label|final"
    r"|final_answer|classification|relation|relationship|verdict|prediction|result"
    r"|class|category|response|output)>([^<>]*)</\2>",
    re.I,
)
# A single word where an explanation would stand: "contradiction: absent".
SHORT_VALUE = re.compile(r"\s*[\w-]+\s*[.!]*\s*")
# A value where an explanation would stand: the label heads a row of a table.
VALUE = re.compile(
    r"[\s\"'*_(=]*(?:(?:yes|no(?! \w)|true|false|maybe|n/?a|none|unlikely|likely|possible"
    r"|impossible|high|low|medium)(?=\s*(?:$|[.,;|/)]))|[+-]?\.?\d(?!\d\s*%\)|00\s*%)"
    r"|(?:n|adj|noun|adjective)\b[.)]|[✓✔✗✘❌✅☑☐x]\s*$|[?|])",
    re.I,
)
NUMBER = re.compile(r"([+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:e-?[0-9]+)?)(\s*%)?", re.I)
# Characters that only format a text, each mapped to one that is read.
PLAIN = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»‹›「」『』〈〉《》＂〝〞", '"'),
        **dict.fromkeys("‘’‚‛´＇", "'"),
        **dict.fromkeys("\u00a0\u2007\u202f\u200b\u200c\u200d\u2060\ufeff\t\r\u3000", " "),
        **dict.fromkeys("–—‒―−", "-"),
        "：": ":",
        "，": ",",
        "、": ",",
        "。": ".",
        "！": "!",
        "？": "?",
        "؟": "?",
        "\u037e": "?",
        "¿": "?",
        "（": "(",
        "）": ")",
        "；": ";",
        "…": ".",
        "‑": "-",
        "∴": ":",
        **dict.fromkeys("➜➔➙➛➝➞➡⟶⟹⮕", "→"),
    }
)
MARKUP = re.compile(
    r"^[ ]*(?:```|~~~)[^\n]*$|<\|\w+\|>|\\[()\[\]]"
    r"|</?(?:b|strong|i|em|p|code|span|u|div)\b[^<>\n]{0,80}>"
    r"|\*+|`+|\"|\\n|(?<![A-Za-z0-9])_+|_+(?![A-Za-z0-9])|(?<![^\W_])'|'(?![^\W_])"
    r"|^[ ]*\|(?:[ :]*-+[ :|]*)*|\|[ ]*$|^[ ]*#+|^[ ]*>(?= )"
    r"|^[ ]*(?:[-•+·▪◦●‣]|\(?[0-9]{1,2}[.)])(?= )|\$",
    re.M,
)
# Words set in TeX, which are read without their command.
TEX = re.compile(r"(\\(?:text|math)\w*\s*\{)([^{}]*)\}")
# A text of the item that the reply quotes.
QUOTED = re.compile(
    r"(?:(?<=premise )|(?<=hypothesis )|(?<=sentence )|(?<=statement )"
    r"|(?<=between )|(?<=\" and ))"
    r"(?:\"[^\"\n]{3,400}\"|'[^'\n]{3,400}'(?!\w))",
    re.I,
)
SENTENCE_END = re.compile(r"(?:(?<![.!?])[.!?]++(?=\s|$)|\n)")
