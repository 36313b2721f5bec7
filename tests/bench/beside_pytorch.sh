#!/bin/bash
# The training step of awend and of PyTorch in turn, so that both see the same machine: tokens/s and their ratio.
#
#   tests/bench/beside_pytorch.sh [--rounds N] [--seconds S] [--matmul] [-- MODEL-OPTION...]
#
# MODEL-OPTIONs (--d-model, --d-ff, --heads, --layers, --vocabulary, --sentences, --length) go to both.  AWEND_BENCH names another
# awend-bench than build/bin's, PYTHON another python3; PYTORCH_OPTIONS is for pytorch_step.py alone, for example "--device cuda --precision bf16".
# --matmul also compares the shapes of `awend-bench --quick` with torch.matmul.  Needs python3-torch.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bench=${AWEND_BENCH:-$here/../../build/bin/awend-bench}
rounds=3 seconds=1 matmul=
while [ $# -gt 0 ]; do
  case $1 in
    --rounds) rounds=${2:?}; shift 2 ;;
    --seconds) seconds=${2:?}; shift 2 ;;
    --matmul) matmul=yes; shift ;;
    --) shift; break ;;
    *) echo "${0##*/}: no option '$1'" >&2; exit 2 ;;
  esac
done
# Debian's Python has python3-torch; another one may stand before it in PATH.
for python in ${PYTHON:-python3 /usr/bin/python3}; do
  "$python" -c 'import torch' 2> /dev/null && break
done
pytorch=("$python" "$here/pytorch_step.py" --threads "${LP_NUM_THREADS:-$(nproc)}" --seconds "$seconds")
# shellcheck disable=SC2206
pytorch+=(${PYTORCH_OPTIONS:-})

# field EXPRESSION: of the JSON `it` on stdin.
field() { python3 -c "import json, sys; it = json.load(sys.stdin); print($1)"; }

"$bench" --filter no/row --json - | field '"awend on %s, %s, %s threads" % (it["device"], it["driver"], it["threads"])'
printf '\n| round | awend tokens/s | PyTorch tokens/s | ratio |\n|---|--:|--:|--:|\n'
ratios=()
for ((round = 1; round <= rounds; ++round)); do
  ours=$("$bench" --filter step/update --seconds "$seconds" --json - "$@" |
    field 'it["sections"]["step"]["rows"]["update"]["tokens_per_second"]')
  theirs=$("${pytorch[@]}" "$@" | field 'it["tokens_per_second"]')
  ratios+=("$(python3 -c "print('%.3f' % ($ours / $theirs))")")
  printf '| %d | %.0f | %.0f | %s |\n' "$round" "$ours" "$theirs" "${ratios[-1]}"
done
python3 -c 'import statistics, sys; print("\nmedian ratio:", statistics.median(map(float, sys.argv[1:])))' "${ratios[@]}"

[ -n "$matmul" ] || exit 0
printf '\n| matmul | awend GFLOP/s | PyTorch GFLOP/s | ratio |\n|---|--:|--:|--:|\n'
"$bench" --filter matmul/ --quick --seconds 0.1 --json - | python3 -c '
import json, statistics, subprocess, sys
rows = json.load(sys.stdin)["sections"]["matmul"]["rows"]
ours = {name: row["gflops"] for name, row in rows.items() if " -> " in name}
theirs = json.loads(subprocess.run([*sys.argv[1:], "--matmul"], input="\n".join(ours), text=True,
                                   capture_output=True, check=True).stdout)
for name in ours:
    print("| %s | %.1f | %.1f | %.2f |" % (name, ours[name], theirs[name], ours[name] / theirs[name]))
print("\nmedian ratio: %.2f" % statistics.median(ours[name] / theirs[name] for name in ours))
' "${pytorch[@]}"
