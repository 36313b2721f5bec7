#!/bin/bash
# Compares encoding and learning of SentencePiece models with the package sentencepiece of PyPI, alternating on the same text: seconds of
# processor time of one thread, medians, and whether the results are the same.
#
#   PYTHON=VENV/bin/python tests/bench/sentencepiece_beside_peer.sh [--rounds N] [--megabytes N] [--size N] TEXT...
#
# PYTHON: a python3 with the module sentencepiece; AWEND_BIN: directory of the programs (default: build/bin).  For encoding, the lines of
# each text are repeated in another order each time until there are 40 MB.  The peer's time is that of its encode() of a list of lines, and
# of its train(), without reading or writing files; awend's is that of the whole process.
set -euo pipefail
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
bin=${AWEND_BIN:-$here/../../build/bin}
python=${PYTHON:-python3}
rounds=5 megabytes=40 size=8000
while [ $# -gt 1 ]; do
  case $1 in
    --rounds) rounds=${2:?}; shift 2 ;;
    --megabytes) megabytes=${2:?}; shift 2 ;;
    --size) size=${2:?}; shift 2 ;;
    -*) echo "${0##*/}: unknown option '$1'" >&2; exit 2 ;;
    *) break ;;
  esac
done
[ $# -gt 0 ] || { echo "${0##*/}: no text" >&2; exit 2; }
exec "$python" - "$bin" "$rounds" "$megabytes" "$size" "$@" <<'.'
import io, os, random, resource, statistics, subprocess, sys, tempfile, time
import sentencepiece

programs, rounds, megabytes, size = sys.argv[1], *map(int, sys.argv[2:5])
folder = tempfile.TemporaryDirectory()

def path(name):
    return os.path.join(folder.name, name)

def cpu(call):
    before = time.process_time()
    result = call()
    return time.process_time() - before, result

def run(program, *arguments):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([os.path.join(programs, program), '-q', *arguments], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

def read(name):
    with open(name, encoding='utf-8', newline='\n') as file:
        return file.read().split('\n')[:-1]

def alternate(ours, theirs):
    pairs = [(ours(), theirs()) for _ in range(rounds)]
    return [statistics.median(column) for column in zip(*pairs)]

def row(text, task, bytes, own, peer, same):
    print(f'| {text} | {task} | {peer:.2f} | {bytes / peer / 1e6:.1f} | {own:.2f} | {bytes / own / 1e6:.1f} | {peer / own:.1f} | {same} |')

print(f'sentencepiece {sentencepiece.__version__}, {size} ids, medians of {rounds} runs, load {os.getloadavg()[0]:.1f}\n')
print('| text | task | peer s | peer MB/s | awend s | awend MB/s | ratio | same |\n|---|---|--:|--:|--:|--:|--:|---|')
for name in sys.argv[5:]:
    text, lines = os.path.basename(name), read(name)
    bytes = os.path.getsize(name)
    generator, many = random.Random(1), []
    total = 0
    while total < megabytes * 1e6:
        generator.shuffle(lines)
        many += lines
        total += bytes
    with open(path('many'), 'w', encoding='utf-8', newline='\n') as file:
        file.writelines(line + '\n' for line in many)
    lines = read(name)
    for kind in 'bpe', 'unigram':
        def train():
            model = io.BytesIO()
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter(lines), model_writer=model, model_type=kind, vocab_size=size, minloglevel=2,
                hard_vocab_limit=False, max_sentence_length=1 << 30, num_threads=1 if kind == 'bpe' else 16)
            return model.getvalue()
        learn = lambda: run('build-vocab', '--format', 'sentencepiece', '-t', kind, '-s', str(size), '-j', '1', '-o', path(kind), name)
        if kind == 'bpe':
            own, peer = alternate(learn, lambda: cpu(train)[0])
        else:
            own = learn()
        theirs = sentencepiece.SentencePieceProcessor(model_proto=train())
        ours = sentencepiece.SentencePieceProcessor(model_file=path(kind))
        pieces = lambda model: [(model.id_to_piece(i), model.get_score(i)) for i in range(model.get_piece_size())]
        if kind == 'bpe':
            row(text, 'learn bpe', bytes, own, peer, 'yes' if pieces(ours) == pieces(theirs) else 'no')
        for form, options in (str, []), (int, ['--ids']):
            own, peer = alternate(lambda: run('tokenize', '-m', path(kind), '-j', '1', '-o', path('tokens'), *options, path('many')),
                                  lambda: cpu(lambda: ours.encode(many, out_type=form, num_threads=1))[0])
            own_lines = read(path('tokens'))
            differ = sum(' '.join(map(str, theirs)) != mine for theirs, mine in
                         zip(ours.encode(many, out_type=form, num_threads=1), own_lines, strict=True))
            same = 'yes' if differ == 0 else f'all but {differ} of {len(many)} lines'
            row(text, f'encode {kind}, {"ids" if options else "pieces"}', total, own, peer, same)
.
