"""Clauses with a presupposition, each made from one draw and shared by several phenomena."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from grice.generate import grammar
from grice.generate._everyday import (
    StateChange,
    belongings,
    changes,
    habits,
    named_people,
    repeatable_deeds,
)
from grice.generate._presupposition import Clause, Presupposed, Trigger
from grice.generate._random import Rng
from grice.generate._scenes import Act, pair_by_tone
from grice.generate.grammar import Subject, Tense, Verb, VerbPhrase
from grice.generate.lexicon import Words, read_verb, table
from grice.generate.phenomenon import Draw, Slots


def pick_other_person(words: Words, rng: Rng, *taken: Subject) -> Subject:
    """Return another person, by name."""
    return rng.pick_other(words.named_people, *taken)


def possession_trigger(draw: Draw) -> Trigger:
    """Return the clause "Ana's car broke down", which presupposes that Ana had a car."""
    owner, thing, tense = draw["owner"], draw["thing"], draw.cell["tense"]
    has, never = ("had", "there never was") if tense == "past" else ("has", "there isn't")
    other = draw.rng.pick_other(named_people(), owner)
    doubts = (
        f"{never} any such {thing.singular}",
        f"whether there {grammar.be(tense)} any such {thing.singular}",
    )
    holds, fails = f"{has} {grammar.a(thing.singular)}", f"{has} no {thing.singular}"
    presupposed = presuppose(owner, other, holds, fails, doubts=doubts)
    # "The sister snored" is unnatural, so a relative is somebody's.
    of = "somebody's" if thing.singular in relatives() else "the"
    return Trigger(
        Subject(f"{grammar.possessive(owner.text)} {thing.singular}"),
        thing.fact,
        tense,
        presupposed,
        Clause(Subject(f"{of} {thing.singular}"), thing.fact),
    )


@cache
def relatives() -> frozenset[str]:
    """Return the possessions that are someone's relatives."""
    return frozenset(row["singular"] for row in table("possessions") if row["sort"] == "kin")


# What one may do about a thing or an activity, whatever became of it.
_MENTIONS = (
    VerbPhrase(Verb("talk", "talks", "talked", "talked", "talking"), "about"),
    VerbPhrase(Verb("ask", "asks", "asked", "asked", "asking"), "about"),
    VerbPhrase(Verb("speak", "speaks", "spoke", "spoken", "speaking"), "about"),
)
_SPEAK_OF = VerbPhrase(Verb("speak", "speaks", "spoke", "spoken", "speaking"), "of")


def pick_mention(what: str, rng: Rng) -> VerbPhrase:
    """Return the phrase "talk about smoking", with one "about" only."""
    verb = _SPEAK_OF if " about" in what else rng.pick(_MENTIONS)
    return verb.extend(what)


def mention(person: Subject, what: str, rng: Rng) -> Clause:
    """Return the clause "Ana talked about smoking", which takes nothing for granted."""
    return Clause(person, pick_mention(what, rng.copy()))


def change_trigger(draw: Draw) -> Trigger:
    """Return the clause "Ana opened the gate", which presupposes that it was closed before."""
    change, tense = draw["change"], draw.cell["tense"]
    thing, other = change.phrase.rest, draw.rng.pick(change.others)
    past = tense == "past"
    when, be = ("beforehand", "was") if past else ("at the moment", "is")
    fails = _fails(change)
    # "Already locked at the moment" says it twice.
    since = "" if fails.startswith("already ") and not past else when
    states = ((thing, change.before, when), (thing, fails, since), (other, change.before, when))
    took, ago = ("had taken", "before") if past else ("took", "ago")
    done = f"somebody else {took} care of {change.phrase.gerund} an hour {ago}"
    doubts = done, f"whether {done}"
    holds, fail, open_ = (
        grammar.sentence(subject, be, state, time) for subject, state, time in states
    )
    presupposed = Presupposed(holds, fail, open_, doubts)
    plain = mention(draw["person"], thing, draw.rng)
    return Trigger(draw["person"], change.phrase, tense, presupposed, plain)


def _fails(change: StateChange) -> str:
    """Return the negation of the state before: "already locked" for "unlocked"."""
    if change.before.startswith("un") and " " not in change.before:
        return f"already {change.phrase.verb.participle}"
    return (
        change.before.replace("not", "already", 1)
        if change.before.startswith("not ")
        else f"not {change.before}"
    )


@cache
def aspectuals() -> dict[str, tuple[VerbPhrase, bool]]:
    """Return aspectual verbs, each with whether it presupposes that the activity was going on."""
    return {
        row["base"]: (VerbPhrase(read_verb(row)), row["before"] == "on")
        for row in table("aspectuals")
    }


def aspectual_trigger(draw: Draw, word: str) -> Trigger:
    """Return the clause "Ana stopped collecting stamps", which presupposes that she did.

    With "started" it presupposes that she did not.
    """
    phrase, on = aspectuals()[word]
    person, habit, tense = draw["person"], draw["habit"], draw.cell["tense"]
    other = pick_other_person(draw.words, draw.rng, person)
    who, past = person.text, tense == "past"
    if past:
        was, was_not, end = f"had been {habit.gerund}", f"hadn't been {habit.gerund}", "before then"
    else:
        was, was_not, end = habit.third, f"doesn't {habit.base}", "these days"
    holds, fails = (was, was_not) if on else (was_not, was)
    has, did = ("", habit.past) if past else ("has", habit.participle)
    never = f"never {did} in the first place" if on else f"always {did}"
    doubts = grammar.join(who, has, never), grammar.join("whether", who, has, "ever", did, "at all")
    presupposed = presuppose(person, other, holds, fails, end, doubts=doubts)
    plain = mention(person, habit.gerund, draw.rng)
    return Trigger(person, phrase.extend(habit.gerund), tense, presupposed, plain)


