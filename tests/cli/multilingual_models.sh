#!/bin/bash
# Models with languages: tokenize, train, translate and inspect.  Converted models: tests/properties/foreign_hugging_face_test.cpp.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc"
corpus 60

# The vocabulary is a list of the tokens of the text, so that text is split at spaces.
tr ' ' '\n' < <(cat tokens.en tokens.de) | sort -u | grep . > words
{
  printf 'awend-vocabulary 5\ntype tokens\nnormalize none\ncase keep\ncontrol keep\nunknown 3\nend-of-sentence 2\npieces %s\n' $(($(wc -l < words) + 7))
  { printf '%s\n' '<s>' '<pad>' '</s>' '<unk>'; cat words; printf '%s\n' deu_Latn __en__ fra_Latn; } | sed 's/$/\t0/'
  first=$(($(wc -l < words) + 4))
  printf 'model 0\nlanguages 3\ndeu_Latn\t%s\nen\t%s\nfra_Latn\t%s\nend\n' $first $((first + 1)) $((first + 2))
} > languages
expect 0 tokenize -m languages --source-language en tokens.en
same 'each line begins with its language' "$(sed 's/^/__en__ /' tokens.en)" "$(cat out)"
mv out s
expect 0 tokenize -m languages --target-language deu_Latn tokens.de
mv out t
expect 0 tokenize -m languages --decode t
cmp -s out tokens.de || fail 'languages are decoded to nothing'
expect 0 tokenize -m languages --ids --source-language __en__ <<< ''
prints ''
expect 0 tokenize -m languages --show --source-language en <<< ''
prints ''
expect 0 tokenize -m languages --source-language en <(printf '\n%s\n' "$(head -n 1 tokens.en)")
prints "$(printf '\n__en__ %s' "$(head -n 1 tokens.en)")"

expect 2 tokenize -m languages --source-language enn s
says "tokenize: --source-language: 'enn' is not one of the 3 languages of the vocabulary, did you mean 'en'?; try 'tokenize --help'"
expect 2 tokenize -m vocabulary --source-language en s
says "tokenize: --source-language needs a vocabulary with a list of languages; try 'tokenize --help'"
expect 2 tokenize --scheme moses --target-language en s
says "tokenize: --target-language needs a vocabulary with a list of languages; try 'tokenize --help'"
expect 2 tokenize -m languages --source-language en --target-language en s
says "tokenize: --source-language and --target-language exclude each other; try 'tokenize --help'"
expect 2 tokenize -m languages --decode --source-language en s
says "tokenize: --decode and --source-language exclude each other; try 'tokenize --help'"

# Training reads the languages of its lines, and validation translates into those of the references.
decoder=(--vocabulary languages --source s --decoder-start token --start-id 2)
small_model tuned "${decoder[@]}" --target t --valid-source s --valid-target t --valid-every 3 --valid-beam 1
expect 0 translate -m tuned -b 1 --target-language deu_Latn s
tokenize -m languages --decode out > hypotheses
expect 0 score --metric chrf --score-only --width 2 --input hypotheses -- tokens.de
same 'chrF of the validation' "$(awk -F '\t' 'NR == 1 {for (i = 1; i <= NF; ++i) if ($i == "valid_chrf") c = i} END {print $c}' log.tsv)" \
  "$(cat out)"
expect 1 train "${decoder[@]}" --target tokens.de -o none
says 'train: tokens.de:1: the line does not begin with the token of a language; tokenize it with its language'
{ sed 1d s; head -n 1 tokens.en; } > later
expect 1 train "${decoder[@]}" --source later --target s -o none
says 'train: later:60: the line does not begin with the token of a language; tokenize it with its language'
# Without tied embeddings, a model that is trained so briefly does not only repeat the token of the language.
small_model run "${decoder[@]}" --target t --positions learned --tie none
model=run/model-00000003.safetensors
expect 0 inspect $model
grep -qx '  languages *3: deu_Latn en fra_Latn' out || fail 'inspect lists the languages'
expect 0 inspect --json $model
grep -qF "\"languages\":{\"deu_Latn\":$first,\"en\":$((first + 1)),\"fra_Latn\":$((first + 2))}" out || fail 'inspect lists the languages as JSON'

