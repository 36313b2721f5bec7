#!/bin/bash
# translate: lines in, lines out, in order; forms of output; bad input.  The search itself: tests/unit/decode,
# tests/properties/translation_test.cpp.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc" || exit 1

corpus 200
small_model run
model=run/model-00000003.safetensors
head -n 7 tokens.en | sed '3s/.*//' > input

expect 0 translate -m $model input
same 'as many lines as went in' 7 "$(wc -l < out)"
same 'an empty line stays empty' '' "$(sed -n 3p out)"
mv out whole
expect 0 translate -m $model < input
cmp -s out whole || fail 'a file and stdin give the same'
expect 0 translate -m $model -o written input
prints ''
cmp -s written whole || fail '--output is what stdout would be'
expect 0 translate -m $model input input
same 'two files are one stream' "$(cat whole whole)" "$(cat out)"
tac input > backwards
expect 0 translate -m $model backwards
tac out | cmp -s - whole || fail 'the order of lines does not matter'
printf '%s' "$(cat input)" > unended
expect 0 translate -m $model unended
cmp -s out whole || fail 'a last line without line feed counts'
expect 0 translate -m $model < /dev/null
prints ''
expect 0 translate -m run input
cmp -s out whole || fail 'a directory means its newest model'
translate -v -m run input 2>&1 > out | grep -qx "translate: model $model" || fail '-v names the file'
head -n 3 raw.en | tokenize -m run | cmp -s - <(head -n 3 tokens.en) || fail 'for tokenize, too'
mkdir nobody
expect 1 translate -m nobody input
says 'translate: nobody: the directory contains neither best.safetensors nor model-N.safetensors'

# 16-bit operands round differently, and say no less.
for precision in bf16 fp16; do
  expect 0 translate --device $vulkan -m $model --precision $precision input
  same "as many lines in $precision" 7 "$(wc -l < out)"
  same "an empty line stays empty in $precision" '' "$(sed -n 3p out)"
  if [ $precision = bf16 ] && grep -q avx512_bf16 /proc/cpuinfo; then
    expect 0 translate --device cpu -m $model --precision $precision input
    same "as many lines in $precision by the processor" 7 "$(wc -l < out)"
    mv out rounded
    expect 0 translate --device cpu -j 1 -m $model --precision $precision input
    cmp -s out rounded || fail "the number of threads changes nothing in $precision"
  else
    expect 1 translate --device cpu -m $model --precision $precision input
    units=
    [ $precision = fp16 ] || units='a processor with AMX or AVX512_BF16, or '
    says "translate: the device cpu does not compute in $precision; it needs ${units}a Vulkan device, such as a GPU or llvmpipe"
  fi
done

# Line by line: an answer comes while the input is still open, also in the middle of the next line.
mkfifo pipe
translate -m $model < pipe > slow &
exec 3> pipe
second=$(sed -n 2p input)
printf '%s\n%s' "$(head -n 1 input)" "${second:0:3}" >&3
for ((tries = 0; tries < 600; ++tries)); do
  [ ! -s slow ] || break
  sleep 0.1
done
[ -s slow ] || fail 'a line is answered while the input pauses'
printf '%s\n' "${second:3}" >&3
exec 3>&-
wait
same 'both lines were answered' "$(head -n 2 whole)" "$(cat slow)"

# The number of concurrent lines does not change the scores in any bit.
seq 40 | xargs -I N head -n 6 input | sed 's/ /\n/3' > many
expect 0 translate -m $model --scores many
mv out scored
for batch_tokens in 1 50 4096; do
  expect 0 translate -m $model --scores --batch-tokens $batch_tokens many
  cmp -s out scored || fail "--batch-tokens $batch_tokens changes nothing"
done

# --unbuffered: no line is read before the one before it is answered.
mkfifo ask answer
translate -m $model --unbuffered < ask > answer &
exec 3> ask 4< answer
head -n 4 input > four
while IFS= read -r line; do
  printf '%s\n' "$line" >&3
  IFS= read -r -t 60 reply <&4 || fail 'one line in gives one line out'
  printf '%s\n' "$reply"