def iterative_trigger(draw: Draw, word: str) -> Trigger:
    """Return the clause "Ana painted the fence again" or "Ana returned to Lima".

    It presupposes an earlier time.
    """
    person, tense = draw["person"], draw.cell["tense"]
    other = pick_other_person(draw.words, draw.rng, person)
    if word == "return to":
        city = draw["city"].singular
        where = f"to {city} {draw['time'].text}"
        phrase, plain = VerbPhrase(_RETURN, where), VerbPhrase(_GO, where)
        done, doing = f"been to {city}", f"in {city}"
    else:
        plain = draw["deed"].phrase
        phrase, done, doing = plain.extend(word), plain.participle, plain.gerund
    has, was = ("had", "was") if tense == "past" else ("has", "would be")
    doubts = (
        f"{person.text} {was} {doing} for the first time",
        f"whether {person.text} {has} ever {done} before that",
    )
    presupposed = presuppose(person, other, f"{has} already", f"{has} never", done, doubts=doubts)
    return Trigger(person, phrase, tense, presupposed, Clause(person, plain))


_RETURN = Verb("return", "returns", "returned", "returned", "returning")
_GO = Verb("go", "goes", "went", "gone", "going")


def attitude_trigger(
    draw: Draw, phrase: VerbPhrase, link: str, deed: VerbPhrase, plain: VerbPhrase
) -> Trigger:
    """Return the clause "Bo regrets that Ana painted the fence" (or "knows why").

    It presupposes that Ana painted it. `plain` is a predicate without that presupposition: "says
    that", "asks whether".
    """
    person, tense = draw["person"], draw.cell["tense"]
    doer = pick_other_person(draw.words, draw.rng, person)
    other = pick_other_person(draw.words, draw.rng, doer, person)
    return Trigger(
        person,
        phrase.extend(link, doer.text, deed.past),
        tense,
        presuppose_act(doer, deed, other),
        Clause(person, plain.extend(doer.text, deed.past)),
    )


# Reports that leave open whether it is so.
REPORTS = (
    VerbPhrase(Verb("say", "says", "said", "said", "saying"), "that"),
    VerbPhrase(Verb("think", "thinks", "thought", "thought", "thinking"), "that"),
    VerbPhrase(Verb("believe", "believes", "believed", "believed", "believing"), "that"),
    VerbPhrase(Verb("claim", "claims", "claimed", "claimed", "claiming"), "that"),
)


def presuppose(
    who: Subject,
    other: Subject,
    holds: str,
    fails: str,
    rest: str = "",
    *,
    doubts: tuple[str, str] = ("", ""),
) -> Presupposed:
    """Return three sentences: that something holds of someone, fails, holds of someone else."""
    of = ((who, holds), (who, fails), (other, holds))
    positive, negated, neutral = (
        grammar.sentence(subject.text, verb, rest) for subject, verb in of
    )
    return Presupposed(positive, negated, neutral, doubts)


def presuppose_act(
    doer: Subject, deed: VerbPhrase, other: Subject, tense: Tense = "past"
) -> Presupposed:
    """Return the presupposition that someone did something, its negation, and another doer."""
    did_not = grammar.inflect_negated(deed, tense)
    did, do = grammar.inflect(deed, tense), "will do" if tense == "future" else "did"
    doubts = f"{doer.text} {do} nothing of the kind", f"whether {doer.text} {did} at all"
    return presuppose(doer, other, did, did_not, doubts=doubts)


@cache
def factive_reports(sort: str, tense: str) -> Sequence[tuple[VerbPhrase, Act]]:
    """Return the factives of a sort (cognitive, emotive) in this tense, each with suitable news."""
    rows = [
        row for row in table("factives") if row["sort"] == sort and tense in row["tenses"].split()
    ]
    return pair_by_tone((row["tone"], VerbPhrase(read_verb(row), row["rest"])) for row in rows)


def trigger_slots(words: Words, kind: str) -> Slots:
    """Return the slots from which `pick_trigger` makes a trigger of this kind in the past."""
    if kind == "possession":
        return {"owner": named_people(), "thing": belongings("past")}
    options: dict[str, Slots] = {
        "change of state": {"change": changes()},
        "aspectual": {"habit": habits()},
        "iterative": {"deed": repeatable_deeds()},
        "factive": {"report": factive_reports("emotive", "past")},
    }
    return {"person": words.people, **options[kind]}


def pick_trigger(draw: Draw, aspectual_verbs: tuple[str, ...]) -> Trigger:
    """Return a clause with a trigger of the kind that the condition `trigger_type` names."""
    match draw.cell["trigger_type"]:
        case "possession":
            return possession_trigger(draw)
        case "change of state":
            return change_trigger(draw)
        case "aspectual":
            return aspectual_trigger(draw, draw.rng.pick(aspectual_verbs))
        case "iterative":
            return iterative_trigger(draw, draw.rng.pick(("again", "once more")))
        case _:
            verb, deed = draw["report"]
            plain = draw.rng.copy().pick(REPORTS)
            return attitude_trigger(draw, verb, "that", deed.phrase, plain)
