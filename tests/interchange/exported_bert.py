#!/usr/bin/env python3
"""A BERT exported for transformers (PyPI), by transformers; run by hand.

    exported_bert.py BIN MODEL.safetensors TOKENS
    exported_bert.py BIN READER.safetensors QUESTIONS

Masks one token of each line, and prints how many masks transformers fill as encode does, and the largest difference of the vectors of [CLS].
Of a model that was trained with --task spans, answers QUESTIONS (lines of a question, a tab and a passage), and prints how many answers are
the same, and the largest difference of their probabilities, which encode prints with four digits.
"""
import json, os, subprocess, sys, tempfile

import torch, transformers


def numbers_in(directory):
    tokens = [line.rstrip("\n") for line in open(os.path.join(directory, "vocab.txt"), encoding="utf-8")]
    return tokens, {token: number for number, token in enumerate(tokens)}


def compare_answers(run, directory, lines):
    """The best span of at most 30 tokens in the passage."""
    network = transformers.BertForQuestionAnswering.from_pretrained(directory).eval()
    number_of = numbers_in(directory)[1]
    found = [line.split("\t")[1].split() for line in run("--spans", "--n-best", "1").splitlines()]
    same, difference = 0, 0.0
    for line, (first, last, probability) in zip(lines, found):
        question, passage = (part.split() for part in line.split("\t"))
        line = ["[CLS]", *question, "[SEP]", *passage, "[SEP]"]
        ids = [number_of.get(token, number_of["[UNK]"]) for token in line]
        begin = len(question) + 2
        types = [0] * begin + [1] * (len(line) - begin)
        output = network(torch.tensor([ids]), token_type_ids=torch.tensor([types]))
        starts, ends = (logits[0].double().log_softmax(0) for logits in (output.start_logits, output.end_logits))
        best = max((starts[i] + ends[k], i, k) for i in range(begin, len(line) - 1) for k in range(i, min(i + 30, len(line) - 1)))
        same += (best[1] - begin + 1, best[2] - begin + 1) == (int(first), int(last))
        difference = max(difference, abs(best[0].exp().item() - float(probability)))
    print(f"transformers {transformers.__version__}: {same} of {len(lines)} answers the same, probabilities differ by {difference:.1e}")


def main():
    programs, model, path = sys.argv[1:]
    raw = open(path, encoding="utf-8").read()
    with tempfile.TemporaryDirectory() as directory:
        target = os.path.join(directory, "model")
        subprocess.run([os.path.join(programs, "convert-model"), "--to", "huggingface", "-o", target, model], check=True)
        if json.load(open(os.path.join(target, "config.json")))["architectures"] == ["BertForQuestionAnswering"]:
            encode = lambda *options: subprocess.run([os.path.join(programs, "encode"), "-m", model, *options], check=True,
                                                     capture_output=True, text=True, input=raw).stdout
            with torch.no_grad():
                return compare_answers(encode, target, raw.splitlines())
    lines = [line.split() for line in raw.splitlines()]
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
        tokens, number_of = numbers_in(target)
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
