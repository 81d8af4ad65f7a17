"""Every combination that scenes, episodes and news can make, walked through: who does what where."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import pytest

from grice.core.errors import InputError
from grice.generate import _scenes as scenes
from grice.generate._random import Rng
from grice.generate.grammar import VerbPhrase
from grice.generate.lexicon import lexicon, table

# What people of any sort may be called; a calling stands only where the place is its own.
TIE = 17


def sentences() -> Iterator[str]:
    """Each way in which two acts of one occasion, and people with their acts, can meet in a
    sentence.
    """
    for one in scenes.occasions():
        who = one.who(TIE)
        yield f"All four {who} who {one.act.phrase.past} were there."
        for other in one.act.others:
            yield f"The {who} who {one.act.phrase.past} {other.past}."
            yield f"The {who} {one.act.phrase.past} or {other.past}."
    for act in (*scenes.episodes(), *scenes.news()):
        for other in act.others:
            yield f"Ana {act.phrase.past} and {other.past}."
            yield f"Ana didn't {act.phrase.base} before Bo {other.past}."
    for post in scenes.posts():
        yield f"The {post.person} {scenes.locate(post.place, TIE)} left."


def test_no_combination_doubles_a_word_or_is_left_unfilled() -> None:
    """Such as "who booked a guided tour toured the brewery" would be with one letter less."""
    slip = re.compile(r"\b(\w+)(?: the| a)? \1(?:e?d|ing|s)?\b|[*@]|  ", re.IGNORECASE)
    wrong = {found.group() for text in sentences() if (found := slip.search(text))}
    assert wrong == set()


def test_no_act_stands_twice_in_a_cluster_and_no_verb_either() -> None:
    """A cluster has four acts at least, since a third one takes the place of the second."""
    for act in (*scenes.shared_acts(), *scenes.episodes()):
        assert len(act.others) >= 3
        # "Wore a scarf or wore a hat" would be one act with two objects.
        assert act.phrase.verb not in {other.verb for other in act.others}, (
            act.sort,
            act.phrase.base,
        )


def test_no_act_of_a_line_is_part_of_another() -> None:
    """Who paid the waiter in cash paid the waiter: the one would follow from the other."""
    lines = [{act.phrase.base, *(other.base for other in act.others)} for act in scenes.episodes()]
    lines += [{act.phrase.base for act in scene.acts} for scene in scenes.scenes()]
    assert [
        pair
        for line in lines
        for pair in permutations(line, 2)
        if pair[0].startswith(pair[1] + " ")
    ] == []


def test_people_places_and_posts_belong_to_one_scene() -> None:
    for kept in ("groups", "places"):
        counts = Counter(one for scene in scenes.scenes() for one in getattr(scene, kept))
        assert [one for one, n in counts.items() if n > 1] == [], kept
    for scene in scenes.scenes():
        assert not {person + "s" for person in scene.staff} & set(scene.groups), scene.name


def test_every_place_is_made_one_by_a_name_or_a_city() -> None:
    places = [place for scene in scenes.scenes() for place in scene.places]
    assert [
        place for place in places if len(re.findall(r"\*'s|(?:in|near|to|of) @", place)) != 1
    ] == []
    assert len({scenes.locate(place, tie) for place in places for tie in scenes.TIES}) == len(
        places
    ) * len(scenes.TIES)


def test_callings_are_no_part_of_people_in_general() -> None:
    roles = {f"the {noun.singular}" for noun in lexicon().roles}
    assert not roles & {person.text for person in lexicon().people}


def test_a_companion_is_another_act_of_the_same_cluster() -> None:
    rng = Rng(5)
    for act in (*scenes.shared_acts()[::7], *scenes.episodes()[::7]):
        second = act.pick_companion(rng)
        third = act.pick_companion(rng, second)
        assert len({act.phrase, second, third}) == 3 and {second, third} <= set(act.others)


def test_each_scene_has_two_clusters_that_share_no_companion() -> None:
    for scene in scenes.scenes():
        first, last = scene.acts[0], scene.acts[-1]
        assert len(scene.acts) == 8 and len(first.others) == len(last.others) == 3
        assert not {first.phrase, *first.others} & {last.phrase, *last.others}


def test_an_episode_tells_what_came_before() -> None:
    """In the order of the line; what has no order in time has nothing before it."""
    for row in table("episodes"):
        line = [scenes.read_act(text) for text in row["acts"].split(" | ")]
        acts = [act for act in scenes.episodes() if act.sort == row["scene"]]
        assert [act.earlier for act in acts] == [tuple(line[:place]) for place in range(len(line))]
    assert {act.earlier for act in (*scenes.shared_acts(), *scenes.news())} == {()}


def test_an_act_whose_verb_has_no_forms_says_where_to_give_them() -> None:
    with pytest.raises(InputError, match=r"called 'yarn'.*words/verb_forms\.tsv"):
        scenes.read_act("yarn about the war")
    assert scenes.read_act("hand out leaflets").past == "handed out leaflets"


def test_who_lies_in_the_shade_tells_no_lie() -> None:
    assert scenes.read_act("lie in the shade").past == "lay in the shade"
    assert scenes.read_act("lie about the money").past == "lied about the money"


def test_the_tone_of_a_feeling_chooses_its_news() -> None:
    glad, surprised = (
        VerbPhrase(scenes.read_act("work").verb, word) for word in ("glad", "surprised")
    )
    pairs = scenes.pair_by_tone((("good", glad), ("", surprised)))
    assert {act.sort for phrase, act in pairs if phrase == glad} == {"good"}
    assert {act.sort for phrase, act in pairs if phrase == surprised} == {"good", "bad"}


def test_every_table_of_forms_is_used() -> None:
    acts = (*scenes.shared_acts(), *scenes.episodes(), *scenes.news())
    phrases = [act.phrase for act in acts] + [
        *scenes.undertakings(),
        *scenes.family_acts("habit"),
        *scenes.family_acts("memory"),
    ]
    used = {phrase.verb.base for phrase in phrases}
    assert [row["base"] for row in table("verb_forms") if row["base"] not in used] == []
