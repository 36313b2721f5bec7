#!/usr/bin/env python3
"""A BERT exported for transformers (PyPI), by transformers; run by hand.

    exported_bert.py BIN MODEL.safetensors TOKENS

Masks one token of each line, and prints how many masks transformers fill as encode does, and the largest difference of the vectors of [CLS].
"""
import json, os, subprocess, sys, tempfile

import torch, transformers


def main():
    programs, model, path = sys.argv[1:]
    lines = [line.split() for line in open(path, encoding="utf-8")]
    for number, line in enumerate(lines):
        line[number % len(line)] = "[MASK]"
    text = "".join(" ".join(line) + "\n" for line in lines)

    def run(name, *arguments):
        return subprocess.run([os.path.join(programs, name), *arguments], check=True, capture_output=True, text=True, input=text).stdout

    filled = [line.split() for line in run("encode", "-m", model, "--fill").splitlines()]
    vectors = [json.loads(line) for line in run("encode", "-m", model, "--vectors", "first").splitlines()]
    with tempfile.TemporaryDirectory() as directory:
        target = os.path.join(directory, "model")
        run("convert-model", "--to", "huggingface", "-o", target, model)
        network = transformers.BertForMaskedLM.from_pretrained(target).eval()
        tokens = [line.rstrip("\n") for line in open(os.path.join(target, "vocab.txt"), encoding="utf-8")]
    number_of = {token: number for number, token in enumerate(tokens)}
    same, difference = 0, 0.0
    with torch.no_grad():
        for line, expected, vector in zip(lines, filled, vectors):
            ids = [number_of.get(token, number_of["[UNK]"]) for token in ["[CLS]", *line, "[SEP]"]]
            output = network(torch.tensor([ids]), output_hidden_states=True)
            place = line.index("[MASK]")
            same += tokens[output.logits[0, place + 1].argmax()] == expected[place]
            difference = max(difference, (output.hidden_states[-1][0, 0] - torch.tensor(vector)).abs().max().item())
    print(f"transformers {transformers.__version__}: {same} of {len(lines)} masks the same, vectors differ by {difference:.1e}")


if __name__ == "__main__":
    main()
