# shellcheck shell=bash
# For test scripts: `. "$AWEND_SOURCE/tests/script.sh"`.
#
# The script runs in a temporary directory, with the built programs first in PATH and in the locale C.  A check that fails prints a
# message, and the script continues; its status is 1 if any check failed, otherwise 77 if a part was skipped, which ctest reports.
set -u
: "${AWEND_BIN:?}" "${AWEND_SOURCE:?}"
PATH=$AWEND_BIN:$PATH
export LC_ALL=C
unset AWEND_DEVICE NO_COLOR SACREBLEU_FORMAT SACREBLEU_SEED
# The Vulkan device of tests that need one; without a request, the programs compute on the processor.
# shellcheck disable=SC2034
vulkan=llvmpipe
scratch=$(mktemp -d "${TMPDIR:-/tmp}/awend-test-XXXXXX") || exit 1
# clean_up: runs at the end of the script, which may redefine it.
clean_up() { :; }
trap 'status=$?; clean_up; cd /; [ ! -e "$scratch.failed" ] || status=1; [ "$status" -ne 0 ] || [ ! -e "$scratch.skipped" ] || status=77
  rm -rf "$scratch" "$scratch.failed" "$scratch.skipped"; exit "$status"' EXIT
cd "$scratch" || exit 1

# fail WHAT: by a file, so that it counts in subshells, too, such as in pipelines.
fail() {
  : > "$scratch.failed"
  printf 'FAILED: %s (%s:%s)\n' "$1" "${BASH_SOURCE[-1]##*/}" "${BASH_LINENO[-2]}" >&2
}

# Functions of awk: random() is in [0, 1) as rand(), and the same in each awk, because a small network may not learn from every text.
# shellcheck disable=SC2034
random='function seed(n) {random_state = n} function random() {return (random_state = random_state * 16807 % 2147483647) / 2147483647} '

# limit_memory KIB: of the address space, for the commands of a subshell.  AddressSanitizer reserves terabytes of it.
limit_memory() { [ -n "${AWEND_SANITIZED:-}" ] || ulimit -v "$1"; }

# prepare_mpi: for mpirun by any user, on any number of cores, without a network.  Memory that MPI never frees is ignored.
prepare_mpi() {
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=^tcp ASAN_OPTIONS=detect_leaks=0
  # A rank that waits gives the processor to the others, and to other tests.
  export OMPI_MCA_mpi_yield_when_idle=1
  export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
  export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none
  export HWLOC_HIDE_ERRORS=2  # a tree of Debian may have no /sys
}

# skip WHAT: a part that cannot run here.  The script continues.
skip() {
  : > "$scratch.skipped"
  printf 'skipped: %s\n' "$1" >&2
}

# finite FILE...: no number is NaN or infinite.  To awk, NaN is within every bound.
finite() {
  local found
  found=$(grep -iwE -m 1 -- '-?(nan|inf(inity)?)' "$@" 2>&1)
  [ $? -eq 1 ] || fail "finite numbers: $found"
}

# same WHAT EXPECTED ACTUAL
same() {
  [ "$2" = "$3" ] && return
  fail "$1"
  printf '  expected: %s\n  but was:  %s\n' "$2" "$3" >&2
}

# await COMMAND...: waits until it succeeds.  What does not happen within minutes is named, instead of a test that does not end.
await() {
  local end=$((SECONDS + 300))
  until "$@" 2> /dev/null; do
    [ $SECONDS -lt $end ] || { fail "waited for $*"; return 1; }
    sleep 0.05
  done
}
has_lines() { [ "$(wc -l < "$2")" -ge "$1" ]; }

# expect STATUS COMMAND...: runs the command, stores its output in the files `out` and `err`, and checks its status, and that stderr is
# empty if the status is 0.  The caller redirects stdin.
expect() {
  local wanted=$1
  shift
  "$@" >out 2>err
  local status=$?
  [ "$status" -eq "$wanted" ] || { fail "$*: status $status, not $wanted"; sed 's/^/  /' err >&2; }
  [ "$wanted" -ne 0 ] || [ ! -s err ] || { fail "$*: not silent"; sed 's/^/  /' err >&2; }
}

# says TEXT: stderr of the last command must be exactly this line.
says() { same "the message" "$1" "$(cat err)"; }

# prints TEXT: stdout of the last command must be exactly TEXT, except for the final line feed.
prints() { same "the output" "$1" "$(cat out)"; }
