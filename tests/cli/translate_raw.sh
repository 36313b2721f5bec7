#!/bin/bash
# translate --raw: text in, text out, with the bytes of tokenize | translate | tokenize --decode for every kind of vocabulary that a
# checkpoint can hold.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc" || exit 1

corpus 200
small_model bpe
# odd: an empty line, white space only, spaces at both ends, a character that is in no vocabulary, text that spells the end of a sentence, a
# line without LF.
{ head -n 4 raw.en; echo; echo '   '; printf '  two  spaces \n'; printf 'known, \xe6\x97\xa5\xe6\x9c\xac and \xf0\x9f\x98\x80 not\r\n'; printf 'the end </s>\n</s>\n</s> \n'; printf 'no LF'; } > odd
short=(--max-length-ratio 1 --max-length-extra 4)

# piped MODEL OPTION...: what the pipeline makes of the file `odd`.
piped() { tokenize -q -m "$1" < odd | translate -q -m "$@" "${short[@]}" | tokenize -q -m "$1" --decode; }

# raw_is_pipeline WHAT MODEL
raw_is_pipeline() {
  piped "$2" > expected
  same "$1: lines of the pipeline" 12 "$(wc -l < expected)"
  translate -q -m "$2" --raw "${short[@]}" < odd > out 2> err || fail "$1: $(cat err)"
  cmp out expected || fail "$1: --raw is the pipeline"
  same "$1: silence" '' "$(cat err)"
}
model=bpe/model-00000003.safetensors
raw_is_pipeline bpe $model
same 'an empty line stays empty' '' "$(sed -n 5p out)"

train_with() { # NAME: a model of the vocabulary NAME.vocabulary
  for side in en de; do tokenize -m "$1.vocabulary" < raw.$side > tokens.$side; done
  small_model "$1" --vocabulary "$1.vocabulary"
}
convert-model --to ctranslate2 -o ct2 $model
convert-model -o tokens.safetensors ct2
raw_is_pipeline 'a list of tokens' tokens.safetensors
same 'text that spells the end is the end' '' "$(sed -n 10,11p out)"
build-vocab -q --size 400 --type wordpiece --lowercase --normalize nfkc -o wordpiece.vocabulary raw.en raw.de
train_with wordpiece
raw_is_pipeline wordpiece wordpiece
build-vocab -q --format subword-nmt -s 300 -o codes raw.en raw.de
build-vocab -q --import-codes codes --glossaries '[A-Z]+' -o subword-nmt.vocabulary raw.en raw.de
train_with subword-nmt
raw_is_pipeline 'codes of subword-nmt' subword-nmt
models=${AWEND_CONFORMANCE:-/nowhere}/sentencepiece
if [ -d "$models" ]; then
  for name in "$models"/*.model.gz; do
    kind=$(basename "$name" .model.gz)
    zcat "$name" > spm
    build-vocab --import-model spm -o "$kind.vocabulary"
    train_with "$kind"
    raw_is_pipeline "SentencePiece, $kind" "$kind"
  done
else
  skip 'models of SentencePiece; AWEND_CONFORMANCE names no directory of them'
fi

# It streams: an answer comes while the input is open.
mkfifo questions answers
translate -m $model --raw -u "${short[@]}" < questions > answers &
exec 3> questions 4< answers
piped $model > expected
while IFS= read -r line; do
  printf '%s\n' "$line" >&3
  IFS= read -r -t 60 reply <&4 || fail 'one line in gives one line out'
  printf '%s\n' "$reply"
done < <(head -n 4 odd) > replies
exec 3>&- 4<&-
wait
head -n 4 expected | cmp -s - replies || fail 'the answers are those of the pipeline'

# A line that is cut is one line out, several models are asked together, a file is what stdin is.
for i in 1 2 3 4 5 6; do head -n 1 raw.en; done | tr '\n' ' ' > long
translate -q -m $model --raw --max-input-length 20 "${short[@]}" long > out
tokenize -m $model < long | translate -q -m $model --max-input-length 20 "${short[@]}" | tokenize -m $model -d | cmp - out || fail 'a long line'
small_model second --seed 5 --vocabulary vocabulary --source <(tokenize -m vocabulary raw.en) --target <(tokenize -m vocabulary raw.de)
translate -q -m $model,second --raw "${short[@]}" odd > out
tokenize -q -m $model odd | translate -q -m $model,second "${short[@]}" | tokenize -q -m $model -d | cmp - out || fail 'several models'

# Forms of output: text in the place of tokens.
head -n 2 raw.en > two
tokenize -m $model two > two.tokens
detokenized() { tokenize -m $model -d; }
translate -m $model "${short[@]}" --n-best 2 two.tokens > tokens.list
expect 0 translate -m $model "${short[@]}" --raw --n-best 2 two
same 'an n-best list has text' "$(sed 's/ |||.*//' tokens.list | paste -d '#' - <(sed 's/^[0-9]* ||| //; s/ ||| logprob= .*//' tokens.list | detokenized) \
  <(sed 's/.* ||| logprob= /logprob= /' tokens.list) | sed 's/#/ ||| /g')" "$(cat out)"