done < four > replies
exec 3>&- 4<&-
wait
head -n 4 whole | cmp -s - replies || fail 'the answers are those of a file'

# Forms of output.
head -n 2 input > two
expect 0 translate -m $model --scores input
same 'scores before a tab' "$(cat whole)" "$(cut -f 2- out)"
cut -f 1 out | grep -Evq '^-?[0-9.e-]+$' && fail 'scores are numbers'
expect 0 translate -m $model --word-scores input
same 'scores of words before a tab' "$(cat whole)" "$(cut -f 2- out)"
expect 0 translate -m $model --alpha 0 --word-scores input
mv out words
expect 0 translate -m $model --alpha 0 --scores input
paste out words | awk -F '\t' '{ sum = 0; n = split($3, parts, " "); for (i in parts) sum += parts[i]; words = split($4, tokens, " ")
  if (words && (n < words || n > words + 1 || (sum - $1) ^ 2 > 1e-6)) { print "line " NR ": " $0; exit 1 } }' ||
  fail 'they are one for each token and the end, and sum to the score'
translate -m $model --word-scores --max-length-extra 0 input | score --perplexity --word-scores > out || fail 'score reads them'
same 'of as many tokens as there are logarithms' "$(translate -m $model --word-scores --max-length-extra 0 input | cut -f 1 | wc -w)" \
  "$(sed 's/.*(tokens = \([0-9]*\))/\1/' out)"
