"""Export a checkpoint as the shipped folder.

The network becomes an ONNX graph with weights of 8 bits; the last layer of the relations, which is
applied to the arcs of the tree once that is known, becomes two small arrays.
"""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from recipes.english import treebank
from recipes.english.train import LICENCE
from recipes.english.train import NOTICE as CORPORA
from recipes.english_accurate.data import TASKS, lemmas
from recipes.english_accurate.network import Network
from recipes.english_accurate.train import SEED, network_for, source

ENCODER = """
The weights started from all-MiniLM-L6-v2 (Apache License 2.0):
  https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2, itself made from
  nreimers/MiniLM-L6-H384-uncased and Microsoft's MiniLM (MIT): Wenhui Wang, Furu Wei, Li Dong,
  Hangbo Bao, Nan Yang and Ming Zhou (2020): MiniLM: Deep Self-Attention Distillation for
  Task-Agnostic Compression of Pre-Trained Transformers. NeurIPS 2020.
  Its table of word pieces (tokenizer.json) is included. Licence: http://www.apache.org/licenses/LICENSE-2.0
  Changes: trained further, rounded to 8 bits.
"""

NOTICE = CORPORA.replace("`en`", "`en-accurate`") + ENCODER


VERSION = "1.0.0"
PACKAGE = Path(__file__).parents[2] / "src" / "corefbench" / "preprocess" / "models" / "en_accurate"
INPUTS = ["pieces", "shapes", "edges"]
OUTPUTS = ["arcs", "starts", "dependents", "heads", *TASKS]


class Decided(nn.Module):
    """The network with the best class of every task in place of the scores of all, unpadded."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, pieces: Tensor, shapes: Tensor, edges: Tensor) -> tuple[Tensor, ...]:
        mask = torch.ones_like(pieces)
        arcs, starts, dependents, heads, *tasks = self.network(pieces, shapes, mask, edges)
        return arcs, starts, dependents, heads, *(scores.argmax(2) for scores in tasks)


def export(corpora: Path, work: Path, folder: Path = PACKAGE) -> None:
    """Write the folder anew."""
    classes = json.loads((work / "classes.json").read_text(encoding="utf-8"))
    network = network_for(classes)
    state = torch.load(work / "checkpoint.pt")
    network.load_state_dict(state["network"])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    graph(network, folder / "model.onnx")
    label = network.label
    np.savez(folder / "relations.npz", weight=label.weight.detach().numpy(), bias=label.bias.detach().numpy())
    write_json(folder / "classes.json", classes)
    shorten_tokenizer(source() / "tokenizer.json", folder / "tokenizer.json")
    training = treebank.ewt(corpora, "train") + treebank.gum(corpora, "train", free=True)
    write_json(folder / "lemmas.json", lemmas(training))
    write_json(folder / "meta.json", card(corpora, state["done"]), indent=2)
    (folder / "LICENSE").write_text(LICENCE, encoding="utf-8")
    (folder / "NOTICE").write_text(NOTICE, encoding="utf-8")


def graph(network: Network, path: Path) -> None:
    """The network as ONNX with dynamically quantised weights."""
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.quantization.shape_inference import quant_pre_process

    with TemporaryDirectory() as scratch:
        plain, ready = Path(scratch) / "plain.onnx", Path(scratch) / "ready.onnx"
        plain_graph(network, plain)
        quant_pre_process(plain, ready, skip_symbolic_shape=True)
        quantize_dynamic(
            ready,
            path,
            op_types_to_quantize=["MatMul", "Gemm", "Gather"],
            per_channel=True,
            # Without VNNI the products of 8 bits overflow 16; 7 bits do not.
            reduce_range=True,
            weight_type=QuantType.QInt8,
        )


def plain_graph(network: Network, path: Path) -> None:
    """The network as ONNX with all its bits."""
    pieces = torch.ones(2, 7, dtype=torch.long)
    edges = torch.ones(2, 5, 2, dtype=torch.long)
    axes = {name: {0: "batch", 1: "piece"} for name in INPUTS}
    axes |= {name: {0: "batch", 1: "word"} for name in (*OUTPUTS, "edges")}
    axes["arcs"] = {0: "batch", 1: "word", 2: "head"}
    torch.onnx.export(
        Decided(network).eval(),
        (pieces, pieces * 0, edges),
        str(path),
        input_names=INPUTS,
        output_names=OUTPUTS,
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )


def shorten_tokenizer(source: Path, path: Path) -> None:
    """The tokenizer without its limits on the length."""
    table = json.loads(source.read_text(encoding="utf-8"))
    write_json(path, table | {"truncation": None, "padding": None})


def write_json(path: Path, value: Any, indent: int | None = None) -> None:
    """A file that ends in a line break."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    path.write_text(text + "\n", encoding="utf-8")


def card(corpora: Path, steps: int) -> dict[str, Any]:
    """What ``meta.json`` says; ``evaluate`` adds the scores on the development sets."""
    return {
        "name": "en-accurate",
        "version": VERSION,
        "description": "English tagger, lemmatiser, parser and entity recogniser of corefbench",
        "author": "The corefbench authors",
        "license": "CC BY-SA 4.0",
        "sources": [
            *treebank.SOURCES,
            {
                "name": "all-MiniLM-L6-v2 (encoder)",
                "url": "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
                "license": "Apache-2.0",
            },
        ],
        "data_sha256": treebank.hashes(corpora),
        "seed": SEED,
        "steps": steps,
    }


def main(words: Sequence[str]) -> None:
    """``DATA WORK``."""
    export(*map(Path, words))
