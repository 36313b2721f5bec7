#!/bin/bash
# Compares the speed of score --mbr chrf and of mbrs (PyPI, with its Rust implementation fastchrf) in one run, and their choices.
#
#     pip install mbrs 'setuptools<80'
#     PYTHON=VENV/bin/python tests/bench/mbr_beside_mbrs.sh TEXT [LINES] [CANDIDATES]
#
# The candidates of the first LINES lines of TEXT (default: 50) are variants of the line: words are removed, inserted, moved and replaced
# at random.  The programs alternate, three times each; seconds of mbrs do not include its start.  Run on an idle machine.
set -eu
[ $# -ge 1 ] || { sed -n 's/^# \?//p' "$0" >&2; exit 2; }
: "${PYTHON:?the Python of an environment with mbrs}"
text=$(realpath "$1") lines=${2:-50} candidates=${3:-100}
root=$(CDPATH='' cd "$(dirname "$0")/../.." && pwd)
PATH=${AWEND_BIN:-$root/build/bin}:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$PYTHON" - "$text" "$lines" "$candidates" <<'END'
import random, sys
random.seed(1)
text = open(sys.argv[1], encoding='utf8').read().split('\n')[:2000]
words = [word for line in text for word in line.split()]
with open('list', 'w', encoding='utf8') as out:
    for number in range(int(sys.argv[2])):
        for _ in range(int(sys.argv[3])):
            variant = text[number].split()
            for _ in range(random.randint(0, 6)):
                kind, place = random.random(), random.randrange(len(variant))
                if kind < 0.3 and len(variant) > 2:
                    del variant[place]
                elif kind < 0.6:
                    variant.insert(place, random.choice(words))
                elif kind < 0.8:
                    other = random.randrange(len(variant))
                    variant[place], variant[other] = variant[other], variant[place]
                else:
                    variant[place] = random.choice(words)
            print(number, '|||', ' '.join(variant), file=out)
END

# theirs THREADS: prints seconds, and writes the chosen candidates.
theirs() {
  RAYON_NUM_THREADS=$1 "$PYTHON" - "$1" 2> /dev/null <<'END'
import itertools, sys, time
import torch
from mbrs.decoders.mbr import DecoderMBR
from mbrs.metrics.chrf import MetricChrF
torch.set_num_threads(int(sys.argv[1]))
decoder = DecoderMBR(DecoderMBR.Config(), MetricChrF(MetricChrF.Config(fastchrf=True)))
entries = [line.rstrip('\n').split(' ||| ') for line in open('list', encoding='utf8')]
lists = [[text for _, text in group] for _, group in itertools.groupby(entries, lambda entry: entry[0])]
begin = time.monotonic()
chosen = [decoder.decode(texts, texts, nbest=1).idx[0] for texts in lists]
print('%.3f' % (time.monotonic() - begin))
with open('choices.mbrs', 'w') as out:
    out.writelines('%d\n' % place for place in chosen)
END
}

ours() {
  local begin end
  begin=$(date +%s.%N)
  score --mbr chrf -j "$1" --json < list > json
  end=$(date +%s.%N)
  sed -E 's/.*"candidate": ([0-9]+),.*/\1/' json > choices.score
  echo "$end - $begin" | bc
}

median() { sort -g | sed -n 2p; }

printf '%d lines of %d candidates; median seconds of three runs\n' "$lines" "$candidates"
for threads in 1 2; do
  : > seconds.theirs
  : > seconds.ours
  for _ in 1 2 3; do
    theirs $threads >> seconds.theirs
    ours $threads >> seconds.ours
  done
  awk -v threads=$threads -v theirs="$(median < seconds.theirs)" -v ours="$(median < seconds.ours)" \
    'BEGIN {printf "%d threads: mbrs %.2f, score %.3f, %.0fx\n", threads, theirs, ours, theirs / ours}'
done
printf 'equal choices: %d of %d; load %s\n' "$(paste choices.score choices.mbrs | awk '$1 == $2' | wc -l)" "$lines" "$(cut -d ' ' -f 1 /proc/loadavg)"
