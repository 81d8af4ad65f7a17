"""Remove, add and replace conjuncts in real sentences, with labels by rule (ConjNLI §3 and §5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grice.mining._changes import changes
from grice.mining._coordinated import Coordination, Removal
from grice.mining._coordination import coordinations
from grice.mining._english import end_sentence, write
from grice.mining._removal import remove_conjunct
from grice.mining._replacements import Replacement, replacements
from grice.mining._words import word_set
from grice.mining.labels import has_two_names, is_denied_within, is_open, label, traits
from grice.mining.pairs import MinedPair, PairOutcome, Skip, sure_band
from grice.mining.parse import Sentence
from grice.mining.signals.coordination import coordination_signals
from grice.mining.signals.removal import removal_signals
from grice.mining.sources import MAX_WORDS, unfit_reason
from grice.theory.conjuncts import Operation

# Rule and operation of `or` on which logic and the paper agree; "exclusive" where `is_open`.
AGREED = {("denied", "removed"), ("denied", "added"), ("equivalent", "removed")}
# Signals that what is left does not follow. They do not concern the pair turned round, in which
# nothing follows anyway.
FOLLOWS = {"together", "best_of"}


@dataclass(frozen=True)
class ConjunctEdit:
    """One change of a coordination: the new sentence, the operation, and the side."""

    site: Coordination
    operation: Operation
    side: str
    text: str
    change: Replacement | None = None

    @property
    def detail(self) -> str:
        """Return how the word of a replaced conjunct was chosen."""
        return self.change.detail if self.change else ""


def conjuncts(sentence: Sentence, *, longest: int = MAX_WORDS, seed: int = 0) -> PairOutcome:
    """Return pairs with a conjunct removed, added (the same pair turned round) and replaced."""
    if reason := unfit_reason(sentence, longest):
        return [Skip(reason)]
    if sentence.text.rstrip("\"”')! ").endswith("?"):
        return [Skip("a question")]
    outcome: PairOutcome = []
    seen = {sentence.text.strip()}
    for site in coordinations(sentence):
        bounds = [f"doubt {name}" for name in coordination_signals(sentence, site)]
        for edit in _edits(sentence, site, seed):
            if edit.text in seen:
                continue
            seen.add(edit.text)
            removal = Removal(site, edit.side)
            losses = removal_signals(sentence, removal, replaced=edit.change is not None)
            fired = [*bounds, *(f"loss {name}" for name in losses)]
            for pair in _pair_edit(sentence, edit, fired):
                is_agreed = _is_agreed(sentence, site, pair)
                outcome.append(pair if is_agreed else Skip("readers differ on what follows"))
    return outcome or [Skip("no coordination")]


def conjunct_categories(sentence: Sentence) -> list[str]:
    """Return the category of each coordination, as in Table 4 of ConjNLI: "NP + NP"."""
    return [site.category for site in coordinations(sentence)]


def _is_agreed(sentence: Sentence, site: Coordination, pair: MinedPair) -> bool:
    """Return whether logic, readers and ConjNLI agree on what follows.

    They differ on names, groups and most of `or`: "Ana came" entails "Ana or Ben came".
    """
    if pair.tags["changed"] != "or":
        # "It was not cold, nor was it dark" does entail a half.
        is_half_denied = pair.tags["rule"] == "neither" and site.partner is None
        return pair.tags["rule"] not in ("name", "collective") and not is_half_denied
    either = {t.i for t in sentence.tokens[: site.mark.i] if t.lower == "either"} - {site.partner}
    if site.kind == "Clause" or either:
        return False
    if pair.tags["operation"] == "replaced":
        before = sentence[site.mark.i - 1]
        is_aside = (site.pause is not None and not site.before) or before.text == "("
        return not is_aside and not has_two_names(sentence, site)
    if (pair.tags["rule"], pair.tags["operation"]) == ("exclusive", "removed"):
        return is_open(sentence, site)
    if pair.tags["rule"] == "denied" and not is_denied_within(sentence, site):
        return False
    return (pair.tags["rule"], pair.tags["operation"]) in AGREED


def conjunct_edits(sentence: Sentence, *, seed: int = 0) -> Iterator[ConjunctEdit]:
    """Yield every change of every coordination, removals first."""
    for site in coordinations(sentence):
        yield from _edits(sentence, site, seed)


def _edits(sentence: Sentence, site: Coordination, seed: int) -> Iterator[ConjunctEdit]:
    """Yield the changes of a coordination."""
    if _needs_both(sentence, site):
        return
    # Of "all but one" only the exception goes.
    for side in ("right",) if site.kinds == ("Det", "Number") else ("right", "left"):
        text = remove_conjunct(sentence, site, side)
        if text is not None:
            yield ConjunctEdit(site, "removed", side, text)
    for change in (*replacements(sentence, site, seed=seed), *changes(sentence, site)):
        side = "left" if change.token.i in site.left else "right"
        text = end_sentence(write(sentence, swap=change.swap), "")
        yield ConjunctEdit(site, "replaced", side, text, change)


def _pair_edit(sentence: Sentence, edit: ConjunctEdit, fired: Sequence[str]) -> Iterator[MinedPair]:
    """Yield the pair of an edit, and for a removal the pair turned round."""
    site, source = edit.site, sentence.text.strip()
    directions: list[tuple[Operation, str, str]] = [(edit.operation, source, edit.text)]
    if edit.operation == "removed":
        directions.append(("added", edit.text, source))
    for operation, premise, hypothesis in directions:
        labelled = label(sentence, site, operation, edit.change)
        boolean = {"boolean": labelled.boolean} if labelled.boolean else {}
        tags = {
            **traits(sentence, site),
            "changed": site.word,
            "operation": operation,
            "side": edit.side,
            "category": site.category,
            "rule": labelled.rule,
            **({"replaced": edit.detail} if edit.detail else {}),
        }
        signals = [s for s in fired if operation != "added" or s.split()[1] not in FOLLOWS]
        yield MinedPair(
            premise,
            hypothesis,
            {"heuristic": labelled.label, **boolean},
            tags,
            key=f"{site.mark.start}{operation[0]}{edit.side[0]}",
            stratum="or" if site.word == "nor" else site.word,
            written=(edit.text,),
            sure=_certainty(sentence, site),
            rules=(
                f"{site.word} {operation} by {labelled.rule}",
                f"category {site.category}",
                f"{operation} {edit.side}",
                f"{operation} of {site.category}",
                *_shape_features(sentence, site, operation),
                *_parser_features(sentence, site),
                *(signals or ("plain", f"plain {operation} {_size(site)}")),
            ),
        )


def _certainty(sentence: Sentence, site: Coordination) -> float:
    """Return how sure the parser is of the heads, and of the edges of both conjuncts."""
    edges = (sentence[i] for i in (site.left.start, site.right.stop - 1))
    return min([site.sure, *(token.sure for token in edges if not token.punctuation)])


def _size(site: Coordination) -> str:
    return "clause" if site.is_clausal else "phrase"


def _shape_features(sentence: Sentence, site: Coordination, operation: str) -> Iterator[str]:
    """Yield features of the position and shape of the coordination, and of what follows it.

    What ends its sentence is surer than what goes on, most of all where a pronoun follows.
    """
    position = site.first(sentence).dep
    lengths = ("one word" if len(span) == 1 else "more" for span in (site.left, site.right))
    behind = [token for token in sentence.tokens[site.right.stop :] if not token.punctuation]
    yield f"as {position}"
    yield f"{operation} as {position}"
    yield "list" if site.before else "two"
    yield "pause" if site.pause is not None else "no pause"
    yield f"{_size(site)} of {', '.join(lengths)}"
    yield "goes on" if behind else "ends"
    if any(token.tag.startswith("PRP") for token in behind):
        yield "pronoun behind"


def _parser_features(sentence: Sentence, site: Coordination) -> Iterator[str]:
    """Yield the parser's certainty around the coordination and in the whole sentence."""
    near = sentence.tokens[max(0, site.begin - 1) : site.right.stop + 1]
    for name, tokens in (("joints", near), ("words", sentence.tokens)):
        yield sure_band(name, min(token.sure for token in tokens if not token.punctuation))


