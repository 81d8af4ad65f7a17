"""Pair sentences with to- and that-complements, negate them, and extract the complement (§4.1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from grice.mining._clauses import complement_sentence, keeps_loose_clause, matrix_continuation
from grice.mining._constructions import VerbComplement, auxiliaries, constructions, effective_tag
from grice.mining._english import is_plural
from grice.mining._negation import negate
from grice.mining._words import word_set
from grice.mining.pairs import MinedPair, PairOutcome, Skip, sure_band
from grice.mining.parse import FINITE, Sentence, Token
from grice.mining.signals.context import has_clashing_clause, is_opaque, unclear_extent
from grice.mining.sources import MAX_WORDS, unfit_reason
from grice.theory.signature import Environment, expected_label

ENVIRONMENTS: tuple[Environment, Environment] = ("positive", "negative")
# "may well", "might as well", "cannot but", "had better": they have no plain negation.
MODAL_IDIOM = {"well", "but", "better", "rather"}
JOINTS = ("conj", "cc", "advcl", "acl", "acl:relcl", "ccomp", "xcomp", "parataxis", "mark")
COMING = re.compile(
    r"\b(next|coming) (\w+ )?(\w*day|week|month|year|decade)|\btomorrow\b|\bsoon\W*$"
)


def complements(
    sentence: Sentence,
    *,
    contracted: bool = False,
    longest: int = MAX_WORDS,
    unlabelled: bool = False,
) -> PairOutcome:
    """Return both pairs ⟨S, C⟩ and ⟨¬S, C⟩ of every construction, or why there are none.

    With `unlabelled` verbs and sentences are taken too whose label would be unclear.
    """
    if not unlabelled and (reason := unfit_reason(sentence, longest)):
        return [Skip(reason)]
    outcome: PairOutcome = []
    for site in constructions(sentence):
        if not unlabelled and (reason := exclusion_reason(sentence, site)):
            outcome.append(Skip(reason))
            continue
        hypothesis = complement_sentence(sentence, site, all_clauses=True)
        if hypothesis is None:
            outcome.append(Skip("no sentence of its own"))
            continue
        if not unlabelled and keeps_loose_clause(sentence, hypothesis):
            outcome.append(Skip("a clause of either verb"))
            continue
        negated = negate(sentence, site, contracted=contracted)
        outcome += _pair_both(sentence, site, negated, hypothesis, unlabelled)
    return outcome or [Skip("no verb with a complement")]


def _pair_both(
    sentence: Sentence, site: VerbComplement, negated: str, hypothesis: str, unlabelled: bool
) -> Iterator[MinedPair | Skip]:
    """Yield the positive and the negative pair, each unless it needs a label that is unclear."""
    premises = (sentence.text.strip(), negated)
    for environment, premise in zip(ENVIRONMENTS, premises, strict=True):
        label = "" if unlabelled else _label(site, environment)
        if label is None:
            yield Skip("readers differ on the verb")
            continue
        if label and is_opaque(sentence, site, label, environment):
            yield Skip("a modal, the speaker or an adverb")
            continue
        tags = {
            "verb": site.listed_verb,
            "complement": site.complement,
            "construction": site.name,
            "frame": site.frame,
            "signature": site.signature,
            "signature_source": site.entry.source if site.entry else "none",
            "environment": environment,
        }
        fired = [*signs(sentence, site, environment, hypothesis)]
        rules = (f"{site.frame} {environment} {site.signature}", *traits(sentence, site))
        yield MinedPair(
            premise,
            hypothesis,
            {"signature": label} if label else {},
            tags,
            key=f"{site.verb.start}/{environment}",
            stratum=site.name,
            group=f"{site.verb.start}",
            written=(hypothesis,) if environment == "positive" else (negated, hypothesis),
            evidence="listed" if site.entry or unlabelled else "unlisted",
            sure=site.sure,
            rules=(*rules, f"clean {not fired}", *fired),
        )


def _label(site: VerbComplement, environment: Environment) -> str | None:
    """Return the label by the verb's signature; None if readers differ on it."""
    return site.entry.label(environment) if site.entry else expected_label("o/o", environment)


