#!/bin/bash
# locale-corpus: two sides that belong together, the same every time, and held-out lines that training never has.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

expect 0 locale-corpus -o train -n 3000
prints ''
same 'lines of both sides' '3000 3000' "$(wc -l < train.en | tr -d ' ') $(wc -l < train.de | tr -d ' ')"
same 'source lines are all different' 3000 "$(sort -u train.en | wc -l | tr -d ' ')"
expect 0 locale-corpus -o again -n 3000
cmp -s train.en again.en && cmp -s train.de again.de || fail 'the same seed gives the same bytes'
expect 0 locale-corpus -o other -n 3000 --seed 2
cmp -s train.en other.en && fail 'another seed gives other lines'

# Held-out parts share no source line with training, whatever the seeds.
for part in valid test; do
  expect 0 locale-corpus -o "$part" -n 300 --part "$part"
  same "lines of $part" 300 "$(wc -l < "$part.en" | tr -d ' ')"
done
same 'lines in two parts' '' "$(sort train.en other.en | sort -u - valid.en test.en | uniq -d; cat train.en other.en | grep -Fxf valid.en; cat train.en other.en valid.en | grep -Fxf test.en)"

# What is said: real words, and the right ones.
paste train.en train.de | grep -P '^Tuesday, [A-Z][a-z]* [0-9]*, [0-9]* at .*\tDienstag, [0-9]*\. ' -q || fail 'a day is translated'
paste train.en train.de | grep -q 'forty-two.*zweiundvierzig' || fail 'a number is translated'
grep -q "$(printf '\302\255')" train.de && fail 'there are no soft hyphens'
grep -q "$(printf '\342\200\257')" train.en && fail 'there are no narrow spaces'

# Any pair of locales.
for pair in 'fr es' 'pl ja' 'ar zh' 'pt_BR tr' 'sw hi'; do
  # shellcheck disable=SC2086
  set -- $pair
  expect 0 locale-corpus -s "$1" -t "$2" -n 200 -o pair
  same "lines of $pair" '200 200' "$(wc -l < "pair.$1" | tr -d ' ') $(wc -l < "pair.$2" | tr -d ' ')"
  cmp -s "pair.$1" "pair.$2" && fail "$pair are two languages"
done

# Bad input.
expect 1 locale-corpus -o x -s xx -n 10
says "locale-corpus: ICU has no data for the locale 'xx'"
expect 2 locale-corpus -o x -s de -n 10
says "locale-corpus: the two locales must differ; try 'locale-corpus --help'"
expect 2 locale-corpus -o x --part exam
says "locale-corpus: option '--part': must be train, valid or test, got 'exam'; try 'locale-corpus --help'"
expect 2 locale-corpus
says "locale-corpus: option '--output' is required; try 'locale-corpus --help'"
expect 1 locale-corpus -o no/where
says 'locale-corpus: no/where.en: No such file or directory'
[ -z "$(ls x.* 2> /dev/null)" ] || fail 'a failure leaves no file'
