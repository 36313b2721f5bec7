#!/usr/bin/env python3
"""A multilingual checkpoint in the formats of other toolkits, by those toolkits (PyPI: transformers, ctranslate2); run by hand.

    exported_multilingual.py BIN MODEL.safetensors SOURCE_LANGUAGE TARGET_LANGUAGE TEXT

Writes the checkpoint for transformers and CTranslate2, with convert-model from the directory BIN.  Prints how many lines of the raw text the
tokenizer of transformers splits as tokenize does, how many greedy translations are those of translate, and the largest difference of
log-probabilities.
"""
import json, os, subprocess, sys, tempfile

LONGEST = 60  # tokens of a translation, its end included


def main():
    programs, model, source, target, path = sys.argv[1:]

    def run(program, *options):
        return subprocess.run([os.path.join(programs, program), *options], check=True, capture_output=True, text=True).stdout.splitlines()

    lines = [line for line in open(path, encoding="utf-8").read().splitlines() if line]
    with tempfile.TemporaryDirectory() as directory:
        text = os.path.join(directory, "text")
        open(text, "w", encoding="utf-8").write("".join(line + "\n" for line in lines))
        ids = [[int(number) for number in line.split()] for line in run("tokenize", "-m", model, "--ids", "--source-language", source, text)]
        tokens = [line.split() for line in run("tokenize", "-m", model, "--source-language", source, text)]
        answers = run("translate", "-m", model, "--raw", "-b", "1", "--alpha", "0", "--max-length-ratio", "0", "--max-length-extra", str(LONGEST),
                      "--source-language", source, "--target-language", target, "--json", text)
        ours = [json.loads(answer)["translations"][0] for answer in answers]
        # The toolkits have other limits of the length.
        ended = [len(answer["word_scores"]) > len(answer["tokens"].split()) for answer in ours]
        lines, ids, tokens, ours = ([each for each, is_complete in zip(every, ended) if is_complete] for every in (lines, ids, tokens, ours))
        empty = os.path.join(directory, "empty")
        open(empty, "w", encoding="utf-8").write("\n")
        code = run("tokenize", "-m", model, "--target-language", target, empty)[0]
        for name, check in (("huggingface", by_transformers), ("ctranslate2", by_ctranslate2)):
            place = os.path.join(directory, name)
            run("convert-model", "--to", name, "-o", place, model)
            check(place, lines, ids, tokens, ours, (source, target, code))


def report(name, same, lines, difference):
    print(f"{name}: {same} of {len(lines)} the same, log-probabilities differ by {difference:.1e} a token")


def by_transformers(directory, lines, ids, tokens, ours, languages):
    import torch, transformers

    source, target, code = languages
    tokenizer = transformers.AutoTokenizer.from_pretrained(directory, src_lang=source, tgt_lang=target)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(directory).eval()
    start = [model.config.decoder_start_token_id, tokenizer.convert_tokens_to_ids(code)]
    split = same = 0
    difference = 0.0
    with torch.no_grad():
        for line, own, answer in zip(lines, ids, ours):
            split += tokenizer(line).input_ids == own + [model.config.eos_token_id]
            encoded = torch.tensor([own + [model.config.eos_token_id]])
            output = model.generate(encoded, num_beams=1, do_sample=False, forced_bos_token_id=start[1], max_new_tokens=LONGEST + 1)[0].tolist()
            words = [number for number in output[2:] if number != model.config.eos_token_id]
            same += tokenizer.convert_ids_to_tokens(words) == answer["tokens"].split()
            labels = tokenizer.convert_tokens_to_ids(answer["tokens"].split()) + [model.config.eos_token_id]
            labels = labels[: len(answer["word_scores"])]
            logits = model(input_ids=encoded, decoder_input_ids=torch.tensor([start + labels[:-1]])).logits[0, 1:].double()
            scores = logits.log_softmax(-1).gather(1, torch.tensor(labels)[:, None])[:, 0].tolist()
            difference = max([difference] + [abs(a - b) for a, b in zip(scores, answer["word_scores"])])
    print(f"transformers {transformers.__version__} {type(tokenizer).__name__}: {split} of {len(lines)} lines are split the same")
    report(f"transformers {transformers.__version__}", same, lines, difference)


def by_ctranslate2(directory, lines, ids, tokens, ours, languages):
    import ctranslate2

    translator = ctranslate2.Translator(directory, compute_type="float32")
    sources = [line + ["</s>"] for line in tokens]
    prefixes = [[languages[2]]] * len(sources)
    results = translator.translate_batch(sources, target_prefix=prefixes, beam_size=1, min_decoding_length=0, max_decoding_length=LONGEST)
    same = sum(result.hypotheses[0][1:] == answer["tokens"].split() for result, answer in zip(results, ours))
    scores = translator.score_batch(sources, [[languages[2]] + answer["tokens"].split() for answer in ours])
    difference = max(abs(a - b) for score, answer in zip(scores, ours) for a, b in zip(score.log_probs[1:], answer["word_scores"]))
    report(f"CTranslate2 {ctranslate2.__version__}", same, lines, difference)


if __name__ == "__main__":
    main()