# Raw text and token lines; an empty line stays empty.
short=(--max-length-ratio 1 --max-length-extra 4)
{ head -n 5 tokens.en; echo; } > text
tokenize -m languages --source-language en text > source
same 'an empty line has no language' '' "$(tail -n 1 source)"
translate_to() { expect 0 translate -m $model "${short[@]}" --target-language "$@"; }
translate_to deu_Latn source
cp out german
same 'lines' 6 "$(wc -l < german)"
same 'the last line' '' "$(tail -n 1 german)"
! grep -q '^deu_Latn' german || fail 'the language is no part of the translation'
translate_to deu_Latn --raw --source-language en text
tokenize -m languages --decode german | cmp out - || fail '--raw is the pipeline'
translate_to deu_Latn --source-language fra_Latn source
cmp out german || fail 'the language of a line comes first'
sed 's/^.*$/deu_Latn/' source > prefixes
expect 0 translate -m $model "${short[@]}" --prefix prefixes source
cmp out german || fail 'a prefix may begin with the language'

# The languages change the scores, and those of given translations are those of the search.
# compare FILE: the scores of tokens in `out` are those in FILE, in which the search stopped before an end.
compare() {
  finite <(cut -f 1 out) "$1"
  cut -f 1 out | paste - "$1" | awk -F '\t' '{n = split($2, b, " "); split($1, a, " ")
    for (i = 1; i <= n; ++i) if ((a[i] - b[i]) ^ 2 > 1e-8) print NR, a[i], b[i]}'
}
for to in deu_Latn fra_Latn; do
  translate_to $to -b 1 --word-scores source
  cut -f 2 out > best
  cut -f 1 out > scores.$to
  translate_to $to --word-scores --target best source
  same "scores of given translations into $to" '' "$(compare scores.$to)"
  sed "s/^/$to /" best > typed
  expect 0 translate -m $model "${short[@]}" --word-scores --target typed source
  same "scores of translations that begin with $to" '' "$(compare scores.$to)"
done
! cmp -s scores.deu_Latn scores.fra_Latn || fail 'the target language matters'
translate_to deu_Latn -b 1 --word-scores --source-language fra_Latn tokens.en
! cmp -s <(cut -f 1 out | head -n 5) <(head -n 5 scores.deu_Latn) || fail 'the source language matters'

# Each piece of a long line has the languages.
printf '%s\n' "$(sed -n 1p text | cut -d ' ' -f 1-4)" "$(sed -n 2p text | cut -d ' ' -f 1-4)" > pieces
paste -sd ' ' pieces > long
translate_to deu_Latn -q --source-language en --max-input-length 4 long
cp out joined
translate_to deu_Latn --source-language en pieces
same 'a long line' "$(paste -sd ' ' out | tr -s ' ')" "$(tr -s ' ' < joined)"

# Attention is that of all tokens; alignments number those of the lines.
translate_to deu_Latn --alignment --attention attention source
sed -n 1p out | awk -F ' \\|\\|\\| ' '{n = split($1, words, " "); m = split($2, links, " ")
  for (i = 1; i <= m; ++i) {split(links[i], ends, "-"); if (ends[2] >= n) print "target", links[i]}}' > wrong
same 'the alignment' '' "$(cat wrong)"
grep -qF '"source":["__en__",' attention || fail 'the attention of the source language'
grep -qF '"target":["deu_Latn",' attention || fail 'the attention of the target language'

expect 2 translate -m $model --raw --source-language en text
says "translate: the model has several languages: --target-language is required; try 'translate --help'"
expect 2 translate -m $model --raw --target-language en text
says "translate: the model has several languages: --source-language is required; try 'translate --help'"
expect 2 translate -m $model --target-language de source
says "translate: --target-language: 'de' is not one of the 3 languages of the vocabulary, did you mean 'deu_Latn'?; try 'translate --help'"
expect 1 translate -m $model --target-language en text
says 'translate: text:1: the line does not begin with the token of a language, and the source language is not given'
expect 1 translate -m $model --prefix text source
says 'translate: text:1: the line does not begin with the token of a language, and the target language is not given'
small_model single --vocabulary vocabulary
expect 2 translate -m single --target-language en tokens.en
says "translate: --target-language needs a model with a list of languages; try 'translate --help'"