def _needs_both(sentence: Sentence, site: Coordination) -> bool:
    """Return whether no conjunct can go: "between A and B", "not only … but also"."""
    return (
        _is_bound_by_word(sentence, site)
        or _is_repeated(sentence, site)
        or _has_later_conjunct(sentence, site)
        or _is_glued(sentence, site)
        or (site.word == "but" and _is_bound_by_but(sentence, site))
    )


def _is_bound_by_word(sentence: Sentence, site: Coordination) -> bool:
    """Return whether "respectively", "both", "between" or the like needs both."""
    if {token.lower for token in sentence.tokens} & (word_set("both needed") - {"between"}):
        return True
    if any(token.lower == "both" and token.i != site.partner for token in sentence.tokens):
        return True
    before = sentence.tokens[max(0, site.left.start - 3) : site.left.start]
    return site.word == "and" and any(token.lower == "between" for token in before)


def _is_repeated(sentence: Sentence, site: Coordination) -> bool:
    """Return whether the right conjunct is "not" or the same words: "county or counties"."""
    left, right = (
        [sentence[i].lemma for i in span if sentence[i].tag != "DT"]
        for span in (site.left, site.right)
    )
    return right == ["not"] or left == right


def _has_later_conjunct(sentence: Sentence, site: Coordination) -> bool:
    """Return whether a list continues right behind the right conjunct, without a conjunction."""
    conjuncts = sentence.children(site.first(sentence).i, "conj")
    later = (token for token in conjuncts if not sentence.children(token.i, "cc"))
    stop = site.right.stop
    return bool(site.before) and any(min(sentence.subtree(t.i)) == stop for t in later)


def _is_bound_by_but(sentence: Sentence, site: Coordination) -> bool:
    """Return whether "but" needs both: "every nation but one", "could not help but laugh"."""
    if site.kinds == ("Det", "Number"):
        return False
    # Each "but" of a chain contrasts with what went before.
    if sum(token.lower == "but" for token in sentence.tokens) > 1:
        return True
    left, right = ([sentence[i].lower for i in span] for span in (site.left, site.right))
    if right[0] in ("one", "two") and word_set("universals") & set(left):
        return True
    # "had but to ask"
    if left[-1] in ("help", "had"):
        return True
    # "not only … but also" would keep half of itself.
    before = sentence.tokens[: site.mark.i]
    adverbs = (token for token in before if token.lower == "only" and token.i)
    return any(sentence[adverb.i - 1].lower in ("not", "n't") for adverb in adverbs)


def _is_glued(sentence: Sentence, site: Coordination) -> bool:
    """Return whether a hyphen ties a conjunct to the rest: "whites-only", "hide-and-seek"."""
    start, stop = site.left.start, site.right.stop
    around = sentence.text[site.mark.start - 1 : site.mark.end + 1]
    if around == f"-{site.mark.text}-":
        return True
    if start > 0 and sentence[start - 1].text == "-" and not sentence.space_before(start):
        return True
    is_hyphen = stop < len(sentence) and sentence[stop].text == "-"
    return is_hyphen and not sentence.space_before(stop) and site.kind == "Adj"