mv out list
expect 0 translate -m $model "${short[@]}" --raw --scores two
same 'scores' "$(translate -m $model "${short[@]}" --scores two.tokens | cut -f 1)" "$(cut -f 1 out)"
same 'text after the scores' "$(translate -m $model "${short[@]}" two.tokens | detokenized)" "$(cut -f 2- out)"
expect 0 translate -m $model "${short[@]}" --raw --json two
translate -m $model "${short[@]}" --json two.tokens > json
same 'text is a separate member' "$(cat json)" "$(sed 's/"text": "[^"]*", //g' out)"
[ "$(grep -c '"text": "' out)" -eq 2 ] || fail 'JSON has the text'
expect 0 translate -m $model "${short[@]}" --raw --alignment --alignment-words two
same 'words are aligned' "$(translate -m $model "${short[@]}" --alignment --alignment-words two.tokens | sed 's/.* ||| //')" "$(sed 's/.* ||| //' out)"
expect 0 translate -m $model "${short[@]}" --raw --attention heads two
expect 0 translate -m $model "${short[@]}" --attention token-heads two.tokens
cmp heads token-heads || fail 'attention is that of tokens'
head -n 2 raw.de | cut -d ' ' -f 1 > prefixes
tokenize -m $model prefixes > prefix-tokens
expect 0 translate -m $model "${short[@]}" --raw --prefix prefixes two
same 'prefixes are text' "$(translate -m $model "${short[@]}" --prefix prefix-tokens two.tokens | detokenized)" "$(cat out)"

# Given translations are text, too, and so is an n-best list.
head -n 2 raw.de > given
tokenize -m $model given > given.tokens
expect 0 translate -m $model --raw --target given two
same 'scores of text' "$(translate -m $model --target given.tokens two.tokens | cut -f 1)" "$(cut -f 1 out)"
same 'and the text' "$(cat given)" "$(cut -f 2- out)"
sed 's/\(.*\) ||| \(.*\) ||| logprob= .*/\1 ||| \2 ||| logprob= 0 ||| 0/' list > unscored
expect 0 translate -m $model --raw --n-best 2 --target unscored two
same 'the texts of a list' "$(cut -d '|' -f 1-4 list | sort)" "$(cut -d '|' -f 1-4 out | sort)"

# What has no meaning, and bad input.
expect 2 translate -m $model --raw --word-scores two
says "translate: --raw and --word-scores exclude each other; use --json for the scores of tokens; try 'translate --help'"
expect 2 translate -m $model --raw --alignment two
says "translate: --raw --alignment needs --alignment-words: raw text has no tokens; try 'translate --help'"
printf 'ok\na\xffb\n' > invalid
expect 1 translate -m $model --raw "${short[@]}" invalid
says 'translate: invalid:2: invalid UTF-8 at byte 2'
same 'the line before it is answered' 1 "$(wc -l < out)"
expect 0 translate -m $model --raw --replace-invalid -q "${short[@]}" invalid
same 'as many lines' 2 "$(wc -l < out)"
