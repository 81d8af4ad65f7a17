"""An item as a line of a file."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from grice.core.item import Item

TEXT = st.text(max_size=8)
ANSWER = TEXT | st.floats(allow_nan=False) | st.sampled_from([0, 1, 0.0, 1.0])


@given(
    st.builds(
        Item,
        TEXT,
        TEXT,
        st.none() | TEXT,
        st.dictionaries(TEXT, ANSWER, max_size=3),
        st.dictionaries(TEXT, TEXT | st.lists(TEXT, max_size=2).map(tuple), max_size=3),
        st.none() | TEXT,
    )
)
def test_a_line_is_what_the_json_module_writes(item: Item) -> None:
    assert item.to_line() == json.dumps(item.to_json(), ensure_ascii=False)
