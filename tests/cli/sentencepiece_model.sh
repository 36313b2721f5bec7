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
cmp -s reversed tokens && fail 'nothing is reversed'
printf '▁\t9\n▁low\t3\n' > list
expect 0 tokenize -m model --vocabulary list --vocabulary-threshold 4 <<< low
prints '▁ l o w'

while IFS='|' read -r command complaint; do
  # shellcheck disable=SC2086
  expect 2 $command < text
  says "${command%% *}: $complaint; try '${command%% *} --help'"
done <<'.'
build-vocab -t unigram|unknown type 'unigram': bpe, wordpiece or bert
build-vocab --format sentencepiece -t wordpiece|--format sentencepiece supports --type bpe and unigram, not wordpiece
build-vocab --format sentencepiece --normalize nfc|--format sentencepiece supports --normalize nfkc and none, not nfc
build-vocab --format sentencepiece --normalize none --lowercase|--format sentencepiece supports --normalize nfkc with --lowercase, not none
build-vocab --format sentencepiece --min-frequency 3|--min-frequency needs --format awend or subword-nmt
build-vocab --format sentencepiece --character-coverage 0.5|option '--character-coverage': must be in [0.98, 1], got 0.5
build-vocab --byte-fallback|--byte-fallback needs --format sentencepiece
tokenize -m bytes --n-best 2|--n-best needs a unigram model
tokenize -m model --n-best 2 --show|--n-best and --show exclude each other
tokenize -m model --n-best 2 -d|--decode and --n-best exclude each other
tokenize -m model --extra-options end|option '--extra-options' must be bos, eos, reverse or unk, got 'end'
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
