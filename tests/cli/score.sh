#!/bin/bash
# score: lines, options, and bad input.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
version=$(score --version | sed 's/.* //')

printf 'The dog bit the man.\nIt was not unexpected.\nThe man bit him first.\n' > reference
printf "The dog bit the man.\nIt wasn't surprising.\nThe man had just bitten him.\n" > hypotheses
printf 'The dog had bit the man.\nNo one was surprised.\nThe man had bitten the dog.\n' > second

# sacreBLEU prints these figures for the example of its documentation.
expect 0 score reference < hypotheses
prints "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:awend-$version = 45.1 70.6/42.9/36.4/37.5 (BP = 1.000 ratio = 1.000 hyp_len = 17 ref_len = 17)"
expect 0 score -w 4 -b reference < hypotheses
prints 45.0675
expect 0 score -b reference second < hypotheses
prints 48.5
expect 0 score -b hypotheses < hypotheses
prints 100.0
expect 0 score -b -t char reference < hypotheses
prints 51.6
expect 0 score -b -t none reference < hypotheses
prints 44.4
tr a-z A-Z < hypotheses > capitals
# By hand: only the three full stops match, 3 of 17; then 1/2 of 14, 1/4 of 11, 1/8 of 8.
expect 0 score -b reference < capitals
prints 3.9
expect 0 score -b --lowercase reference < capitals
prints 45.1
expect 0 score -o written reference < hypotheses
prints ''
same 'the file of -o' "$(score reference < hypotheses)" "$(cat written)"

# A line's end: CRLF and a missing last newline change nothing; an empty line is a line.
sed 's/$/\r/' hypotheses > crlf
printf '%s' "$(cat hypotheses)" > no-newline
for file in crlf no-newline; do
  expect 0 score -b -w 4 reference < "$file"
  prints 45.0675
done
printf '\n\n\n' > empty-lines
expect 0 score -b reference < empty-lines
prints 0.0

# A hundred lines that end in " ." look tokenized.
for _ in $(seq 100); do echo 'a b c d .'; done > tokenized
score -b tokenized < tokenized > out 2> err
same 'a score with a warning' 100.0 "$(cat out)"
says "score: warning: 100 lines end in ' .': the text looks tokenized, and its BLEU compares with none"
expect 0 score -q -b tokenized < tokenized
prints 100.0

# Bad input.
head -n 2 hypotheses > short
expect 1 score reference < short
says 'score: reference: 3 lines, but stdin has 2'
expect 1 score second short < hypotheses
says 'score: short: 2 lines, but stdin has 3'
expect 1 score missing < hypotheses
says 'score: missing: No such file or directory'
expect 1 score /dev/null < /dev/null
says 'score: stdin: no lines to score'
printf 'a\n\377b\nc\n' > invalid
expect 1 score invalid < hypotheses
says 'score: invalid:2: invalid UTF-8 at byte 1'
expect 0 score -b --replace-invalid invalid < invalid
prints 0.0
expect 2 score < hypotheses
says "score: missing operand; try 'score --help'"
expect 2 score - < hypotheses
says "score: a reference cannot be stdin, where the hypotheses are; try 'score --help'"
expect 2 score -t 14a reference < hypotheses
says "score: option '--tokenize': no tokenizer '14a', there are 13a, none and char; try 'score --help'"
expect 2 score -w 21 reference < hypotheses
says "score: option '--width': 21 is more than 20; try 'score --help'"
expect 2 score --lowercas reference < hypotheses
says "score: unknown option '--lowercas', did you mean '--lowercase'?; try 'score --help'"
expect 1 score -o no/where reference < hypotheses
says 'score: no/where: No such file or directory'
