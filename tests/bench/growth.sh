#!/bin/bash
# Measures how products and translations on a CPU grow: prints the figures to stdout and plots them in tests/bench/growth.svg.
#
#   tests/bench/growth.sh [--svg FILE] CHECKPOINT TOKENS
#
# Products by rows and threads, in fp32 and with 8-bit integers, compared with OpenBLAS; the translations of TOKENS a second by threads; the time of
# a translation by beam size; and that of lines of a given length, whose translations have the same length.  AWEND_BIN: directory of the programs
# (default: build/bin).
set -euo pipefail
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
bin=${AWEND_BIN:-$here/../../build/bin}
svg=$here/growth.svg
if [ "${1:-}" = --svg ]; then svg=${2:?}; shift 2; fi
[ $# = 2 ] || { echo "usage: ${0##*/} [--svg FILE] CHECKPOINT TOKENS" >&2; exit 2; }
checkpoint=$1 tokens=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$bin/average" -q --quantize int8 -o "$work/int8.safetensors" "$checkpoint"

# measure PANEL SIZE FILE OPTION...: translates FILE three times with each model; the median, in milliseconds a line.
measure() {
  local panel=$1 size=$2 file=$3 type model
  shift 3
  for type in fp32 int8; do
    model=$checkpoint
    [ $type = fp32 ] || model=$work/int8.safetensors
    for _ in 1 2 3; do
      local begin=$EPOCHREALTIME
      "$bin/translate" -q -m "$model" "$@" < "$file" > "$work/out"
      echo "$EPOCHREALTIME $begin" | awk '{ print $1 - $2 }'
    done | sort -n | awk -v panel="$panel" -v size="$size" -v type=$type -v lines="$(wc -l < "$file")" \
      'NR == 2 { printf "%s\t%d\t%s\t%.3f\n", panel, size, type, 1000 * $1 / lines }'
  done
}

{
  "$bin/awend-bench" --filter 'x 512 -> 2048'
  echo
  for threads in $(for ((n = 1; n < $(nproc); n *= 2)); do echo $n; done) $(nproc); do measure threads "$threads" "$tokens" -j "$threads"; done
  for beam in 1 2 4 8 16; do measure beam $beam "$tokens" -b $beam; done
  for length in 8 16 32 64 128 256; do
    tr '\n' ' ' < "$tokens" | awk -v length_=$length '{ for (i = 0; i + length_ <= NF && lines < 64; i += length_) {
      line = $(i + 1); for (j = 2; j <= length_; ++j) line = line " " $(i + j); print line; ++lines } }' > "$work/lines"
    measure length $length "$work/lines" -b 4 --max-length-ratio 1 --max-length-extra 0 --min-length-ratio 1
  done
} | tee "$work/figures"
awk -f "$here/plot.awk" -f "$here/growth.awk" "$work/figures" > "$svg.part"
mv "$svg.part" "$svg"