def signs(
    sentence: Sentence, site: VerbComplement, environment: Environment, hypothesis: str
) -> Iterator[str]:
    """Yield signals against the pair: an unclear extent, a clash with the negation, a cut end."""
    if reason := unclear_extent(sentence, site):
        yield f"unclear {reason}"
    if environment == "negative" and has_clashing_clause(sentence, site):
        yield "clash clause"
    last = next(token for token in reversed(sentence.tokens) if not token.punctuation)
    ends_so = re.search(rf"{re.escape(last.text)}\W*$", hypothesis, re.IGNORECASE)
    if last.tag != "VB" and not ends_so:
        yield "unclear end"


def traits(sentence: Sentence, site: VerbComplement) -> tuple[str, ...]:
    """Return further features of confidence: the verb, its form, its subject, the parser."""
    joints = (token for token in sentence.tokens[site.verb.i :] if token.dep in JOINTS)
    sure = min((token.sure for token in joints), default=1.0)
    behind = sentence.tokens[site.head.i + 1 :]
    has_clause = any(token.dep in ("advcl", "conj") for token in behind)
    return (
        f"verb {site.name}",
        f"form {site.tag}",
        f"subject {_describe_subject(sentence, site)}",
        sure_band("joints", sure),
        *(("clause behind",) if has_clause else ()),
    )


def _describe_subject(sentence: Sentence, site: VerbComplement) -> str:
    subject = sentence.subject(site.verb.i)
    if subject is None:
        return "none"
    is_determined = bool(sentence.children(subject.i, "det", "nmod:poss"))
    kind = subject.lower if subject.tag == "PRP" else subject.pos
    return f"{kind}{' determined' if is_determined else ''}"


def exclusion_reason(sentence: Sentence, site: VerbComplement) -> str:
    """Return why the paper leaves a sentence out, or why it is misread; empty if neither."""
    return next((reason for reason, test in EXCLUSIONS if test(sentence, site)), "")


def _words(sentence: Sentence) -> set[str]:
    return {token.lower for token in sentence.tokens}


def _inside(sentence: Sentence, site: VerbComplement) -> tuple[Token, ...]:
    """Return the tokens behind the "to" or "that"."""
    return sentence.tokens[site.mark.i + 1 :]


def _between(sentence: Sentence, site: VerbComplement) -> tuple[Token, ...]:
    """Return the tokens between the verb and the "to" or "that"."""
    return sentence.tokens[site.verb.i + 1 : site.mark.i]


def _is_negated(sentence: Sentence, _site: VerbComplement) -> bool:
    words = _words(sentence)
    return bool(words & word_set("negations")) or any(w.endswith(("n't", "n’t")) for w in words)


def _is_conditional(sentence: Sentence, _site: VerbComplement) -> bool:
    return bool(_words(sentence) & word_set("conditionals"))


def _is_passive(sentence: Sentence, site: VerbComplement) -> bool:
    if sentence.children(site.verb.i, "aux:pass"):
        return True
    helpers = auxiliaries(sentence, site.verb)
    if not helpers:
        return False
    if effective_tag(sentence, site.verb) == "VBN" and helpers[-1].lemma in ("be", "get"):
        return True
    return helpers[-1].lemma == "be" and site.tag != "VBG" and site.verb.lemma != "be"


def _is_question(sentence: Sentence, _site: VerbComplement) -> bool:
    is_asked = sentence.text.rstrip("\"”'’) ").endswith("?")
    return is_asked or sentence[0].tag in ("WRB", "WP")


def _is_nonfinite(sentence: Sentence, site: VerbComplement) -> bool:
    return site.tag not in ("VBZ", "VBP", "VBD") and not auxiliaries(sentence, site.verb)


def _is_inverted(sentence: Sentence, site: VerbComplement) -> bool:
    subject = sentence.subject(site.verb.i)
    if subject is None or subject.head != site.verb.i:
        return False
    return any(helper.i < subject.i for helper in auxiliaries(sentence, site.verb))


def _has_reflexive(_sentence: Sentence, site: VerbComplement) -> bool:
    return site.doer is not None and site.doer.lower.endswith(("self", "selves"))


def _is_purpose(_sentence: Sentence, site: VerbComplement) -> bool:
    is_attached = site.top is None or site.top.dep in ("xcomp", "ccomp")
    return site.complement == "to" and not is_attached


def _has_distant_auxiliary(sentence: Sentence, site: VerbComplement) -> bool:
    """Detect a finite auxiliary apart: "can at least say that", "must, with them, strive to"."""
    helpers = auxiliaries(sentence, site.verb)
    before = (t for t in sentence.children(site.verb.i, "aux") if t.i < site.verb.i)
    return any(t.tag in FINITE and t not in helpers for t in before)


