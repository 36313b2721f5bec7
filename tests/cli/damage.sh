#!/bin/bash
# Damaged and hostile files: every tool names the file in one line, and none takes memory out of proportion to it.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc" || exit 1

# flip FILE OFFSET: changes one bit of a byte; an offset below 0 counts from the end.
flip() {
  local file=$1 offset=$2 byte
  [ "$offset" -ge 0 ] || offset=$(($(wc -c < "$file") + offset))
  byte=$(od -An -tu1 -j "$offset" -N 1 "$file")
  # shellcheck disable=SC2059
  printf "$(printf '\\x%02x' $((byte ^ 4)))" | dd of="$file" bs=1 seek="$offset" conv=notrunc status=none
}
# bounded COMMAND...: runs it in 3 GiB of memory, so that one that asks for more fails and does not take the machine with it.
bounded() { (limit_memory 3145728 && exec "$@"); }

corpus 200
small_model run
model=run/model-00000003.safetensors state=run/state-00000003.safetensors
cache=$(echo run/cache/corpus-*)
tiny=(--vocabulary vocabulary --preset tiny --d-model 32 --d-ff 32 --heads 2 --layers 1 --batch-tokens 400)
texts=(--source tokens.en --target tokens.de)

# A damaged cache is found at the start and rebuilt; what is trained on is the text.
ids=$(wc -c < "$cache")
for offset in 20 $((ids / 2)) -40 -4; do
  flip "$cache" $offset
  train "${tiny[@]}" "${texts[@]}" --cache run/cache --max-steps 3 -o again > out 2> err || fail 'a damaged cache is rebuilt'
  grep -q "^train: warning: $cache: .*; it was rebuilt from its text$" err || { fail "a warning about byte $offset"; cat err >&2; }
  same 'one line' 1 "$(wc -l < err)"
  cmp $model again/model-00000003.safetensors || fail 'a rebuilt cache gives the same model'
  rm -r again
done
train -v "${tiny[@]}" "${texts[@]}" --cache run/cache --max-steps 3 -o again > out 2> err
grep -qxF "train: $cache: used again" err || fail 'a whole cache is used again'

# A cache that is truncated while it is mapped.
mkfifo lines
train -q "${tiny[@]}" "${texts[@]}" --cache run/cache --max-steps 1000000 --log-every 1 -o endless > lines 2> err &
pid=$!
exec 3< lines
for _ in 1 2 3; do read -r <&3; done
: > "$cache"
cat <&3 > /dev/null
wait $pid
same 'the status after a truncated cache' 1 $?
says "train: $cache: was truncated while in use"

# Weights, moments and metadata that do not match their digests.
tokenize -m vocabulary < raw.en | head -n 2 > lines.en
cp $model flipped && flip flipped -5
expect 1 translate -m flipped lines.en
grep -q '^translate: flipped: damaged: its arrays do not match their digest xxh3:[0-9a-f]*$' err || fail "$(cat err)"
for view in '' "--diff $model"; do
  # shellcheck disable=SC2086
  expect 1 inspect $view flipped
  grep -q '^inspect: flipped: damaged: its arrays' err || fail "$(cat err)"
