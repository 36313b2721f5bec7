#!/bin/bash
# inspect --positions: pictures of sinusoids, of learned positions, and of models without positions.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc"

corpus 30

small_model sinusoids
expect 0 inspect --positions sinusoids
same 'one table' 'sinusoids of source and target, computed' "$(sed -n 's/.*class="title">\(.*\)<.*/\1/p' out)"
grep -q '<title>Positions of sinusoids</title>' out || fail 'the title names the model'
# The first row is 0, 1, 0, 1, …; the slowest sine and cosine keep their color over 100 positions.
grep -q 'style="fill:#faf9f6" d="M0 0h1v1h-1z' out || fail 'the first value is zero'
grep "style=\"fill:#c24e14\"" out | grep -q "M1 0h1v1h-1z" || fail "the second value is one"
columns=32  # d-model of small_model
grep -qE "M$((columns - 1)) 0h1v100h-1z" out || fail 'the slowest cosine has one color'

small_model learned --positions learned
expect 0 inspect --positions learned
same 'two tables' 'source_positions target_positions' "$(grep -o 'class="title">[a-z_]*' out | sed 's/.*>//' | sort | xargs)"
grep -q 'stored in the model: the first 100 of ' out || fail 'a part of a table is named so'
expect 0 inspect --positions learned -o picture.svg
[ -s picture.svg ] || fail 'a picture in a file'

train -q --preset rnn-tiny -s tokens.en -t tokens.de -m vocabulary --batch-tokens 400 --max-steps 1 -o recurrent > log || fail "train"
expect 1 inspect --positions recurrent
says 'inspect: recurrent/model-00000001.safetensors: the model has no table of positions'
expect 2 inspect --positions
says "inspect: missing operand; try 'inspect --help'"
expect 2 inspect --positions --curves learned
grep -q 'exclude each other' err || fail "$(cat err)"

small_model relative --positions relative
expect 0 inspect --positions relative
same 'two tables of biases' 'source_relative_positions, buckets of distances by heads target_relative_positions, buckets of distances by heads' \
  "$(grep -o 'class="title">[a-z_, ]*' out | sed 's/.*>//' | sort | xargs)"
same 'rows and columns of biases' 'bucket head' "$(grep -oE '>(bucket|head|position|dimension)<' out | tr -d '<>' | sort -u | xargs)"
expect 0 inspect relative
grep -qE '^  positions +2 ' out || fail 'the tables are positions'
