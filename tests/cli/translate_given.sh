#!/bin/bash
# What translate prints in addition to tokens: scores of given translations, alignment, attention, source tokens for unknown ones.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc" || exit 1

corpus 300
train -q -s tokens.en -t tokens.de -m vocabulary -o run --preset tiny --layers 2 --d-model 32 --d-ff 64 --heads 2 --batch-tokens 512 \
  --max-steps 150 --dropout 0 --learning-rate 0.01 --warmup 30 > log || fail 'training'
model=run/model-00000150.safetensors
{ head -n 12 tokens.en; echo; sed -n 13,20p tokens.en; } > lines

# Scores of what a search found are the search's; token by token too.
close() {
  paste "$1" "$2" > pairs
  finite pairs
  awk -v what="$3" -F '\t' '
    {n = split($1, a, " "); m = split($2, b, " "); if (n != m) bad = 1
     for (i = 1; i <= n; ++i) if ((a[i] - b[i]) ^ 2 > 1e-8) bad = 1}
    END {if (bad || NR == 0) {print what > "/dev/stderr"; exit 1}}' pairs || fail "$3"
}
expect 0 translate -m $model --scores lines
cp out searched
cut -f 2 searched > answers
[ "$(wc -w < answers)" -gt 100 ] || fail 'the model produces output'
expect 0 translate -m $model --target answers lines
same 'the tokens stay' "$(cat answers)" "$(cut -f 2 out)"
close <(cut -f 1 searched) <(cut -f 1 out) 'scores of given translations'
same 'an empty line has an empty translation for certain' 0 "$(sed -n 13p out | cut -f 1)"
expect 0 translate -m $model --word-scores lines
cut -f 1 out > words
expect 0 translate -m $model --target answers --word-scores lines
close words <(cut -f 1 out) 'scores of given tokens'
expect 0 translate -m $model --target tokens.de tokens.en
same 'a score for each reference' 300 "$(wc -l < out)"

# An n-best list is rescored; one from the same model keeps its order.
expect 0 translate -m $model --n-best 3 lines
cp out list
sort -s -k 1,1n -k 3,3 list | awk '{print}' > shuffled
expect 0 translate -m $model --target shuffled --n-best 3 lines
same 'the order of an n-best list' "$(sed 's/ ||| logprob.*//' list)" "$(sed 's/ ||| logprob.*//' out)"
close <(sed 's/.*||| //' list) <(sed 's/.*||| //' out) 'scores of an n-best list'
expect 0 translate -m $model --target shuffled --n-best 1 lines
same 'the best of each line' 21 "$(wc -l < out)"

# A text with bars ends before the fields.
head -n 1 raw.en > line
echo 'RED ||| DOG' > bars
echo '0 ||| RED ||| DOG ||| logprob= -1 ||| -1' > listed
expect 0 translate -m $model --raw --target bars line
cut -f 1 out > score
expect 0 translate -m $model --raw --target listed --n-best 1 line
same 'the score of a text with bars' "$(cat score)" "$(sed 's/.*||| //' out)"

# What is given is aligned, and its attention kept, as if the search had found it.
expect 0 translate -m $model --alignment --attention found.jsonl lines
cp out aligned
expect 0 translate -m $model --alignment --attention given.jsonl --target answers lines
same 'the alignment of given translations' "$(cat aligned)" "$(cut -f 2- out)"
[ "$(wc -l < given.jsonl)" -gt 20 ] || fail 'attention was kept'
cmp -s found.jsonl given.jsonl || fail 'the attention of given translations'
expect 0 translate -m $model --alignment --target shuffled --n-best 1 lines
same 'the alignment of the best of a list' "$(sed 's/.*|||//' aligned)" "$(sed 's/.*|||//' out)"

# Models together.
train -q -s tokens.en -t tokens.de -m vocabulary -o other --preset tiny --layers 1 --d-model 64 --d-ff 64 --heads 2 --batch-tokens 512 \
  --max-steps 50 --dropout 0 --learning-rate 0.01 --warmup 30 --seed 2 > log || fail 'training another'
for mean in linear log; do
  both=(-m "$model,other/model-00000050.safetensors" --ensemble $mean --ensemble-weights 2,1)
  expect 0 translate "${both[@]}" --word-scores lines
  cut -f 2 out > answers_of_both
  cut -f 1 out > words
  expect 0 translate "${both[@]}" --target answers_of_both --word-scores lines
  close words <(cut -f 1 out) "scores of tokens by the $mean mean"
done
cmp -s answers answers_of_both && fail 'they say something else together'

# A pair that is too long is named, and what came before it is written.
token=$(head -n 1 answers | cut -d ' ' -f 1)
{ head -n 2 answers; yes "$token" | head -n 1000000 | tr '\n' ' '; echo; } > long
head -n 3 lines > three
for models in "$model" "$model,other/model-00000050.safetensors"; do
  expect 1 translate -m "$models" --target long three
  says 'translate: long:3: a side of the pair has 1000000 tokens, more than the model or this device can score'
  same 'those before are scored' "$(head -n 2 answers)" "$(cut -f 2 out)"
done

# Alignment.
expect 0 translate -m $model --alignment lines
same 'the translations stay' "$(cat answers)" "$(sed 's/ *|||.*//' out)"
awk -F ' [|][|][|] ?' 'NR == FNR {source[FNR] = split($0, t, " "); next}
  {target = split($1, t, " "); n = split($2, pairs, " ")
   for (i = 1; i <= n; ++i) {
     if (pairs[i] !~ /^[0-9]+-[0-9]+$/) exit 1
     split(pairs[i], p, "-"); if (p[1] >= source[FNR] || p[2] >= target) exit 1
     ++all
   }}
  END {exit all < 50}' lines out || fail 'pairs within their lines'
