#!/bin/bash
# Word alignment: equal bytes for any number of threads and memory, error rates on text whose links are known, priors, lexicons, bad input.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

locale-corpus -n 400 -o raw || fail 'a corpus'
expect 0 align -s raw.en -t raw.de -j 1
mv out alone
same 'a line for each pair' 400 "$(wc -l < alone)"
for options in '-j 2' '-j 3 --memory 1M' '--memory 2M -j 1'; do
  # shellcheck disable=SC2086
  expect 0 align -s raw.en -t raw.de $options
  cmp -s out alone || fail "the output is the same with $options"
done
expect 0 align -s raw.en -t raw.de --seed 2
cmp -s out alone && fail 'another seed draws other links'
expect 0 align -s raw.en -t raw.de --sweeps 0 -j 2
mv out estimated
expect 0 align -s raw.en -t raw.de --sweeps 0 -j 1
cmp -s out estimated || fail 'the output without samples is the same with another number of threads'
gzip -k raw.de
expect 0 align -s - -t raw.de.gz < raw.en
cmp -s out alone || fail 'a pipe and a compressed file'
# Every link is a pair of words of its line.
paste raw.en raw.de alone | awk -F '\t' '{n = split($1, a, / +/); m = split($2, b, / +/); k = split($3, links, " ")
  for (i = 1; i <= k; ++i) {split(links[i], at, "-"); if (at[1] >= n || at[2] >= m) exit 1}}' || fail 'links are within their lines'

expect 0 align -s raw.en -t raw.de --scores --lexicon lexicon --save-prior prior -o scored
same 'alignments with scores' "$(cat alone)" "$(cut -f 2 scored)"
same 'scores are negative numbers' 400 "$(cut -f 1 scored | grep -c '^-[0-9.]*$')"
printf '%s\n' 'a b' c '' '' 'a b' > some
printf '%s\n' 'A B' '' D '' 'A B C D' > others
align -q -s some -t others --scores --max-length 3 > out 2> err || fail 'pairs that cannot be aligned'
same 'what cannot be aligned has the lowest score' '-inf -inf -inf -inf' "$(cut -f 1 out | tail -n 4 | xargs)"
awk '{sum[$2] += $3} NF != 3 {exit 1} END {if (NR < 100) exit 1; for (word in sum) if (sum[word] < 0.999 || sum[word] > 1.001) exit 1}' lexicon ||
  fail 'probabilities of the lexicon sum to one'
same 'the prior' 'awend-alignment-prior 1' "$(head -n 1 prior)"
head -n 2 raw.en > few.en && head -n 2 raw.de > few.de
expect 0 align -s few.en -t few.de --prior prior --save-prior again
same 'a line for each pair, with a prior' 2 "$(wc -l < out)"
[ "$(wc -l < again)" -gt 100 ] || fail 'counts of the prior are in the next one'
# Aligning in one direction keeps what is known of the other.
expect 0 align -s few.en -t few.de --symmetrize forward --prior prior --save-prior again
same 'counts of the other direction' "$(grep '^reverse' prior | sort)" "$(grep '^reverse' again | sort)"
[ -n "$(grep '^reverse' prior)" ] || fail 'a prior has counts of both directions'
# A tab is part of a word, but not of one in the counts.
printf 'a\tb c\n' > tab
expect 0 align -s tab -t tab --save-prior tabs
expect 0 align -s tab -t tab --prior tabs

printf 'a b\n\nc\n' > source
printf 'x y\nz\n\n' > target
expect 0 align -s source -t target
same 'empty sides have empty alignments' '2 3' "$(grep -c '^$' out) $(wc -l < out)"
: > empty
expect 0 align -s empty -t empty
prints ''

# Bad input.
head -n 2 source > short
expect 1 align -s source -t short
says 'align: source: has more lines than short, which has 2'
expect 1 align -s short -t source
says 'align: source: has more lines than short, which has 2'
expect 1 align -s missing -t target
says 'align: missing: No such file or directory'
expect 2 align -s source
says "align: option '--target' is required; try 'align --help'"
expect 2 align -s - -t -
says "align: only one input can be stdin; try 'align --help'"
expect 2 align -s source -t target --memory 4
says "align: option '--memory': must be at least 1M, got 4; try 'align --help'"
expect 2 align -s source -t target --memory many
says "align: option '--memory': 'many' is not a size: expected, for example, 500M, 4G or 50%; try 'align --help'"
expect 2 align -s source -t target --iterations 5
says "align: --iterations expects two numbers, such as 5,6; try 'align --help'"
expect 2 align -s source -t target --symmetrize grow
grep -q "^align: option '--symmetrize': must be grow-diag-final-and, .* or reverse, got 'grow'" err || fail "another method: $(cat err)"
expect 1 align -s source -t target --prior source
says "align: source: not the prior of an aligner, which begins with 'awend-alignment-prior 1'"
printf 'awend-alignment-prior 1\nforward\ta\tb\n' > wrong
expect 1 align -s source -t target --prior wrong
says 'align: wrong:2: expected DIRECTION SOURCE TARGET COUNT or DIRECTION-jump DISTANCE COUNT, with tabs'
align -s source -t target --max-length 1 > out 2> err || fail 'long lines'
says 'align: warning: 1 pairs have more than 1 words on a side, and no links; see --max-length'
# Words that readers of a lexicon would take apart are not in it.
printf 'a\tb c\n' > apart.en
echo 'x y' > apart.de
expect 0 align -s apart.en -t apart.de --lexicon apart
same 'the lexicon' c "$(cut -d ' ' -f 2 apart | sort -u)"

# A wrong output is reported before the work, and an error of another output keeps the alignments.
for output in -o --lexicon --save-prior; do
  expect 1 align -v -s raw.en -t raw.de $output no/where
  says 'align: no/where: No such file or directory'
done
expect 1 align -s source -t target --lexicon /dev/full -o kept
says 'align: /dev/full: No space left on device'
same 'alignments of a failed lexicon' 3 "$(wc -l < kept)"
expect 1 align -s source -t target -o target
grep -q '^align: .*target' err || fail "an output that is an input: $(cat err)"

data=${AWEND_CONFORMANCE:-/nowhere}/alignment
[ -d "$data" ] || { skip 'AWEND_CONFORMANCE names no text with known links'; exit; }
# Error rates of eflomal on this text: 0.0093, 0.0531, 0.0524 and 0.0102; half a point more is allowed.
zcat "$data/gold.gz" > gold
while read -r method most; do
  expect 0 align -s "$data/src.gz" -t "$data/tgt.gz" --symmetrize "$method"
  rate=$(paste gold out | awk -F '\t' '{n = split($1, a, " "); m = split($2, b, " "); split("", has)
    for (i = 1; i <= n; ++i) has[a[i]] = 1
    for (i = 1; i <= m; ++i) hits += b[i] in has
    all += n + m} END {printf "%.4f", 1 - 2 * hits / all}')
  awk -v rate="$rate" -v most="$most" 'BEGIN {exit !(rate <= most)}' || fail "error rate of $method: $rate, at most $most"
done << END
forward 0.0143
reverse 0.0581
intersection 0.0574
union 0.0152
grow-diag-final-and 0.0165
END
