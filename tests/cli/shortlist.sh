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

# Lexical shortlists: of a file, and of a model.
rm few && head -n 40 tokens > few
awk 'NR == FNR {target[NR] = $1; next} {for (i = 1; i <= NF; ++i) print target[(NR + i) % 40 + 1], $i, 1 / (i + 1)}' few tokens.en > lex
expect 0 translate -m $model --shortlist lex,0,5 --unknown-penalty 100 input
same 'as many lines as went in' 7 "$(wc -l < out)"
# With one vocabulary, the tokens of the source are allowed, and a few with low ids for a multiple of eight.
tokenize --ids -m $model < input | tr ' ' '\n' | cat - <(seq 0 9) | sort -u > allowed
same 'nothing else is said' '' "$(tokenize --ids -m $model < out | tr ' ' '\n' | grep . | sort -u |
  comm -23 - <(tokenize --ids -m $model < few | tr ' ' '\n' | cat - allowed | sort -u))"
mv out lexical
expect 0 translate -m $model --shortlist lex,0,5,0 --unknown-penalty 100 --batch-tokens 20 input
cmp -s out lexical || fail 'a line does not depend on its batch'
gzip -k lex
expect 0 translate -m $model --shortlist lex.gz,0,5 --unknown-penalty 100 input
cmp -s out lexical || fail 'a compressed table'
expect 0 translate -m $model --shortlist <(cat lex) input
mv out by_default
expect 0 translate -m $model --shortlist lex,100,100 input
cmp -s out by_default || fail 'the numbers by default'
expect 0 translate -m $model,$model --shortlist lex input
# Where each token of the list would be repeated, a translation ends.
expect 0 translate -m $model --shortlist lex,0,1 --no-repeat-ngram 1 --min-length-extra 500 --max-length-extra 500 input
same 'as many lines as went in' 7 "$(wc -l < out)"
awk '{ for (i = 1; i <= NF; ++i) if (++seen[NR, $i] > 1) exit 1 } NF > 200 { exit 1 }' out || fail 'no token comes twice in a list'
same 'each line but the empty one has tokens' 6 "$(grep -c . out)"
expect 0 translate -m $model --shortlist off --scores input
cmp -s out whole || fail 'off is no shortlist'

# A prefix extends the list of its line.
tail -n 1 tokens > prefix
expect 0 translate -m $model --shortlist lex,0,1 --prefix prefix line
grep -q "^$(cat prefix)" out || fail 'the prefix is said'

echo 'a b' > wrong
expect 1 translate -m $model --shortlist wrong,1,1 input
says "translate: wrong:1: expected 'TARGET SOURCE PROBABILITY', found 'a b'"
sed '2s/$/ x/' lex > wrong
expect 1 translate -m $model --shortlist wrong input
grep -q "^translate: wrong:2: expected 'TARGET SOURCE PROBABILITY', found '" err || fail "the line: $(cat err)"
echo 'nothing ofthis 1' > wrong
expect 1 translate -m $model --shortlist wrong input
says 'translate: wrong: the vocabularies have the words of no line; is it for another model?'
expect 2 translate -m $model --shortlist lex,1,x input
says "translate: option '--shortlist': 'x' is not a number of words; try 'translate --help'"
expect 2 translate -m $model --shortlist lex,1,1,2 input
says "translate: option '--shortlist': must be in [0, 1], got 2; try 'translate --help'"

# A directory as Firefox's, whose model has a shortlist: it travels through checkpoints and back.
train -q -s tokens.en -t tokens.de -m vocabulary --sinusoid-layout halves-minus-one --d-model 16 --d-ff 16 --heads 2 --d-k 8 --d-v 8 \
  --layers 1 --max-steps 1 --batch-tokens 400 -o firefox || fail 'a model for Marian'
