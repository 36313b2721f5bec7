#!/bin/bash
# inspect, views of checkpoints: of train, of average, comparisons, and other files.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc" || exit 1

corpus 200
tiny=(--preset tiny --layers 1 --d-model 16 --d-ff 16 --heads 2 --batch-tokens 256)
texts=(-s tokens.en -t tokens.de --valid-source tokens.en --valid-target tokens.de -m vocabulary)
expect 0 train "${texts[@]}" "${tiny[@]}" -o run --max-steps 4 --save-every 2 --valid-every 2 --valid-beam 0
last=run/model-00000004.safetensors

# has LINE: the output has it, whatever the spaces between its words.
has() { tr -s ' ' < out | sed 's/^ //' | grep -qxF -- "$1" || { fail "the output has the line: $1"; cat out >&2; }; }

expect 0 inspect $last
has 'updates 4'
mv out whole
expect 0 inspect run
same 'a directory means its best model' "run/best.safetensors" "$(head -n 1 out)"
cmp -s <(tail -n +2 whole) <(tail -n +2 out) || fail 'which is the last one here'
expect 0 inspect --diff run $last
tr -s ' ' < out | grep -q 'the same: settings, defaults of the search, weights and vocabulary' || fail 'a directory in --diff'
# Settings that only one file has, in both orders, and the defaults of the search.
expect 0 train "${texts[@]}" --preset rnn-tiny --d-model 16 --d-embedding 16 --batch-tokens 256 -o rnn --max-steps 1 --valid-beam 0
expect 0 average -o searching --search beam-size=2 $last
for pair in "$last rnn" "rnn $last"; do
  # shellcheck disable=SC2086
  expect 0 inspect --diff $pair
  tr -s ' ' < out | grep -qE '^ (cell (gru -|- gru))$' || { fail "the cell in --diff $pair"; cat out; }
  tr -s ' ' < out | grep -qE '^ (d-ff (16 -|- 16))$' || fail "d-ff in --diff $pair"
done
expect 0 inspect --diff $last searching
has 'Defaults of the search that differ'
has 'beam-size - 2'
cp whole out
has 'd-model 16 relu-dropout 0'
has "state run/state-00000004.safetensors"
grep -q '  batch-tokens  *256' out || fail 'the recipe'
has 'updates 4, of which 0 changed nothing'
grep -q '^  type  *bpe$' out || fail 'the type of the vocabulary'
grep -q '^  special  *<unk> = 0, </s> = 1$' out || fail 'the special pieces'
grep -q '^  best  *loss without label smoothing [0-9.]* after 4 updates' out || fail 'the best validation'
[ "$(LC_ALL=C.UTF-8 awk 'length > 100' out)" = '' ] || fail 'a line is longer than 100 columns'
# What the paper calls the number of parameters, counted by hand: 400 pieces of 16; a layer's attention 4 * 16 * 16, feed-forward
# 2 * 16 * 16 + 32, norms 2 * 2 * 16; the decoder has one attention and one norm more, and both sides end with a norm.
attention=$((4 * 16 * 16)) inner=$((2 * 16 * 16 + 32)) norm=32
total=$((400 * 16 + 3 * attention + 2 * inner + 7 * norm))
expect 0 inspect --json $last
same 'the number of parameters' "$total" "$(grep -o '"numbers":[0-9]*' out | head -n 1 | cut -d : -f 2)"
same 'numbers of all parts' "$total" \
  "$(grep -o '"parts":\[[^]]*\]' out | grep -o '"numbers":[0-9]*' | awk -F : '{sum += $2} END {print sum}')"
expect 0 inspect -o file --arrays $last
prints ''
grep -q '^  encoder.0.self.query  *F32 \[16, 16\]' file || fail '--arrays lists every array'

# A training state.
expect 0 inspect run/state-00000004.safetensors
same 'its name' run/state-00000004.safetensors "$(head -n 1 out)"
has 'kind training state after 4 updates, not a model: train resumes from it'
has 'model file run/model-00000004.safetensors'
tr -s ' \n' ' ' < out | grep -q "and for each of $(sed -E ':a; s/([0-9])([0-9]{3})($| )/\1 \2\3/; ta' <<< "$total") parameters both moments of Adam" ||
  fail 'what it holds'
