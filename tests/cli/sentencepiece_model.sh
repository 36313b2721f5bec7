#!/bin/bash
# build-vocab --format sentencepiece: models for the programs of SentencePiece and of awend; and what tokenize can change about them.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

for i in 1 2 3; do printf 'low lower lowest %s <2de> newer\nnew newest wide wider widest\nslow slower 2012\n' $i; done > text
gzip -k text
expect 0 build-vocab --format sentencepiece -t unigram -s 30 -o model text
build-vocab --format sentencepiece -t unigram -s 30 -j 1 - < text | cmp - model || fail 'stdin and threads change nothing'
expect 0 tokenize -m model -o tokens text
same 'decoded' "$(cat text)" "$(tokenize -m model -d tokens)"
build-vocab --format sentencepiece -t unigram -s 5000 text text.gz > large 2> err
same 'a status with a warning' 0 $?
grep -qx 'build-vocab: warning: the text yields only [0-9]* of the 5000 ids requested; use --size [0-9]* or more text' err || fail "$(cat err)"

# The options of the trainer.
expect 0 build-vocab --format sentencepiece -s 320 --byte-fallback --split-digits --lowercase --user-symbols '<2de>' \
  --control-symbols '<x>,<y>' --character-coverage 1 -o bytes text
expect 0 tokenize -m bytes <<< '<2de>LOW 2012 ζ'
prints '▁ <2de> low ▁ 2 0 1 2 ▁ <0xCE> <0xB6>'
expect 0 tokenize -m bytes --ids -d - <<< '3 4 5'
prints '<2de>'

# pieces MODEL: its pieces in the order of ids, separated by spaces.
pieces() { build-vocab --import-model "$1" | sed -n '/^pieces /,/^model /p' | sed '1d;$d' | cut -f 1 | xargs; }

# Other types: characters and words, the most frequent first.
expect 0 build-vocab --format sentencepiece -t char -s 6 -q -o chars text
same 'characters' '<unk> <s> </s> ▁ e w' "$(pieces chars)"
expect 0 tokenize -m chars --ids <<< 'we x'
prints '3 5 4 3 0'
expect 0 build-vocab --format sentencepiece --model-type word --vocab-size 8 -q -o words text
same 'words' '<unk> <s> </s> ▁2012 ▁<2de> ▁low ▁lower ▁lowest' "$(pieces words)"
expect 0 tokenize -m words --ids <<< 'low unheard'
prints '5 0'

# Normalization with case folding.
for rule in nmt_nfkc_cf nfkc_cf; do
  expect 0 build-vocab --format sentencepiece --normalize $rule -s 60 -q -o folded text
  same "$rule" 'low ä 12' "$(tokenize -m folded <<< 'LOW Ä １2' | tokenize -m folded -d)"
done
expect 0 build-vocab --format sentencepiece --normalization-rule-name identity -s 60 -q -o same text
expect 0 tokenize -m same <<< '１'
prints '▁ １'

# Special pieces.
for type in bpe unigram word char; do
  expect 0 build-vocab --format sentencepiece -t $type -q -s 34 --unk-id 3 --bos-id 0 --eos-id 1 --pad-id 2 --unk-piece '[UNK]' \
    --bos-piece '[CLS]' --eos-piece '[SEP]' --pad-piece '[PAD]' --unk-surface '?' -o special text
  same "$type: special pieces" '[CLS] [SEP] [PAD] [UNK]' "$(pieces special | cut -d ' ' -f -4)"
  same "$type: surface of the unknown piece" '?' "$(tokenize -m special --ids -d <<< 3)"
  same "$type: ends of the sentence" '0 1' "$(tokenize -m special --ids --extra-options bos,eos <<< '')"
  expect 0 build-vocab --format sentencepiece -t $type -q -s 34 --eos-id -1 --pad-id 4 -o special text
  same "$type: padding" '' "$(tokenize -m special --ids -d <<< 4)"
  expect 1 build-vocab --import-model special
  says 'build-vocab: special: the model has no end-of-sentence symbol; train it with one'
done
expect 2 build-vocab --format sentencepiece -s 34 --bos-id 0 text
says "build-vocab: --unk-id and --bos-id are both 0; try 'build-vocab --help'"
expect 2 build-vocab --format sentencepiece -s 34 --eos-id 40 text
says "build-vocab: option '--eos-id': must be below --size 34, got 40; try 'build-vocab --help'"

