#!/bin/bash
# translate --sample.  For the distribution of samples, see tests/kernels/sampling_test.cpp, tests/properties/sampling_test.cpp.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc" || exit 1

corpus 200
small_model run
model=run/model-00000003.safetensors
head -n 40 tokens.en | sed '3s/.*//' > input

expect 0 translate -m $model --sample --max-length-extra 9 input
mv out drawn
same 'as many lines as went in' 40 "$(wc -l < drawn)"
same 'an empty line stays empty' '' "$(sed -n 3p drawn)"
for running in '--batch-tokens 30' '--batch-tokens 4096' --unbuffered '--seed 1'; do
  # shellcheck disable=SC2086
  expect 0 translate -m $model --sample --max-length-extra 9 $running input
  cmp -s out drawn || fail "$running changes no draw"
done
head -n 20 input > first
tail -n +21 input > second
expect 0 translate -m $model --sample --max-length-extra 9 first second
cmp -s out drawn || fail 'lines count through all files'
expect 0 translate -m $model --sample --max-length-extra 9 --seed 2 input
cmp -s out drawn && fail 'another seed draws others'
same 'equal lines have different samples' 6 "$(yes "$(head -n 1 input)" | head -n 6 | translate -m $model --sample | sort -u | wc -l)"
expect 0 translate -m $model --sample --max-length-extra 9 --n-best 5 input
same 'the number of samples per line, one for an empty line' 196 "$(wc -l < out)"
same 'the first is the one without --n-best' "$(head -n 1 drawn)" "$(head -n 1 out | sed 's/^0 ||| \(.*\) ||| logprob= .*/\1/')"

expect 0 translate -m $model -b 1 input
mv out greedy
for alike in '--temperature 0' '--temperature 2e-39' '--temperature 1e-60' '--top-k 1' '--top-p 0.000001'; do
  # shellcheck disable=SC2086
  expect 0 translate -m $model --sample $alike input
  cmp -s out greedy || fail "$alike is greedy search"
done
expect 0 translate -m $model --sample --no-repeat-ngram 1 --min-length-extra 15 input
awk '{ for (i = 1; i <= NF; ++i) if (++seen[NR, $i] > 1) exit 1 } NF && NF < 15 { exit 1 }' out || fail 'rules hold for draws'

# Where the rules leave no token, a sample ends, as a search does.
tr ' ' '\n' < tokens.en | sort -u | head -n 2 > few
expect 0 translate -m $model --sample --shortlist few --no-repeat-ngram 1 --min-length-extra 6 input
awk 'NF > 3 { exit 1 } END { exit NR != 40 }' out || fail 'samples of the two tokens and the unknown one end early'

expect 2 translate -m $model --top-k 5 input
says "translate: --top-k needs --sample; try 'translate --help'"
expect 2 translate -m $model --sample --beam-size 5 input
says "translate: --sample and --beam-size exclude each other; --n-best sets the number of samples; try 'translate --help'"
expect 2 translate -m $model --sample --top-p 0 input
expect 2 translate -m $model --sample --temperature -1 input
