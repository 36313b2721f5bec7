#!/bin/bash
# tokenize and build-vocab with what other toolkits have made: codes, counts, models, Moses' words.  Their own outputs are compared
# where $AWEND_CONFORMANCE has them; every case of each is in tests/unit/text.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

# Codes: learned, applied, decoded; with a list of counts, a glossary, fewer merges, another separator.
printf 'low low low lower lower newest newest newest widest\n' > text
expect 0 build-vocab --format subword-nmt -s 6 -o codes text
same 'codes' '#version: 0.2|w e|l o|s t</w>|we st</w>|n e|ne west</w>|' "$(tr '\n' '|' < codes)"
expect 0 tokenize -m codes text
prints 'lo@@ w lo@@ w lo@@ w lo@@ we@@ r lo@@ we@@ r newest newest newest w@@ i@@ d@@ e@@ st'
cp out tokens
for threads in 1 3; do
  same 'decoded' "$(cat text)" "$(tokenize -j $threads -m codes -d tokens)"
done
expect 0 build-vocab --format counts -o counts tokens
same 'counts' 'lo@@ 5|w 3|newest 3|we@@ 2|r 2|w@@ 1|i@@ 1|d@@ 1|e@@ 1|st 1|' "$(tr '\n' '|' < counts)"
expect 0 tokenize -m codes --vocabulary counts --vocabulary-threshold 3 text
prints "$(tokenize -m codes text | sed 's/we@@/w@@ e@@/g; s/ st$/ s@@ t/')"
expect 0 tokenize -m codes --glossaries 'wi\w*' --merges 2 <<< 'lower widest'
prints 'lo@@ we@@ r widest'
expect 0 tokenize -m codes --separator '~' <<< 'lower'
prints 'lo~ we~ r'
expect 0 build-vocab --format subword-nmt --dict-input -s 2 - <<< $'low 3\nlower 2'
prints $'#version: 0.2\nl o\nlo w</w>'
# The dictionary is text, too.
expect 1 build-vocab --format subword-nmt --dict-input - <<< $'low 3\nlow\xff 2'
says 'build-vocab: stdin:2: invalid UTF-8 at byte 4'
expect 0 build-vocab -q --format subword-nmt --dict-input --replace-invalid -s 3 - <<< $'\xEF\xBB\xBFlow 3\nlow\xff 2'
prints $'#version: 0.2\nl o\nlo w</w>\nw \xEF\xBF\xBD</w>'
tokenize -m codes --bpe-dropout 0.5 --seed 7 -j 3 text > dropped
same 'dropout' "$(cat text)" "$(tokenize -m codes -d dropped)"
cmp -s dropped tokens && fail 'dropout drops merges'

# The names of subword-nmt; codes that no line calls so are led to the scheme.
expect 0 tokenize -c codes --dropout 0.5 --seed 7 --num-workers 1 text
same 'the names of subword-nmt' "$(cat dropped)" "$(cat out)"
expect 0 tokenize --codes codes --glossaries 'wi\w*' --glossaries 'lo' <<< 'low widest'
prints 'lo@@ w widest'
sed 1d codes > old-codes
expect 1 tokenize -m old-codes < /dev/null
says 'tokenize: old-codes: not a vocabulary; it looks like codes of subword-nmt or fastBPE, which need --scheme subword-nmt'
expect 0 tokenize -c old-codes -d - <<< 'lo@@ w'
prints low

# Joint codes in one step: the codes of all texts, and counts of the pieces of each.
printf 'low lower\nlow\n' > text.1
printf 'newest widest newest low\n' > text.2
expect 0 build-vocab --format subword-nmt --joint --write-vocabulary counts.1 counts.2 -s 6 --separator '~' -o joint -- text.1 text.2
cat text.1 text.2 > both
same 'the codes of both' "$(build-vocab --format subword-nmt -s 6 both)" "$(cat joint)"
for i in 1 2; do
  same "the counts of text $i" "$(tokenize -m joint --separator '~' text.$i | build-vocab --format counts)" "$(cat counts.$i)"
