#!/bin/bash
# Compares beam search of awend and CTranslate2, alternating on the same machine, with the same model and lines, in fp32 and with 8-bit
# integers: target tokens/s and their ratios, and the peak of the memory of both processes.
#
#   tests/bench/translate_beside_ctranslate2.sh [--rounds N] [--beam-size N] [--batch N] [--length N] [--threads N] \
#     CHECKPOINT CT2_DIRECTORY TOKENS
#
# CT2_DIRECTORY has the same model in CTranslate2's format, in fp32; CTranslate2 quantizes it when it loads it, awend by average.  The times
# are those of the translation, without imports and loading; for awend, the difference to a run with one line.  CTranslate2 has a worker of
# one thread for each of the threads, its fastest division.  Ends of sentences count as tokens.  AWEND_BIN: directory of the
# programs (default: build/bin); PYTHON: a python3 with ctranslate2 (PyPI).  --batch applies to CTranslate2: sentences per batch.  With
# --length, lines have N tokens, and so have all translations, so that models that are not trained can be compared.
set -euo pipefail
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
bin=${AWEND_BIN:-$here/../../build/bin}
rounds=3 beam=4 batch=64 length=0 threads=${LP_NUM_THREADS:-$(nproc)}
while [ $# -gt 0 ]; do
  case $1 in
    --rounds) rounds=${2:?}; shift 2 ;;
    --beam-size) beam=${2:?}; shift 2 ;;
    --batch) batch=${2:?}; shift 2 ;;
    --length) length=${2:?}; shift 2 ;;
    --threads) threads=${2:?}; shift 2 ;;
    -*) echo "${0##*/}: unknown option '$1'" >&2; exit 2 ;;
    *) break ;;
  esac
done
[ $# = 3 ] || { echo "usage: ${0##*/} [OPTION]... CHECKPOINT CT2_DIRECTORY TOKENS" >&2; exit 2; }
checkpoint=$1 directory=$2 tokens=$3
python=${PYTHON:-python3}
"$python" -c 'import ctranslate2' 2> /dev/null || { echo "${0##*/}: $python has no ctranslate2 (PyPI)" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
limits=()
if [ "$length" -gt 0 ]; then
  limits=(--max-length-ratio 1 --max-length-extra 0 --min-length-ratio 1)
  tr '\n' ' ' < "$tokens" | awk -v length_="$length" '{ for (i = 0; i + length_ <= NF; i += length_) {
    line = $(i + 1); for (j = 2; j <= length_; ++j) line = line " " $(i + j); print line } }' > "$work/lines"
  tokens=$work/lines
fi

# rate SECONDS FILE: tokens and ends of sentences a second.
rate() { wc -lw < "$2" | awk -v seconds="$1" '{ printf "%.1f", ($1 + $2) / seconds }'; }
# seconds_of MODEL TEXT OUTPUT: translates with awend and prints the time.
seconds_of() {
  local begin=$EPOCHREALTIME
  "$python" -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024, file=sys.stderr)' \
    "$bin/translate" -q --device cpu -j "$threads" -m "$1" -b "$beam" "${limits[@]}" "$2" > "$work/$3" 2> "$work/$3.mib"
  echo "$EPOCHREALTIME $begin" | awk '{ print $1 - $2 }'
}
# awend_rate MODEL, peer_rate TYPE: translate once and print the rate.
awend_rate() {
  rate "$(echo "$(seconds_of "$1" "$tokens" awend) $(seconds_of "$1" "$work/one" first)" | awk '{ print $1 - $2 }')" "$work/awend"
}
peer_rate() {
  "$python" "$here/ctranslate2_translate.py" --type "$1" --beam-size "$beam" --batch "$batch" --length "$length" \
    --workers "$threads" "$directory" \
    < "$tokens" > "$work/peer" 2> "$work/json"
  rate "$("$python" -c 'import json, sys; print(json.load(sys.stdin)["seconds"])' < "$work/json")" "$work/peer"
}

"$bin/average" -q --quantize int8 -o "$work/int8.safetensors" "$checkpoint"
head -n 1 "$tokens" > "$work/one"
seconds_of "$checkpoint" "$work/one" warm > "$work/seconds"
echo "awend and CTranslate2, beam size $beam, $(wc -l < "$tokens") lines, $threads threads"
printf '\n| round | type | awend tokens/s | CTranslate2 tokens/s | ratio | tokens of both | MiB of both |\n|---|---|--:|--:|--:|---|---|\n'
for ((round = 1; round <= rounds; ++round)); do
  for type in float32 int8; do
    model=$checkpoint
    [ $type = float32 ] || model=$work/int8.safetensors
    echo "$(awend_rate "$model") $(peer_rate $type) $(wc -lw < "$work/awend" | awk '{ print $1 + $2 }') $(wc -lw < "$work/peer" |
      awk '{ print $1 + $2 }') $(cat "$work/awend.mib") $("$python" -c 'import json, sys; print(json.load(sys.stdin)["mib"])' < "$work/json")" |
      awk -v round=$round -v type=$type '{
        printf "| %d | %s | %.0f | %.0f | %.2f | %d, %d | %d, %d |\n", round, type, $1, $2, $1 / $2, $3, $4, $5, $6 }'
  done
done
