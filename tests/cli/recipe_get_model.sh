#!/bin/bash
# The recipe that downloads a published model, from a local address: verification, resumption, conversion and translation.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
export AWEND_BIN
recipe=$AWEND_SOURCE/tools/recipes/get-model.sh

expect 0 "$recipe" --help
grep -q '^Usage: ' out || fail '--help'
expect 2 "$recipe"
says 'get-model.sh: expected NAME; try --help'
expect 2 "$recipe" word2vec
says "get-model.sh: 'word2vec': no such model; try --help"
expect 2 "$recipe" opus-mt-../../x
says "get-model.sh: 'opus-mt-../../x': no such model; try --help"
expect 1 "$recipe" --sha256 missing opus-mt-en-de
says 'get-model.sh: missing: no such file'
command -v curl > /dev/null || { skip 'curl is not installed'; exit; }
"$recipe" --no-install --address "file://$PWD/nowhere" opus-mt-en-de > out 2> err && fail 'without files'
grep -q "^get-model.sh: file://$PWD/nowhere/config.json: curl: " err || fail "without files: $(cat err)"

models=${AWEND_CONFORMANCE:-/nowhere}/models
[ -d "$models/hf-opus-mt" ] || { skip 'AWEND_CONFORMANCE names no directory of published models'; exit; }

# get NAME OPTION...: the recipe must succeed.
get() {
  "$recipe" --no-install -o models "${@:2}" "$1" > out 2> err || { fail "get-model.sh $*"; cat out err; }
}
mkdir served && cp "$models"/hf-opus-mt/*.* served
(cd served && sha256sum config.json generation_config.json model.safetensors source.spm target.spm vocab.json tokenizer_config.json) > sums
get opus-mt-en-de --address "file://$PWD/served" --sha256 sums --text 'A man is running.'
same 'verified files' 7 "$(grep -c ' (verified)$' out)"
translation=$(translate --raw -m models/opus-mt-en-de.safetensors <<< 'A man is running.')
grep -qxF "$translation" out || fail 'the line is translated'
grep -qxF 'translate --raw -m models/opus-mt-en-de.safetensors' out || fail 'the command is printed'

# What is there is not downloaded again, and an interrupted download is resumed.
mv served gone
get opus-mt-en-de --address "file://$PWD/served"
mv gone served
head -c 1000 models/opus-mt-en-de/model.safetensors > models/opus-mt-en-de/model.safetensors.part && rm models/opus-mt-en-de/model.safetensors
get opus-mt-en-de --address "file://$PWD/served" --sha256 sums
cmp served/model.safetensors models/opus-mt-en-de/model.safetensors || fail 'an interrupted download is resumed'
[ ! -e models/opus-mt-en-de/model.safetensors.part ] || fail 'the part is gone'

# Another file than expected is not used.
sed 's/^....\(.*model.safetensors\)/0000\1/' sums > wrong
rm models/opus-mt-en-de.safetensors
"$recipe" --no-install -o models --address "file://$PWD/served" --sha256 wrong opus-mt-en-de > out 2> err && fail 'a wrong sum'
grep -q "^get-model.sh: file://$PWD/served/model.safetensors: SHA-256 is [0-9a-f]*, expected 0000[0-9a-f]*; the file is models/opus-mt-en-de/model.safetensors.wrong$" err ||
  fail "a wrong sum: $(cat err)"
[ ! -e models/opus-mt-en-de/model.safetensors ] && [ ! -e models/opus-mt-en-de.safetensors ] || fail 'a file with a wrong sum is not converted'
grep -v vocab sums > fewer
"$recipe" --no-install -o models --address "file://$PWD/served" --sha256 fewer opus-mt-en-de > out 2> err && fail 'a missing sum'
grep -q "^get-model.sh: $PWD/fewer: no sum of vocab.json$" err || fail "a missing sum: $(cat err)"

# A multilingual model.
get nllb-200-tiny --address "file://$models/hf-nllb" --text 'A man is running.'
grep -qxF 'translate --raw -m models/nllb-200-tiny.safetensors --source-language eng_Latn --target-language deu_Latn' out || fail 'languages are printed'
