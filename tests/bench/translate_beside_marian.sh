#!/bin/bash
# Compares the speed of awend and Marian in one run with a model that Marian reads, such as the student of tools/recipes/student.sh: lines of
# raw text, both programs alternately, target words/s of the whole run without reading the model.
#
#     pip install pymarian
#     PYTHON=VENV/bin/python tests/bench/translate_beside_marian.sh [--rounds N] [--beam-size N] [--threads N] [--own CHECKPOINT] \
#       MARIAN_DIRECTORY TEXT
#
# MARIAN_DIRECTORY is written by `convert-model --to marian` from a model with a SentencePiece vocabulary.  awend translates the same
# directory, converted back, or CHECKPOINT.  Marian gets all lines at once, sorts them by length, and takes the fastest of batches of 16, 64
# and 128 lines.  A line of a table is printed for each round, then the medians.
set -euo pipefail
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
bin=${AWEND_BIN:-$here/../../build/bin}
rounds=3 beam=4 threads=$(nproc) own=''
while [ $# -gt 0 ]; do
  case $1 in
    --rounds) rounds=${2:?}; shift 2 ;;
    --beam-size) beam=${2:?}; shift 2 ;;
    --threads) threads=${2:?}; shift 2 ;;
    --own) own=${2:?}; shift 2 ;;
    -*) echo "${0##*/}: unknown option '$1'" >&2; exit 2 ;;
    *) break ;;
  esac
done
[ $# = 2 ] || { sed -n 's/^# \?//p' "$0" >&2; exit 2; }
: "${PYTHON:?the Python of an environment with pymarian}"
directory=$1 text=$2
# The search settings that Marian gets below.
search=(--unknown-tokens off --length-penalty power --alpha 0.6)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "$own" ]; then
  own=$work/own.safetensors
  "$bin/convert-model" -q -o "$own" "$directory"
fi
head -n 1 "$text" > "$work/one"

cat > "$work/peer.py" << 'END'
import glob, sys, time
from pymarian import Translator
directory, beam, threads, batch = sys.argv[1], *map(int, sys.argv[2:])
vocabulary = directory + "/vocab.spm"
options = dict(models=glob.glob(directory + "/model*.bin")[0], vocabs=[vocabulary, vocabulary], beam_size=beam, normalize=0.6,
               cpu_threads=threads, mini_batch=batch, maxi_batch=1000, maxi_batch_sort="src", workspace=512, quiet=True,
               quiet_translation=True)
shortlist = glob.glob(directory + "/lex*.bin")
if shortlist:
    options["shortlist"] = [shortlist[0], "false"]
translator = Translator(**options)
lines = sys.stdin.read().split("\n")[:-1]
translator.translate(lines[:1])
begin = time.monotonic()
translations = translator.translate(lines)
seconds = time.monotonic() - begin
print("\n".join(translations))
print(seconds, file=open(sys.argv[0] + ".seconds", "w"))
END

# words SECONDS FILE: words and ends of sentences a second.
words() { wc -lw < "$2" | awk -v seconds="$1" '{ printf "%.0f", ($1 + $2) / seconds }'; }
peer() {
  for batch in 16 64 128; do
    "$PYTHON" "$work/peer.py" "$directory" "$beam" "$threads" "$batch" < "$text" > "$work/peer" 2> "$work/err" || { cat "$work/err" >&2; return 1; }
    words "$(cat "$work/peer.py.seconds")" "$work/peer"
    echo
  done | sort -rn | head -n 1
}
seconds_of() {
  local begin=$EPOCHREALTIME
  "$bin/translate" -q --raw --device cpu -j "$threads" -m "$own" -b "$beam" "${search[@]}" "$1" > "$work/$2"
  echo "$EPOCHREALTIME $begin" | awk '{ print $1 - $2 }'
}
awend() { words "$(echo "$(seconds_of "$text" awend) $(seconds_of "$work/one" first)" | awk '{ print $1 - $2 }')" "$work/awend"; }

printf 'awend and Marian, beam size %d, %d lines, %d threads; load %s\n\n' "$beam" "$(wc -l < "$text")" "$threads" "$(cut -d ' ' -f 1 /proc/loadavg)"
printf '| round | awend words/s | Marian words/s | ratio |\n|---|--:|--:|--:|\n'
for ((round = 1; round <= rounds; ++round)); do
  echo "$(awend) $(peer)" | awk -v round=$round '{ printf "| %d | %d | %d | %.2f |\n", round, $1, $2, $1 / $2 }' | tee -a "$work/rounds"
done
middle=$(((rounds + 1) / 2))
for column in 3 4 5; do awk -F '|' -v c=$column '{ print $c }' "$work/rounds" | sort -g | sed -n ${middle}p; done | xargs printf '| median | %s | %s | %s |\n'
printf '\n%d of %d lines are translated equally\n' "$(paste -d '\n' "$work/awend" "$work/peer" | awk 'NR % 2 { line = $0; next } $0 == line { ++n } END { print n + 0 }')" "$(wc -l < "$text")"
