#!/bin/bash
# tokenize: text to tokens and back, ids, words, dropout, and what it refuses.  Every Unicode line: tests/properties.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

cat > text <<'.'
The dog and the other dogs, 12 years old.
Der Hund und die anderen Hunde; zwölf Jahre alt!

.
printf '  the  dog\tand▁the <unk> 日本 \nno line feed \0 at\r the end' >> text
build-vocab -q --size 300 -o vocabulary text

expect 0 tokenize -m vocabulary <<< 'the dog'
prints '▁the ▁dog'
expect 0 tokenize -m vocabulary --decode <<< '▁the ▁dog'
prints 'the dog'

# Back and forth, line for line: as pieces, as ids, with dropout; a last line feed is added where none was.
{ cat text; echo; } > expected
same 'lines' 5 "$(tokenize -m vocabulary text | wc -l)"
for options in '' '--ids'; do
  # shellcheck disable=SC2086
  tokenize -m vocabulary $options text | tokenize -m vocabulary --decode $options > out
  cmp -s expected out || fail "decode undoes encode ($options)"
done
tokenize -m vocabulary --bpe-dropout 0.5 text | tokenize -m vocabulary -d > out
cmp -s expected out || fail 'decode undoes encode with dropout'

# Several files are one text; - is stdin; -o writes a file.
expect 0 tokenize -m vocabulary -o tokens text - < text
prints ''
tokenize -m vocabulary text > once
cat once once | cmp -s - tokens || fail 'two files are one text'

# Threads change nothing, nor does --unbuffered.
for i in $(seq 3000); do printf 'line %s: the dog and %s others\n' "$i" "$((i * i))"; done > long
for options in '' '--bpe-dropout 0.3 --seed 5'; do
  # shellcheck disable=SC2086
  tokenize -m vocabulary -j 1 $options long > one
  for threads in '-j 2' '-j 7' '-j 3 -u' '-j 1 -u'; do
    # shellcheck disable=SC2086
    tokenize -m vocabulary $threads $options long | cmp -s - one || fail "threads change nothing ($threads $options)"
  done
done
tokenize -m vocabulary --bpe-dropout 0.3 --seed 6 long | cmp -s - one && fail 'another seed gives other pieces'

expect 0 tokenize --words-only <<< 'The dogs,  12'
prints '▁The ▁dogs , ▁ ▁1 2'

# --show: line, bytes, token; and id.
printf 'the dogs,  é\n\nthe' | tokenize -m vocabulary --show --ids > shown
same 'tokens and places' "$(printf 'the dogs,  é\n\nthe' | tokenize -m vocabulary | tr ' ' '\n')" "$(cut -f 4 shown | sed '$!b;i\

' | cat)"
same 'the last token' $'3\t0\t3\t▁the' "$(tail -n 1 shown | cut -f 1-4)"
same 'bytes of a character' '11 12,12 13' "$(grep '<0x[CA]' shown | cut -f 2,3 | tr '\t' ' ' | paste -sd ,)"
same 'ids' "$(printf 'the dogs,  é' | tokenize -m vocabulary --ids | tr ' ' '\n')" "$(grep ^1 shown | cut -f 5)"

# Invalid UTF-8: an error with its place, after the lines before it; or U+FFFD, counted.
printf 'the dog\nthe \377\376 dog\nthe dog\n' > bad
expect 1 tokenize -m vocabulary bad
says 'tokenize: bad:2: invalid UTF-8 at byte 5'
prints '▁the ▁dog'
tokenize -m vocabulary --replace-invalid bad 2> err | tokenize -m vocabulary -d > out
says 'tokenize: warning: bad: 2 invalid UTF-8 sequences replaced with U+FFFD'
prints $'the dog\nthe \xEF\xBF\xBD\xEF\xBF\xBD dog\nthe dog'

# Tokens of another vocabulary are no text of this one.
expect 1 tokenize -m vocabulary -d <<< $'▁the\n▁the dogs@@'
says "tokenize: stdin:2: 'dogs@@' is not a piece of the vocabulary"
prints 'the'
expect 1 tokenize -m vocabulary -d --ids <<< '300'
says 'tokenize: stdin:1: id 300 is out of range (vocabulary size 288)'
expect 1 tokenize -m vocabulary -d --ids <<< 'x'
says "tokenize: stdin:1: 'x' is not an id"
head -n 20 vocabulary > short
expect 1 tokenize -m short <<< ''
says 'tokenize: short:21: the vocabulary is truncated'

# A checkpoint carries its vocabulary: eight bytes of length, then JSON.
checkpoint() {
  local header=$1 size i
  while [ $(($(printf '%s' "$header" | wc -c) % 8)) -ne 0 ]; do header+=' '; done
  size=$(printf '%s' "$header" | wc -c)
  for i in 0 8 16 24; do printf '%b' "\\x$(printf %02x $((size >> i & 255)))"; done
  printf '\0\0\0\0%s' "$header"
}
checkpoint '{"__metadata__":{"awend.format":"1","awend.vocabulary":"'"$(
  awk '{gsub(/[\\"]/, "\\\\&"); gsub(/\t/, "\\t"); printf "%s\\n", $0}' vocabulary)"'"}}' > model.safetensors
tokenize -m model.safetensors text | cmp -s - once || fail 'a checkpoint is as good as its vocabulary'
checkpoint '{"__metadata__":{"format":"pt"}}' > foreign.safetensors
expect 1 tokenize -m foreign.safetensors < /dev/null
grep -q '^tokenize: foreign.safetensors: ' err || fail "$(cat err)"

# Options that exclude each other, or are missing.
while IFS='|' read -r options complaint; do
  # shellcheck disable=SC2086
  expect 2 tokenize -m vocabulary $options < /dev/null
  says "tokenize: $complaint; try 'tokenize --help'"
done <<'.'
--words-only --decode|--words-only and --decode exclude each other
--words-only --ids|--ids needs a subword vocabulary
--words-only --scheme moses|--words-only and --scheme exclude each other
--decode --bpe-dropout 0.1|--decode and --bpe-dropout exclude each other
--decode --show|--decode and --show exclude each other
--bpe-dropout 0.1 --sampling 1|--bpe-dropout and --sampling exclude each other
--sampling 1|--sampling needs a unigram model
--merges 3|--merges needs subword-nmt codes
--penn|--penn needs --scheme moses
--scheme spm|option '--scheme': must be subword-nmt or moses, got 'spm'
--scheme moses|--scheme moses and --model exclude each other
.
expect 2 tokenize < /dev/null
says "tokenize: option '--model' is required; try 'tokenize --help'"
expect 2 tokenize -m vocabulary --bpe-dropout 1.5 < /dev/null
says "tokenize: option '--bpe-dropout': must be in [0, 1], got 1.5; try 'tokenize --help'"
build-vocab -q -t wordpiece --size 300 -o wordpieces text
expect 2 tokenize -m wordpieces --bpe-dropout 0.1 < /dev/null
says "tokenize: --bpe-dropout needs a vocabulary of byte pairs; try 'tokenize --help'"
expect 0 tokenize -m vocabulary < /dev/null
prints ''
