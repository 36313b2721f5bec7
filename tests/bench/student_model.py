#!/usr/bin/env python3
"""Writes a directory as a student of Firefox has it, with random weights: a model of Marian with SSRU, a vocabulary, a lexical
table, and text.  The times of translate do not depend on the weights if the length of the output is fixed:

  tests/bench/student_model.py DIR && convert-model -o student.safetensors DIR
  translate -m student.safetensors --beam-size 1 --max-length-ratio 1 --max-length-extra 0 DIR/text
  translate -m student.safetensors --shortlist off ...
"""
import argparse
import os
import random
import struct

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("directory")
parser.add_argument("--vocabulary", type=int, default=32000)
parser.add_argument("--d-model", type=int, default=256)
parser.add_argument("--d-ff", type=int, default=1536)
parser.add_argument("--best", type=int, default=100, help="target words of a source word")
parser.add_argument("--lines", type=int, default=500)
parser.add_argument("--tokens", type=int, default=25, help="of a line")
args = parser.parse_args()
d, ff, words = args.d_model, args.d_ff, args.vocabulary
random.seed(1)
arrays = {"Wemb": (words, d), "decoder_ff_logit_out_b": (1, words)}


def linear(prefix, letters, rows, columns):
    for letter in letters:
        arrays[f"{prefix}W{letter}"] = (rows, columns)
        arrays[f"{prefix}b{letter}"] = (1, columns)


def layer(prefix, attentions):
    for attention in attentions:
        linear(f"{prefix}_{attention}_", "qkvo", d, d)
        arrays[f"{prefix}_{attention}_Wo_ln_scale"] = arrays[f"{prefix}_{attention}_Wo_ln_bias"] = (1, d)
    linear(f"{prefix}_ffn_", "1", d, ff)
    linear(f"{prefix}_ffn_", "2", ff, d)
    arrays[f"{prefix}_ffn_ffn_ln_scale"] = arrays[f"{prefix}_ffn_ffn_ln_bias"] = (1, d)


for number in range(1, 7):
    layer(f"encoder_l{number}", ["self"])
for number in (1, 2):
    layer(f"decoder_l{number}", ["context"])
    arrays[f"decoder_l{number}_rnn_W"] = arrays[f"decoder_l{number}_rnn_Wf"] = (d, d)
    for name in ("bf", "ffn_ln_scale", "ffn_ln_bias"):
        arrays[f"decoder_l{number}_rnn_{name}"] = (1, d)

settings = f"""dec-cell: ssru
dec-depth: 2
dim-emb: {d}
dim-vocabs:
  - {words}
  - {words}
enc-depth: 6
tied-embeddings-all: true
transformer-decoder-autoreg: rnn
transformer-dim-ffn: {ff}
transformer-ffn-activation: relu
transformer-heads: 8
transformer-postprocess: dan
transformer-preprocess: ""
transformer-tied-layers:
  []
type: transformer
version: v1.12
"""


def values(name, rows, columns):
    if name.endswith("_ln_scale"):
        return struct.pack("<f", 1) * columns
    # A long sequence of random numbers, repeated, is as good and much faster.
    block = struct.pack("<4099f", *(random.gauss(0, 1 / d**0.5) for _ in range(4099)))
    return (block * (rows * columns // 4099 + 1))[: 4 * rows * columns]


text = settings.encode() + b"\0"
items = [(name, 0x404, shape, 4 * shape[0] * shape[1]) for name, shape in sorted(arrays.items())]
items.append(("special:model.yml", 0x101, (len(text),), len(text)))
with open(f"{args.directory}/model.bin", "wb") as out:
    out.write(struct.pack("<2Q", 1, len(items)))
    for name, kind, shape, size in items:
        out.write(struct.pack("<4Q", len(name) + 1, kind, len(shape), size))
    for name, *_ in items:
        out.write(name.encode() + b"\0")
    for _, _, shape, _ in items:
        out.write(struct.pack(f"<{len(shape)}i", *shape))
    out.write(struct.pack("<Q", 0))
    for name, kind, shape, _ in items:
        out.write(values(name, *shape) if kind == 0x404 else text)

tokens = ["</s>", "<unk>"] + [f"w{i}" for i in range(2, words)]
with open(f"{args.directory}/vocab.yml", "w") as out:
    out.writelines(f"{token}: {i}\n" for i, token in enumerate(tokens))
with open(f"{args.directory}/lex.s2t", "w") if args.best > 0 else open(os.devnull, "w") as out:
    for source in tokens:
        # Frequent target words are likelier.
        for target in {int(words ** random.random()) for _ in range(3 * args.best)}:
            out.write(f"{tokens[target % words]} {source} {random.random():.6f}\n")
with open(f"{args.directory}/text", "w") as out:
    for _ in range(args.lines):
        out.write(" ".join(tokens[max(2, int(words ** random.random()) % words)] for _ in range(args.tokens)) + "\n")
