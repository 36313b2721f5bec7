#!/bin/bash
# Compares the speed of score and sacreBLEU in one run: seconds and their ratio, with one thread and with two.
#
#     pip install --target DIR sacrebleu
#     SACREBLEU=DIR tests/bench/score_beside_sacrebleu.sh REFERENCE HYPOTHESES OTHER-HYPOTHESES [LINES]
#
# The files are repeated up to LINES lines (default: 100000), with a number in front of each line to make it unique.  The programs
# alternate, and their output is compared.  Run on an idle machine.
set -eu
: "${SACREBLEU:?the folder that sacreBLEU was installed into}"
[ $# -ge 3 ] || { sed -n 's/^# \?//p' "$0" >&2; exit 2; }
lines=${4:-100000}
root=$(CDPATH='' cd "$(dirname "$0")/../.." && pwd)
PATH=${AWEND_BIN:-$root/build/bin}:$PATH
export PYTHONPATH=$SACREBLEU
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# longer FILE: prints LINES lines of repetitions of FILE.
longer() {
  awk -v wanted="$lines" '{ line[NR] = $0 } END { for (i = 0; i < wanted; ++i) print int(i / NR), line[i % NR + 1] }' "$1"
}
longer "$1" > "$work/ref"
longer "$2" > "$work/a"
longer "$3" > "$work/b"
cd "$work"

# seconds COMMAND...: prints its time and peak memory in MB; its output goes to `printed`.
seconds() {
  python3 - "$@" <<'PYTHON'
import os, resource, subprocess, sys, time
begin = time.monotonic()
with open('printed', 'w') as out:
    subprocess.run(sys.argv[1:], stdout=out, stderr=subprocess.DEVNULL, check=True)
print('%.2f %d' % (time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024))
PYTHON
}

# Numbers that must be identical: scores, intervals and p-values.
figures() { grep -oE ' = .*|│.*│' printed | grep -v System; }

# race WHAT OPTION...: the options are the same for score and sacreBLEU.
race() {
  local what=$1 theirs one two expected
  shift
  theirs=$(seconds python3 -m sacrebleu ref -i "${systems[@]}" -f text -w 4 "$@")
  expected=$(figures)
  local options=()
  for option; do
    case $option in -lc) options+=(-l) ;; *) options+=("$option") ;; esac
  done
  for threads in 1 2; do
    local ours
    ours=$(seconds score -w 4 -j "$threads" "${options[@]}" --systems "${systems[@]}" -- ref)
    [ "$(figures)" = "$expected" ] || { echo "$what: the numbers differ" >&2; exit 1; }
    [ "$threads" = 1 ] && one=$ours || two=$ours
  done
  awk -v what="$what" -v theirs="$theirs" -v one="$one" -v two="$two" 'BEGIN {
    split(theirs, t); split(one, a); split(two, b)
    printf "%-34s %10.2f %7d %8.2f %6.0fx %8.2f %6.0fx %7d\n", what, t[1], t[2], a[1], t[1] / a[1], b[1], t[1] / b[1], b[2] }'
}

printf '%d lines; seconds, MB\n%-34s %10s %7s %8s %7s %8s %7s %7s\n' "$lines" '' sacreBLEU MB score -j1 score -j2 MB
systems=(a)
race 'BLEU, 13a'
race 'BLEU, 13a, lower case' -lc
race 'BLEU, intl' --tokenize intl
race 'BLEU, zh' --tokenize zh
race 'BLEU, none' --tokenize none --force
race chrF -m chrf
race 'BLEU with an interval (1000)' --confidence
systems=(a b)
race 'paired bootstrap (1000)' --paired-bs
race 'paired randomization (1000)' --paired-ar --paired-ar-n 1000
