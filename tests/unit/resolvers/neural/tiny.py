"""A tiny encoder with random weights, and documents in which names corefer: training in seconds."""

from pathlib import Path

from corefbench.resolvers.neural.example import Example

WORDS = ("ann", "bob", "she", "he", "saw", "met", "the", "dog", "cat", ".", "a", "and")


def encoder(folder: Path) -> str:
    """Two layers of width 32 with a vocabulary of these words."""
    import torch
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    special = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
    vocabulary = {word: number for number, word in enumerate((*special, *WORDS))}
    tokeniser = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokeniser.pre_tokenizer = Whitespace()
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    PreTrainedTokenizerFast(tokenizer_object=tokeniser, **names).save_pretrained(folder)
    torch.manual_seed(0)
    shape = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=128,
    )
    BertModel(shape, add_pooling_layer=False).save_pretrained(folder)
    return str(folder)


def documents(number: int, first: int = 0) -> list[Example]:
    """Texts of four sentences; a name and the pronoun after it are one chain."""
    made = []
    for place in range(first, first + number):
        one, two = ("ann", "bob") if place % 2 else ("bob", "ann")
        pronoun = {"ann": "she", "bob": "he"}
        thing = ("dog", "cat")[place // 2 % 2]
        words = (
            one, "saw", "the", thing, ".", pronoun[one], "met", two, ".",
            pronoun[two], "saw", "a", thing, ".", one, "and", two, "met", ".",
        )  # fmt: skip
        made.append(
            Example(
                name=f"text-{place}",
                words=words,
                sentences=(0, 5, 9, 14),
                chains={"own": (((0, 1), (5, 6), (14, 15)), ((7, 8), (9, 10), (16, 17)))},
            )
        )
    return made


def conll(examples: list[Example]) -> str:
    """The documents in CoNLL columns."""
    lines = []
    for example in examples:
        chain_of = {start: number for number, chain in enumerate(example.chains["own"]) for start, _ in chain}
        lines.append(f"#begin document ({example.name}); part 000")
        for place, word in enumerate(example.words):
            if place in example.sentences[1:]:
                lines.append("")
            cell = f"({chain_of[place]})" if place in chain_of else "-"
            lines.append(f"{example.name} 0 {place} {word} {cell}")
        lines += ["", "#end document"]
    return "\n".join(lines) + "\n"
