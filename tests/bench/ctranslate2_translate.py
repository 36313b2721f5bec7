#!/usr/bin/env python3
"""Beam search in CTranslate2, for comparison (translate_beside_ctranslate2.sh): token lines from stdin to stdout, and one JSON line
with the seconds of the translation, without loading the model, and the peak of the memory of the process to stderr."""

import argparse
import json
import resource
import sys
import time

import ctranslate2


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", help="directory in CTranslate2's format")
    parser.add_argument("--type", default="float32", help="float32 or int8")
    parser.add_argument("--beam-size", type=int, default=4)
    parser.add_argument("--batch", type=int, default=64, help="sentences of a batch")
    parser.add_argument("--length", type=int, default=0, help="tokens of all translations; 0: as the model decides")
    parser.add_argument("--workers", type=int, default=1, help="translate different batches at once")
    parser.add_argument("--threads", type=int, default=1, help="of each worker")
    o = parser.parse_args()
    translator = ctranslate2.Translator(
        o.model, device="cpu", compute_type=o.type, inter_threads=o.workers, intra_threads=o.threads
    )
    lines = [line.split() for line in sys.stdin]
    begin = time.perf_counter()
    limits = {"min_decoding_length": o.length, "max_decoding_length": o.length} if o.length > 0 else {}
    results = translator.translate_batch(
        lines, beam_size=o.beam_size, max_batch_size=o.batch, batch_type="examples", length_penalty=0.6, **limits
    )
    seconds = time.perf_counter() - begin
    for result in results:
        print(" ".join(result.hypotheses[0]))
    mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps({"seconds": seconds, "mib": mib, "ctranslate2": ctranslate2.__version__}), file=sys.stderr)


if __name__ == "__main__":
    main()
