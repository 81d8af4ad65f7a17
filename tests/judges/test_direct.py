"""Direct measures: what may follow a premise, without a question; kept so that PMI and calibration
are a rescore.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from grice.core.dataset import Dataset
from grice.core.errors import InputError
from grice.core.item import Item, Question
from grice.core.scale import NLI, Scale
from grice.judges.direct import BARE, clause, continuations
from grice.judges.methods import MethodSet
from grice.judges.providers.hf import Hf
from grice.judges.providers.openai import Openai
from grice.storage.evaluation import evaluate
from grice.storage.run import Run
from grice.verbs.rescore import rescore
from tests.hand import pair
from tests.judges.hosted import HostedModel, hosting, number_of
from tests.judges.models import by_id, causal_model
from tests.judges.servers import Act, serving
from tests.judges.test_hf import plain_scores

SOME = Question("some", "Some of the boys left.", "Not all of the boys left.")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return causal_model(tmp_path_factory.mktemp("direct"), "llama", longest=1024)


def test_a_hypothesis_becomes_a_clause_and_a_name_keeps_its_letter() -> None:
    assert clause("The girl, who sang, left.") == "the girl, who sang, left"
    assert clause("Kim didn't leave!") == "Kim didn't leave"
    assert {tuple(one) for one in continuations().values()} == {NLI.labels}


def test_the_scores_are_those_of_whole_texts_and_pmi_takes_off_what_a_premise_that_says_nothing_gives(
    folder: Path,
) -> None:
    judge = Hf(str(folder), readout="direct")
    (shown,) = judge.show_prompt(SOME, NLI)
    assert shown["prompt"] == SOME.premise
    assert shown["endings"][2]["text"] == " So it is not true that not all of the boys left."
    found = next(judge.judge([SOME], NLI))
    kept = json.loads(found.raw or "")["scores"][0]
    said = tuple(end["text"].strip() for end in shown["endings"])
    plain, free = plain_scores(folder, SOME.premise, said), plain_scores(folder, BARE[0], said)
    assert kept["logprobs"] == pytest.approx(plain, abs=2e-4)
    assert kept["free"]["pmi"] == pytest.approx(free, abs=2e-4)
    raised = [math.exp(a - b) for a, b in zip(plain, free, strict=True)]
    assert found.probs == pytest.approx(
        {k: x / sum(raised) for k, x in zip(NLI.labels, raised, strict=True)}, abs=1e-3
    )
    assert found.mass is None


def test_what_is_kept_is_read_again_bare_or_calibrated_cells_included(
    folder: Path, tmp_path: Path
) -> None:
    items = [Item(f"i{n}", f"Some of the {n} boys left.", SOME.hypothesis) for n in range(6)]
    data = Dataset.from_items("mine", NLI, items)
    own = tmp_path / "mine.toml"
    own.write_text('each = 3\nwording = ["1", "2", "3"]\nreadout = ["direct", "words"]\n')
    judge = Hf(str(folder), methods=str(own))
    run = evaluate(data, judge, into=tmp_path)
    assert run.answered == 6 and "mean mass of the labels" in run.notes
    bare = by_id(
        list(evaluate(data, Hf(str(folder), methods=str(own), calibrate="none")).judgements())
    )
    for calibrate in ("none", "context"):
        rescore(run, calibrate=calibrate, into=tmp_path / calibrate)
        again = next(iter((tmp_path / calibrate).glob("*/run.json"))).parent
        for one in Run.read(again).judgements():
            assert one.cells is not None
            if calibrate == "none":
                direct = [cell["probs"] for cell in one.cells if "direct" in cell["method"]]
                wanted = [c["probs"] for c in bare[one.item].cells or () if "direct" in c["method"]]
                assert [list(p.values()) for p in direct] == [
                    pytest.approx(list(p.values()), abs=1e-3) for p in wanted
                ]


def test_a_way_that_was_too_long_stays_a_fault_when_the_others_are_read_again(
    tmp_path: Path,
) -> None:
    short = causal_model(tmp_path / "short", "llama", longest=150)
    own = tmp_path / "mine.toml"
    own.write_text('each = 2\nwording = ["3"]\nreadout = ["direct", "words"]\n')
    run = evaluate(
        Dataset.from_items("mine", NLI, [Item("some", SOME.premise, SOME.hypothesis)]),
        Hf(str(short), methods=str(own)),
    )
    (row,) = rescore(run, calibrate="none", into=tmp_path / "again")
    (one,) = Run.read(Path(row["run"])).judgements()
    by = {"direct" in cell["method"]: cell for cell in one.cells or ()}
    assert by[False]["fault"].startswith("too long") and by[True]["probs"]


def test_direct_measures_have_no_order_words_or_framings_and_the_larger_sets_have_them() -> None:
    for name, count in (("quick", 0), ("standard", 4), ("full", 4)):
        direct = [method for method in MethodSet.read(name).methods if method.readout == "direct"]
        assert len(direct) == count
        assert {(m.order, m.labels) for m in direct} <= {("0", "own")}


def test_what_is_no_pair_of_inference_and_examples_are_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="readout=words"):
        list(Hf(str(folder), readout="direct").judge([SOME], Scale(labels=("yes", "no"))))
    with pytest.raises(InputError, match="leave out"):
        Hf(str(folder), readout="direct", think=8)


def echo(body: dict[str, Any], _number: int) -> Act:
    """A server that echoes each prompt, a nat a letter of each word, half of it in the words that
    the premise has.
    """
    choices = []
    for place, text in enumerate(body["prompt"]):
        premise = set(text.lower().rstrip(".").split(". ")[0].split())
        words, offsets, at = text.split(" "), [], 0
        for word in words:
            offsets.append(at)
            at += len(word) + 1
        scores = [
            None,
            *(-len(w) * (0.5 if w.lower().rstrip(".") in premise else 1.0) for w in words[1:]),
            -0.5,
        ]
        starts = [offset - (number > 0) for number, offset in enumerate(offsets)]
        told = {
            "tokens": [*words, "!"],
            "token_logprobs": scores,
            "text_offset": [*starts, len(text)],
        }
        choices.append({"index": place, "text": text, "finish_reason": "length", "logprobs": told})
    usage = {"prompt_tokens": 9, "completion_tokens": len(choices)}
    return Act(json.dumps({"choices": choices[::-1], "usage": usage, "model": "m"}))


def test_a_server_that_echoes_gives_the_same_measure_in_one_request_an_item(tmp_path: Path) -> None:
    data = Dataset.from_items("mine", NLI, [Item("some", SOME.premise, SOME.hypothesis)])
    with serving(echo) as server:
        how = {"url": server.url, "endpoint": "completions", "readout": "direct"}
        run = evaluate(data, Openai("m", **how), into=tmp_path)
        assert len(server.bodies) == 1 and len(server.bodies[0]["prompt"]) == 3 * (1 + len(BARE))
        assert server.bodies[0]["echo"] is True
        (one,) = run.judgements()
        kept = json.loads(one.raw or "")[0]["scores"]
        text = " So it is true that not all of the boys left."
        there = {"of", "the", "boys", "left"}
        cost = [len(w) * (0.5 if w in there else 1.0) for w in text.rstrip(".").split()]
        assert kept["logprobs"][0] == pytest.approx(-sum(cost) - 0.5, abs=0.51)
        assert one.probs is not None and sum(one.probs.values()) == pytest.approx(1.0, abs=1e-5)
        (row,) = rescore(run, calibrate="context", into=tmp_path / "again")
        assert row["answered"] == 1
    with pytest.raises(InputError, match="endpoint=completions"):
        Openai("m", readout="direct", url="http://127.0.0.1:9/v1")


class EchoingHost(HostedModel):
    """A hosted base model whose batches echo too."""

    def answer(self, body: dict[str, Any], *, batched: bool, messages: bool) -> Any:  # noqa: ARG002
        self.asked["batch" if batched else "single", number_of(body)] += 1
        return 200, json.loads(echo(body, 0).body), {}


def test_a_batch_of_direct_measures_asks_what_one_request_does_and_gives_the_same(
    tmp_path: Path,
) -> None:
    data = Dataset.from_items("many", NLI, [pair(i) for i in range(12)])
    how = {"endpoint": "completions", "readout": "direct", "poll": "0.01", "price": "1,1"}
    with hosting(EchoingHost()) as host:
        alone = evaluate(data, Openai("m", url=host.url, **how), into=tmp_path / "alone")
        assert not host.batches
        judge = Openai("m", url=host.url, batch="true", **how)
        (shown,) = judge.show_prompt(next(iter(data.questions())), NLI)
        run = evaluate(data, judge, into=tmp_path / "batch")
        sent = json.loads(next(iter(host.files.values())).splitlines()[0])
    assert sent["url"] == "/v1/completions" and sent["body"]["echo"] and shown["body"]["echo"]
    assert {one.item: one.probs for one in run.judgements()} == {
        one.item: one.probs for one in alone.judgements()
    }
    assert run.answered == 12 and run.notes["tokens by batch"] > 0
    assert sum(count for (way, _), count in host.asked.items() if way == "batch") >= 9


def test_a_server_that_does_not_echo_is_a_fault_that_says_so(tmp_path: Path) -> None:
    def silent(_body: dict[str, Any], _number: int) -> Act:
        return Act(json.dumps({"choices": [{"index": 0, "text": "!", "finish_reason": "stop"}]}))

    data = Dataset.from_items("mine", NLI, [Item("some", SOME.premise, SOME.hypothesis)])
    with serving(silent) as server:
        run = evaluate(
            data,
            Openai("m", url=server.url, endpoint="completions", readout="direct"),
            into=tmp_path,
        )
        assert (
            next(iter(run.judgements())).fault
            == "no logprobs: the server does not echo its prompt; use -M readout=text"
        )


def test_a_chat_is_asked_by_a_set_without_its_direct_measures() -> None:
    judge = Openai("m", methods="standard", url="http://127.0.0.1:9/v1")
    assert judge.methods is not None and len(judge.methods.methods) == 36