expect 2 translate -m $model --word-scores --scores input
expect 0 translate -m $model --json input
same 'an object for each line' 7 "$(grep -c '^{"line": [0-6], "translations": \[{"tokens": "' out)"
same 'the tokens are in it' "$(head -n 1 whole)" "$(sed -n '1s/.*"tokens": "\([^"]*\)".*/\1/p' out)"
expect 0 translate -m $model --json --n-best 3 input
same 'an object has the N best' 3 "$(head -n 1 out | grep -o '"score"' | wc -l)"
expect 0 translate -m $model --beam-size 300 two
same 'a beam may be wide' 2 "$(wc -l < out)"
expect 0 translate -m $model --n-best 2 input input
same 'two answers a line, but one for an empty line' 26 "$(wc -l < out)"
same 'lines count from 0 through all files' 13 "$(tail -n 1 out | cut -d ' ' -f 1)"
same 'the first of each is the best' "$(head -n 1 whole)" "$(head -n 1 out | sed 's/^0 ||| \(.*\) ||| logprob= .*/\1/')"

# A line beyond a batch is cut, not dropped.
for i in 1 2 3 4 5 6; do head -n 1 input; done | tr '\n' ' ' > long
translate -m $model --max-input-length 20 long > out 2> err || fail 'a long line'
same 'a long line gives one line' 1 "$(wc -l < out)"
grep -q '^translate: warning: long:1: [0-9]* tokens are more than 20' err || fail "a long line is named: $(cat err)"
mv out pieces
# Many long lines: one line for the first, one for the others.
for i in 1 2 3 4 5; do cat long; echo; done > several
translate -m $model --max-input-length 20 several > out 2> err || fail 'long lines'
tokens=$(awk '{print NF}' long)
same 'the warnings of long lines' "translate: warning: several:1: $tokens tokens are more than 20, the longest input: translated in $(((tokens + 19) / 20)) pieces|\
translate: warning: the same for 4 more lines: translated in pieces|" "$(tr '\n' '|' < err)"
translate -m $model --max-input-length 20 --alignment several > out 2> err || fail 'long lines with alignments'
same 'each kind of warning comes twice' 4 "$(wc -l < err)"

expect 0 translate -m $model --max-input-length 1000 --batch-tokens 5 long
grep -q . out || fail 'a line fits for any limit of concurrent tokens'
cmp -s out pieces && fail 'a line is cut only beyond --max-input-length'

# Settings of an alignment that is not requested, and a layer that the model does not have.
for option in '--alignment-form 2' '--alignment-layer 99' '--alignment-words'; do
  # shellcheck disable=SC2086
  expect 2 translate -m $model $option two
  says "translate: ${option% *} needs --alignment; try 'translate --help'"
done
expect 1 translate -m $model --alignment --alignment-layer 99 two

# Rules of the search.
expect 0 translate -m $model --min-length-ratio 0 --min-length-extra 9 --max-length-ratio 0 --max-length-extra 12 two
awk 'NF < 9 || NF > 12 { exit 1 }' out || fail 'outputs keep their shortest and longest length'
expect 0 translate -m $model --no-repeat-ngram 1 --min-length-extra 15 two
awk '{ for (i = 1; i <= NF; ++i) if (++seen[NR, $i] > 1) exit 1 } NF < 15 { exit 1 }' out || fail 'no token comes twice'
expect 0 translate -m $model --repetition-penalty 3 --unknown-penalty 2 two
cmp -s out <(head -n 2 whole) && fail 'penalties change what is said'
head -n 2 tokens.de | cut -d ' ' -f 1-3 > prefixes
expect 0 translate -m $model --prefix prefixes two
same 'translations begin with their prefixes' "$(cat prefixes)" "$(cut -d ' ' -f 1-3 out)"
printf '\n%s\n' "$(tail -n 1 prefixes)" > half
expect 0 translate -m $model --prefix half two
same 'a line without prefix is as ever' "$(head -n 1 whole)" "$(head -n 1 out)"
same 'the next line has its own' "$(tail -n 1 prefixes)" "$(tail -n 1 out | cut -d ' ' -f 1-3)"
yes "$(head -n 1 prefixes)" | head -n 100 | tr '\n' ' ' | cat - <(echo) prefixes | head -n 2 > endless
translate -m $model --prefix endless two > out 2> err || fail 'a long prefix'
grep -Eq '^translate: warning: endless:1: 300 tokens are more than [0-9]+, the longest output: the rest is ignored$' err ||
  fail "a long prefix is named: $(cat err)"
same 'the output has the maximum length' "$(sed 's/.*than \([0-9]*\),.*/\1/' err)" "$(head -n 1 out | wc -w)"
same 'the line after it has its own' "$(head -n 1 prefixes)" "$(tail -n 1 out | cut -d ' ' -f 1-3)"
expect 1 translate -m $model --prefix half two two
grep -q '^translate: half: ends after 2 lines, before two:1$' err || fail "too few prefixes: $(cat err)"
expect 1 translate -m $model --prefix tokens.de two
grep -q "^translate: tokens.de: more lines than the input's 2$" err || fail "too many prefixes: $(cat err)"

# A line of a million tokens is one line out, and as many lines as one likes take no more memory than a tenth of them.
token=$(head -n 1 input | cut -d ' ' -f 1)
short=(-b 1 --max-length-ratio 0 --max-length-extra 1)
yes "$token" | head -n 1000000 | tr '\n' ' ' > million
translate -m $model "${short[@]}" million > out 2> err || fail 'a line of a million tokens'
same 'a million tokens are one line' '1 977' "$(wc -lw < out | awk '{ print $1, $2 }')"
grep -q '^translate: warning: million:1: 1000000 tokens are more than 1024' err || fail "it is named: $(cat err)"
mkfifo lines
translate -m $model "${short[@]}" < lines > answers &
translator=$!
exec 3> lines
# peak LINES: the maximum memory of the process, in KiB, after this many lines.
peak() {
  until [ "$(wc -l < answers)" -ge "$1" ] || ! kill -0 $translator; do sleep 0.1; done
  awk '/^VmHWM/ { print $2 }' /proc/$translator/status
}
# By the first measurement each decoder has had lines, also on a machine under load.
yes "$token $token" | head -n 20000 >&3
few=$(peak 20000)
yes "$token $token" | head -n 180000 >&3
many=$(peak 200000)
exec 3>&-
wait
same 'all are answered' 200000 "$(wc -l < answers)"
# A leak of 16 bytes a line would be found.  AddressSanitizer keeps freed memory for a while.
[ -n "${AWEND_SANITIZED:-}" ] || [ "$many" -lt $((few + 2816)) ] || fail "memory does not grow with the lines: $few KiB, then $many KiB"
echo 'nothing that was tokenized' | translate -m $model > out 2> err || fail 'unknown pieces'
grep -q 'tokens are unknown' err || fail 'unknown pieces are warned of'

# The cache of pipelines: written, replaced where it is garbage, done without where it cannot be written.  Mesa's own cache stays
# where it is.
export MESA_SHADER_CACHE_DIR=${MESA_SHADER_CACHE_DIR:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}}
mkdir -p "$MESA_SHADER_CACHE_DIR"
expect 0 translate --device $vulkan -m $model input
mv out by_shaders
translates_in() {
  expect 0 env "$@" translate --device $vulkan -m $model input
  cmp -s out by_shaders || fail "translations with $*"
}
translates_in XDG_CACHE_HOME="$PWD/cache"
cache=$(echo cache/awend/pipelines-*)
[ -f "$cache" ] || fail 'a pipeline cache is written'
cp "$cache" kept
echo garbage > "$cache"
translates_in XDG_CACHE_HOME="$PWD/cache"
cmp -s "$cache" kept || fail 'an invalid pipeline cache is rewritten'
rm -r cache
translates_in XDG_CACHE_HOME="$PWD/cache" AWEND_PIPELINE_CACHE=0
[ ! -e cache/awend ] || fail 'a pipeline cache that is switched off is not written'
mkdir -m 500 readonly
translates_in XDG_CACHE_HOME="$PWD/readonly"
translates_in XDG_CACHE_HOME=/dev/null
translates_in -u XDG_CACHE_HOME -u HOME
XDG_CACHE_HOME=$PWD/both translate --device $vulkan -m $model input > other &
translates_in XDG_CACHE_HOME="$PWD/both"
wait
cmp -s other by_shaders || fail 'two processes write one pipeline cache'

# Bad input.
expect 2 translate input
says "translate: option '--model' is required; try 'translate --help'"
expect 1 translate -m nothing input
says 'translate: nothing: No such file or directory'
expect 1 translate -m "$model," input
says "translate: '': No such file or directory"
expect 1 translate -m vocabulary input
says 'translate: vocabulary: not a safetensors file'
head -c 5000 $model > truncated
expect 1 translate -m truncated input
grep -q '^translate: truncated: ' err || fail 'a truncated checkpoint is named'
expect 1 translate -m run/state-00000003.safetensors input
grep -q '^translate: run/state-00000003.safetensors: ' err || fail 'a training state is no model'
expect 1 translate -m $model four missing
says 'translate: missing: No such file or directory'
head -n 4 whole | cmp -s - out || fail 'the lines of the files before are answered'
printf 'a\xffb\n' > invalid
expect 1 translate -m $model invalid
says 'translate: invalid:1: invalid UTF-8 at byte 2'
expect 2 translate -m $model --n-best 5 input
says "translate: --n-best 5 is more than --beam-size 4; try 'translate --help'"
expect 2 translate -m $model --beam-size 0 input
expect 1 translate -m $model --device nosuchdevice input
grep -q "no device is named 'nosuchdevice'" err || fail 'an unknown device is named'
expect 1 env VK_ICD_FILENAMES=/nonexistent VK_DRIVER_FILES=/nonexistent translate --device 0 -m $model input
grep -q 'no Vulkan device: install one with' err || fail "without a device, the message says what to do: $(cat err)"

# Codes of subword-nmt go the same way: their vocabulary has other special ids and unknown tokens.
build-vocab -q --format subword-nmt -s 300 -o codes raw.en raw.de
build-vocab -q --import-codes codes -o codes_vocabulary raw.en raw.de
for side in en de; do tokenize -m codes_vocabulary < raw.$side > tokens.$side; done
small_model codes_run --vocabulary codes_vocabulary
model=codes_run/model-00000003.safetensors
head -n 3 raw.en | tokenize -m $model | cmp -s - <(head -n 3 tokens.en) || fail 'a checkpoint carries its codes'
printf 'an unknown word: 日本\n' | tokenize -m $model | translate -q -m $model | tokenize -m $model -d > out
same 'lines with an unknown token' 1 "$(wc -l < out)"
same 'translations by codes are put together' 0 "$(grep -c '@@' out)"
