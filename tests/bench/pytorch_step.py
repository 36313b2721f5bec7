#!/usr/bin/env python3
"""The training step of awend-bench in PyTorch, for comparison (beside_pytorch.sh runs both).

The same model: post-norm Transformer, sinusoids, one matrix for embeddings and projection, dropout
and label smoothing of 0.1, Adam; random sentences of one length, so nothing is padded.  Written as
one would for speed: projections of one input are one product, attention is PyTorch's own where this
PyTorch has it.  With --preset rnn-small, the recurrent network of that preset (pytorch_rnn.py),
with dropout of 0.3 and gradients clipped to a norm of 1.  Prints one line of JSON.

With --matmul it reads shapes as awend-bench names them ("NN 2048 x 256 -> 1024"), a line each, and
prints GFLOP/s of torch.matmul by name, median and best.
"""
import argparse
import contextlib
import json
import math
import statistics
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

from pytorch_rnn import RecurrentNetwork

DROPOUT = 0.1
DTYPES = {"fp32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}
RNN_DROPOUT = 0.3
RNN_CLIP_NORM = 1
# Sizes of awend's presets; awend-bench has the same default vocabulary for all of them.
PRESETS = {
    "small": {"d_model": 256, "d_ff": 1024, "heads": 4, "layers": 3},
    "base": {"d_model": 512, "d_ff": 2048, "heads": 8, "layers": 6},
    "rnn-small": {"d_model": 256, "d_embedding": 256, "d_attention": 256},
    "rnn-tiny": {"d_model": 128, "d_embedding": 128, "d_attention": 128},
}


def attend(q, k, v, causal):
    """softmax(q kᵀ / √d) v of (sentences, heads, length, d)."""
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    scores = torch.matmul(q * q.shape[-1] ** -0.5, k.transpose(-2, -1))
    if causal:
        later = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
        scores = scores.masked_fill(later, float("-inf"))
    return torch.matmul(torch.softmax(scores, -1), v)


class Attention(nn.Module):
    def __init__(self, d_model, heads, causal=False, of_itself=True):
        super().__init__()
        self.heads, self.causal, self.of_itself = heads, causal, of_itself
        self.query = None if of_itself else nn.Linear(d_model, d_model, bias=False)
        self.memory = nn.Linear(d_model, (3 if of_itself else 2) * d_model, bias=False)
        self.output = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, memory):
        sentences, length, d_model = x.shape
        parts = self.memory(memory).chunk(3 if self.of_itself else 2, -1)
        q, k, v = parts if self.of_itself else (self.query(x), *parts)
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in (q, k, v))
        y = attend(q, k, v, self.causal).transpose(1, 2).reshape(sentences, length, d_model)
        return self.output(y)


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.inner, self.outer = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.outer(F.relu(self.inner(x)))


class Layer(nn.Module):
    def __init__(self, o, decoder):
        super().__init__()
        self.attention = Attention(o.d_model, o.heads, causal=decoder)
        self.cross = Attention(o.d_model, o.heads, of_itself=False) if decoder else None
        self.feed_forward = FeedForward(o.d_model, o.d_ff)
        self.norms = nn.ModuleList(nn.LayerNorm(o.d_model, eps=1e-6) for _ in range(2 + decoder))

    def forward(self, x, memory=None):
        norms = iter(self.norms)
        x = next(norms)(x + F.dropout(self.attention(x, x), DROPOUT))
        if self.cross is not None:
            x = next(norms)(x + F.dropout(self.cross(x, memory), DROPOUT))
        return next(norms)(x + F.dropout(self.feed_forward(x), DROPOUT))


class Transformer(nn.Module):
    def __init__(self, o):
        super().__init__()
        self.table = nn.Embedding(o.vocabulary, o.d_model)
        nn.init.normal_(self.table.weight, std=o.d_model**-0.5)
        self.encoder = nn.ModuleList(Layer(o, decoder=False) for _ in range(o.layers))
        self.decoder = nn.ModuleList(Layer(o, decoder=True) for _ in range(o.layers))
        place = torch.arange(o.length)[:, None]
        rate = torch.exp(torch.arange(0, o.d_model, 2) * (-math.log(10000) / o.d_model))
        waves = torch.stack([torch.sin(place * rate), torch.cos(place * rate)], -1)
        self.register_buffer("positions", waves.flatten(1))

    def embed(self, ids):
        x = self.table(ids) * math.sqrt(self.table.embedding_dim) + self.positions
        return F.dropout(x, DROPOUT)

    def forward(self, source, target):
        memory = self.embed(source)
        for layer in self.encoder:
            memory = layer(memory)
        x = self.embed(target)
        for layer in self.decoder:
            x = layer(x, memory)
        return F.linear(x, self.table.weight)


