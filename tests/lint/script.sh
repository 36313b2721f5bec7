#!/bin/bash
# A check of a test script counts wherever it fails, and what is skipped is reported.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

# outcome STATUS LINES: a test script with these lines must end with this status.
outcome() {
  printf '%s\n' '. "$AWEND_SOURCE/tests/script.sh" || exit 1' "$2" > case.sh
  TMPDIR=$PWD bash case.sh > out 2> err
  same "the status of a script with $2" "$1" $?
}
outcome 0 'expect 0 true; same one 1 1'
outcome 1 'fail one; true'
outcome 1 '(fail one); true'
outcome 1 '(fail one) & wait'
outcome 1 'true | expect 1 true; true'
outcome 1 'text=$(same one 1 2); true'
outcome 1 'clean_up() { true; }; same one 1 2'
outcome 1 'skip one; fail two'
outcome 77 '(skip one); true'
outcome 3 'exit 3'
same 'nothing is left behind' 'case.sh err out' "$(find . -mindepth 1 -printf '%P\n' | sort | xargs)"
