"""Methods as data: their sets, their prompts, how they are dealt, and asking an API by them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.judgement import Judgement
from grice.core.methods import PLAIN, parse_method
from grice.core.scale import NLI
from grice.judges.methods import Method, MethodSet
from grice.judges.prompts import Wordings, framings
from grice.judges.providers.hf import Hf
from grice.judges.providers.openai import Openai
from grice.loading import load, load_judge
from grice.profiling.exchange import ask_exchanged, free_to_ask
from grice.storage.evaluation import evaluate
from grice.storage.run import Run
from tests.hand import pair, three
from tests.judges.models import causal_model
from tests.judges.servers import Act, completion, serving


@pytest.mark.parametrize(("name", "methods"), [("quick", 12), ("standard", 40), ("full", 136)])
def test_a_set_deals_every_method_equally_often_and_neighbours_different_ones(
    name: str, methods: int
) -> None:
    made = MethodSet.read(name)
    assert len(made.methods) == methods
    dealt = made.assign([f"i{n}" for n in range(500)], seed=3)
    counts = Counter(method.name for some in dealt.values() for method in some)
    assert len(counts) == methods and max(counts.values()) - min(counts.values()) <= 1
    assert not set(dealt["i0"]) & set(dealt["i1"])
    assert dealt != made.assign([f"i{n}" for n in range(500)], seed=4)


def test_no_method_is_tied_to_a_place_within_the_paradigms() -> None:
    made = MethodSet.read("quick")
    dealt = list(made.assign([f"i{n}" for n in range(1200)]).values())
    for place in range(12):
        counts = Counter(method.name for some in dealt[place::12] for method in some)
        assert len(counts) == 12, (
            f"place {place} of 100 paradigms of 12 items is asked by {len(counts)} methods"
        )


@pytest.mark.parametrize("name", ["quick", "standard", "full"])
def test_every_method_asks_in_its_own_words_and_is_known_by_its_name(name: str) -> None:
    question = next(three().questions())
    made = MethodSet.read(name).methods
    asked = [method.prompt(question, NLI, Wordings()) for method in made]
    assert len(
        {(prompt.text, prompt.words if prompt.text == question.premise else ()) for prompt in asked}
    ) == len(made)
    assert all(question.premise in prompt.text for prompt in asked)
    assert len({json.dumps(parse_method(method.name)) for method in made}) == len(made)
    assert parse_method(Method().name) == PLAIN


def test_a_framing_shows_words_of_its_own() -> None:
    prompt = Method(wording="misleading", readout="letter", order="1").prompt(
        next(three().questions()), NLI, Wordings()
    )
    assert prompt.labels == ("neutral", "contradiction", "entailment")
    assert prompt.words == ("neither", "true", "false")
    assert "A. neither: " in prompt.text
    assert set(framings()) == {"follow", "conclude", "misleading"}


def test_a_set_of_ones_own_is_read_and_checked(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    own.write_text('each = 2\nwording = ["1", "3"]\nlabels = ["own", "plain"]\n')
    assert len(MethodSet.read(str(own)).methods) == 4
    for text, said in (
        ("wordings = []", "Did you mean 'wording'"),
        ("each = 9", "there are 1 methods"),
        ("a b", "TOML"),
    ):
        own.write_text(text)
        with pytest.raises(InputError, match=said):
            MethodSet.read(str(own))
    with pytest.raises(InputError, match="quick"):
        MethodSet.read("quik")


def test_an_api_is_asked_by_several_methods_and_its_words_are_read_as_labels(
    tmp_path: Path,
) -> None:
    own = tmp_path / "mine.toml"
    own.write_text('each = 2\nwording = ["1", "follow"]\nreadout = ["text"]\norder = ["0", "1"]\n')

    def script(body: dict[str, Any], number: int) -> Act:  # noqa: ARG001
        return completion(
            "yes" if "Does it follow" in body["messages"][0]["content"] else "neutral"
        )

    data = Dataset.from_items("many", NLI, [pair(i) for i in range(8)])
    with serving(script) as server:
        run = evaluate(data, Openai("m", url=server.url, methods=str(own)), into=tmp_path / "runs")
        again = evaluate(
            data, Openai("m", url=server.url, methods=str(own)), into=tmp_path / "runs"
        )
    assert len(server.bodies) == 16 and again.answered == run.answered
    cells = [cell for row in run.frame["cells"] for cell in json.loads(row)]
    said = {parse_method(cell["method"])["wording"]: cell["answer"] for cell in cells}
    assert said == {"1": "neutral", "follow": "entailment"}
    assert Counter(cell["method"] for cell in cells).most_common()[-1][1] == 4
    own.write_text('context = ["few3"]\n')
    with pytest.raises(InputError, match="cannot be asked by the method"):
        evaluate(data, Openai("m", url="http://127.0.0.1:9/v1", methods=str(own)))


def test_a_model_that_is_asked_by_methods_can_be_asked_anew_and_recorded_answers_cannot(
    tmp_path: Path,
) -> None:
    data = load("quantifiers@7", groups=2)
    judge = Hf(str(causal_model(tmp_path / "llama", "llama", longest=2048)), methods="quick")
    (tmp_path / "answers.jsonl").write_text('{"id": "a", "answer": "neutral"}\n')
    recorded = load_judge(f"preds/{tmp_path}/answers.jsonl")
    assert free_to_ask(judge) and not free_to_ask(recorded)
    first = Run.recorded(data, "m", [Judgement(key, "entailment") for key in data.ids])
    found = ask_exchanged(data, first, judge, count=4, into=tmp_path / "runs")
    assert found is not None and found.same.n <= 4
    dealt = judge.methods.assign(data.ids)
    (kept,) = (tmp_path / "runs").iterdir()
    for one in Run.read(kept).judgements():
        asked = [cell["method"] for cell in one.cells or ()]
        assert asked == [method.name for method in dealt[one.item]], (
            "other ways would tell of the ways"
        )
    with pytest.raises(InputError, match="recorded answers only"):
        ask_exchanged(data, first, recorded, count=4, into=None)
