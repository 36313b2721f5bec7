#!/bin/bash
# inspect --attention: the page for a file, and other files.  How it looks: inspect_attention_drawn.sh.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

. "$AWEND_SOURCE/tests/attention.inc"
expect 0 inspect --attention attention
mv out page.html
expect 0 inspect --attention -o from-stdin.html < attention
prints ''
same 'the page from stdin, apart from the name' "$(sed 's/"name":"attention"//' page.html)" "$(sed 's/"name":"stdin"//' from-stdin.html)"

# What translate writes.
locale-corpus -n 100 -o raw
build-vocab --size 300 -q -o vocabulary raw.en raw.de
for side in en de; do tokenize -m vocabulary < raw.$side > tokens.$side; done
tiny=(--preset tiny --layers 2 --d-model 16 --d-ff 16 --heads 2 --batch-tokens 256 --max-steps 2 --valid-beam 0)
expect 0 train "${tiny[@]}" -s tokens.en -t tokens.de -m vocabulary -o run \
  --valid-source tokens.en --valid-target tokens.de
head -n 2 tokens.en > lines
expect 0 translate -m run/model-00000002.safetensors --max-length-extra 3 --attention heads lines
expect 0 inspect --attention heads
same 'sentences of the page' 2 "$(grep -o '{"line":[0-9]*' out | wc -l)"

train "${tiny[@]}" -q -s tokens.en -t tokens.de -m vocabulary --decoder-heads 1 -o heads-run > log.tsv || fail 'a run with one head in the decoder'
expect 0 translate -m heads-run/model-00000002.safetensors --max-length-extra 3 --attention other-heads lines
same 'heads of both sides' '"heads":2,"decoder_heads":1' "$(head -n 1 other-heads | grep -o '"heads".*[0-9]')"
expect 0 inspect --attention other-heads
same 'sentences of the page with different heads' 2 "$(grep -o '{"line":[0-9]*' out | wc -l)"

# Bad input.
sed 's/awend-attention 1/awend-attention 2/' attention > later
expect 1 inspect --attention later
says "inspect: later:1: format 'awend-attention 2' is not supported, expected 'awend-attention 1'"
printf 'step\tepoch\n' > log
expect 1 inspect --attention log
says 'inspect: log:1: not an attention file'
expect 1 inspect --attention /dev/null
says 'inspect: /dev/null: not an attention file'
sed '2s/0.75/0.5/' attention > damaged
expect 1 inspect -o none.html --attention damaged
says 'inspect: damaged:2: cross layer 1 head 1 row 1 sums to 0.75, not to 1'
[ ! -e none.html ] || fail 'a failure leaves no page'
expect 1 inspect --attention missing
says 'inspect: missing: No such file or directory'
expect 2 inspect --attention attention later
says "inspect: unexpected operand 'later'; try 'inspect --help'"
expect 2 inspect --attention --json attention
says "inspect: --attention and --json exclude each other; try 'inspect --help'"
expect 2 inspect --attention --diff attention later
says "inspect: --attention and --diff exclude each other; try 'inspect --help'"
