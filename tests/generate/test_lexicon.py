from pathlib import Path

import pytest

from grice.core.errors import InputError
from grice.generate._random import Rng
from grice.generate.lexicon import WORDS, lexicon, read_table, table


def test_a_table_has_a_header_and_remarks(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text("# fruit\nword\tkind\n\nfig\tsweet\nlime\t\n", encoding="utf-8")
    assert read_table(path) == [{"word": "fig", "kind": "sweet"}, {"word": "lime", "kind": ""}]


def test_a_line_of_the_wrong_length_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text("word\tkind\nfig\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"mine\.tsv:2: 1 cells under 2 columns"):
        read_table(path)


def test_a_missing_table_or_kind_says_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such table"):
        read_table(tmp_path / "none.tsv")
    with pytest.raises(InputError, match="Did you mean 'nouns'"):
        table("noun")
    with pytest.raises(InputError, match="Did you mean 'furniture'"):
        lexicon().nouns_of("furnitures")


def test_every_table_of_ours_can_be_read() -> None:
    assert all(table(path.stem) for path in WORDS.glob("*.tsv"))


def test_a_kind_holds_the_nouns_of_the_kinds_below_it() -> None:
    words = lexicon()
    clothing = words.nouns_of("clothing")
    assert set(words.nouns_of("shoes")) < set(clothing) and len(set(clothing)) == len(clothing)
    assert not set(clothing) & set(words.nouns_of("food"))


def test_a_scene_has_an_object_that_fits_its_verb() -> None:
    words = lexicon()
    for deed in words.verb_objects()[::40]:
        kinds = {above for kind in deed.noun.kinds for above in words.ancestors(kind)}
        assert kinds & set(deed.entry.objects)


def test_only_things_that_can_be_counted_are_counted() -> None:
    assert all(deed.noun.countable for deed in lexicon().verb_objects(counted="few"))


def test_a_partner_is_another_thing_of_the_same_kind() -> None:
    words, rng = lexicon(), Rng(3)
    for deed in words.verb_objects("event")[::60]:
        partner = words.partner(deed, rng)
        assert partner.noun != deed.noun and set(partner.noun.kinds) & set(deed.noun.kinds)
        assert not partner.object.endswith(" " + (deed.noun.singular or deed.noun.plural))


def test_the_lexicon_holds_three_thousand_words() -> None:
    words = lexicon()
    verbs = {entry.verb.base for entry in words.verbs}
    assert len(words.nouns) + len(words.names) + len(words.adjectives) + len(verbs) >= 3_000