def wait(o):
    if o.device != "cpu":
        torch.cuda.synchronize()


def seconds_of(o, work):
    """Median and best of one call, after three to warm up: at least five samples, until o.seconds
    are gone, each of as many calls as fill some milliseconds."""

    def sample(calls):
        begin = time.perf_counter()
        for _ in range(calls):
            work()
        wait(o)
        return (time.perf_counter() - begin) / calls

    calls = math.ceil(5e-3 / min(sample(1) for _ in range(3)))
    samples = []
    while len(samples) < 5 or calls * sum(samples) < o.seconds:
        samples.append(sample(calls))
    return statistics.median(samples), min(samples)


def recorded(step):
    """The launches of a step as one CUDA graph, which the host then starts at once."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph.replay


def measure_step(o):
    torch.manual_seed(1)
    recurrent = (o.preset or "").startswith("rnn-")
    model = (RecurrentNetwork(o, RNN_DROPOUT) if recurrent else Transformer(o)).to(o.device)
    at_once = {"fused": True, "capturable": o.graph} if o.device != "cpu" else {}
    adam = torch.optim.Adam(model.parameters(), 1e-4, betas=(0.9, 0.98), eps=1e-9, **at_once)
    forward = torch.compile(model) if o.compile else model
    ids = torch.randint(o.vocabulary, (3, o.sentences, o.length), device=o.device)

    cpu_seconds = []

    def timed(work):
        def run():
            begin = time.process_time()
            work()
            cpu_seconds.append(time.process_time() - begin)
        return run

    def step():
        adam.zero_grad(set_to_none=True)
        narrow = contextlib.nullcontext() if o.precision == "fp32" else torch.autocast(o.device, DTYPES[o.precision], cache_enabled=not o.graph)
        with narrow:
            logits = forward(ids[0], ids[1])
            loss = F.cross_entropy(logits.flatten(0, 1), ids[2].flatten(), label_smoothing=0.1)
        loss.backward()
        if recurrent:
            nn.utils.clip_grad_norm_(model.parameters(), RNN_CLIP_NORM)
        adam.step()

    seconds, best = seconds_of(o, timed(recorded(step) if o.graph else step))
    tokens = o.sentences * o.length
    numbers = sum(p.numel() for p in model.parameters())
    return {"torch": torch.__version__, "parameters": numbers, "milliseconds": 1e3 * seconds,
            "tokens_per_second": tokens / seconds, "best_tokens_per_second": tokens / best,
            "cpu_milliseconds": 1e3 * statistics.median(cpu_seconds)}


def measure_matmul(o, name):
    form, rows, _, inner, _, columns = name.split()
    rows, inner, columns = int(rows), int(inner), int(columns)
    dtype = DTYPES[o.precision]
    noise = lambda *shape: torch.rand(shape, device=o.device).sub(0.5).to(dtype)
    a = noise(rows, inner)
    b = {"NN": (inner, columns), "NT": (columns, inner), "TN": (rows, columns)}[form]
    b = noise(*b)
    a, b = (a.t() if form == "TN" else a), (b.t() if form == "NT" else b)
    giga = 2e-9 * rows * inner * columns
    return [giga / seconds for seconds in seconds_of(o, lambda: torch.matmul(a, b))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--preset", choices=PRESETS, help="instead of the four sizes of a model")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--precision", choices=list(DTYPES), default="fp32")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--graph", action="store_true", help="replay the step as a CUDA graph")
    parser.add_argument("--compile", action="store_true", help="compile the model with torch.compile")
    parser.add_argument("--matmul", action="store_true", help="shapes of products from stdin")
    sizes = PRESETS["small"]
    for name in sizes:
        parser.add_argument("--" + name.replace("_", "-"), type=int)
    for name, value in [("vocabulary", 8000), ("sentences", 64), ("length", 16)]:
        parser.add_argument("--" + name, type=int, default=value)
    o = parser.parse_args()
    if o.preset and any(getattr(o, name) is not None for name in sizes):
        parser.error("--preset excludes --d-model, --d-ff, --heads and --layers")
    if o.graph and o.device == "cpu":
        parser.error("--graph needs a CUDA device")
    for name, value in PRESETS[o.preset or "small"].items():
        if getattr(o, name, None) is None:
            setattr(o, name, value)
    torch.set_num_threads(o.threads)
    if o.matmul:
        shapes = [line.strip() for line in sys.stdin]
        print(json.dumps({name: measure_matmul(o, name) for name in shapes}))
    else:
        print(json.dumps(measure_step(o)))


main()
