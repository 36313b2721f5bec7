#!/usr/bin/env python3
"""Beam search in PyTorch with a checkpoint of awend, for comparison (translate_beside_pytorch.sh
runs both).

Token lines on stdin, translations on stdout, one line of JSON with the seconds of the translation
(neither imports nor loading) on stderr.  The search is awend's: a finished hypothesis is scored by
ln P / ((5 + length) / 6)^alpha, each step looks at the 2 * beam best continuations of a hypothesis,
and a sentence is done when nothing that lives can win.  Sentences are sorted by length into
batches, keys and values of all tokens so far are kept, those of the source are computed once for all
hypotheses of a sentence, and projections of one input are one product.  A batch ends with its last
sentence; with --compact sentences that are done leave it, at the price of some more code.
"""
import argparse
import json
import math
import struct
import sys
import time

import torch
import torch.nn.functional as F


def load(path):
    """Weights by name, the configuration, and the pieces of the vocabulary."""
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        buffer = bytearray(file.read())
    metadata = header.pop("__metadata__")
    weights = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        values = torch.frombuffer(buffer, dtype=torch.float32, offset=begin, count=(end - begin) // 4)
        weights[name] = values.reshape(entry["shape"])
    lines = metadata["awend.vocabulary"].split("\n")
    at = next(i for i, line in enumerate(lines) if line.startswith("pieces "))
    pieces = [line.rsplit("\t", 1)[0] for line in lines[at + 1 : at + 1 + int(lines[at].split()[1])]]
    end = next(int(line.split()[1]) for line in lines if line.startswith("end-of-sentence "))
    return weights, json.loads(metadata["awend.config"]), pieces, end


class Model:
    def __init__(self, weights, config):
        fixed = {"norm": "post", "tie": "all", "activation": "relu", "positions": "sinusoid"}
        for setting, value in fixed.items():
            if config[setting] != value:
                sys.exit(f"only models of the paper's kind: {setting} {value}")
        self.w, self.c = weights, config
        self.table = weights["embedding"]
        d = config["d-model"]
        place = torch.arange(4096)[:, None]
        rate = torch.exp(torch.arange(0, d, 2) * (-math.log(10000) / d))
        self.positions = torch.stack([torch.sin(place * rate), torch.cos(place * rate)], -1).flatten(1)
        for i in range(config["decoder-layers"]):
            self.join(f"decoder.{i}.self", ("query", "key", "value"))
            self.join(f"decoder.{i}.cross", ("key", "value"))
        for i in range(config["encoder-layers"]):
            self.join(f"encoder.{i}.self", ("query", "key", "value"))

    def join(self, name, parts):
        self.w[name + ".joined"] = torch.cat([self.w[f"{name}.{part}"] for part in parts], 1)

    def heads(self, x):
        """(n, length, heads * d) -> (n, heads, length, d)"""
        return x.unflatten(-1, (self.c["heads"], -1)).transpose(1, 2)

    def attend(self, q, k, v, hidden=None):
        scores = torch.matmul(q * q.shape[-1] ** -0.5, k.transpose(-2, -1))
        if hidden is not None:
            scores = scores.masked_fill(hidden, float("-inf"))
        return torch.matmul(torch.softmax(scores, -1), v).transpose(1, 2).flatten(2)

    def norm(self, x, name):
        gain, bias = self.w[name + ".gain"][0], self.w[name + ".bias"][0]
        return F.layer_norm(x, gain.shape, gain, bias, 1e-6)

    def feed_forward(self, x, name):
        inner = torch.relu(x @ self.w[name + ".inner"] + self.w[name + ".inner_bias"])
        return inner @ self.w[name + ".outer"] + self.w[name + ".outer_bias"]

    def encode(self, ids, hidden):
        """ids (n, length) -> for each decoder layer the keys and values of the source."""
        x = self.table[ids] * math.sqrt(self.c["d-model"]) + self.positions[: ids.shape[1]]
        for i in range(self.c["encoder-layers"]):
            name = f"encoder.{i}."
            q, k, v = map(self.heads, (x @ self.w[name + "self.joined"]).chunk(3, -1))
            y = self.attend(q, k, v, hidden) @ self.w[name + "self.output"]
            x = self.norm(x + y, name + "self_norm")
            x = self.norm(x + self.feed_forward(x, name + "feed_forward"), name + "feed_forward_norm")
        layers = range(self.c["decoder-layers"])
        memory = ((x @ self.w[f"decoder.{i}.cross.joined"]).chunk(2, -1) for i in layers)
        return [[self.heads(k), self.heads(v)] for k, v in memory]

    def step(self, ids, position, past, source, hidden, beam):
        """ids (n * beam) or None -> log-probabilities (n * beam, vocabulary); extends `past`."""
        n = source[0][0].shape[0]
        x = torch.zeros(n * beam, 1, self.c["d-model"])
        if ids is not None:
            x = self.table[ids][:, None] * math.sqrt(self.c["d-model"])
        x = x + self.positions[position]
        for i in range(self.c["decoder-layers"]):
            name = f"decoder.{i}."
            q, k, v = map(self.heads, (x @ self.w[name + "self.joined"]).chunk(3, -1))
            if past[i] is not None:
                k, v = torch.cat([past[i][0], k], 2), torch.cat([past[i][1], v], 2)
            past[i] = [k, v]
            x = self.norm(x + self.attend(q, k, v) @ self.w[name + "self.output"], name + "self_norm")
            # All hypotheses of a sentence ask the same source.
            q = self.heads((x @ self.w[name + "cross.query"]).reshape(n, beam, -1))
            y = self.attend(q, *source[i], hidden).reshape(n * beam, 1, -1)
            x = self.norm(x + y @ self.w[name + "cross.output"], name + "cross_norm")
            x = self.norm(x + self.feed_forward(x, name + "feed_forward"), name + "feed_forward_norm")
        return torch.log_softmax(x[:, 0] @ self.table.T, -1)


def penalty(length, alpha):
    return ((5 + length) / 6) ** alpha


def translate(model, sentences, end, o):
    """The best translation of each sentence of one batch."""
    n, beam = len(sentences), o.beam_size
    width = max(map(len, sentences)) + 1
    ids = torch.tensor([s + [end] * (width - len(s)) for s in sentences])
    hidden = (torch.arange(width) > torch.tensor([[len(s)] for s in sentences]))[:, None, None]
    source = model.encode(ids, hidden)
    past = [None] * len(source)
    longest = [len(s) + 50 for s in sentences]
    best = [None] * n  # (score, ids)
    active = list(range(n))
    done = [False] * n
    texts = [[[] for _ in range(beam)] for _ in range(n)]
    sums = torch.tensor([[0.0] + [-math.inf] * (beam - 1)] * n)
    last = None
    for length in range(1, max(longest) + 1):
        log_p = model.step(last, length - 1, past, source, hidden, beam)
        values, tokens = log_p.topk(2 * beam)
        totals = (values + sums.flatten()[:, None]).reshape(len(active), -1)
        values, places = totals.topk(2 * beam)
        tokens = tokens.reshape(len(active), -1).gather(1, places).tolist()
        parents = (places // (2 * beam)).tolist()
        values = values.tolist()
        kept, rows, last, next_sums, next_texts = [], [], [], [], []
        for at, sentence in enumerate(active):
            living = []
            if done[sentence]:
                tokens[at] = []
            for value, token, parent in zip(values[at], tokens[at], parents[at]):
                if value == -math.inf:
                    continue
                text = texts[at][parent]
                if token == end:
                    score = value / penalty(length, o.alpha)
                    if best[sentence] is None or score > best[sentence][0]:
                        best[sentence] = (score, text)
                elif len(living) < beam:
                    living.append((value, text + [token], parent, token))
            if not done[sentence]:
                if length == longest[sentence] and best[sentence] is None:
                    best[sentence] = (living[0][0], living[0][1])
                reachable = living[0][0] / penalty(longest[sentence], o.alpha)
                won = best[sentence] is not None and best[sentence][0] >= reachable
                done[sentence] = won or length == longest[sentence]
            if done[sentence] and o.compact:
                continue
            while len(living) < beam:
                living.append((-math.inf, [], 0, end))
            kept.append(at)
            rows += [at * beam + parent for _, _, parent, _ in living]
            last += [token for _, _, _, token in living]
            next_sums.append([value for value, _, _, _ in living])
            next_texts.append([text for _, text, _, _ in living])
        if all(done):
            break
        if len(kept) < len(active):
            stay = torch.tensor(kept)
            source = [[t.index_select(0, stay) for t in pair] for pair in source]
            hidden = hidden.index_select(0, stay)
        active = [active[at] for at in kept]
        order = torch.tensor(rows)
        past = [[t.index_select(0, order) for t in pair] for pair in past]
        last, sums, texts = torch.tensor(last), torch.tensor(next_sums), next_texts
    return [text for _, text in best]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint")
    parser.add_argument("--beam-size", type=int, default=4)
    parser.add_argument("--alpha", type=float, default=0.6)
    parser.add_argument("--batch", type=int, default=64, help="sentences of a batch")
    parser.add_argument("--compact", action="store_true", help="done sentences leave their batch")
    parser.add_argument("--threads", type=int, default=1)
    o = parser.parse_args()
    torch.set_num_threads(o.threads)
    weights, config, pieces, end = load(o.checkpoint)
    number = {piece: i for i, piece in enumerate(pieces)}
    sentences = [[number.get(piece, 0) for piece in line.split()] for line in sys.stdin]
    model = Model(weights, config)
    begin = time.perf_counter()
    answers = [[] for _ in sentences]
    order = [i for i in sorted(range(len(sentences)), key=lambda i: -len(sentences[i])) if sentences[i]]
    with torch.no_grad():
        for first in range(0, len(order), o.batch):
            batch = order[first : first + o.batch]
            for i, answer in zip(batch, translate(model, [sentences[i] for i in batch], end, o)):
                answers[i] = answer
    seconds = time.perf_counter() - begin
    for answer in answers:
        print(" ".join(pieces[i] for i in answer))
    print(json.dumps({"seconds": seconds, "torch": torch.__version__}), file=sys.stderr)


if __name__ == "__main__":
    main()
