#!/bin/bash
# Tests and measures awend on a GPU, in ten minutes, and writes one report.
set -euo pipefail
root=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
. "$root/tools/recipes/setup.sh"

usage() {
  cat << 'END'
Usage: gpu.sh [OPTION]...
       gpu.sh --pack DIR [--data DATA_DIR]
Run the kernel and learning tests, the benchmarks and a training on a device.  The report ends with a table for
tests/bench/RESULTS.md.  Exit status 1 if a test failed.

      --device NAME    index, UUID or part of the name of the device; default: $AWEND_DEVICE or the best GPU
  -o, --output FILE    report (default: gpu-report.md)
      --minutes N      time limit of all parts (default: 10)
      --parts LIST     comma-separated: tests, bench, train (default: all)
      --tests FILTER   only these test cases, in the syntax of Catch2
      --data DATA_DIR  Multi30k, as for tools/recipes/multi30k.sh; default: data/ of a packed directory, otherwise
                       29 000 generated pairs
      --pack DIR       copy programs, tests, benchmarks and the shared libraries that they need, except glibc, to DIR;
                       there, tests/gpu.sh runs on a machine without the packages, the Vulkan loader or network access
      --no-install     do not install missing packages
      --help           print this text

In a source tree, the programs and tests in build/ (or $AWEND_BUILD) are used; if there are none, they are built.
Benchmarks compare with PyTorch if python3 (or $PYTHON) has it.
END
}

device=${AWEND_DEVICE:-} output=gpu-report.md minutes=10 parts=tests,bench,train filter='~[conformance]' data='' pack='' install=yes
while [ $# -gt 0 ]; do
  case $1 in
    --device) need_value "$@"; device=$2; shift ;;
    -o | --output) need_value "$@"; output=$2; shift ;;
    --minutes) need_value "$@"; minutes=$2; shift ;;
    --parts) need_value "$@"; parts=$2; shift ;;
    --tests) need_value "$@"; filter=$2; shift ;;
    --data) need_value "$@"; data=$(cd "$2" && pwd); shift ;;
    --pack) need_value "$@"; pack=$2; shift ;;
    --no-install) install=no ;;
    --help) usage; exit ;;
    *) echo "gpu.sh: unknown option '$1'; try --help" >&2; exit 2 ;;
  esac
  shift
done
[[ $minutes =~ ^[1-9][0-9]{0,3}$ ]] || { echo "gpu.sh: --minutes must be a number, but is '$minutes'" >&2; exit 2; }
for part in ${parts//,/ }; do
  case $part in tests | bench | train) ;; *) echo "gpu.sh: unknown part '$part'; try --help" >&2; exit 2 ;; esac
done
tests=(kernels learn properties)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

. "$root/tests/gpu/programs.sh"
if [ -n "$pack" ]; then
  . "$root/tests/gpu/pack.sh"
  pack_programs "$pack"
  exit
fi

# The whole report is also printed.
deadline=$((SECONDS + minutes * 60))
mkdir -p "$(dirname "$output")"
: > "$output"
say() { printf '%s\n' "$@" | tee -a "$output"; }
section() { say '' "## $1 ($((SECONDS / 60)):$(printf %02d $((SECONDS % 60))))" ''; }
log=$scratch/log
# reserve SECONDS: the next parts must leave so much of the time limit; less if the limit is not ten minutes.
reserve() { until=$((deadline - $1 * minutes / 10)); }
# limited SECONDS COMMAND...: prints the output of a command, and writes it to $log; after this time, or when the time of the part is
# over, the command is ended and the status is 124.
limited() {
  local left=$((until - SECONDS)) status=0
  [ "$1" -lt "$left" ] || set -- "$left" "${@:2}"
  : > "$log"
  [ "$1" -gt 0 ] || { say 'no time is left'; return 124; }
  timeout --kill-after=10 "$@" 2>&1 | tee -a "$output" "$log" || status=$?
  return $status
}
rows=()
result() { rows+=("| $1 | $2 |"); }
wants() { [[ ,$parts, == *,$1,* ]]; }

reserve 0
[ -z "$device" ] || export AWEND_DEVICE=$device
say "# awend on a GPU"
section 'Device'
limited 60 "$programs/inspect" --devices || { say 'no device can be used'; exit 1; }
limited 60 "$programs/train" --version || true
used=$(sed -n 's/^train and translate take [0-9]*, \(.*\): [^:]*$/\1/p' "$output")
driver=$(awk -v device="$used" 'index($0, device) && /^[0-9]/ { found = 1 } found && $1 == "driver" { sub(/^ *driver */, ""); print; exit }' "$output")
commit=$(sed -n 's/^commit: *//p' "$output")
result device "$used"
result driver "$driver"
result 'commit of awend' "$commit"
result 'processor' "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) threads"

. "$root/tests/gpu/parts.sh"
status=0
if wants tests; then reserve 380; run_tests || status=1; fi
if wants bench; then reserve 180; run_benchmarks; fi
if wants train; then reserve 0; run_training || status=1; fi

section 'Result'
say "\`tests/gpu.sh\`, $((SECONDS / 60)):$(printf %02d $((SECONDS % 60))):" '' '| | |' '|---|---|' "${rows[@]}"
echo
echo "report: $output"
exit $status