# A sample of the lines, or the first ones; each line has a word of its own.
seq -f 'x%05.0f' 20000 | tr '0-9' 'a-j' > many
build-vocab --format sentencepiece -t word -v -s 1000 --input-sentence-size 100 -o sample many 2> err
grep -qx 'build-vocab: learning from 100 of 20000 lines read' err || fail "$(cat err)"
grep -q 'the text yields only 103 of the 1000 ids' err || fail "$(cat err)"
build-vocab --format sentencepiece -t word -q -s 1000 --input-sentence-size 100 - < many | cmp - sample || fail 'the same sample each time'
late=$(pieces sample | xargs -n 1 | grep -c '^▁x[b-j]')
[ "$late" -gt 25 ] && [ "$late" -lt 75 ] || fail "$late of 100 lines of the second half"
build-vocab --format sentencepiece -t word -q -s 1000 --input-sentence-size 100 --shuffle-input-sentence false -o first many
same 'the first lines' "$(head -n 100 many | sort | xargs)" "$(pieces first | xargs -n 1 | sed -n '4,$s/▁//p' | sort | xargs)"
expect 0 build-vocab --format sentencepiece -q -s 40 --input-sentence-size 100 --shuffle-input-sentence false -o first many
head -n 100 many | build-vocab --format sentencepiece -q -s 40 - | cmp - first || fail 'byte pairs of the first lines'

# Symbols with white space: their ids are decoded, and text with U+2581 in a symbol is encoded to it.
for type in bpe unigram char; do
  build-vocab --format sentencepiece -t $type -s 60 -q --user-symbols $'New York,\n,a\tb,New▁Delhi' -o spaced text
  same "$type: pieces" $'New▁York ␊ a\tb New▁Delhi' "$(build-vocab --import-model spaced | sed -n '12,15s/\t0$//p' | paste -s -d ' ')"
  expect 0 tokenize -m spaced --ids -d <<< '3 5 6'
  prints $'New Yorka\tbNew Delhi'
  expect 0 tokenize -m spaced -o tokens.spaced <<< $'low a\tb New Delhi'
  same "$type: two symbols" $'a\tb New▁Delhi' "$(grep -o $'a\tb' tokens.spaced) $(grep -o 'New▁Delhi$' tokens.spaced)"
  same "$type: decoded" $'low a\tb New Delhi' "$(tokenize -m spaced -d tokens.spaced)"
  same "$type: tokens of other pieces" $'New York�x' "$(tokenize -m spaced -d <<< $'New▁York ␊ x')"
done

# The best cuts of each line; ends of sentences and the order reversed; only the pieces of a list.
expect 0 tokenize -m model --n-best 2 <<< $'low\n\nlower'
same 'lines of cuts' '1 1 2 3 3' "$(cut -f 1 out | xargs)"
same 'the best cut' "$(tokenize -m model <<< lower)" "$(cut -f 3 out | sed -n 4p)"
expect 0 tokenize -m model --n-best 2 --ids <<< low
same 'ids of the best cut' "$(tokenize -m model --ids <<< low)" "$(head -n 1 out | cut -f 3)"
expect 0 tokenize -m model --extra-options bos,eos <<< low
prints "<s> $(tokenize -m model <<< low) </s>"
tokenize -m model --extra-options reverse text > reversed
same 'reversed' "$(cat text)" "$(tokenize -m model --extra-options reverse -d reversed)"
cmp -s reversed tokens && fail 'the text is reversed'
printf '▁\t9\n▁low\t3\n' > list
expect 0 tokenize -m model --vocabulary list --vocabulary-threshold 4 <<< low
prints '▁ l o w'

# Memory is that of the sample, not of the text: here 170 MB, in two copies if all lines were kept.
for choice in true false; do
  (export MALLOC_ARENA_MAX=1; limit_memory 500000
    yes 'low lower newest 2012' | head -n 8000000 |
      build-vocab --format sentencepiece -q -j 1 --memory 20M -s 40 --input-sentence-size 1000 --shuffle-input-sentence $choice -o small -) ||
    fail "a sample in bounded memory, $choice"
done

