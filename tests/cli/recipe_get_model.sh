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
grep -qxF "$AWEND_BIN/translate --raw -m models/opus-mt-en-de.safetensors" out || fail 'the command is printed'

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

# By HTTP.  A server that fails is not one that lacks a file: the recipe ends with the reason, and what has arrived is kept.  Requests for
# FILE are answered with the first bytes, or with the status, in FILE.short and FILE.status if these exist.
command -v socat > /dev/null || { skip 'socat is not installed'; exit; }
cat > answer << 'END'
#!/bin/bash
read -r _ path _
from=0
while IFS=: read -r name value && [ "$name" != $'\r' ]; do
  if [ "${name,,}" = range ]; then from=${value//[!0-9-]/} from=${from%%-*}; fi
done
file=served/${path##*/}
size=$(stat -c %s "$file" 2> /dev/null)
status=$(cat "$file.status" 2> /dev/null)
[ -n "$size" ] || status=404
[ -n "$status" ] || [ "$from" -lt "$size" ] || status=416
[ -z "$status" ] || { printf 'HTTP/1.1 %s no\r\nContent-Length: 0\r\nConnection: close\r\n\r\n' "$status"; exit; }
printf 'HTTP/1.1 206 part\r\nContent-Range: bytes %d-%d/%d\r\nContent-Length: %d\r\nConnection: close\r\n\r\n' \
  "$from" $((size - 1)) "$size" $((size - from))
tail -c +$((from + 1)) "$file" | head -c "$(cat "$file.short" 2> /dev/null || echo "$size")"
END
chmod +x answer
socat UNIX-LISTEN:socket,fork EXEC:./answer 2> /dev/null &
server=$!
clean_up() { kill $server; }
await [ -S socket ]
export CURL_HOME=$PWD
echo "unix-socket = $PWD/socket" > .curlrc

# refused REASON: the recipe must fail with it.
refused() {
  "$recipe" --no-install -o models --address http://host/files opus-mt-en-de > out 2> err && fail "$1: the recipe succeeds"
  grep -q "^get-model.sh: http://host/files/$1" err || fail "$1: $(cat err)"
}
rm -r models
echo 503 > served/generation_config.json.status
refused 'generation_config.json: curl: (22) .* 503'
rm served/generation_config.json.status
echo 1000 > served/model.safetensors.short
refused 'model.safetensors: curl: (18) '
same 'what has arrived' 1000 "$(stat -c %s models/opus-mt-en-de/model.safetensors.part)"
rm served/model.safetensors.short {served,models/opus-mt-en-de}/generation_config.json
get opus-mt-en-de --address http://host/files --sha256 sums
cmp served/model.safetensors models/opus-mt-en-de/model.safetensors || fail 'the rest of a download'
[ ! -e models/opus-mt-en-de/generation_config.json ] || fail 'a file that may be missing'
# All had arrived before the interruption.
mv models/opus-mt-en-de/model.safetensors models/opus-mt-en-de/model.safetensors.part
get opus-mt-en-de --address http://host/files --sha256 sums
cmp served/model.safetensors models/opus-mt-en-de/model.safetensors || fail 'nothing is left to download'
unset CURL_HOME

# A multilingual model.
get nllb-200-tiny --address "file://$models/hf-nllb" --text 'A man is running.'
grep -qxF "$AWEND_BIN/translate --raw -m models/nllb-200-tiny.safetensors --source-language eng_Latn --target-language deu_Latn" out ||
  fail 'languages are printed'
