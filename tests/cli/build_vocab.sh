#!/bin/bash
# build-vocab: the same bytes for any number of threads and any input; sizes; rejected input.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

for i in $(seq 2500); do printf 'Line %s: the dog and %s others, zwölf Hunde.\n' "$i" "$((i * i))"; done > text
head -n 1000 text > first
tail -n +1001 text > second
for type in bpe wordpiece; do
  expect 0 build-vocab -t $type --size 300 -j 1 -o one text
  prints ''
  for options in '-j 2 text' '-j 5 first second' '-j 3 second - first'; do
    # shellcheck disable=SC2086
    build-vocab -t $type --size 300 $options < /dev/null | cmp -s - one || fail "the same bytes ($type $options)"
  done
  build-vocab -t $type --size 300 < text | cmp -s - one || fail "the same bytes ($type stdin)"
  same "pieces ($type)" 'pieces 300' "$(sed -n 8p one)"
  tokenize -m one text | tokenize -m one -d | cmp -s - text || fail "round trip ($type)"
done

# Little memory does not change the result, and leaves no files.
mkdir folder
expect 0 build-vocab --size 2000 -q -o all text first second
for j in 1 3; do
  build-vocab --size 2000 -v -j $j --memory 1M -T folder -o few text first second 2> err || fail "$(cat err)"
  grep -qx 'build-vocab: word counts were written to temporary files in folder' err || fail "pairs are spilt: $(cat err)"
  cmp -s all few || fail "the same bytes in little memory (-j $j)"
done
same 'nothing is left over' '' "$(ls folder)"
expect 1 build-vocab --size 300 --memory 1K -T nowhere text
says 'build-vocab: nowhere: No such file or directory'
expect 2 build-vocab --memory lots text
says "build-vocab: 'lots' is not a size: expected, for example, 500M, 4G or 50%; try 'build-vocab --help'"

# The report on the vocabulary, if requested.
build-vocab --size 300 --report -o one text 2> err
same 'report' 'ids 300,pieces 42' "$(head -n 2 err | tr '\t' ' ' | paste -sd ,)"
same 'no bytes are needed' 'tokens that are bytes 0.0000%' "$(grep bytes err | tr '\t' ' ')"

# Normalization is written into the file, and used.
printf 'e\314\201 e\314\201 \357\254\201 \357\254\201\n' > forms
for form in none nfc nfkc; do
  build-vocab -q --normalize $form --size 300 -o vocabulary forms
  same "form in the file ($form)" "normalize $form" "$(sed -n 3p vocabulary)"
done
expect 0 tokenize -m vocabulary forms
prints '▁é ▁é ▁fi ▁fi'

build-vocab -q --lowercase --control remove --size 300 -o vocabulary <<< $'The\tDOG the dog'
same 'case and control in the file' 'case lower control remove' "$(sed -n 4,5p vocabulary | xargs)"
expect 0 tokenize -m vocabulary <<< $'THE\tdog'
prints '▁the ▁dog'

# Frequencies: of a character, and of a pair.
build-vocab -q --min-frequency 3 --size 300 -o vocabulary <<< 'ab ab ab cd cd'
same 'frequent pieces' '▁ a b ▁a ▁ab' "$(sed -n '267,/^merges/p' vocabulary | cut -f 1 | grep -v merges | xargs)"

expect 2 build-vocab --size 258 text
says "build-vocab: option '--size': must be in [259, 100000000], got 258; try 'build-vocab --help'"
expect 2 build-vocab --type unigram text
says "build-vocab: --type unigram needs --format sentencepiece; try 'build-vocab --help'"
expect 2 build-vocab --normalize nfd text
says "build-vocab: option '--normalize': must be nfc, nfkc, none, nmt_nfkc, nmt_nfkc_cf or nfkc_cf, got 'nfd', did you mean 'nfc'?; try 'build-vocab --help'"
printf 'good\n\377\n' > bad
echo old > vocabulary
expect 1 build-vocab -o vocabulary text bad
says 'build-vocab: bad:2: invalid UTF-8 at byte 1'
same 'the old file stays' old "$(cat vocabulary)"
same 'nothing is left over' '' "$(find . -name '*.tmp')"
expect 1 build-vocab -o nowhere/vocabulary text
says 'build-vocab: nowhere/vocabulary: No such file or directory'
expect 1 build-vocab -o /dev/full --size 300 text
says 'build-vocab: /dev/full: No space left on device'
build-vocab --replace-invalid --size 300 -o vocabulary bad bad 2> err
grep -qx 'build-vocab: warning: bad: 1 invalid UTF-8 sequences replaced with U+FFFD' err || fail "$(cat err)"

# Killed while it waits for text: dead by that signal, and nothing left over.
mkfifo never
exec 3<>never
build-vocab -o killed never 3>&- &
pid=$!
while [ -z "$(find . -name 'killed*')" ]; do sleep 0.05; done
kill -TERM "$pid"
wait "$pid"
same 'status after SIGTERM' 143 $?
same 'nothing is left over' '' "$(find . -name 'killed*')"

# A text that is too small for the size: the size that is suggested gives the same bytes, in silence.
for type in bpe wordpiece bert; do
  build-vocab -t $type --size 37000 -o one first 2> err
  size=$(sed -n "s/^build-vocab: warning: the text yields only \([0-9]*\) of the 37000 ids requested; use --size \1 or more text$/\1/p" err)
  expect 0 build-vocab -t $type --size "${size:-0}" -o two first
  cmp -s one two || fail "the suggested size ($type)"
