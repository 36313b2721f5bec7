#!/bin/bash
# All parsers under libFuzzer: builds the targets of tests/fuzz/targets with clang, and runs each for its share of a minute, from its
# seeds and with a fixed seed of randomness.  An input that fails is printed, and kept in build-fuzz/findings.
#
#   tests/fuzz/libfuzzer.sh [SECONDS [TARGET...]]      by hand: SECONDS for each target, 3 unless told otherwise
set -u
root=$(CDPATH='' cd "$(dirname "$0")/../.." && pwd)
build=${AWEND_BUILD:-$root/build}-fuzz
dictionary=$root/tests/fuzz/targets/json.dict
share=${1:-3}
[ $# -eq 0 ] || shift

command -v clang++ > /dev/null || { echo 'skipped: there is no clang++'; exit 77; }
cd "$root" || exit 1
cmake --preset fuzz -B "$build" > /dev/null && cmake --build "$build" --target fuzzers || exit 1
mkdir -p "$build/corpus" "$build/findings"
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(cd "$build/fuzzers" && echo fuzz-* | sed 's/fuzz-//g')

# fuzz TARGET: what one input may take is far below these limits, so that a parser that hangs or takes memory out of proportion fails.
fuzz() {
  local target=$1 corpus=$build/corpus/$1 log=$build/findings/$1.log
  rm -rf "$corpus" && mkdir "$corpus"
  "$build/fuzzers/fuzz-$target" --seeds "$corpus" || { echo "$target: a seed is refused"; return 1; }
  "$build/fuzzers/fuzz-$target" -seed=1 -max_total_time="$share" -max_len=8192 -entropic=0 -dict="$dictionary" -timeout=60 \
    -rss_limit_mb=1024 -malloc_limit_mb=256 -artifact_prefix="$build/findings/$target-" -print_final_stats=1 "$corpus" > "$log" 2>&1 && {
    echo "$target: $(grep -o 'stat::number_of_executed_units: *[0-9]*' "$log" | grep -o '[0-9]*$') inputs"
    return
  }
  echo "$target: FAILED"
  tail -n 60 "$log"
  return 1
}
export -f fuzz
export build dictionary share
# -entropic=0: keeping the frequencies of features takes half of the time where there are many, as in the target `models`.
# Looking for leaks needs the right to trace processes, which containers do not always grant.
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1
printf '%s\n' "$@" | xargs -P 2 -I TARGET bash -c 'fuzz TARGET'
