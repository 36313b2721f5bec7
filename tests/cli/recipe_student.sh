#!/bin/bash
# The recipe for students from end to end, with models that learn nothing.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
recipe=$AWEND_SOURCE/tools/recipes/student.sh
# Three checkpoints, fewer than are averaged.
few=(--batch-tokens 400 --max-steps 6 --warmup 1 --valid-every 2 --save-every 2)

mkdir data
locale-corpus -n 150 -o data/train
locale-corpus -n 10 --part valid -o data/val
locale-corpus -n 9 --part test -o data/test
gzip data/train.de
build-vocab -q -s 400 -o vocabulary data/train.en || fail 'the vocabulary of a teacher'
tokenize -m vocabulary < data/train.en > tokens
train -q -s tokens -t tokens -m vocabulary --layers 1 --d-model 16 --d-ff 16 --heads 2 --d-k 8 --d-v 8 --max-steps 1 --batch-tokens 400 \
  -o teacher > log || fail 'a teacher'

command=("$recipe" --no-install --work work --teacher teacher/model-00000001.safetensors --vocabulary 352 --tiny --adapt 4 --text data/val.en)
texts=(data/train data/val data/test -- "${few[@]}")
"${command[@]}" --n-best 2 "${texts[@]}" > out 2> err || { fail student; cat err; }
same 'the table' 'teacher student small' "$(awk 'NR > 1 {print $1}' work/table | paste -sd ' ')"
same 'translations that the student learns' 160 "$(wc -l < work/pairs.tokens.de | tr -d ' ')"
same 'alignments' 160 "$(wc -l < work/alignment | tr -d ' ')"
for model in student small; do
  expect 0 inspect work/$model.safetensors
  grep -q '^Lexical shortlist' out || fail "$model has a shortlist"
  grep -qi 'ssru' out || fail "$model has SSRUs"
  grep -q 'unknown-tokens  *off' out || fail "$model translates without unknown tokens"
  same "translations of $model" 9 "$(wc -l < work/$model.de | tr -d ' ')"
done
for name in marian firefox; do
  weights=model.intgemm8
  [ $name = marian ] || weights=model.intgemm.alphas
  same "files of $name" "lex.s2t.bin $weights.bin $weights.bin.decoder.yml vocab.spm" "$(ls work/$name | paste -sd ' ')"
  expect 0 convert-model -o $name.safetensors work/$name
done
expect 0 convert-model --to marian -o fp32 work/student.safetensors
expect 0 convert-model -o again.safetensors fp32
# Marian has another length penalty.
for model in again work/student marian firefox; do
  expect 0 translate --raw -m $model.safetensors -b 1 --max-length-ratio 1 --max-length-extra 10 -o $model.greedy data/test.en
done
cmp -s again.greedy work/student.greedy || fail 'the model that Marian reads gives the same translations'
# The models of 8 bits have nearly the probabilities of their weights in fp32, here of the translations of the student.
tokenize -m work/vocabulary < work/student.greedy > greedy.tokens
tokenize -m work/vocabulary < data/test.en > source.tokens
for model in work/adapted marian firefox; do
  expect 0 translate -m $model.safetensors --target greedy.tokens --word-scores -o $model.scores source.tokens
done
for name in marian firefox; do
  paste work/adapted.scores $name.scores | awk -F '\t' '
    { n = split($1, a, " "); split($3, b, " "); for (i = 1; i <= n; i++) { d = a[i] - b[i]; sum += d < 0 ? -d : d; count++ } }
    END { exit !(count > 50 && sum > 0 && sum / count < 0.005) }' || fail "the log-probabilities of $name"
done

# Again: nothing is trained twice.
touch -d '2001-01-01' work/trained.safetensors
"${command[@]}" --n-best 2 "${texts[@]}" > out 2> err || { fail again; cat err; }
same 'no second training' '' "$(find work -name trained.safetensors -newermt 2002-01-01)"

expect 1 "${command[@]}" --n-best 3 "${texts[@]}"
grep -q 'was made from .*, 2 candidates, .* and not from .*, 3 candidates, ' err || fail "other settings: $(cat err)"

expect 2 "$recipe" --vocabulary 350 data/train data/val data/test
says "student.sh: the number of pieces must be a multiple of 8 for Firefox, not '350'"
for option in n-best adapt; do
  expect 2 "$recipe" --$option 1k data/train data/val data/test
  says "student.sh: --$option must be a number from 1, but is '1k'"
done
expect 2 "$recipe" data/train
says 'student.sh: missing operand; try --help'
expect 1 "$recipe" data/nothing data/val data/test
says 'student.sh: data/nothing.en: no such file'

# The best of several translations also if they contain the separator of the list.
eval "$(sed -n '/^nearest() {/,/^}/p' "$recipe")"
target=de
echo 'one ||| two three' > train.de
printf '0 ||| %s ||| logprob= -1 ||| -1\n' one 'one ||| two' 'one ||| two three' > nbest
same 'the translation nearest to the reference' 'one ||| two three' "$(nearest)"