done
if [ -n "${AWEND_CONFORMANCE:-}" ] && [ -n "${AWEND_DATA:-}" ]; then
  expect 0 build-vocab --format subword-nmt --joint --write-vocabulary de.counts en.counts --symbols 8000 -o joint -- \
    "$AWEND_DATA/multi30k/train.de.gz" "$AWEND_DATA/multi30k/train.en.gz"
  cases=$AWEND_CONFORMANCE/subword-nmt
  zcat "$cases/m30k-joint-s8000.codes.gz" | cmp - joint || fail 'the codes are those of learn-joint-bpe-and-vocab'
  for i in 0:de 1:en; do
    gzip -cdf "$cases/m30k-joint-s8000.vocab${i%:*}"* | cmp - "${i#*:}.counts" || fail "the counts of ${i#*:} are those of learn-joint-bpe-and-vocab"
  done
else
  skip 'joint codes, because AWEND_CONFORMANCE and AWEND_DATA name no directories'
fi

# A vocabulary out of codes: the same tokens, with ids; what it lacks is unknown.
expect 0 build-vocab --import-codes codes -o vocabulary text
same 'the same tokens' "$(cat tokens)" "$(tokenize -m vocabulary text)"
expect 0 tokenize -m vocabulary --ids <<< 'low zest'
prints '2 3 0 10 11'
expect 0 tokenize -m vocabulary --ids -d - <<< '2 3 4 0'
prints 'low newest <unk>'
expect 0 build-vocab --import-codes codes --vocabulary counts --vocabulary-threshold 3 -o short
same 'the pieces' '<unk> </s> lo@@ w newest' "$(sed -n '/^pieces/,/^separator/p' short | sed '1d;$d' | cut -f 1 | xargs)"
expect 0 tokenize -m short <<< 'lower'
prints 'lo@@ w@@ e@@ r'

# Codes of bytes: a vocabulary can contain only those that are valid UTF-8.
printf '%s\n' 'größer größer größte' > bytes.text
expect 0 build-vocab -q --format subword-nmt --byte -s 10 -o bytes.codes bytes.text
printf 'lo@@ 3\nw 1\nlo@@ 4\n' > twice
expect 1 build-vocab --import-codes codes --vocabulary twice
says "build-vocab: twice: duplicate piece 'lo@@'"
expect 1 build-vocab --import-codes bytes.codes -o bytes.vocabulary bytes.text
says 'build-vocab: bytes.codes: symbols of these codes are bytes that are not valid UTF-8, which a vocabulary cannot contain; '\
'use codes of characters'
[ ! -e bytes.vocabulary ] || fail 'no vocabulary that cannot be read'
expect 0 build-vocab -q --format subword-nmt --byte -s 10 -o ascii.codes text
expect 0 build-vocab --import-codes ascii.codes -o ascii.vocabulary text
same 'the same tokens of ASCII' "$(tokenize -m ascii.codes text)" "$(tokenize -m ascii.vocabulary text)"

# Moses' words.
expect 0 tokenize -q --scheme moses <<< "It's 3.5, e.g. \"here\"."
prints 'It &apos;s 3.5 , e.g. &quot; here &quot; .'
expect 0 tokenize --scheme moses -d - <<< 'It &apos;s 3.5 , e.g. &quot; here &quot; .'
prints "It's 3.5, e.g. \"here\"."
expect 0 tokenize --scheme moses --penn -d - <<< "\`\` I did n't give up ''"
prints '"I didn'"'"'t give up"'
expect 0 tokenize -q --scheme moses -a --no-escape <<< "well-known 'x'"
prints "well @-@ known ' x'"
mkdir lists
printf 'Mr\nX\n' > lists/nonbreaking_prefix.en
expect 0 tokenize --scheme moses --prefixes lists <<< 'Mr. X. Y.'
prints 'Mr. X. Y .'

# What is asked of the wrong thing, or damaged.
while IFS='|' read -r command complaint; do
  # shellcheck disable=SC2086
  expect 2 $command < /dev/null
  says "${command%% *}: $complaint; try '${command%% *} --help'"
