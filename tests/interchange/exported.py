#!/usr/bin/env python3
"""Checkpoints in the formats of other toolkits, by those toolkits (PyPI: ctranslate2, pymarian); run by hand.

    exported.py BIN MODEL.safetensors TOKENS

Writes the checkpoint for CTranslate2 and Marian, as far as they have its settings, with convert-model from the directory BIN.  Prints how
many greedy translations of the token lines are those of translate, and for CTranslate2 the largest difference of log-probabilities.
"""
import json, os, subprocess, sys, tempfile

import ctranslate2


def main():
    programs, model, path = sys.argv[1:]
    lines = [line.split() for line in open(path, encoding="utf-8")]
    command = [os.path.join(programs, "translate"), "-m", model, "-b", "1", "--json", path]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    ours = [json.loads(line)["translations"][0] for line in output.splitlines()]
    # The toolkits have other limits of the length.
    ended = [len(answer["word_scores"]) > len(answer["tokens"].split()) for answer in ours]
    lines = [line for line, is_complete in zip(lines, ended) if is_complete]
    ours = [answer for answer, is_complete in zip(ours, ended) if is_complete]
    tokens = [answer["tokens"].split() for answer in ours]
    with tempfile.TemporaryDirectory() as directory:
        convert = os.path.join(programs, "convert-model")
        target = os.path.join(directory, "ct2")
        if subprocess.run([convert, "--to", "ctranslate2", "-o", target, model]).returncode == 0:
            translator = ctranslate2.Translator(target, compute_type="float32")
            theirs = [r.hypotheses[0] for r in translator.translate_batch(lines, beam_size=1, min_decoding_length=0)]
            scores = translator.score_batch(lines, tokens)
            difference = max(abs(sum(s.log_probs) - a["log_probability"]) / len(a["word_scores"]) for s, a in zip(scores, ours))
            print(f"CTranslate2 {ctranslate2.__version__}: {sum(a == b for a, b in zip(tokens, theirs))} of {len(lines)} the same, "
                  f"log-probabilities differ by {difference:.1e} a token")
        target = os.path.join(directory, "marian")
        if subprocess.run([convert, "--to", "marian", "-o", target, model]).returncode != 0:
            return
        import pymarian
        vocabularies = [os.path.join(target, name) for name in ("vocab.src.yml", "vocab.trg.yml")]
        if not os.path.exists(vocabularies[0]):
            vocabularies = [os.path.join(target, "vocab.yml")] * 2
        marian = pymarian.Translator(f"-m {target}/model.bin -v {' '.join(vocabularies)} -b 1 --normalize 0 --cpu-threads 1 --quiet")
        answers = marian.translate([" ".join(line) for line in lines])
        answers = answers.split("\n") if isinstance(answers, str) else answers
        print(f"Marian {pymarian.__version__}: {sum(a == b.split() for a, b in zip(tokens, answers))} of {len(lines)} the same")


if __name__ == "__main__":
    main()