has 'updates 4, of which 0 changed nothing'
grep -q '  batch-tokens  *256' out || fail 'the recipe in a training state'
expect 0 inspect --arrays run/state-00000004.safetensors
grep -q '^  adam.moment2.encoder.0.self.query  *F32 \[16, 16\]' out || fail '--arrays of a training state'
expect 0 inspect --json run/state-00000004.safetensors
grep -q '"kind":"training state","step":4,"model":"run/model-00000004.safetensors","arrays":\[{"name":"adam.moment1.' out ||
  fail 'a training state as JSON'
cp run/state-00000004.safetensors lonely
expect 0 inspect lonely
has 'model file model-00000004.safetensors (does not exist)'

expect 0 average -o mean --last 2 run
expect 0 inspect mean
has 'mean of model-00000002.safetensors model-00000004.safetensors'
has 'state none beside it: a run cannot go on from here'

# Two checkpoints.
# Weights of eight bits are as many numbers, and near those that they were made of.
expect 0 average -o narrow --quantize int8 $last
expect 0 inspect --json narrow
same 'the number of narrow parameters' "$total" "$(grep -o '"numbers":[0-9]*' out | head -n 1 | cut -d : -f 2)"
expect 0 inspect --diff $last narrow
awk '/^  all that both have/ {found = $5 > 0 && $5 < 0.01} END {exit !found}' out || { fail 'how far narrow weights are'; cat out >&2; }
grep -q '^Arrays' out && fail 'scales are not separate arrays'

expect 0 inspect --diff $last $last
has 'the same: settings, defaults of the search, weights and vocabulary'
expect 0 inspect --diff run/model-00000002.safetensors $last
grep -q '^  encoder.0.self.query  *[0-9.e-]*  *[0-9.e-]*$' out || fail 'how far weights are apart'
expect 0 train "${texts[@]}" "${tiny[@]}" -o other --max-steps 2 --layers 2 --d-ff 32 --norm post --valid-beam 0
expect 0 inspect --diff $last other/model-00000002.safetensors
has 'norm pre post'
has 'encoder.0.feed_forward.inner F32 [16, 16] F32 [16, 32]'
has 'encoder.1.self.query none F32 [16, 16]'
build-vocab --size 390 -q -o smaller raw.en
for side in en de; do tokenize -m smaller < raw.$side > tokens.$side; done
texts=(-s tokens.en -t tokens.de --valid-source tokens.en --valid-target tokens.de -m smaller)
expect 0 train "${texts[@]}" "${tiny[@]}" -o third --max-steps 1 --valid-beam 0
expect 0 inspect --diff $last third/model-00000001.safetensors
has 'vocabulary 400 390'
same 'what was said of the vocabularies' 4 "$(sed -n '/^Vocabularies/,$p' out | tail -n +2 | wc -l)"

# Bad input.
expect 1 inspect raw.en
says 'inspect: raw.en: not a safetensors file'
expect 1 inspect --diff $last run/state-00000004.safetensors
says "inspect: run/state-00000004.safetensors: no 'awend.config' in its metadata; not a checkpoint of awend"
expect 1 inspect --diff $last vocabulary
says 'inspect: vocabulary: not a safetensors file'
head -c 5000 $last > truncated
expect 1 inspect truncated
same 'lines about a truncated file' 1 "$(wc -l < err)"
expect 2 inspect
says "inspect: missing operand; try 'inspect --help'"
expect 2 inspect $last mean
says "inspect: unexpected operand 'mean'; try 'inspect --help'"
expect 2 inspect --diff $last
says "inspect: missing operand; try 'inspect --help'"
expect 2 inspect --diff --json $last mean
says "inspect: --diff and --json exclude each other; try 'inspect --help'"
expect 2 inspect --arrays --json $last
says "inspect: --arrays and --json exclude each other: --json always lists the arrays; try 'inspect --help'"
expect 2 inspect --device cpu $last
says "inspect: --device needs --devices; try 'inspect --help'"
AWEND_DEVICE=cpu inspect $last > /dev/null || fail 'a device in the environment is for other programs'
inspect $last > /dev/full 2> err
same 'status on a full disk' 1 $?
