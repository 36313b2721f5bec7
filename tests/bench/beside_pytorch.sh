#!/bin/bash
# Compares the training step of awend and PyTorch, alternating on the same machine: tokens/s, their ratio, and that of the CPU
# time of all threads, which depends less on other load; threads that wait in a loop, as those of PyTorch do, count as well.
#
#   tests/bench/beside_pytorch.sh [--rounds N] [--seconds S] [--matmul [--all]] [-- MODEL-OPTION...]
#
# MODEL-OPTIONs (--preset, --d-model, --d-ff, --heads, --layers, --vocabulary, --sentences, --length, --precision) are passed to both;
# with "--preset rnn-small", the step is that of the recurrent network.  The last row has the median of each column.
# --matmul also compares the shapes of `awend-bench --quick` with torch.matmul, with the same --precision; --rounds 0 compares
# only these, --all all shapes of awend-bench.  AWEND_BENCH: path of awend-bench (default: in
# build/bin); PYTHON: a python3 with PyTorch (Debian: python3-torch); PYTORCH_OPTIONS: options of pytorch_step.py only, such as
# "--device cuda".
set -euo pipefail
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
bench=${AWEND_BENCH:-$here/../../build/bin/awend-bench}
rounds=3 seconds=1 matmul= shapes=(--quick)
while [ $# -gt 0 ]; do
  case $1 in
    --rounds) rounds=${2:?}; shift 2 ;;
    --seconds) seconds=${2:?}; shift 2 ;;
    --matmul) matmul=yes; shift ;;
    --all) shapes=(); shift ;;
    --) shift; break ;;
    *) echo "${0##*/}: unknown option '$1'" >&2; exit 2 ;;
  esac
done
# python3-torch is for Debian's Python; PATH may have another one first.
for python in ${PYTHON:-python3 /usr/bin/python3}; do
  "$python" -c 'import torch' 2> /dev/null && break
  python=
done
[ -n "$python" ] || { echo "${0##*/}: no Python with PyTorch found (Debian: python3-torch)" >&2; exit 1; }
pytorch=("$python" "$here/pytorch_step.py" --threads "${LP_NUM_THREADS:-$(nproc)}")
# shellcheck disable=SC2206
pytorch+=(${PYTORCH_OPTIONS:-})

# field EXPRESSION: of the JSON `it` on stdin.
field() { python3 -c "import json, sys; it = json.load(sys.stdin); print($1)"; }

"$bench" --filter no/row --json - | field '"awend on %s, %s threads" % (", ".join(it[key] for key in ("device", "driver") if key in it), it["threads"])'
rates='"%.1f %.1f %.2f" % (it["tokens_per_second"], it["best_tokens_per_second"], it["cpu_milliseconds"])'
[ "$rounds" -eq 0 ] || printf '\n| round | awend tokens/s (best) | PyTorch tokens/s (best) | ratio | of bests | of CPU times |\n|---|--:|--:|--:|--:|--:|\n'
for ((round = 1; round <= rounds; ++round)); do
  ours=$("$bench" --filter step/update --seconds "$seconds" --json - "$@" |
    field 'json.dumps(it["sections"]["step"]["rows"]["update"])' | field "$rates")
  theirs=$("${pytorch[@]}" --seconds "$seconds" "$@" | field "$rates")
  echo "$round $ours $theirs"
done | python3 -c '
import statistics, sys

def row(name, ours, our_best, theirs, their_best, *ratios):
    print("| %s | %.0f (%.0f) | %.0f (%.0f) | %.2f | %.2f | %.2f |" %
          (name, ours, our_best, theirs, their_best, *ratios), flush=True)

rounds = []
for line in sys.stdin:
    number, *rates = line.split()
    ours, our_best, our_cpu, theirs, their_best, their_cpu = map(float, rates)
    rounds.append((ours, our_best, theirs, their_best, ours / theirs, our_best / their_best,
                   their_cpu / our_cpu))
    row(number, *rounds[-1])
if rounds:
    row("median", *map(statistics.median, zip(*rounds)))
'

[ -n "$matmul" ] || exit 0
precision=()
while [ $# -gt 0 ]; do
  case $1 in
    --precision) precision=(--precision "${2:?}") ;;
    --precision=*) precision=("$1") ;;
  esac
  shift
done
printf '\n| matmul | awend GFLOP/s (best) | PyTorch GFLOP/s (best) | ratio | of bests |\n|---|--:|--:|--:|--:|\n'
"$bench" --filter matmul/ "${shapes[@]}" --seconds 0.1 --json - "${precision[@]}" | python3 -c '
import json, statistics, subprocess, sys
rows = json.load(sys.stdin)["sections"]["matmul"]["rows"]
ours = {name: (row["gflops"], row["best_gflops"]) for name, row in rows.items() if " -> " in name}
command = [*sys.argv[1:], "--matmul", "--seconds", "0.1"]
theirs = json.loads(subprocess.run(command, input="\n".join(ours), text=True, check=True,
                                   stdout=subprocess.PIPE).stdout)
ratios = {name: [one / other for one, other in zip(ours[name], theirs[name])] for name in ours}
for name in ours:
    print("| %s | %.1f (%.1f) | %.1f (%.1f) | %.2f | %.2f |" %
          (name, *ours[name], *theirs[name], *ratios[name]))
print("| median | | | %.2f | %.2f |" % tuple(map(statistics.median, zip(*ratios.values()))))
' "${pytorch[@]}" "${precision[@]}"
