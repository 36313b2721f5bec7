#!/usr/bin/env python3
"""Checkpoints in the formats of other toolkits, by those toolkits (PyPI: ctranslate2, transformers, pymarian, bergamot); run by hand.

    exported.py BIN MODEL.safetensors TOKENS

Writes the checkpoint for every toolkit that is installed, with convert-model from the directory BIN, if the format has the model's
settings.  Prints how many greedy translations of the token lines are those of translate, and for CTranslate2 and transformers the
largest difference of log-probabilities.  Matrices of 8 bits, for Marian and for its fork in Firefox (bergamot, which needs Python 3.10
or older), give other translations where two tokens are nearly as probable.
"""
import glob, importlib.util, json, os, subprocess, sys, tempfile


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
    for module, options, check in CHECKS:
        if importlib.util.find_spec(module) is None:
            print(f"{module} is not installed")
            continue
        with tempfile.TemporaryDirectory() as directory:
            target = os.path.join(directory, "model")
            command = [os.path.join(programs, "convert-model"), *options, "-o", target, model]
            if subprocess.run(command).returncode == 0:
                check(target, lines, tokens, ours)


def report(name, answers, tokens, difference=None):
    same = sum(a == b for a, b in zip(tokens, answers))
    scores = "" if difference is None else f", log-probabilities differ by {difference:.1e} a token"
    print(f"{name}: {same} of {len(tokens)} the same{scores}")


def by_ctranslate2(directory, lines, tokens, ours):
    import ctranslate2

    translator = ctranslate2.Translator(directory, compute_type="float32")
    answers = [r.hypotheses[0] for r in translator.translate_batch(lines, beam_size=1, min_decoding_length=0)]
    scores = translator.score_batch(lines, tokens)
    difference = max(abs(sum(s.log_probs) - a["log_probability"]) / len(a["word_scores"]) for s, a in zip(scores, ours))
    report(f"CTranslate2 {ctranslate2.__version__}", answers, tokens, difference)


def by_transformers(directory, lines, tokens, ours):
    import torch, transformers

    vocabularies = {}
    for side, name in (("source", "vocab.json"), ("target", "target_vocab.json")):
        path = os.path.join(directory, name)
        vocabularies[side] = json.load(open(path, encoding="utf-8")) if os.path.exists(path) else vocabularies["source"]
    names = {number: token for token, number in vocabularies["target"].items()}
    model = transformers.MarianMTModel.from_pretrained(directory).eval()
    end = model.config.eos_token_id

    def ids(side, line):
        vocabulary = vocabularies[side]
        return torch.tensor([[vocabulary.get(token, vocabulary["<unk>"]) for token in line] + [end]])

    answers, difference = [], 0.0
    with torch.no_grad():
        for line, answer, expected in zip(lines, tokens, ours):
            source = ids("source", line)
            mask = torch.ones_like(source)
            output = model.generate(source, attention_mask=mask, num_beams=1, do_sample=False, forced_eos_token_id=None)
            words = output[0].tolist()[1:]
            answers.append([names[number] for number in (words[: words.index(end)] if end in words else words)])
            target = ids("target", answer)
            start = torch.cat([torch.tensor([[model.config.decoder_start_token_id]]), target[:, :-1]], 1)
            logits = model(input_ids=source, attention_mask=mask, decoder_input_ids=start).logits.double()
            for word in model.config.bad_words_ids or []:  # generate() masks them
                logits[..., word] = float("-inf")
            sum_of_logs = logits.log_softmax(-1).gather(2, target[..., None]).sum().item()
            difference = max(difference, abs(sum_of_logs - expected["log_probability"]) / len(expected["word_scores"]))
    report(f"transformers {transformers.__version__}", answers, tokens, difference)


def settings_of(directory):
    return glob.glob(os.path.join(directory, "*.decoder.yml"))[0]


def text_of(directory, tokens):
    """What Marian reads and writes: text if it has a SentencePiece model, otherwise tokens."""
    if glob.glob(os.path.join(directory, "*.spm")):
        pieces = (" \u2047 " if token == "<unk>" else token for token in tokens)
        return "".join(pieces).replace("\u2581", " ").strip()
    return " ".join(tokens)


def by_marian(directory, lines, tokens, ours):
    import pymarian

    marian = pymarian.Translator(f"-c {settings_of(directory)} -b 1 --normalize 0 --cpu-threads 1 --mini-batch 1 --quiet")
    answers = marian.translate([text_of(directory, line) for line in lines])
    answers = answers.split("\n") if isinstance(answers, str) else answers
    kind = " with 8 bits" if "intgemm8" in settings_of(directory) else ""
    report(f"Marian {pymarian.__version__}{kind}", answers, [text_of(directory, line) for line in tokens])


def by_bergamot(directory, lines, tokens, ours):
    # Not the package itself, which downloads lists of models.
    sys.path.insert(0, importlib.util.find_spec("bergamot").submodule_search_locations[0])
    import _bergamot

    settings = settings_of(directory)
    with open(settings, encoding="utf-8") as file:
        kept = [line for line in file if not line.startswith(("beam-size:", "normalize:"))]
    with open(settings, "w", encoding="utf-8") as file:
        file.writelines(kept + ["beam-size: 1\n", "normalize: 0\n"])
    service = _bergamot.Service(_bergamot.ServiceConfig(numWorkers=1, logLevel="off"))
    model = service.modelFromConfigPath(settings)
    answers = []
    for line in lines:  # its shortlists are those of batches
        text = _bergamot.VectorString([text_of(directory, line)])
        answers += [answer.target.text for answer in service.translate(model, text, _bergamot.ResponseOptions())]
    report("bergamot with 8 bits", answers, [text_of(directory, line) for line in tokens])


CHECKS = [
    ("ctranslate2", ["--to", "ctranslate2"], by_ctranslate2),
    ("transformers", ["--to", "huggingface"], by_transformers),
    ("pymarian", ["--to", "marian"], by_marian),
    ("pymarian", ["--to", "marian", "--quantize", "int8"], by_marian),
    ("bergamot", ["--to", "firefox"], by_bergamot),
]


if __name__ == "__main__":
    main()