# A converted model is trained further and converted back.
nllb=${AWEND_CONFORMANCE:-/nowhere}/models/hf-nllb
if [ -d "$nllb" ]; then
  expect 0 convert-model -o nllb.safetensors "$nllb"
  expect 0 inspect nllb.safetensors
  grep -q '^  languages *202: ace_Arab ace_Latn' out || fail 'the languages of NLLB'
  expect 1 translate -m nllb.safetensors --target-language eng_Latn text
  says 'translate: text:1: the line does not begin with the token of a language, and the source language is not given'
  expect 2 translate -m nllb.safetensors --raw --source-language eng_Latn --target-language deu_Lat text
  says "translate: --target-language: 'deu_Lat' is not one of the 202 languages of the vocabulary, did you mean 'deu_Latn'?; try 'translate --help'"
  printf '%s\n' 'hello <mask> world' '<mask> world' > masked
  expect 0 tokenize -m nllb.safetensors --source-language eng_Latn masked
  same 'the language of a line with a mask' 'eng_Latn eng_Latn' "$(grep -o '^eng_Latn' out | xargs)"
  same 'it has no other' 2 "$(grep -o 'eng_Latn' out | wc -l)"
  translate -q -m nllb.safetensors --target-language deu_Latn -b 1 --max-length-extra 9 out > piped
  tokenize -m nllb.safetensors --decode piped > expected
  expect 0 translate -m nllb.safetensors --raw -b 1 --max-length-extra 9 --source-language eng_Latn --target-language deu_Latn masked
  cmp out expected || fail '--raw is the pipeline for lines with masks'
  tokenize -m nllb.safetensors --source-language eng_Latn raw.en > nllb.en
  tokenize -m nllb.safetensors --target-language deu_Latn raw.de > nllb.de
  expect 0 train -q -s nllb.en -t nllb.de -m nllb.safetensors --init-from nllb.safetensors --max-steps 2 --batch-tokens 1000 -o further
  further=further/model-00000002.safetensors
  directions=(--raw -q --source-language eng_Latn --target-language deu_Latn -b 1 --max-length-ratio 0 --max-length-extra 9)
  head -n 5 raw.en > few.en
  expect 0 translate -m $further "${directions[@]}" few.en
  mv out expected
  for format in huggingface ctranslate2; do
    expect 0 convert-model --to $format -o nllb.$format $further
    expect 0 convert-model -q -o back.safetensors nllb.$format
    expect 0 translate -m back.safetensors "${directions[@]}" few.en
    cmp out expected || fail "$format: a model that was trained further"
  done
  same 'search settings' "$(inspect --json $further | grep -o '"search":{[^}]*}')" "$(convert-model -q -o back.safetensors nllb.huggingface && inspect --json back.safetensors | grep -o '"search":{[^}]*}')"
else
  skip 'a model of NLLB; AWEND_CONFORMANCE names no directory of it'
fi