expect 0 translate -m $model --alignment --alignment-words lines
awk -F ' [|][|][|] ?' 'NR == FNR {source[FNR] = split($0, t, "▁"); next}
  {target = split($1, t, "▁"); n = split($2, pairs, " ")
   for (i = 1; i <= n; ++i) {split(pairs[i], p, "-"); if (p[1] > source[FNR] || p[2] > target) exit 1}}' lines out ||
  fail 'words instead of tokens'
expect 0 translate -m $model --alignment --alignment-form soft lines
head -n 1 out | awk -F ' [|][|][|] ' '{n = split($2, rows, " "); if (n != split($1, t, " ")) exit 1
  for (i = 1; i <= n; ++i) {sum = 0; m = split(rows[i], w, ","); for (j = 1; j <= m; ++j) sum += w[j]
    if (sum < 0.98 || sum > 1.02) exit 1}}' || fail 'soft weights add up'
expect 0 translate -m $model --alignment --n-best 2 lines
same 'five fields of an n-best list' 5 "$(head -n 1 out | awk -F ' [|][|][|] ' '{print NF}')"
expect 0 translate -m $model --alignment --json lines
grep -q '"alignment": "' out || fail 'alignment in JSON'
expect 1 translate -m $model --alignment --alignment-layer 3 lines
says 'translate: alignment layer 3 does not exist; the decoder has 2 layers'

# Attention: a line for each line that has tokens.
expect 0 translate -m $model --attention heads lines
same 'the translations stay with attention' "$(cat answers)" "$(cat out)"
same 'the header' '{"format":"awend-attention 1","encoder_layers":2,"decoder_layers":2,"heads":2}' "$(head -n 1 heads)"
same 'a line for each line with tokens' 21 "$(wc -l < heads)"
same 'the last of them' '{"line":20' "$(tail -n 1 heads | cut -d , -f 1)"

# Unknown tokens.
printf 'xxx yyy zzz xxx yyy\n' > strange
translate -m $model --replace-unknown strange > out 2> err || fail 'unknown tokens'
same 'what is unknown' 'translate: warning: the input: 5 of 5 tokens are unknown to the vocabulary: xxx, yyy, zzz; was the text tokenized with the vocabulary of the model?' \
  "$(cat err)"

# Weights of eight bits translate nearly as those of 32 do.
expect 0 average -o narrow --quantize int8 $model
[ "$(stat -c %s narrow)" -lt $(($(stat -c %s $model) / 2)) ] || fail 'quantized weights take less space'
expect 0 translate -m narrow lines
[ "$(diff answers out | grep -c '^>')" -lt 11 ] || fail 'narrow weights translate alike'
expect 0 translate -m narrow --target answers lines
paste searched out | awk -F '\t' '{sum += ($1 - $3) ^ 2} END {exit !(sum / NR < 0.01)}' || fail 'scores of narrow weights are near'
# The search has the scores of its translations but where a number is rounded to the next integer.
expect 0 translate -m narrow --scores lines
mv out found
cut -f 2 found > found.tokens
expect 0 translate -m narrow --target found.tokens lines
paste found out | awk -F '\t' '($1 - $3) ^ 2 < 1e-8 {++same} ($1 - $3) ^ 2 > 1e-3 {exit 1} END {print same + 0, NR > "same"; exit !(same > 0.7 * NR)}' ||
  fail "scores of a search with narrow weights: $(cat same) are the same"

# Bad input.
head -n 5 answers > few
expect 1 translate -m $model --target few lines
says 'translate: few: ends after 5 lines, before lines:6'
cat answers answers > many
expect 1 translate -m $model --target many lines
says 'translate: lines: ends after 21 lines, before many:22'
expect 1 translate -m $model --target answers --n-best 2 lines
grep -q '^translate: answers:1: not an entry of an n-best list$' err || fail 'no list'
printf '3 ||| a ||| 0\n2 ||| a ||| 0\n' > back
expect 1 translate -m $model --target back --n-best 2 lines
says 'translate: back:2: line 2 comes after line 3'
printf '99 ||| a ||| 0\n' > beyond
expect 1 translate -m $model --target beyond --n-best 2 lines
grep -q '^translate: lines: ends after 21 lines, before beyond:1$' err || fail 'a list of other lines'
for option in --target --prefix; do
  expect 2 translate -m $model $option - < answers
  says "translate: only one input can be stdin; try 'translate --help'"
done
expect 2 translate -m $model --target answers --prefix answers lines
says "translate: --target and --prefix exclude each other; try 'translate --help'"
head -n 1 lines | cut -d ' ' -f 1 > token
expect 2 translate -m $model --target answers --shortlist token lines
says "translate: --target and --shortlist exclude each other; try 'translate --help'"
expect 2 translate -m $model --target answers --sample lines
says "translate: --target and --sample exclude each other; try 'translate --help'"
for option in no-repeat-ngram repetition-penalty unknown-penalty; do
  expect 2 translate -m $model --target answers --$option 2 lines
  says "translate: --target and --$option exclude each other; try 'translate --help'"
done
expect 0 average -o penalizing --search repetition-penalty=2,unknown-penalty=3,no-repeat-ngram=1 $model
expect 0 translate -m penalizing --scores lines
cmp -s searched out && fail 'a search applies the penalties of the model'
expect 0 translate -m penalizing --target answers lines
close <(cut -f 1 searched) <(cut -f 1 out) 'given translations are scored without penalties of the model'
expect 2 translate -m $model --alignment-words lines
expect 2 translate -m $model --alignment --alignment-form 2 lines
says "translate: option '--alignment-form': must be hard, soft or a number in (0, 1], got '2'; try 'translate --help'"