# Byte pairs: the learner of awend, with limited memory, and what -v reports of them.
build-vocab --format sentencepiece -v -s 40 -o pairs text 2> err
grep -qx 'build-vocab: the pieces are those of SentencePiece 0.2.3' err || fail "$(cat err)"
build-vocab --format sentencepiece -q -s 40 --memory 100K -T . text | cmp - pairs || fail 'memory does not change the pieces'
for j in 1 3; do build-vocab --format sentencepiece -q -s 40 -j $j text | cmp - pairs || fail 'threads change nothing'; done
build-vocab --format sentencepiece -v -t unigram -s 30 text 2>&1 > /dev/null |
  grep -qx 'build-vocab: the pieces are those of the installed version of SentencePiece' || fail 'version of the library'

while IFS='|' read -r command complaint; do
  # shellcheck disable=SC2086
  expect 2 $command < text
  says "${command%% *}: $complaint; try '${command%% *} --help'"
done <<'.'
build-vocab -t unigram|--type unigram needs --format sentencepiece
build-vocab --format sentencepiece -t wordpiece|--format sentencepiece supports --type bpe, unigram, word and char, not wordpiece
build-vocab -t char|--type char needs --format sentencepiece
build-vocab -t words|option '--type': must be bpe, wordpiece, bert, unigram, word or char, got 'words', did you mean 'word'?
build-vocab --format sentencepiece --normalize nfc|--format sentencepiece supports --normalize nmt_nfkc, nfkc, nmt_nfkc_cf, nfkc_cf and none, not nfc
build-vocab --format sentencepiece --normalize none --lowercase|--format sentencepiece supports --lowercase with --normalize nmt_nfkc and nfkc, not none
build-vocab --normalize nfkc_cf|option '--normalize': must be nfc, nfkc or none, got 'nfkc_cf', did you mean 'nfkc'?
build-vocab --format sentencepiece --unk-id -1|option '--unk-id' must be at least 0, got -1
build-vocab --format sentencepiece --unk-id -2|option '--unk-id': must be in [-1, 100000000], got -2
build-vocab --format sentencepiece --bos-piece=|option '--bos-piece' needs a value
build-vocab --pad-id 3|--pad-id needs --format sentencepiece
build-vocab --input-sentence-size 3|--input-sentence-size needs --format sentencepiece
build-vocab --format sentencepiece --shuffle-input-sentence false|--shuffle-input-sentence needs --input-sentence-size
build-vocab --format sentencepiece --input-sentence-size 3 --shuffle-input-sentence no|option '--shuffle-input-sentence': must be true or false, got 'no'
build-vocab --format sentencepiece --min-frequency 3|--min-frequency needs --format awend or subword-nmt
build-vocab --format sentencepiece --character-coverage 0.5|option '--character-coverage': must be in [0.98, 1], got 0.5
build-vocab --byte-fallback|--byte-fallback needs --format sentencepiece
build-vocab --format sentencepiece --pad-piece [PAD]|--pad-piece needs --pad-id
tokenize -m bytes --n-best 2|--n-best needs a unigram model
tokenize -m model --n-best 2 --show|--n-best and --show exclude each other
tokenize -m model --n-best 2 -d|--decode and --n-best exclude each other
tokenize -m model --extra-options end|option '--extra-options': must be bos, eos, reverse or unk, got 'end'
tokenize -m model --vocabulary-threshold 2|--vocabulary-threshold needs --vocabulary
tokenize --scheme moses --extra-options bos|--extra-options needs a SentencePiece model
.
expect 1 build-vocab --format sentencepiece -s 10 -o nothing text
grep -q '^build-vocab: SentencePiece: a vocabulary of 10 ids is too small' err || fail "$(cat err)"
[ ! -e nothing ] || fail 'a model that was not learned'
expect 1 build-vocab --format sentencepiece /dev/null
says 'build-vocab: no text to learn from'
printf 'a\n\377\n' > invalid
expect 1 build-vocab --format sentencepiece text invalid
says 'build-vocab: invalid:2: invalid UTF-8 at byte 1'

# Killed while it waits for text: dead by that signal, and nothing left over.
mkfifo never
exec 3<>never
build-vocab --format sentencepiece -o killed never 3>&- &
pid=$!
while [ -z "$(find . -name 'killed*')" ]; do sleep 0.05; done
kill -TERM "$pid"
wait "$pid"
same 'status after SIGTERM' 143 $?
same 'nothing is left over' '' "$(find . -name 'killed*')"
