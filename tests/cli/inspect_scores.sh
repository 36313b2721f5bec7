#!/bin/bash
# score --by-length and --format tsv, and inspect --scores, which plots them.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

for i in $(seq 12); do
  words=$(seq -s ' ' "$i")
  echo "$words" >> reference
  echo "$words x" >> one
  [ $((i % 3)) = 0 ] && echo "$words" >> two || echo "${words/2/y}" >> two
  echo "a b" >> source
done

# Groups: the same scores as for only these lines.
expect 0 score --by-length --length-bounds 5,9 -m bleu,ter -w 3 reference < one
same 'lengths' '0-4 5-8 9-' "$(grep -o '[0-9]*-[0-9]*' out | xargs)"
for range in 1,4:0-4 5,8:5-8 9,12:9-; do
  lines=${range%:*}
  wanted=$(score -b -w 3 -m bleu,ter <(sed -n "${lines}p" reference) < <(sed -n "${lines}p" one) | xargs)
  same "scores of ${range#*:}" "${range#*:} 4 $wanted" "$(tr -d '│' < out | awk -v name="${range#*:}" '$1 == name {print $1, $2, $3, $4}')"
done
expect 0 score --by-length --source source -f tsv reference < one
same 'one group by sources' '0-9 12' "$(sed 1d out | cut -f 3,4 | tr '\t' ' ')"
expect 0 score --by-length --length-bounds 5,9 --source - --systems one two -- reference < reference
same 'lengths of a source from stdin, for each system' '0-4 5-8 9-' "$(grep -o '[0-9]*-[0-9]*' out | xargs)"
expect 0 score --by-length --json --systems one two -- reference
grep -q '{"system": "two", "BLEU": ' out || fail "$(cat out)"
score --by-length -j 3 -f tsv --systems one two -- reference > lengths
same 'lines of groups' 4 "$(sed 1d lengths | wc -l | tr -d ' ')"

# Whole corpora as lines, with intervals and tests.
expect 0 score -f tsv --confidence --confidence-n 50 reference < one
same 'one system' "stdin BLEU all 12" "$(sed 1d out | cut -f 1-4 | tr '\t' ' ')"
[ "$(sed 1d out | cut -f 7)" != - ] || fail 'no interval'
expect 0 score -f tsv --paired-bs --paired-bs-n 50 -m bleu,chrf --systems one two -- reference
cp out scores
same 'systems and metrics' 'one BLEU two BLEU one chrF2 two chrF2' "$(sed 1d scores | cut -f 1,2 | xargs)"
same 'the baseline has no p' '- -' "$(grep '^one' scores | cut -f 8 | xargs)"

# Pictures.
expect 0 inspect --scores scores
same 'panels' 2 "$(grep -c 'class="title"' out)"
same 'bars' 6 "$(grep -c 'class="bar f' out)"
grep -q '<title>Scores of one, two</title>' out || fail 'the title names the systems'
same 'intervals' 12 "$(grep -c 'class="whisker"' out)"
inspect --scores -o first.svg scores
inspect --scores < scores | cmp - first.svg || fail 'the same scores give the same bytes'
expect 0 inspect --scores lengths
grep -q '>0-9<' out && grep -q '>10-19<' out && grep -q '>words<' out || fail 'groups of lengths'
if command -v xmllint > /dev/null; then xmllint --noout first.svg || fail 'the picture is XML'; else skip 'xmllint is not installed'; fi

# What cannot be meant, and bad input.
refuses() {
  local message=$1
  shift
  expect 2 score "$@" reference < one
  says "score: $message; try 'score --help'"
}
refuses '--by-length and --confidence exclude each other' --by-length --confidence
refuses '--by-length and --score-only exclude each other' --by-length -b
refuses '--by-length supports text, json and tsv, not latex' --by-length -f latex
refuses '--source needs --by-length or --metric comet' --source source
refuses "option '--length-bounds': expected increasing numbers above 0" --by-length --length-bounds 5,5
refuses "option '--length-bounds': expected increasing numbers above 0" --by-length --length-bounds 0
head -n 3 source > short
expect 1 score --by-length --source short reference < one
says 'score: short: 3 lines, but stdin has 12'
expect 1 inspect --scores reference
says 'inspect: reference:1: not scores: expected the columns of score --format tsv'
expect 2 inspect --scores --over step scores
says "inspect: --scores and --over exclude each other; try 'inspect --help'"
