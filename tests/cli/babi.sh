#!/bin/bash
# Memory networks learn the published task 1 of bAbI.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
stories=${AWEND_DATA:-}/babi
[ -d "$stories" ] || { skip 'AWEND_DATA has no directory babi'; exit; }
"$AWEND_SOURCE/tools/recipes/memory.sh" --work run --babi "$stories" --restarts 2 1 > out 2> err || { fail 'the recipe'; cat err; }
errors=$(sed -n 's/^task 1: test error .*(\([0-9]*\) of 1000 questions.*/\1/p' out)
[ -n "$errors" ] || fail 'the test error is printed'
[ "${errors:-1000}" -le 20 ] || fail "at most 20 of 1000 answers are wrong, got $errors"
