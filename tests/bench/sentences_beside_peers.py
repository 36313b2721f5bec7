#!/usr/bin/env python3
"""Sentence splitting compared with pysbd, sentence-splitter and Moses' split-sentences.perl.

    tests/bench/sentences_beside_peers.py [--group N] [--tokenize NAME=COMMAND ...] [--moses FILE] DIR

DIR has files LANGUAGE.txt, or LANGUAGE.NAME.txt, of text with one sentence per line.  N consecutive
lines are joined, with a space or with nothing (ja, zh), and split again.  Boundaries are compared by
the number of characters before them that are not white space, because some programs change spaces.
Recall is the share of joints that are found, precision the share of boundaries that are joints.
Lines that contain several sentences lower the precision of all programs.

COMMAND is a program `tokenize` with options; FILE is scripts/ems/support/split-sentences.perl of
Moses, with its lists in scripts/share.  The other peers are used if Python has their modules.
"""
import argparse
import pathlib
import shlex
import subprocess

TERMINATORS = tuple(".!?…。！？．։:؟۔।॥።")
CLOSING = "\"'»”’“«›)]」』）】》〉\u00a0\u202f "
WITHOUT_SPACES = {"ja", "zh", "th", "km", "lo", "my"}


def lengths_of(sentences):
    """Positions of the ends of all sentences but the last."""
    ends, position = [], 0
    for sentence in sentences:
        position += len("".join(sentence.split()))
        ends.append(position)
    return set(ends[:-1])


def read_groups(path, size, separator):
    lines = [line for line in (raw.strip() for raw in path.open(encoding="utf-8")) if line]
    lines = [line for line in lines if line.rstrip(CLOSING).endswith(TERMINATORS)]
    groups = [lines[i:i + size] for i in range(0, len(lines), size)]
    return [(separator.join(group), group) for group in groups if len(group) == size]


def filter_text(command, text):
    return subprocess.run(command, input=text, capture_output=True, encoding="utf-8", check=True).stdout


def awend(command, language):
    def split(texts):
        out = filter_text([*shlex.split(command), "--sentences", "-l", language],
                          "".join(text + "\n" for text in texts))
        return [block.split("\n") for block in out.removesuffix("\n\n").split("\n\n")]
    return split


def moses(script, language):
    def split(texts):
        out = filter_text(["perl", script, "-q", "-l", language], "".join(text + "\n\n" for text in texts))
        return [block.strip("\n").split("\n") for block in out.removesuffix("<P>\n").split("<P>\n")]
    return split


def programs(arguments, language):
    for program in arguments.tokenize:
        name, _, command = program.partition("=")
        yield name, awend(command, language)
    if arguments.moses:
        yield "Moses", moses(arguments.moses, language)
    try:
        import sentence_splitter
        splitter = sentence_splitter.SentenceSplitter(language=language)
        yield "sentence-splitter", lambda texts: [splitter.split(text) for text in texts]
    except (ImportError, Exception) as error:  # It has its own error for a language without a list.
        if not isinstance(error, ImportError) and type(error).__name__ != "SentenceSplitterException":
            raise
    try:
        import pysbd
        segmenter = pysbd.Segmenter(language=language, clean=False)
        yield "pysbd", lambda texts: [segmenter.segment(text) for text in texts]
    except (ImportError, ValueError):  # ValueError: a language that it does not know
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--group", type=int, default=4, help="lines to join (default: 4)")
    parser.add_argument("--tokenize", action="append", default=[], metavar="NAME=COMMAND")
    parser.add_argument("--moses", metavar="FILE")
    parser.add_argument("--errors", metavar="NAME", help="print the errors of this program instead")
    parser.add_argument("--languages", metavar="XX,XX", help="only these (default: all of DIR)")
    parser.add_argument("directory", type=pathlib.Path, metavar="DIR")
    arguments = parser.parse_args()
    if not arguments.tokenize:
        arguments.tokenize = ["awend=build/bin/tokenize"]
    wanted = arguments.languages and arguments.languages.split(",")
    print("| text | program | recall | precision | F1 |\n|---|---|--:|--:|--:|")
    for path in sorted(arguments.directory.glob("*.txt")):
        language = path.name.split(".")[0]
        if wanted and language not in wanted:
            continue
        groups = read_groups(path, arguments.group, "" if language in WITHOUT_SPACES else " ")
        for name, split in programs(arguments, language):
            if arguments.errors and name != arguments.errors:
                continue
            hits = joints = found = 0
            results = split([text for text, _ in groups])
            if len(results) != len(groups):
                raise SystemExit(f"{name}: {len(results)} results for {len(groups)} texts")
            for sentences, (_, lines) in zip(results, groups):
                real, guessed = lengths_of(lines), lengths_of(sentences)
                hits += len(real & guessed)
                joints += len(real)
                found += len(guessed)
                if arguments.errors:
                    text = "".join("".join(lines).split())
                    for kind, ends in (("missed", real - guessed), ("extra", guessed - real)):
                        for end in sorted(ends):
                            print(kind, language, text[max(0, end - 30):end], "||", text[end:end + 30])
            recall, precision = hits / max(1, joints), hits / max(1, found)
            f1 = 2 * hits / max(1, joints + found)
            print(f"| {path.stem} | {name} | {recall:.3f} | {precision:.3f} | {f1:.3f} |", flush=True)


if __name__ == "__main__":
    main()