# In MADLAD-400, a tag of the target language begins the source.
madlad=${AWEND_CONFORMANCE:-/nowhere}/models/hf-madlad
if [ -d "$madlad" ]; then
  expect 0 convert-model -o madlad.safetensors "$madlad"
  expect 0 inspect madlad.safetensors
  grep -qx '  languages *2: en de' out || fail 'the languages of MADLAD-400'
  head -n 5 raw.en > few.en
  tokenize -m madlad.safetensors few.en > untagged
  expect 0 tokenize -m madlad.safetensors --target-language de few.en
  same 'each line begins with the tag' "$(sed 's/^/<2de> /' untagged)" "$(cat out)"
  mv out tagged
  sed 's/^/<2de> /' few.en > typed
  expect 0 tokenize -m madlad.safetensors --target-language en typed
  cmp out tagged || fail 'a typed tag comes first'
  tags=(-q -b 1 --max-length-ratio 0 --max-length-extra 9)
  expect 0 translate -m madlad.safetensors "${tags[@]}" --raw --target-language de few.en
  mv out expected
  expect 0 translate -m madlad.safetensors "${tags[@]}" --raw typed
  cmp out expected || fail 'raw lines with tags'
  expect 0 translate -m madlad.safetensors "${tags[@]}" tagged
  tokenize -m madlad.safetensors --decode out | cmp - expected || fail 'token lines with tags'
  expect 0 translate -m madlad.safetensors "${tags[@]}" --raw --target-language en few.en
  ! cmp -s out expected || fail 'the tag matters'
  expect 2 translate -m madlad.safetensors --raw --source-language en --target-language de few.en
  says "translate: --source-language: the model reads the target language only; try 'translate --help'"
  expect 2 tokenize -m madlad.safetensors --source-language en few.en
  says "tokenize: --source-language: the model reads the target language only; try 'tokenize --help'"
  expect 2 translate -m madlad.safetensors --target-language dd tagged
  says "translate: --target-language: 'dd' is not one of the 2 languages of the vocabulary, did you mean 'de'?; try 'translate --help'"

  # It is trained further, quantized, averaged, and converted back.
  tokenize -m madlad.safetensors --target-language de raw.en > madlad.en
  tokenize -m madlad.safetensors raw.de > madlad.de
  tuned=(train -q -s madlad.en -t madlad.de -m madlad.safetensors --init-from madlad.safetensors --batch-tokens 1000 --save-every 1)
  expect 0 "${tuned[@]}" --max-steps 1 -o tuned.madlad
  expect 0 "${tuned[@]}" --max-steps 2 -o tuned.madlad
  expect 0 "${tuned[@]}" --max-steps 2 -o straight.madlad
  cmp tuned.madlad/model-00000002.safetensors straight.madlad/model-00000002.safetensors || fail 'resuming does not change the weights'
  expect 0 average -o mean.madlad tuned.madlad/model-0000000?.safetensors
  expect 0 average --quantize int8 -o small.madlad mean.madlad
  expect 0 translate -m small.madlad "${tags[@]}" --raw --target-language de few.en
  same 'lines of a quantized model' 5 "$(wc -l < out)"
  expect 0 translate -m mean.madlad "${tags[@]}" --raw --target-language de few.en
  mv out expected
  for format in huggingface ctranslate2; do
    expect 0 convert-model --to $format -o madlad.$format mean.madlad
    expect 0 convert-model -q -o back.madlad madlad.$format
    expect 0 translate -m back.madlad "${tags[@]}" --raw --target-language de few.en
    cmp out expected || fail "$format: a T5 that was trained further"
  done
  expect 1 convert-model --to marian -o madlad.marian mean.madlad
  says 'convert-model: mean.madlad: positions must be sinusoid for Marian, not relative'
else
  skip 'a model of MADLAD-400; AWEND_CONFORMANCE names no directory of it'
fi

# A language is added: the model of the checkpoint keeps what it knows, and is trained with the new one.
expect 0 build-vocab --import-model $model --add-languages gsw_Latn,bar_Latn -o more
same 'the new languages' "$(printf 'gsw_Latn\t%s\nbar_Latn\t%s' $((first + 3)) $((first + 4)))" "$(tail -n 3 more | head -n 2)"
tokenize -m more --target-language gsw_Latn tokens.de > gsw
grown=(train -q -s s -t gsw -m more --max-steps 1 --batch-tokens 400 --learning-rate 0.000000000001 --init-from $model)
expect 1 "${grown[@]}" -o grown
expect 0 "${grown[@]}" --extend-vocabulary -o grown
translate_grown() { expect 0 translate -m grown "${short[@]}" --source-language en --target-language "$@"; }
translate_grown deu_Latn --raw text
tokenize -m languages --decode german | cmp out - || fail 'the model knows its languages'
translate_grown gsw_Latn --word-scores source
cut -f 1 out | paste - scores.deu_Latn | awk -F '\t' '$1 == $2' > equal
same 'the new language is another one' 1 "$(wc -l < equal)"
expect 2 build-vocab --import-model languages --add-languages gsw
says "build-vocab: option '--add-languages': 'gsw' is not the code of a language such as 'deu_Latn'; try 'build-vocab --help'"
expect 2 build-vocab --import-model languages --add-languages deu_Latn
says "build-vocab: option '--add-languages': the vocabulary has 'deu_Latn' already; try 'build-vocab --help'"
expect 2 build-vocab --add-languages gsw_Latn
says "build-vocab: --add-languages needs --import-model; try 'build-vocab --help'"
expect 2 build-vocab --import-model vocabulary --add-languages gsw_Latn
says "build-vocab: option '--add-languages': the vocabulary has no languages; try 'build-vocab --help'"

# Averages and other formats keep the languages.
expect 0 average -o mean.safetensors $model
expect 0 translate -m mean.safetensors "${short[@]}" --target-language deu_Latn source
cmp out german || fail 'an average keeps the languages'
expect 0 convert-model --to ctranslate2 -o ct2 $model
expect 0 convert-model -q -o copy.safetensors ct2
expect 0 translate -m copy.safetensors "${short[@]}" --target-language deu_Latn source
cmp out german || fail 'CTranslate2 keeps the languages'
