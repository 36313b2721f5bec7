#!/bin/bash
# Compares beam search of awend and PyTorch, alternating on the same machine, with the same checkpoint and lines: target tokens/s and
# their ratio.
#
#   tests/bench/translate_beside_pytorch.sh [--rounds N] [--beam-size N] [--batch N] [--compact] CHECKPOINT TOKENS
#
# The time of awend is that of the whole process; the time of PyTorch includes only the translation, not imports and loading.  Ends of
# sentences count as tokens.  AWEND_BIN: directory of the programs (default: build/bin); PYTHON: a python3 with PyTorch (Debian:
# python3-torch).  --batch and --compact apply to PyTorch: sentences per batch, and removal of finished sentences from the batch.
set -euo pipefail
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
bin=${AWEND_BIN:-$here/../../build/bin}
rounds=3 beam=4 batch=64 compact=()
while [ $# -gt 0 ]; do
  case $1 in
    --rounds) rounds=${2:?}; shift 2 ;;
    --beam-size) beam=${2:?}; shift 2 ;;
    --batch) batch=${2:?}; shift 2 ;;
    --compact) compact=(--compact); shift ;;
    -*) echo "${0##*/}: unknown option '$1'" >&2; exit 2 ;;
    *) break ;;
  esac
done
[ $# = 2 ] || { echo "usage: ${0##*/} [OPTION]... CHECKPOINT TOKENS" >&2; exit 2; }
checkpoint=$1 tokens=$2
# python3-torch is for Debian's Python; PATH may have another one first.
for python in ${PYTHON:-python3 /usr/bin/python3}; do
  "$python" -c 'import torch' 2> /dev/null && break
  python=
done
[ -n "$python" ] || { echo "${0##*/}: no Python with PyTorch found (Debian: python3-torch)" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
threads=${LP_NUM_THREADS:-$(nproc)}

seconds_now() { date +%s.%N; }
# rate SECONDS FILE: tokens and ends of sentences a second.
rate() { wc -lw < "$2" | awk -v seconds="$1" '{ printf "%.1f", ($1 + $2) / seconds }'; }

"$bin/translate" -m "$checkpoint" -b "$beam" < <(head -n 1 "$tokens") > "$work/warm"
echo "awend and PyTorch, beam size $beam, $(wc -l < "$tokens") lines, $threads threads"
printf '\n| round | awend tokens/s | PyTorch tokens/s | ratio |\n|---|--:|--:|--:|\n'
for ((round = 1; round <= rounds; ++round)); do
  begin=$(seconds_now)
  "$bin/translate" -m "$checkpoint" -b "$beam" < "$tokens" > "$work/ours"
  ours=$(rate "$(echo "$begin $(seconds_now)" | awk '{ print $2 - $1 }')" "$work/ours")
  "$python" "$here/pytorch_translate.py" --beam-size "$beam" --batch "$batch" "${compact[@]}" --threads "$threads" \
    "$checkpoint" < "$tokens" > "$work/theirs" 2> "$work/json"
  theirs=$(rate "$(python3 -c 'import json, sys; print(json.load(sys.stdin)["seconds"])' < "$work/json")" "$work/theirs")
  echo "$ours $theirs" | awk -v round=$round '{ printf "| %d | %.0f | %.0f | %.2f |\n", round, $1, $2, $1 / $2 }'
done
alike=$(paste -d '\n' "$work/ours" "$work/theirs" | awk 'NR % 2 { line = $0; next } line == $0 { ++n } END { print n + 0 }')
printf '\n%s of %s translations are the same.\n' "$alike" "$(wc -l < "$tokens")"
