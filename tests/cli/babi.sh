#!/bin/bash
# Memory networks learn published tasks of bAbI: one fact, two facts, induction, and paths, whose answers are lists.  The limits are those that
# the authors' program about has.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
stories=${AWEND_DATA:-}/babi
[ -d "$stories" ] || { skip 'AWEND_DATA has no directory babi'; exit; }
"$AWEND_SOURCE/tools/recipes/memory.sh" --work run --babi "$stories" --restarts 3 1 2 16 19 > out 2> err || { fail 'the recipe'; cat err; }
while read -r task most; do
  errors=$(sed -n "s/^task $task: test error .*(\([0-9]*\) of 1000 questions.*/\1/p" out)
  [ -n "$errors" ] || fail "the test error of task $task is printed"
  [ "${errors:-1000}" -le "$most" ] || fail "task $task: at most $most of 1000 answers are wrong, got $errors"
done << 'END'
1 20
2 120
16 50
19 850
END
