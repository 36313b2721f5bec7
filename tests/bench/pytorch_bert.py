#!/usr/bin/env python3
"""Pre-trains a BERT of transformers (PyPI) as `train --preset bert-tiny --next-sentence off` does, and compares.

  pytorch_bert.py train --text train.tokens --vocabulary vocab.txt --output DIR --updates 2000 --every 250 --seed 1
  pytorch_bert.py loss --text val.tokens --vocabulary vocab.txt MODEL_DIR...

`train` writes a model for each multiple of --every updates to DIR/N, and the seconds of an update to stdout.  The
sizes, initial distribution, masks, batches of tokens, rates, warmup, decay and clipping are those of the preset.
`loss` prints the mean loss and the accuracy of masked tokens for each model, with the same masks for all of them,
and --maskings of each line.  Models of awend are converted by `convert-model --to huggingface`.
"""
import argparse
import random
import time

import torch
from torch import nn
from transformers import BertConfig, BertForMaskedLM

D_MODEL, D_FF, HEADS, LAYERS, POSITIONS = 128, 512, 4, 2, 256
RATE, WARMUP, DECAY, DEVIATION, MASK_RATE, BATCH_TOKENS = 0.002, 200, 0.01, 0.02, 0.15, 4096
NOT_PREDICTED = -100


class Text:
    def __init__(self, o):
        pieces = [line.rstrip("\n") for line in open(o.vocabulary, encoding="utf-8")]
        ids = {piece: number for number, piece in enumerate(pieces)}
        self.pad, self.unknown, self.cls, self.sep, self.mask = (
            ids[piece] for piece in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"))
        special = {self.pad, self.unknown, self.cls, self.sep, self.mask}
        self.ordinary = [number for number in range(len(pieces)) if number not in special]
        self.size = len(pieces)
        lines = [[ids.get(piece, self.unknown) for piece in line.split()]
                 for line in open(o.text, encoding="utf-8")]
        self.lines = [line[:POSITIONS - 2] for line in lines if line]

    def masked(self, line, chooser):
        """A line as the model reads it, and the tokens that it predicts: 80 % [MASK], 10 % random."""
        inputs, answers = list(line), [NOT_PREDICTED] * len(line)
        for place in chooser.sample(range(len(line)), max(1, int(MASK_RATE * len(line) + 0.5))):
            answers[place] = line[place]
            choice = chooser.randrange(10)
            if choice < 8:
                inputs[place] = self.mask
            elif choice == 8:
                inputs[place] = chooser.choice(self.ordinary)
        return [self.cls, *inputs, self.sep], [NOT_PREDICTED, *answers, NOT_PREDICTED]

    def batch(self, lines, chooser):
        """Padded inputs, where they are not padding, and answers."""
        both = [self.masked(line, chooser) for line in lines]
        width = max(len(inputs) for inputs, _ in both)
        pad = lambda row, filler: row + [filler] * (width - len(row))
        inputs = torch.tensor([pad(inputs, self.pad) for inputs, _ in both])
        is_token = torch.tensor([pad([1] * len(inputs), 0) for inputs, _ in both])
        return inputs, is_token, torch.tensor([pad(answers, NOT_PREDICTED) for _, answers in both])

    def batches(self, chooser):
        """Lines of about one length, as many as have BATCH_TOKENS tokens, in random order, forever."""
        while True:
            order = chooser.sample(self.lines, len(self.lines))
            order.sort(key=len)
            batches = [[]]
            tokens = 0
            for line in order:
                tokens += len(line) + 2
                if tokens > BATCH_TOKENS:
                    batches.append([])
                    tokens = len(line) + 2
                batches[-1].append(line)
            chooser.shuffle(batches)
            yield from batches


def new_model(size):
    config = BertConfig(vocab_size=size, hidden_size=D_MODEL, num_hidden_layers=LAYERS, num_attention_heads=HEADS,
                        intermediate_size=D_FF, max_position_embeddings=POSITIONS, hidden_dropout_prob=0.1,
                        attention_probs_dropout_prob=0, hidden_act="gelu", layer_norm_eps=1e-12)
    model = BertForMaskedLM(config)
    for name, parameter in model.named_parameters():
        if parameter.dim() > 1:
            nn.init.trunc_normal_(parameter, std=DEVIATION, a=-2 * DEVIATION, b=2 * DEVIATION)
    return model


def train(o):
    torch.manual_seed(o.seed)
    chooser = random.Random(o.seed)
    text = Text(o)
    model = new_model(text.size).train()
    parameters = list(model.parameters())
    groups = [{"params": [p for p in parameters if p.dim() > 1], "weight_decay": DECAY},
              {"params": [p for p in parameters if p.dim() == 1], "weight_decay": 0}]
    adam = torch.optim.AdamW(groups, RATE, betas=(0.9, 0.999), eps=1e-6)
    rate = torch.optim.lr_scheduler.LambdaLR(
        adam, lambda step: min((step + 1) / WARMUP, (WARMUP / (step + 1)) ** 0.5))
    batches = text.batches(chooser)
    seconds = 0
    for update in range(1, o.updates + 1):
        begin = time.perf_counter()
        inputs, is_token, answers = text.batch(next(batches), chooser)
        # As awend, the head only computes the tokens that are predicted.
        encoded = model.bert(inputs, attention_mask=is_token).last_hidden_state
        is_predicted = answers != NOT_PREDICTED
        logits = model.cls(encoded[is_predicted])
        loss = nn.functional.cross_entropy(logits, answers[is_predicted])
        adam.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(parameters, 1)
        adam.step()
        rate.step()
        seconds += time.perf_counter() - begin
        if update % o.every == 0:
            model.save_pretrained(f"{o.output}/{update}")
            print(update, f"loss {loss.item():.4f}, {seconds / update:.4f} s per update", flush=True)


@torch.no_grad()
def print_losses(o):
    text = Text(o)
    for path in o.models:
        model = BertForMaskedLM.from_pretrained(path).eval()
        chooser = random.Random(1)  # the same masks for all models
        total = right = count = 0
        for begin in range(0, len(text.lines) * o.maskings, 256):
            end = min(begin + 256, len(text.lines) * o.maskings)
            lines = [text.lines[i % len(text.lines)] for i in range(begin, end)]
            inputs, is_token, answers = text.batch(lines, chooser)
            is_predicted = answers != NOT_PREDICTED
            logits = model.cls(model.bert(inputs, attention_mask=is_token).last_hidden_state[is_predicted])
            total += nn.functional.cross_entropy(logits, answers[is_predicted], reduction="sum").item()
            right += (logits.argmax(-1) == answers[is_predicted]).sum().item()
            count += int(is_predicted.sum())
        print(f"{path} {total / count:.4f} {100 * right / count:.2f} {count}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["train", "loss"])
    parser.add_argument("models", nargs="*", help="of loss")
    parser.add_argument("--text", required=True)
    parser.add_argument("--vocabulary", required=True)
    parser.add_argument("--output")
    parser.add_argument("--updates", type=int, default=2000)
    parser.add_argument("--every", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--maskings", type=int, default=8)
    parser.add_argument("--threads", type=int, default=1)
    o = parser.parse_intermixed_args()
    torch.set_num_threads(o.threads)
    train(o) if o.command == "train" else print_losses(o)


main()