done
build-vocab --format subword-nmt --size 37000 -o one first 2> err
size=$(sed -n "s/^build-vocab: warning: the text yields only \([0-9]*\) of the 37000 merges requested; use --size \1 or more text$/\1/p" err)
expect 0 build-vocab --format subword-nmt --size "${size:-0}" -o two first
cmp -s one two || fail 'the suggested number of merges'
# What cannot be a line of a vocabulary is refused.
for option in --separator --glossaries; do
  for text in $'@\n' $'\xff'; do
    expect 2 build-vocab --import-codes two $option "$text" first
    says "build-vocab: $option must be one line of UTF-8; try 'build-vocab --help'"
  done
done
for text in '' '@ '; do
  expect 2 build-vocab --import-codes two --separator "$text" first
  says "build-vocab: --separator must have characters, and no spaces; try 'build-vocab --help'"
done
build-vocab --size 300 -o one /dev/null 2> err
says 'build-vocab: warning: the text yields only 258 of the 300 ids requested; it needs more text'
# Symbols: user symbols are kept and decoded, control symbols are only for token lines.
printf '<2de> the dog sleeps\nthe dog<2de>\n' > tagged
expect 0 build-vocab -q --size 290 --user-symbols '<2de>' --control-symbols '<2fr>,<pad>' -o symbols tagged
same 'the head' 'control-symbols 2|user-symbols 1' "$(sed -n 8,9p symbols | tr '\n' '|' | sed 's/|$//')"
expect 0 tokenize -m symbols --ids <<< '<2de>'
same 'a user symbol' 260 "$(cut -d ' ' -f 2 out)"
tokenize -m symbols tagged | tokenize -m symbols -d | cmp - tagged || fail 'text with symbols is decoded'
expect 0 tokenize -m symbols -d - <<< '<2fr> ▁ <2de> <pad>'
prints '<2de>'
tokenize -m symbols <<< 'a<2fr>b' > out
grep -q ' <2fr> ' out && fail 'text names no control symbol'
same 'text like a symbol is decoded' 'a<2fr>b' "$(tokenize -m symbols -d out)"
expect 2 build-vocab --control-symbols tag tagged
says "build-vocab: the control symbol 'tag' is not like <this>; try 'build-vocab --help'"
expect 2 build-vocab --user-symbols 'a b' tagged
says "build-vocab: the symbol 'a b' has white space, a control character or U+2581 in it; try 'build-vocab --help'"

# Word pieces of BERT, learned and imported.
printf 'The dogs sleep.\nthe dog SLEEPS\n' > dogs
expect 0 build-vocab -q --type bert --lowercase --size 60 -o bert dogs
same 'the head of a vocabulary for BERT' 'type bert|normalize none|case lower|control remove|unknown 1|end-of-sentence 3' \
  "$(sed -n 2,7p bert | tr '\n' '|' | sed 's/|$//')"
expect 0 tokenize -m bert <<< 'The [MASK] SLÉEPS!'
prints 'the [MASK] sleep ##s [UNK]'
cp out tokens
expect 0 tokenize -m bert -d tokens
prints 'the [MASK] sleeps [UNK]'
expect 2 build-vocab --type bert --size 5 dogs
says "build-vocab: option '--size': must be in [6, 100000000], got 5; try 'build-vocab --help'"
for option in '--normalize nfc' '--control keep' '--user-symbols <x>'; do
  expect 2 build-vocab --type bert $option dogs
  says "build-vocab: ${option% *} needs another --type than bert; try 'build-vocab --help'"
done

# Its rules are a setting: a word of 101 characters, one for private use, and a final sigma.
printf 'ΟΔΟΣ οδοσ οδοσ οδος οδος a\uE000b a\uE000b ab ab %s %s\n' "$(printf 'x%.0s' {1..101})" "$(printf 'x%.0s' {1..101})" > rules
for rules in google hugging-face; do
  expect 0 build-vocab -q --type bert --lowercase --size 80 --bert-rules $rules -o bert rules
  expect 0 tokenize -m bert rules
  cp out "tokens.$rules"
done
same 'the setting is stored' 'awend-vocabulary 4|rules hugging-face' "$(sed -n '1p;8p' bert | paste -sd '|')"
grep -q '\[UNK\]' tokens.hugging-face || fail 'a long word is unknown'
grep -q '\[UNK\]' tokens.google && fail "Google's limit is 200"
expect 2 build-vocab --type bert --bert-rules x dogs
says "build-vocab: option '--bert-rules': must be google or hugging-face, got 'x'; try 'build-vocab --help'"
expect 2 build-vocab --bert-rules google dogs
says "build-vocab: --bert-rules needs --type bert; try 'build-vocab --help'"
printf '[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\nThe\ndog\n##s\n' > vocab.txt
expect 0 build-vocab --import-wordpiece vocab.txt -o cased
expect 0 tokenize -m cased --ids <<< 'The dogs'
prints '6 7 8'
expect 0 build-vocab --import-wordpiece vocab.txt --lowercase -o uncased
expect 0 tokenize -m uncased --ids <<< 'The dogs'
prints '5 7 8'
expect 1 tokenize -m vocab.txt <<< 'The dogs'
says 'tokenize: vocab.txt: not a vocabulary; it looks like a list of word pieces of BERT; build-vocab --import-wordpiece makes a vocabulary of it'
expect 2 build-vocab --import-wordpiece vocab.txt --import-model x
says "build-vocab: --import-model and --import-wordpiece exclude each other; try 'build-vocab --help'"
expect 2 build-vocab --import-wordpiece vocab.txt --size 300
says "build-vocab: --size and --import-wordpiece exclude each other; try 'build-vocab --help'"
expect 2 build-vocab --import-wordpiece vocab.txt text
says "build-vocab: --import-wordpiece reads no text; unexpected operand 'text'; try 'build-vocab --help'"
expect 1 build-vocab --import-wordpiece dogs
says 'build-vocab: dogs:1: a piece is empty or has white space in it'