done <<'.'
tokenize -m codes --ids|codes have no ids; build a vocabulary with build-vocab --import-codes
tokenize -m codes --vocabulary-threshold 3|--vocabulary-threshold needs --vocabulary
tokenize -m codes --sampling 1|--sampling needs a unigram model
build-vocab --format x|option '--format': must be awend, sentencepiece, subword-nmt or counts, got 'x'
build-vocab --format counts --size 3|--size needs --format awend, sentencepiece or subword-nmt
build-vocab --import-codes codes --import-model codes|--import-codes and --import-model exclude each other
build-vocab --import-codes codes --format counts|--format counts cannot be used with --import-codes
build-vocab --byte|--byte needs --format subword-nmt
build-vocab --format subword-nmt --write-vocabulary x|--write-vocabulary needs --joint
build-vocab --joint text|--joint needs --format subword-nmt
build-vocab --format subword-nmt --joint text|--joint needs one --write-vocabulary file per text: expected 1, got 0
build-vocab --format subword-nmt --joint --dict-input text|--joint and --dict-input exclude each other
tokenize -c codes -m codes|--codes and --model exclude each other
tokenize -c codes --words-only|--codes and --words-only exclude each other
tokenize -c codes --scheme moses|--codes cannot be used with --scheme moses
tokenize -c codes --glossaries a b|'b' is not a file; repeat --glossaries for each expression
tokenize -c codes --glossaries (a|glossary '(a' is not a regular expression: a parenthesis has no partner
build-vocab --import-codes codes --lowercase|--lowercase and --import-codes exclude each other
build-vocab --import-model codes text|--import-model reads no text; unexpected operand 'text'
.
expect 1 tokenize --scheme moses --prefixes nowhere < /dev/null
grep -q '^tokenize: nowhere' err || fail "$(cat err)"
expect 1 build-vocab --format subword-nmt --dict-input - <<< 'low'
says 'build-vocab: stdin:1: expected a word, one space and its count'
printf '#version: 0.2\nl o\nl o w\n' > bad
expect 1 tokenize -m bad < /dev/null
grep -q '^tokenize: bad:3: ' err || fail "$(cat err)"
expect 1 build-vocab --import-model codes
grep -q '^build-vocab: codes: ' err || fail "$(cat err)"
head -n -3 vocabulary > cut
expect 1 tokenize -m cut < /dev/null
says 'tokenize: cut:29: the vocabulary is truncated'
sed 's/^w e$/w/' vocabulary > cut
expect 1 tokenize -m cut < /dev/null
grep -q '^tokenize: cut: ' err || fail "$(cat err)"

models=${AWEND_CONFORMANCE:-/nowhere}/sentencepiece
if [ ! -d "$models" ]; then
  skip 'SentencePiece, because AWEND_CONFORMANCE names no directory'
  exit
fi

# Models of SentencePiece, as they are and as vocabularies.
for name in m30k-bpe-4k m30k-unigram-4k; do
  zcat "$models/$name.model.gz" > model
  expect 0 build-vocab --import-model model -o vocabulary
  for file in model vocabulary; do
    tokenize -m $file "$models/adv.txt" | cmp -s - "$models/$name.adv.pieces" || fail "pieces of $file ($name)"
    tokenize -m $file --ids "$models/adv.txt" | cmp -s - "$models/$name.adv.ids" || fail "ids of $file ($name)"
    tokenize -m $file --ids -d "$models/$name.adv.ids" | cmp -s - "$models/$name.adv.dec" || fail "decoded by $file ($name)"
  done
done
tokenize -m model --sampling 0.2 --seed 4 -j 1 "$models/m30k200.de.txt" > one
tokenize -m model --sampling 0.2 --seed 4 -j 3 "$models/m30k200.de.txt" | cmp -s - one || fail 'threads change a sample'
same 'a sample is text' "$(tokenize -m model -d < <(tokenize -m model "$models/m30k200.de.txt"))" "$(tokenize -m model -d one)"
expect 2 tokenize -m model --bpe-dropout 0.1 < /dev/null
head -c 5000 model > cut
expect 1 tokenize -m cut < /dev/null
grep -q '^tokenize: cut: ' err && [ "$(wc -l < err)" = 1 ] || fail "$(cat err)"