done
expect 1 average -o mean $model flipped
grep -q '^average: flipped: damaged: its arrays' err || fail "$(cat err)"
[ ! -e mean ] || fail 'a refused mean is not written'
cp $model flipped && flip flipped 300  # in the metadata
expect 1 translate -m flipped lines.en
grep -q '^translate: flipped: ' err || fail "$(cat err)"
cp -r run moments && flip moments/${state#run/} -5
expect 1 train -q "${tiny[@]}" "${texts[@]}" --max-steps 4 -o moments
grep -q "^train: moments/${state#run/}: damaged: its arrays" err || fail "$(cat err)"

# inspect --check accepts every kind of file, and finds one flipped bit in each.
train -q "${tiny[@]}" "${texts[@]}" --max-steps 3 -o whole > log.tsv
translate -m $model --attention heads lines.en > out || fail 'attention'
cache=$(echo whole/cache/corpus-*)
printf '#version: 0.2\nl o\n' > codes
expect 0 inspect --check $model $state vocabulary "$cache" heads log.tsv codes
sed 's/xxh3:.*/DIGEST/' out > kinds
pairs=$(wc -l < tokens.en)
same 'the kinds of files' "$model: ok: checkpoint, 35 arrays, digest DIGEST
$state: ok: training state of step 3, 70 arrays, digest DIGEST
vocabulary: ok: vocabulary, 400 pieces
$cache: ok: corpus cache, $pairs pairs
heads: ok: attention, 2 lines
log.tsv: ok: log, 1 lines
codes: ok: subword-nmt codes, 1 merges" "$(cat kinds)"
for file in $model $state "$cache"; do
  cp "$file" damaged-"${file##*/}"
  flip damaged-"${file##*/}" -40
done
sed 's/^pieces .*/pieces 401/' vocabulary > damaged-vocabulary
sed '2s/\[\[\[\[/[[[[2,/' heads > damaged-heads
sed '2s/\t/x/' log.tsv > damaged-log
for file in damaged-*; do
  expect 1 inspect --check "$file"
  says 'inspect: 1 of 1 files failed the check'
  same "lines about $file" 1 "$(grep -c "^$file:" out)"
done
expect 1 inspect --check vocabulary missing damaged-log
says 'inspect: 2 of 3 files failed the check'
same 'a line for each file' 3 "$(wc -l < out)"
expect 1 inspect --check /dev/zero
for stdin in - /dev/stdin; do
  expect 1 inspect --check $stdin < <(cat vocabulary)
  prints "$stdin: not a regular file"
done
expect 2 inspect --check
says "inspect: missing operand; try 'inspect --help'"

# safetensors FILE HEADER BYTES: a file of this header, a JSON text, and as many bytes of zeros.
safetensors() {
  local header=$2 size
  while [ $(((${#header} + 8) % 64)) -ne 0 ]; do header+=' '; done
  size=${#header}
  # shellcheck disable=SC2059
  { printf "$(printf '\\x%02x\\x%02x\\x%02x' $((size % 256)) $((size / 256 % 256)) $((size / 65536)))\\0\\0\\0\\0\\0"
    printf %s "$header"
    head -c "$3" /dev/zero; } > "$1"
}
# json_text < TEXT: the text as it is inside a JSON string.
json_text() { sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/\t/\\t/g' -e 's/$/\\n/' | tr -d '\n'; }
config='{"vocabulary":400,"d-model":4,"d-ff":4,"heads":1,"d-k":4,"d-v":4,"encoder-layers":ENCODERS,"decoder-layers":1,"dropout":0,'
config+='"attention-dropout":0,"relu-dropout":0,"label-smoothing":0,"positions":"sinusoid","norm":"post","tie":"all",'
config+='"activation":"relu","max-positions":1024}'
# hostile FILE ENCODERS ROWS: a checkpoint with two arrays, the embedding and an empty one.
hostile() {
  local metadata empty="\"x\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[$(($3 * 16)),$(($3 * 16))]}"
  metadata="\"awend.format\":\"1\",\"awend.config\":\"$(json_text <<< "${config/ENCODERS/$2}")\","
  metadata+="\"awend.vocabulary\":\"$(json_text < vocabulary)\",\"awend.step\":\"1\""
  safetensors "$1" "{\"__metadata__\":{$metadata},\"embedding\":{\"dtype\":\"F32\",\"shape\":[$3,4],\"data_offsets\":[0,$(($3 * 16))]},$empty}" \
    $(($3 * 16))
}

# The source's vocabulary must be that of the model, too.
size=$(od -An -tu4 -N4 $model)
# with_source FILE VOCABULARY: the model with this vocabulary of the source, and without digests.
with_source() {
  local header
  header=$(head -c $((8 + size)) $model | tail -c +9 | sed -E 's/"awend\.((metadata-)?digest)"/"\1"/g')
  safetensors "$1" "${header/'"__metadata__":{'/'"__metadata__":{"awend.source-vocabulary":"'$(json_text < "$2")'",'}" 0
  tail -c +$((9 + size)) $model >> "$1"
}
with_source same vocabulary
expect 0 inspect --check same
build-vocab -q --size 300 -o fewer raw.en
with_source other fewer
expect 1 inspect --check other
prints 'other: the vocabulary has 300 pieces, but the model has 400'

# Counts in a file are compared with the file before memory is taken for them.
hostile deep 1000 400
deep='deep: its settings describe 1001 layers, but it has only 2 arrays'
expect 1 bounded translate -m deep lines.en
says "translate: $deep"
expect 1 bounded inspect deep
says "inspect: $deep"
expect 1 bounded inspect --check deep
prints "$deep"
config=${config/'"d-ff":4'/'"d-ff":1000000'}
hostile broad 1 400
expect 1 bounded translate -m broad lines.en
says "translate: broad: no array 'encoder.0.self.query'"
hostile short 1 399
expect 1 average -o mean short
says "average: short: the vocabulary has 400 pieces, but array 'embedding' has 399 rows"
[ ! -e mean ] || fail 'no mean of a model that its vocabulary does not fit'
safetensors infinite '{"w":{"dtype":"F32","shape":[1e999],"data_offsets":[0,4]}}' 4
expect 1 inspect infinite
says 'inspect: infinite: a number in the JSON text is out of range'
head -c 1000000 /dev/zero | tr '\0' '[' > brackets
safetensors nested "{$(cat brackets)" 0
expect 1 bounded inspect nested
grep -q '^inspect: nested: ' err || fail "$(cat err)"
# A line of attention that describes 10^12 weights.
printf '{"format":"awend-attention 1","encoder_layers":1000,"decoder_layers":1000,"heads":1000}\n' > wide
tokens=$(printf '"a",%.0s' {1..999})'"b"' zeros=$(printf '0,%.0s' {1..999})0
printf '{"line":0,"source":[%s],"target":[%s],"encoder":[%s],"decoder":[%s],"cross":[%s]}\n' \
  "$tokens" "$tokens" "$zeros" "$zeros" "$zeros" >> wide
expect 1 bounded inspect --attention wide
grep -q '^inspect: wide:2: too many weights for a line of [0-9]* bytes$' err || fail "$(cat err)"
# A log in which a short line has very many columns.
{ printf step; printf '\tc%d' {1..3000}; printf '\nstep\n'; seq 20000; } > columns
expect 1 bounded inspect --curves columns
says 'inspect: columns:1: more than 256 columns'

# Files without an end, where a small one is expected.
endless=': too long: more than 16777216 bytes, the limit for files of its kind'
expect 1 bounded train --config /dev/zero
says "train: /dev/zero$endless"
yes '' | expect 1 bounded train --config /dev/stdin
says "train: /dev/stdin$endless"
endless=${endless/16777216/268435456}
expect 1 bounded train "${texts[@]}" --vocabulary /dev/zero -o none
says "train: /dev/zero$endless"
expect 1 bounded tokenize -m codes --vocabulary /dev/zero < lines.en
says "tokenize: /dev/zero$endless"
expect 1 bounded build-vocab --import-codes /dev/zero -o none raw.en
says "build-vocab: /dev/zero$endless"
expect 1 bounded translate -m $model --shortlist /dev/zero lines.en
says "translate: /dev/zero$endless"
expect 1 bounded inspect --curves /dev/zero
says 'inspect: /dev/zero:1: a line of more than 65536 bytes'
