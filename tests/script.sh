# shellcheck shell=bash
# For test scripts: `. "$AWEND_SOURCE/tests/script.sh"`.
#
# The script runs in a folder of its own, with the built programs in front of PATH and in the locale C.  Every check says what
# failed and the script goes on; its status is 1 if any failed.
set -u
: "${AWEND_BIN:?}" "${AWEND_SOURCE:?}"
PATH=$AWEND_BIN:$PATH
export LC_ALL=C
unset AWEND_DEVICE NO_COLOR
failures=0
scratch=$(mktemp -d "${TMPDIR:-/tmp}/awend-test-XXXXXX")
trap 'status=$?; cd /; rm -rf "$scratch"; [ "$failures" -eq 0 ] || status=1; exit "$status"' EXIT
cd "$scratch" || exit 1

fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s (%s:%s)\n' "$1" "${BASH_SOURCE[-1]##*/}" "${BASH_LINENO[-2]}" >&2
}

# same WHAT EXPECTED ACTUAL
same() {
  [ "$2" = "$3" ] && return
  fail "$1"
  printf '  expected: %s\n  but was:  %s\n' "$2" "$3" >&2
}

# expect STATUS COMMAND...: runs the command, keeps its output in the files `out` and `err`, checks its status, and that it is
# silent on stderr where the status is 0.  Input is what the caller redirects.
expect() {
  local wanted=$1
  shift
  "$@" >out 2>err
  local status=$?
  [ "$status" -eq "$wanted" ] || { fail "$*: status $status, not $wanted"; sed 's/^/  /' err >&2; }
  [ "$wanted" -ne 0 ] || [ ! -s err ] || { fail "$*: not silent"; sed 's/^/  /' err >&2; }
}

# says TEXT: the last command's stderr is exactly this line.
says() { same "the message" "$1" "$(cat err)"; }

# prints TEXT: the last command's stdout is exactly this, but for the last line feed.
prints() { same "the output" "$1" "$(cat out)"; }
