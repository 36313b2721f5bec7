#!/bin/bash
# The filter that augments text: shares, both sides alike, the same bytes in every run, bad input.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
augment=$AWEND_SOURCE/tools/recipes/augment.pl
locale-corpus -n 2000 -o raw || fail 'a corpus'
printf 'Männer am Straßenrand.\n\nno end' > few

expect 0 "$augment" < few
prints "$(cat few)"
expect 0 "$augment" --upper-case 1 < few
prints $'MÄNNER AM STRASSENRAND.\n\nNO END'
expect 0 "$augment" --title-case 1 < few
prints $'Männer Am Straßenrand.\n\nNo End'
expect 0 "$augment" --drop-punctuation 1 < few
prints $'Männer am Straßenrand\n\nno end'

expect 0 "$augment" --typos 0.5 --typo-rate 0.5 < raw.de
cp out once
same 'as many lines as went in' 2000 "$(wc -l < once)"
expect 0 "$augment" --typos 0.5 --typo-rate 0.5 < raw.de
cmp -s once out || fail 'the same bytes in every run'
changed=$(paste raw.de once | awk -F '\t' '$1 != $2' | wc -l)
[ "$changed" -gt 400 ] && [ "$changed" -lt 1000 ] || fail "a share of the lines has typing errors: $changed"
expect 0 "$augment" --typos 0.5 --typo-rate 0.5 --seed 2 < raw.de
cmp -s once out && fail 'another seed'

# The same lines on both sides, whatever else is asked for.
"$augment" --upper-case 0.2 --typos 0.5 < raw.en > upper.en && "$augment" --upper-case 0.2 < raw.de > upper.de || fail 'both sides'
paste upper.en upper.de raw.de | awk -F '\t' '{en = $1 !~ /[a-z]/; de = $2 !~ /[a-z]/ && $3 ~ /[a-z]/} $3 ~ /[a-z]/ && en != de {exit 1} de {++n} END {exit !(n > 200 && n < 600)}' ||
  fail 'the same lines of both sides are in upper case'

printf 'a\nb\xff\nc\n' > bytes
expect 1 "$augment" < bytes
says 'augment.pl: the input is not UTF-8'
expect 1 "$augment" < .
says 'augment.pl: stdin: Is a directory'
"$augment" < few > /dev/full 2> err && fail 'a full disk'
says 'augment.pl: stdout: No space left on device'
expect 2 "$augment" --upper 1
says "augment.pl: unknown option '--upper'"
expect 2 "$augment" --typos
says "augment.pl: option '--typos' needs a number"
expect 2 "$augment" --typos 2
says "augment.pl: option '--typos': must be in [0, 1], got 2"