def _is_idiom(sentence: Sentence, site: VerbComplement) -> bool:
    helpers = auxiliaries(sentence, site.verb)
    can_perceive = site.complement == "that" and site.lemma in word_set("perception") - {"see"}
    # "could tell that it rained" is no telling.
    if can_perceive and {helper.lower for helper in helpers} & {"can", "could"}:
        return True
    near = sentence.tokens[max(0, site.verb.i - 2) : site.verb.i]
    if helpers and any(token.lower in MODAL_IDIOM for token in near):
        return True
    return site.name == "have to" and _is_no_obligation(sentence, site)


def _is_no_obligation(sentence: Sentence, site: VerbComplement) -> bool:
    """Return whether "have to" is none: "the best that the town has to offer", "has yet to"."""
    # "had to say goodbye" has its object.
    has_object = bool(sentence.children(site.head.i, "obj", "ccomp", "parataxis"))
    is_empty = not has_object and site.head.lemma in ("offer", "say", "show")
    is_parted = any(token.pos != "ADV" for token in _between(sentence, site))
    return is_empty or site.head.lemma == "do" or "yet" in _words(sentence) or is_parted


def _is_hyphenated(sentence: Sentence, site: VerbComplement) -> bool:
    follows = sentence.text[site.head.end : site.head.end + 1] in ("-", "–")
    is_glued = site.verb.i > 0 and not sentence.space_before(site.verb.i)
    return follows or is_glued


def _is_no_conjunction(sentence: Sentence, site: VerbComplement) -> bool:
    has_subject = bool(sentence.children(site.head.i, "nsubj", "csubj", "expl"))
    is_other = not has_subject or site.mark.dep in ("det", "obj", "advmod")
    return site.complement == "that" and is_other


def _is_state_in_progress(_sentence: Sentence, site: VerbComplement) -> bool:
    is_progressive = site.doer is None and site.tag == "VBG"
    return site.complement == "to" and is_progressive and site.head.lemma in word_set("states")


def _is_be_to(_sentence: Sentence, site: VerbComplement) -> bool:
    return site.complement == "to" and site.lemma == "be"


def _has_focus_adverb(sentence: Sentence, site: VerbComplement) -> bool:
    before = (t for t in sentence.children(site.verb.i, "advmod") if t.i < site.verb.i)
    return any(t.lower in word_set("focus") for t in (*before, *_between(sentence, site)))


def _shares_subject(sentence: Sentence, site: VerbComplement) -> bool:
    has_subject = bool(sentence.children(site.verb.i, "nsubj", "expl"))
    return site.verb.dep == "conj" and not has_subject


def _is_embedded(sentence: Sentence, site: VerbComplement) -> bool:
    """Return whether the verb is neither the sentence's own nor conjoined with it.

    What an embedded verb entails, the sentence may not.
    """
    verb, seen = site.verb, set()
    while verb.head != verb.i and verb.i not in seen:
        seen.add(verb.i)
        if verb.dep != "conj":
            return True
        verb = sentence[verb.head]
    return sentence.subject(verb.i) is None


def _depends_on_noun(sentence: Sentence, site: VerbComplement) -> bool:
    """Detect "advised them of the plan to leave", "led us into the world to help"."""
    between = _between(sentence, site)
    if site.complement != "to" or not between:
        return False
    owned = range(len(sentence)) if site.doer is None else sentence.subtree(site.doer.i)
    nouns = (token for token in between if token.pos in ("NOUN", "PROPN"))
    is_governing = between[-1].lower in word_set("with an infinitive")
    return is_governing or any(noun.i not in owned for noun in nouns)


def _has_verb_between(sentence: Sentence, site: VerbComplement) -> bool:
    is_finite = any(token.tag in FINITE for token in _between(sentence, site))
    return site.complement == "to" and is_finite


def _is_other_form(sentence: Sentence, site: VerbComplement) -> bool:
    verb = next((token for token in _inside(sentence, site) if token.verbal), None)
    if site.complement != "to" or verb is None:
        return False
    return verb.tag != "VB" or (verb.pos == "VERB" and verb.lower != verb.lemma)


def _disagrees(sentence: Sentence, site: VerbComplement) -> bool:
    """Return whether a singular noun has a plural verb, in the main clause or the that-clause."""
    verbs = [site.verb] if site.tag == "VBP" else []
    verbs += [site.head] if site.head.tag == "VBP" and site.complement == "that" else []
    subjects = (sentence.subject(verb.i) for verb in verbs)
    nouns = (t for t in subjects if t is not None and t.tag in ("NN", "NNP"))
    return any(not is_plural(sentence, noun) for noun in nouns)


