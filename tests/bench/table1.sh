#!/bin/bash
# Measures Table 1 of the paper: prints the table to stdout and plots it in tests/bench/table1.svg.
#
#   tests/bench/table1.sh [--svg FILE] [BENCH-OPTION...]
#
# Takes some minutes on two idle cores.  BENCH-OPTIONs (--device, --seconds) are passed to awend-bench.  AWEND_BENCH: path of awend-bench
# (default: in build/bin).
set -euo pipefail
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
bench=${AWEND_BENCH:-$here/../../build/bin/awend-bench}
svg=$here/table1.svg
if [ "${1:-}" = --svg ]; then svg=${2:?}; shift 2; fi
table=$(mktemp)
trap 'rm -f "$table"' EXIT
"$bench" --filter table1/ "$@" | tee "$table"
awk -f "$here/plot.awk" -f "$here/table1.awk" "$table" > "$svg.part"
mv "$svg.part" "$svg"
