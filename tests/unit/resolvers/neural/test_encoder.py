"""Words become the pieces that transformers would make of them."""

import json

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from corefbench.resolvers.neural.encoder import load_tokenizer

PIECES = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "ann", "print", "##er", "##s", ".", "é", "w", "##w")
NAMES = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
WORDS = ("Ann", "printers", "Printer", ".", "zzz", "\u200b", "Ann", "w" * 40)


@pytest.fixture
def folder(tmp_path):
    numbers = {piece: number for number, piece in enumerate(PIECES)}
    made = Tokenizer(WordPiece(numbers, unk_token="[UNK]"))
    made.normalizer, made.pre_tokenizer = BertNormalizer(), BertPreTokenizer()
    # As the files of sentence encoders have it: every text is filled up or cut.
    made.enable_padding(length=12)
    made.enable_truncation(3)
    PreTrainedTokenizerFast(tokenizer_object=made, **NAMES).save_pretrained(tmp_path)
    made.save(str(tmp_path / "tokenizer.json"))
    return tmp_path


def test_pieces_are_neither_filled_up_nor_cut(folder):
    ann, printers, printer, stop, unknown, empty, again, long = load_tokenizer(str(folder)).pieces(WORDS)
    assert (ann, again, printers, printer, stop) == ([4], [4], [5, 6, 7], [5, 6], [8])
    assert unknown == empty == [1]
    assert long == [10] + 15 * [11]


def test_they_are_those_of_transformers(folder):
    theirs = AutoTokenizer.from_pretrained(folder)
    made = theirs([f" {word}" for word in WORDS[:5]], add_special_tokens=False, padding=False)
    assert load_tokenizer(str(folder)).pieces(WORDS[:5]) == made["input_ids"]


def test_special_pieces_are_found_however_they_are_written(folder):
    path = folder / "tokenizer_config.json"
    assert load_tokenizer(str(folder)).frame() == (2, 3)
    path.write_text(json.dumps({"cls_token": {"content": "[SEP]"}}))
    (folder / "special_tokens_map.json").write_text(json.dumps(NAMES))
    made = load_tokenizer(str(folder))
    assert made.frame() == (3, 3)
    assert made.separator == "[SEP]"


def test_an_encoder_may_have_no_special_pieces(folder):
    (folder / "tokenizer_config.json").unlink()
    made = load_tokenizer(str(folder))
    assert made.frame() == (0, 0)
    assert made.separator is None


def test_it_is_read_back_from_what_it_saves(folder, tmp_path):
    made = load_tokenizer(str(folder))
    made.save(tmp_path / "again")
    again = load_tokenizer(str(tmp_path / "again"))
    assert again.pieces(WORDS) == made.pieces(WORDS)
    assert again.frame() == made.frame()
    assert AutoTokenizer.from_pretrained(tmp_path / "again").cls_token == "[CLS]"
