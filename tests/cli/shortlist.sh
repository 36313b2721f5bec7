#!/bin/bash
# translate where only some tokens may be said.  The probabilities: tests/properties/shortlist_test.cpp.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc" || exit 1

corpus 200
small_model run
model=run/model-00000003.safetensors
head -n 7 tokens.en | sed '3s/.*//' > input

expect 0 translate -m $model --scores input
mv out whole
tr ' ' '\n' < tokens.de | grep . | sort -u > tokens
head -n 40 tokens > few
expect 0 translate -m $model --shortlist few --unknown-penalty 100 input
same 'as many lines as went in' 7 "$(wc -l < out)"
same 'nothing else is said' '' "$(tr ' ' '\n' < out | grep . | sort -u | comm -23 - few)"
same 'something is' 1 "$(grep -c . out | sed 's/[1-6]/1/')"
mv out short
shuf --random-source=few few | cat - few > twice
expect 0 translate -m $model --shortlist twice --unknown-penalty 100 --batch-tokens 20 input
cmp -s out short || fail 'the order of tokens does not matter, nor how often one comes'
expect 0 translate -m $model,$model --shortlist few --unknown-penalty 100 input
cmp -s out short || fail 'an ensemble keeps to it'
expect 0 translate -m $model --shortlist few --sample --n-best 3 --unknown-penalty 100 input
same 'nothing else is drawn' '' "$(sed 's/^[0-9]* ||| \(.*\) ||| logprob= .*/\1/' out | tr ' ' '\n' | grep . | sort -u | comm -23 - few)"

echo nothingofthevocabulary >> few
expect 1 translate -m $model --shortlist few input
says "translate: few:41: 'nothingofthevocabulary' is not in the vocabulary"
expect 1 translate -m $model --shortlist /dev/null input
says 'translate: /dev/null: no tokens'
expect 1 translate -m $model --shortlist missing input
says 'translate: missing: No such file or directory'
head -n 1 tokens > one
head -n 1 input > line
tail -n 1 tokens > prefix
expect 1 translate -m $model --shortlist one --prefix prefix line
grep -q '^translate: .*:[0-9]*: the prefix has a token that is not in the shortlist$' err || fail "a prefix beyond the shortlist: $(cat err)"
