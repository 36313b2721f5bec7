#!/bin/bash
# convert-model: a checkpoint in another format and back, defaults of the search, and bad input.  The models of other toolkits:
# tests/properties/foreign_models_test.cpp.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc"
corpus 40
small_model run
model=run/model-00000003.safetensors

expect 0 convert-model --to ctranslate2 -o ct2 $model
prints ''
same 'files of CTranslate2' 'config.json model.bin shared_vocabulary.json' "$(ls ct2 | paste -sd ' ')"
expect 0 convert-model -o copy.safetensors ct2
prints ''
expect 0 convert-model -o copy.safetensors ct2/model.bin
expect 0 inspect --check copy.safetensors

# The copy translates as the original.  Its vocabulary is a list of tokens.
expect 0 translate -m $model tokens.en
cp out expected
expect 0 translate -m copy.safetensors tokens.en
cmp -s expected out || fail 'the copy translates as the original'
expect 0 tokenize -m copy.safetensors <<< 'ab  x'
prints 'ab x'

# The format of a file that another tool cannot read is recognized.
for command in 'translate -m' 'average -o mean' inspect 'tokenize -m'; do
  # shellcheck disable=SC2086
  expect 1 $command ct2/model.bin < /dev/null
  says "${command%% *}: ct2/model.bin: a model of CTranslate2; convert it with: convert-model -o model.safetensors ct2/model.bin"
done

expect 1 convert-model -o x missing
says 'convert-model: missing: No such file or directory'
mkdir empty
expect 1 convert-model -o x empty
says 'convert-model: empty: no model of a known format'
head -c 1000 ct2/model.bin > ct2/short.bin
expect 1 convert-model -o x ct2/short.bin
says "convert-model: ct2/short.bin: variable 'decoder/embeddings/weight': truncated at byte 1000"
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n' > empty/model.npz
expect 1 convert-model -o x empty
says 'convert-model: empty/model.npz: this is a Git LFS pointer; fetch the file itself (git lfs pull)'
expect 1 convert-model --to ctranslate2 -o y ct2/model.bin
expect 2 convert-model -o x
expect 2 convert-model --to onnx -o y $model
says "convert-model: option '--to': 'onnx' must be ctranslate2; try 'convert-model --help'"
[ ! -e x ] && [ ! -e y ] || fail 'a failed conversion writes nothing'
