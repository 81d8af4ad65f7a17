"""Patterns of replies: how an answer is stated, and what takes a stated answer back."""

from __future__ import annotations

import re

# Characters that deny a label, and that weigh one.
DENYING = "¬≠☐❌❎✗✘✖🚫👎⛔"
WEIGHING = "~≈🤔🤷❓⁇"

_NOUN = (
    r"(?:ans(?:wer)?|label|relation(?:ship)?|verdict|choice|option|result|conclusion|judge?ment"
    r"|classification|category|prediction|response|output|decision|inference|class|selection"
    r"|assessment|evaluation|determination|truth(?: value)?|final|solution|rating"
    r"|probability|score|number|value|estimate"
    r"|réponse|antwort|respuesta|risposta|resposta|antwoord|ответ|答案|回答)"
)
_ADJECTIVE = (
    r"(?:final|correct|best|right|most appropriate|appropriate|most accurate|accurate|logical"
    r"|semantic|chosen|selected|overall|nli|predicted|inference|textual|resulting|single)"
)
_THINGS = (
    r"(?:the|these|those|both|this|that|two|given|sentences?|texts?|statements?|premise|and|&"
    r"|hypothesis|hypotheses|pair|question|item|problem|them|case|task|relation(?:ship)?|it)"
)
_OF = (
    rf"(?: (?:between|of|to|for|from|in|here)(?: {_THINGS})*"
    r"| that (?:it|this|(?:the|this) (?:hypothesis|statement|claim)) (?:is true|holds|follows)"
    r"| (?:that )?i(?:'d| would|'ll| will)? (?:assign|give|choose|pick|select))?"
)
_THEREFORE = (
    r"(?:so|thus|therefore|hence|overall|in conclusion|in summary|in short|to conclude"
    r"|consequently|accordingly|finally|as a result|conclusion)"
)
_OPENER = (
    rf"(?:{_THEREFORE}|in (?:this|that|the given) case|(?:in )?one word|hello|hi|thanks|thank you"
    r"|yes|ok|okay|sure|sure thing|certainly|of course|clearly|here|well|great|alright|right"
    r"|definitely|obviously|undoubtedly|evidently|plainly|i(?:'m| am) (?:sure|certain|confident)"
    r"(?: that)?"
    r"|(?:based on|given|considering|according to|from)"
    r" (?:this|that(?=,)|it|(?:the|this|my) (?:above|given|analysis|premise|premises|information"
    r"|reasoning|context|text|sentences|definitions?|options|evidence)(?: (?:and|above|given"
    r"|premise|hypothesis|provided|analysis|reasoning))*))"
)
_SUBJECT = rf"(?:(?:the|my|its?|our|this|your) )?(?:{_ADJECTIVE} )*{_NOUN}{_OF}"
_ABOUT = (
    r"(?:it|this|that|there|they|these|(?:the|these|both) (?:two )?(?:sentences|statements|texts)"
    r"|(?:the|this) (?:given )?(?:sentence |text |premise-hypothesis )?pair"
    r"|(?:the |this |that )?(?:hypothesis|claim|conclusion|statement)|the (?:second|latter)"
    r" (?:sentence|statement|text)"
    r"|(?:the )?premise and (?:the )?hypothesis|the hypothesis and (?:the )?premise)"
)
_ADVERB = r"(?: (?:clearly|definitely|therefore|thus|then|hence|simply|certainly|best|surely))?"
_BECOMES = (
    r"(?:is|are|'s|'re|would be|will be|must be|should be|has to be|remains"
    r"|can be(?= \w+(?:ed|en)\b))"
    rf"{_ADVERB}(?: (?:described as|classified as|labell?ed(?: as)?|categori[sz]ed as|that of"
    r"|one of|considered|best described as|characteri[sz]ed as|as follows|in(?: a relation of)?"
    r"|(?:a |an )?(?:(?:clear|plain) )?(?:case|instance|example) of))?"
)
# Verbs by which two sentences are said to have a relation.
_FORMS = (
    r"(?:forms?|constitutes?|represents?|expresse?s?|stands? in|has|have|shows?|counts? as"
    r"|qualif(?:y|ies) as|amounts? to|corresponds? to|exhibits?|displays?"
    r"|illustrates?|exemplif(?:y|ies)|reflects?"
    r"|gets? the label|falls? (?:under|into)(?: the)?"
    r"|belongs? to(?: the (?:category|class) of)?"
    r"|(?:is|'s) what (?:we|one) (?:would )?calls?)"
)
CLEAR = (
    r"(?:clear(?:-cut)?|plain|simple|straightforward|definite|strict|obvious|direct|logical"
    r"|classic|textbook|outright|definitely|clearly|simply|plainly)"
)
_SIGN = r"(?:[:=]|-+>|=+>|→|⇒|-|\|)"
_SAYING = (
    r"(?:i(?:'d| would|'ll| will| shall|'m| am)?(?: (?:therefore|thus|clearly|definitely))?"
    r" (?:say|answer|assign|give|choose|pick|select|conclude|vote for|go with|go for|opt for|label"
    r"|classify|choosing|going with|rate)(?: (?:it|this|that|them|(?:the|this) (?:pair"
    r"|relation(?:ship)?"
    r"|hypothesis|answer)))?(?: (?:as|to be|is|are|be|option))?"
    rf"(?: (?:it|this|the (?:answer|relation(?:ship)?|label)){_OF}(?:'s| is))?"
    r"|we're dealing with|(?:here )?we (?:have|get|obtain|conclude)(?: that it is)?)"
)
# What may stand before the label in a sentence that states it, in lower case with single blanks.
STATEMENT = re.compile(
    rf"(?P<opener>(?:{_OPENER}(?:[,:.!]| -)? ?)*)"
    rf"(?:(?P<noun>(?:(?:here(?: is|'s)"
    rf"|below is) )?{_SUBJECT}) ?(?:{_BECOMES}(?: ?{_SIGN})?|{_SIGN})"
    rf"|(?P<about>{_ABOUT}) ?(?:{_BECOMES}|{_FORMS})(?: ?:)?"
    rf"|(?P<saying>{_SAYING}) ?:?"
    rf"|(?P<sign>(?:-+>|=+>|→|⇒|:))?)"
    rf" ?(?:(?:a|an|the)(?: |$))?(?:{CLEAR}(?: |$))*"
    r"(?:(?:label|option|choice|answer|class) ?:? ?)?"
)
THEREFORE = re.compile(
    rf"(?:and )?\b(?:{_THEREFORE}\b"
    r"|(?:which )?(?:mak(?:es|ing)|mean(?:s|ing)|indicat(?:es|ing))\b)"
)
# What may stand after the label in a sentence whose subject it is.
IS_THE_ANSWER = re.compile(
    rf"\s+(?:(?:it is|applies|applies here|fits(?: best| here)?)\s*(?P<short>[.!]*)$"
    rf"|(?:is|would be)\s+(?:(?:the|my|our)\s+)?(?:{_ADJECTIVE}\s+)*"
    rf"(?:(?:{_NOUN}|fit|match|description){_OF}(?: here)?|correct|right|appropriate)"
    r"\s*(?P<rest>[.!,;:(].*|because\b.*|since\b.*)?)",
    re.I | re.S,
)
# The end of the label's own phrase, and what separates it from an explanation.
TAIL = re.compile(
    r"[\s)\]}>]*+(?:(?:relation(?:ship)?|label|option|class|category|pair|one)\b)?[\s)\]}>✅✔️👍]*+"
    r"(?:(?P<end>[.!]*+\s*+$)"
    r"|(?P<comma>[,;])(?P<aside>.*)"
    r"|(?P<colon>:|[→⇒]|[-=]+>|\(|\.\s++(?=\S)|(?<=\s)-++\s|--++)(?P<gloss>.*)"
    r"|(?P<why>\b(?:because|since|given(?: that)?|due to|based on|in this case|here|to each other"
    r"|(?:with respect|relative|in relation) to|to (?:the|one another)"
    r"|of (?:the|this) (?:premise|first)|between (?:the|them|these|premise|both)"
    r"|rather than|instead of|as opposed to"
    r"|with (?:the|each other|one another|respect)|for (?:the|this|these)"
    r"|as(?!\s+(?:well|if|though|opposed|long|far|much|soon|a|an)\b))\b.*))",
    re.S,
)
REASON = re.compile(
    r"\s*(?:because|since|as(?! (?:if|though|some|many))|so|given|which means|meaning|for|i\.e\."
    r"|that is(?=,))\b",
    re.I,
)
# A clause before the statement that gives its reason, and one on which it would depend.
GROUND = re.compile(
    r"(?:since|because|as(?! (?:they|you|some|many|most|one|people|he|she) )"
    r"|given|after|based|while|although|though|even though|\w+ing)\b"
)
CONDITION = re.compile(
    r"\b(?:if|unless|suppose|assuming|were|had|whether"
    r"|(?<!premise )(?<!hypothesis )(?<!sentence )(?<!statement )says? that|claims?)\b"
)
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
    r"|close to|between|approximately|roughly|about|around|leaning|lean|tentative\w*"
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
# A short sentence that gives the reason for an answer, and denies nothing.
SCARCE = re.compile(
    r"\W*(?:not enough|no|insufficient|without) (?:\w+ )?(?:info(?:rmation)?|evidence|detail"
    r"|inference|connection|link|proof|support|indication|basis|data|context|mention)",
    re.I,
)
# A question to the user that asks nothing about the answer.
COURTESY = re.compile(
    r"\W*(?:would you like|do you want|is there anything|does (?:that|this) help|can i help"
    r"|shall i|should i|any (?:other|more) questions|do you have|need (?:any|more)"
    r"|(?:but )?why(?: (?:so|is that))?\W*$|how so\W*$)",
    re.I,
)
LISTING = re.compile(
    r"\b(?:options|choices|labels|candidates|possibilities|categories|classes)\b", re.I
)
BOXED = re.compile(
    r"\\boxed\s*\{\s*(?:\\text\w*\s*\{)?([^{}]*)\}|<(answer|label|final"
    r"|final_answer|classification|relation|relationship|verdict|prediction|result"
    r"|class|category)>([^<>]*)</\2>",
    re.I,
)
# A single word where an explanation would stand: "contradiction: absent".
SHORT_VALUE = re.compile(r"\s*[\w-]+\s*[.!]*\s*")
# A value where an explanation would stand: the label heads a row of a table.
VALUE = re.compile(
    r"[\s\"'*_(=]*(?:(?:yes|no(?! \w)|true|false|maybe|n/?a|none|unlikely|likely|possible"
    r"|impossible|high|low|medium)\b|[+-]?\.?\d"
    r"|[✓✔✗✘❌✅☑☐x]\s*$|[?|])",
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
    r"^[ ]*(?:```|~~~)[^\n]*$"
    r"|(?<!\{)(?<!\{ )\\text\w*(?=\s*\{)|</?(?:b|strong|i|em|p|code|span|u|div)\b[^<>\n]{0,80}>"
    r"|\*+|`+|\"|\\n|(?<![A-Za-z0-9])_+|_+(?![A-Za-z0-9])|(?<![^\W_])'|'(?![^\W_])"
    r"|^[ ]*\|(?:[ :]*-+[ :|]*)*|\|[ ]*$|^[ ]*#+|^[ ]*>(?= )"
    r"|^[ ]*(?:[-•+·▪◦●‣]|[0-9]{1,2}[.)])(?= )|\$",
    re.M,
)
# A table of one item: its heads and its cells.
TABLE = re.compile(r"^\|([^\n]+)\|[ ]*\n\|[ :|-]+\|[ ]*\n\|([^\n]+)\|[ ]*(?=\Z|\n(?!\|))", re.M)
ITEM_HEAD = re.compile(
    r"[ *]*(?:premise|hypothesis|sentence(?: \d)?|item|pair|id|#|nr?\.?)[ *]*", re.I
)
# A text of the item that the reply quotes.
QUOTED = re.compile(
    r"(?:(?<=premise )|(?<=hypothesis )|(?<=sentence )|(?<=statement ))"
    r"(?:\"[^\"\n]{3,400}\"|'[^'\n]{3,400}'(?!\w))",
    re.I,
)
SENTENCE_END = re.compile(r"(?:(?<![.!?])[.!?]++(?=\s|$)|\n)")
INITIAL = re.compile(r"(?:^|[^\w])[A-T]$")