def _is_undone(sentence: Sentence, site: VerbComplement) -> bool:
    """Detect "tried to win but lost"; what seems so may be so all the same."""
    is_open = site.signature[0] == "o" and site.lemma not in word_set("raising")
    if site.frame != "to" or not is_open:
        return False
    end = matrix_continuation(sentence, site)
    return any(token.lower in ("but", "yet") for token in sentence.tokens[end : end + 2])


def _is_in_future(sentence: Sentence, site: VerbComplement) -> bool:
    """Detect "pledged to finish within the next two years": no finishing in the past."""
    is_past = site.complement == "to" and site.tag in ("VBD", "VBN")
    return is_past and COMING.search(sentence.text[site.mark.start :]) is not None


def _has_polarity_item(sentence: Sentence, site: VerbComplement) -> bool:
    if any(token.lower in word_set("polarity") for token in _inside(sentence, site)):
        return True
    is_denied = site.signature[0] == "-"
    return is_denied and re.search(r" (at all|an? single)\b", sentence.text) is not None


def _has_list_of_verbs(sentence: Sentence, site: VerbComplement) -> bool:
    conjuncts = sentence.children(site.head.i, "conj")
    has_further = any(sentence.children(token.i, "conj") for token in conjuncts)
    return site.complement == "to" and has_further


def _has_verb_of_two_clauses(sentence: Sentence, site: VerbComplement) -> bool:
    """Detect "will realize that it is so, and change it", "saw that she was cross so I smiled"."""
    if site.complement == "to":
        return False
    conjuncts = sentence.children(site.head.i, "conj")
    verbs = [t for t in conjuncts if not sentence.children(t.i, "nsubj", "expl", "mark")]
    helpers = (helper for verb in verbs for helper in sentence.children(verb.i, "aux", "cop"))
    if any(verb.tag == "VB" for verb in verbs) or any(t.tag in FINITE for t in helpers):
        return True
    inside = pairwise(_inside(sentence, site))
    if any(first.lower == "so" and second.tag == "PRP" for first, second in inside):
        return True
    return site.lemma in word_set("mandative") and "VB" in _tags_behind_and(sentence, site)


def _tags_behind_and(sentence: Sentence, site: VerbComplement) -> set[str]:
    """Return the tags of words behind a conjunction inside the complement."""
    inside = pairwise(_inside(sentence, site))
    return {second.tag for first, second in inside if first.pos == "CCONJ"}


def _has_question_inside(sentence: Sentence, site: VerbComplement) -> bool:
    """Detect "the talk between them and how they lead it"."""
    return bool(_tags_behind_and(sentence, site) & {"WRB", "WP"})


# Reason to test, first the paper's exclusions, then signs that the complement is none or does not
# stand alone; the first that holds is counted, and two tests may stand for one reason.
EXCLUSIONS: tuple[tuple[str, Callable[[Sentence, VerbComplement], bool]], ...] = (
    ("explicit negation", _is_negated),
    ("conditional", _is_conditional),
    ("passive", _is_passive),
    ("question", _is_question),
    ("the verb is not finite", _is_nonfinite),
    ("inverted", _is_inverted),
    ("a reflexive object", _has_reflexive),
    ("a purpose clause", _is_purpose),
    ("an auxiliary far off", _has_distant_auxiliary),
    ("an idiom", _is_idiom),
    ("a verb with a hyphen", _is_hyphenated),
    ("that is no conjunction", _is_no_conjunction),
    ("a state in progress", _is_state_in_progress),
    ("be with an infinitive", _is_be_to),
    ("a focus adverb", _has_focus_adverb),
    ("a verb that shares its subject", _shares_subject),
    ("not the main verb", _is_embedded),
    ("the infinitive of a noun", _depends_on_noun),
    ("a verb between", _has_verb_between),
    ("a verb of another form", _is_other_form),
    ("no agreement", _disagrees),
    ("what is said is undone", _is_undone),
    ("a time to come", _is_in_future),
    ("a polarity item", _has_polarity_item),
    ("a list of verbs", _has_list_of_verbs),
    ("a verb of two clauses", _has_verb_of_two_clauses),
    ("a question inside", _has_question_inside),
)