mkdir -p source && convert-model --to marian -o source firefox/model-00000001.safetensors || fail 'export'
mkdir ende && mv source/model.bin ende/model.ende.intgemm.alphas.bin && mv source/vocab.yml ende/vocab.ende.yml
mv source/model.bin.decoder.yml ende/model.ende.intgemm.alphas.bin.decoder.yml
awk 'NR == FNR {target[NR] = $1; next} {for (i = 1; i <= NF; ++i) print target[(NR + i) % 40 + 1], $i, 1 / (i + 1)}' few tokens.en > ende/lex.s2t
expect 0 convert-model -o student.safetensors ende
cp -r ende published && gzip published/*
expect 0 convert-model -o published.safetensors published
cmp -s student.safetensors published.safetensors || fail 'compressed files are those that they contain'
expect 0 convert-model -o published.safetensors published/model.ende.intgemm.alphas.bin.gz
cmp -s student.safetensors published.safetensors || fail 'a compressed file by its name'
head -c 1000 ende/vocab.ende.yml | gzip | head -c 60 > published/vocab.ende.yml.gz
expect 1 convert-model -o x published
grep -q '^convert-model: published/vocab.ende.yml.gz: ' err || fail "a damaged compressed file: $(cat err)"
expect 0 inspect student.safetensors
grep -q '^Lexical shortlist' out || fail 'inspect shows the shortlist'
expect 0 inspect --check student.safetensors
expect 0 translate -m student.safetensors --max-length-extra 20 input
mv out with_list
expect 0 translate -m student.safetensors --max-length-extra 20 --shortlist off input
cmp -s out with_list && fail 'the shortlist of a model is used'
expect 0 translate -m student.safetensors --max-length-extra 20 --shortlist ende/lex.s2t input
cmp -s out with_list || fail 'the same shortlist from its file'
expect 0 average -o mean.safetensors student.safetensors
expect 0 translate -m mean.safetensors --max-length-extra 20 input
cmp -s out with_list || fail 'average keeps the shortlist'
expect 0 average --shortlist off -o whole.safetensors student.safetensors
expect 0 translate -m student.safetensors --max-length-extra 20 --shortlist off input
mv out without_list
expect 0 translate -m whole.safetensors --max-length-extra 20 input
cmp -s out without_list || fail 'average removes the shortlist'
expect 0 average --shortlist ende/lex.s2t -o listed.safetensors whole.safetensors
expect 0 inspect --check listed.safetensors
expect 0 translate -m listed.safetensors --max-length-extra 20 input
cmp -s out with_list || fail 'average adds a shortlist'
expect 0 translate -m student.safetensors --max-length-extra 20 --shortlist ende/lex.s2t,0,2 input
mv out short_list
expect 0 average --shortlist ende/lex.s2t,0,2 -o relisted.safetensors listed.safetensors
expect 0 translate -m relisted.safetensors --max-length-extra 20 input
cmp -s out short_list || fail 'average replaces a shortlist'
# So do settings of the search.
expect 0 average --search beam-size=1,max-length-extra=3 -o greedy.safetensors whole.safetensors
expect 0 translate -m greedy.safetensors input
mv out stored
expect 0 translate -m whole.safetensors -b 1 --max-length-extra 3 input
cmp -s out stored || fail 'average adds settings of the search'
expect 0 average --search max-length-extra=20 -o longer.safetensors greedy.safetensors
expect 0 translate -m longer.safetensors input
cmp -s out stored && fail 'average replaces a setting of the search'
mv out stored
expect 0 translate -m whole.safetensors -b 1 --max-length-extra 20 input
cmp -s out stored || fail 'average keeps the other settings of the search'
expect 2 average --search beam_size=1 -o x whole.safetensors
says "average: option '--search': unknown default of the search 'beam_size'; try 'average --help'"
expect 2 average --search beam-size=0 -o x whole.safetensors
says "average: option '--search': default of the search 'beam-size': must be in [1, 100000], got 0; try 'average --help'"
expect 1 average --shortlist tokens -o x whole.safetensors
says 'average: tokens: no lexical shortlist'
expect 2 average --shortlist ende/lex.s2t,x,1 -o x whole.safetensors
says "average: option '--shortlist': 'x' is not a number of words; try 'average --help'"
# So does training, also when it resumes; for another vocabulary, the list is not kept.
further() {
  train -s tokens.en -t tokens.de -m "$1" --init-from student.safetensors "${@:3}" --batch-tokens 400 --max-steps "$2" -o further
}
further student.safetensors 1 > /dev/null 2> err || fail "training further: $(cat err)"
further student.safetensors 2 > /dev/null 2> err || fail "resuming: $(cat err)"
for step in 1 2; do
  expect 0 inspect further/model-0000000$step.safetensors
  grep '^Lexical shortlist' out > "list.$step" || fail "training keeps the shortlist in step $step"
  expect 0 inspect --check further/model-0000000$step.safetensors
done
expect 0 inspect student.safetensors
same 'the shortlist after training' "$(grep '^Lexical shortlist' out)" "$(cat list.2)"
rm -r further
build-vocab -s 330 raw.en > smaller 2> err || fail "another vocabulary: $(cat err)"
further smaller 1 --extend-vocabulary > /dev/null 2> err || fail "another vocabulary: $(cat err)"
grep -q '^train: warning: student.safetensors: its lexical shortlist is not kept, because the vocabulary differs$' err ||
  fail "a warning: $(cat err)"
expect 0 inspect further/model-00000001.safetensors
! grep -q '^Lexical shortlist' out || fail 'the shortlist of another vocabulary is not kept'
expect 0 average --quantize int8 -o small.safetensors student.safetensors
expect 0 inspect --check small.safetensors
expect 0 translate -m small.safetensors input
expect 0 convert-model --to marian -o back student.safetensors
same 'files of Marian' 'lex.s2t.bin model.bin model.bin.decoder.yml vocab.yml' "$(ls back | paste -sd ' ')"
expect 0 convert-model -o again.safetensors back
cmp -s student.safetensors again.safetensors || fail 'Marian and back is the same'
expect 0 translate -m student.safetensors --max-length-extra 20 --shortlist back/lex.s2t.bin input
cmp -s out with_list || fail 'the binary form'
expect 1 translate -m student.safetensors --shortlist back/lex.s2t.bin,1,1 input
says 'translate: back/lex.s2t.bin: a binary shortlist has its own numbers of words'
printf '\1' | dd of=back/lex.s2t.bin bs=1 seek=60 conv=notrunc 2> /dev/null
expect 1 convert-model -o x back
grep -q '^convert-model: back/lex.s2t.bin: damaged: its checksum is not [0-9]*$' err || fail "a damaged shortlist: $(cat err)"
expect 1 translate -m student.safetensors --shortlist back/lex.s2t.bin input
grep -q '^translate: back/lex.s2t.bin: damaged: its checksum is not [0-9]*$' err || fail "a damaged shortlist: $(cat err)"
