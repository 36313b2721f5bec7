#!/usr/bin/env python3
"""A T5, mT5 or MADLAD-400 in the formats of other toolkits, by those toolkits (PyPI: transformers, ctranslate2); run by hand.

    exported_t5.py BIN MODEL TEXT

MODEL is a directory of Hugging Face, or a checkpoint.  Writes it for transformers and CTranslate2, with convert-model from the directory BIN.
Prints how many lines of the raw text the tokenizer of transformers splits as tokenize does, how many greedy translations are those of
translate, and the largest difference of the log-probabilities of tokens.  Marian has no such models, and convert-model names the setting.
"""
import importlib.util, json, os, subprocess, sys, tempfile

LONGEST = 60  # tokens of a translation, its end included


def main():
    programs, model, path = sys.argv[1:]

    def run(program, *options, status=0):
        done = subprocess.run([os.path.join(programs, program), *options], capture_output=True, text=True)
        assert done.returncode == status, done.stderr
        return done.stdout.splitlines() if status == 0 else done.stderr.strip()

    lines = [line for line in open(path, encoding="utf-8").read().splitlines() if line]
    with tempfile.TemporaryDirectory() as directory:
        if os.path.isdir(model):
            checkpoint = os.path.join(directory, "model.safetensors")
            run("convert-model", "-q", "-o", checkpoint, model)
            model = checkpoint
        text = os.path.join(directory, "text")
        open(text, "w", encoding="utf-8").write("".join(line + "\n" for line in lines))
        ids = [[int(number) for number in line.split()] for line in run("tokenize", "-m", model, "--ids", text)]
        tokens = [line.split() for line in run("tokenize", "-m", model, text)]
        answers = run("translate", "-m", model, "--raw", "-b", "1", "--alpha", "0", "--max-length-ratio", "0", "--max-length-extra", str(LONGEST),
                      "--json", text)
        ours = [json.loads(answer)["translations"][0] for answer in answers]
        print(f"{len(lines)} lines, of which {sum(len(a['word_scores']) > len(a['tokens'].split()) for a in ours)} translations end")
        for module, name, check in (("transformers", "huggingface", by_transformers), ("ctranslate2", "ctranslate2", by_ctranslate2)):
            if importlib.util.find_spec(module) is None:
                print(f"{module} is not installed")
                continue
            place = os.path.join(directory, name)
            run("convert-model", "--to", name, "-o", place, model)
            check(place, lines, ids, tokens, ours)
        print(run("convert-model", "--to", "marian", "-o", os.path.join(directory, "marian"), model, status=1))


def report(name, same, lines, difference):
    print(f"{name}: {same} of {len(lines)} the same, log-probabilities differ by {difference:.1e} a token")


def by_transformers(directory, lines, ids, tokens, ours):
    import torch, transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(directory)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(directory).eval()
    start, end = model.config.decoder_start_token_id, model.config.eos_token_id
    split = same = 0
    difference = 0.0
    with torch.no_grad():
        for line, own, answer in zip(lines, ids, ours):
            split += tokenizer(line).input_ids == own + [end]
            encoded = torch.tensor([own + [end]])
            output = model.generate(encoded, num_beams=1, do_sample=False, max_new_tokens=LONGEST)[0].tolist()
            labels = tokenizer.convert_tokens_to_ids(answer["tokens"].split()) + [end]
            labels = labels[: len(answer["word_scores"])]
            same += output[1:] == labels
            logits = model(input_ids=encoded, decoder_input_ids=torch.tensor([[start] + labels[:-1]])).logits[0].double()
            scores = logits.log_softmax(-1).gather(1, torch.tensor(labels)[:, None])[:, 0].tolist()
            difference = max([difference] + [abs(a - b) for a, b in zip(scores, answer["word_scores"])])
    print(f"transformers {transformers.__version__} {type(tokenizer).__name__}: {split} of {len(lines)} lines are split the same")
    report(f"transformers {transformers.__version__} {type(model).__name__}", same, lines, difference)


def by_ctranslate2(directory, lines, ids, tokens, ours):
    import ctranslate2

    translator = ctranslate2.Translator(directory, compute_type="float32")
    ends = json.load(open(os.path.join(directory, "config.json"), encoding="utf-8"))["add_source_eos"]
    sources = [line + ([] if ends else ["</s>"]) for line in tokens]
    results = translator.translate_batch(sources, beam_size=1, min_decoding_length=0, max_decoding_length=LONGEST)
    same = sum(result.hypotheses[0] == answer["tokens"].split() for result, answer in zip(results, ours))
    scores = translator.score_batch(sources, [answer["tokens"].split() for answer in ours])
    difference = max(abs(a - b) for score, answer in zip(scores, ours) for a, b in zip(score.log_probs, answer["word_scores"]))
    report(f"CTranslate2 {ctranslate2.__version__}", same, lines, difference)


if __name__ == "__main__":
    main()
