#!/bin/bash
# score: lines, options, and bad input.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
version=$(score --version | sed -n '1s/.* //p')

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

# Line by line: orders that are too long for a line are ignored, and the signature states this.
expect 0 score --sentence -b -w 2 reference second < hypotheses
prints "$(printf '%s\n' 100.00 14.79 29.07)"
expect 0 score --sentence --short reference < hypotheses
same 'a signature of a sentence' "BLEU|#:1|c:mixed|e:yes|tok:13a|s:exp|v:awend-$version = 100.0" "$(head -n 1 out | cut -d ' ' -f 1-3)"
score --sentence reference < hypotheses > out
expect 0 score --sentence -j 3 reference < hypotheses

# References in columns; an empty line is an empty reference, unless it is to be none.
paste reference second > columns
expect 0 score -b --references-in-tsv 2 columns < hypotheses
prints 48.5
expect 1 score --references-in-tsv 3 columns < hypotheses
says 'score: columns:1: expected 3 fields with tabs between, found 2'
paste columns hypotheses > three
expect 0 score -b -w 2 --references-in-tsv 2 three < hypotheses
same 'as in sacreBLEU, more tabs are part of the last reference' "$(score -b -w 2 reference <(cut -f 2- three) < hypotheses)" "$(cat out)"
sed '2s/.*//' second > gap
expect 0 score gap reference < hypotheses
same 'an empty reference is one' 'BLEU|nrefs:2' "$(cut -c 1-12 out)"
expect 0 score --skip-empty-references gap reference < hypotheses
same 'an empty reference does not count' 'BLEU|nrefs:var' "$(cut -c 1-14 out)"
expect 1 score --skip-empty-references gap < hypotheses
says 'score: segment 2 has no reference'

# Several systems: a table, in files or in columns of stdin.
expect 0 score --systems hypotheses second -- reference
same 'the rows of a table' '│     System │  BLEU  │ │ hypotheses │  45.1  │ │     second │  23.0  │' "$(grep '│' out | xargs -d '\n')"
cp second 系統
expect 0 score --systems hypotheses 系統 -- reference
grep -q '^│       系統 │  23.0  │$' out || fail 'wide characters in a table'
paste hypotheses second | score --json --systems-in-tsv 2 reference > out
same 'columns of stdin' '"System 1" "System 2"' "$(grep -o '"System .*"' out | xargs -d '\n')"
expect 0 score -f latex --systems hypotheses --systems second -- reference
same 'a table for LaTeX' '\begin{tabular}{rc}' "$(head -n 1 out)"

# Several metrics, in their order; how sure they are; and whether systems differ, on any number of threads.
expect 0 score -b -m ter,bleu reference < hypotheses
same 'two metrics' 2 "$(wc -l < out)"
same 'BLEU is first' 45.1 "$(head -n 1 out)"
expect 0 score -w 4 --confidence --seed 7 --confidence-n 100 -j 1 reference < hypotheses
same 'the signature of samples' 'BLEU|nrefs:1|bs:100|seed:7|case:mixed|eff:no|tok:13a|smooth:exp' "$(cut -d '|' -f -8 out)"
cp out one
expect 0 score -w 4 --confidence --seed 7 --confidence-n 100 -j 3 reference < hypotheses
same 'the draws of three threads' "$(cat one)" "$(cat out)"
expect 0 score --paired-ar --systems hypotheses second -- reference
same 'the baseline' '│ Baseline: hypotheses │     45.1      │' "$(grep Baseline: out | head -n 1)"
cp hypotheses twin
score --paired-bs --systems hypotheses twin -- reference > out 2> err
same 'a status with a warning' 0 $?
says 'score: warning: twin has the same BLEU as the baseline in every sample: its p-value is meaningless'
# Equal scores of one metric, and equal scores of different counts, are not significant.
printf '%s\n' 'a b c d e' 'f g h i j' 'k l m n o' 'p q r s t' > letters
sed 's/a b/a x/; s/g h/x h/; s/n o/n x/; s/q/x/' letters > inner
sed 's/a b/x b/; s/i j/i x/; s/k l/x l/; s/t/x/' letters > outer
score --paired-bs -m bleu,ter --systems inner outer -- letters > out 2> err
says 'score: warning: outer has the same TER as the baseline in every sample: its p-value is meaningless'
same 'no mark of an equal TER' '(p = 0.0010)* (p = 0.0010)' "$(grep -o '(p = [^ ]*' out | grep -v 0.05 | sed 's/(p =/(p = /' | xargs)"
printf 'a x x x x\n' > one-word
printf 'a b x x x\n' > two-words
head -n 1 letters > letter
for test in bs ar; do
  score --paired-$test --smooth none --systems one-word two-words -- letter > out 2> err
  says 'score: warning: two-words has the same BLEU as the baseline in every sample: its p-value is meaningless'
  grep -q '(p = 0.00[01]*)[^*]' out || fail "no mark of two scores of 0: $(cat out)"
done

# A hundred lines that end in " ." look tokenized.
for _ in $(seq 100); do echo 'a b c d .'; done > tokenized
score -b tokenized < tokenized > out 2> err
same 'a score with a warning' 100.0 "$(cat out)"
says "score: warning: 100 lines end in ' .': the text looks tokenized, so its score is not comparable; use --force to suppress this warning"
for silent in -q --force; do
  expect 0 score $silent -b tokenized < tokenized
  prints 100.0
done

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
says "score: only one input can be stdin; try 'score --help'"
mkfifo pipe
for inputs in /dev/stdin /dev/fd/0 '--systems - - -- reference' '--systems - -- /dev/stdin' '--perplexity -' '--perplexity --word-scores -'; do
  # shellcheck disable=SC2086
  expect 2 score $inputs < hypotheses
  says "score: only one input can be stdin; try 'score --help'"
done
cat hypotheses > pipe &
expect 2 score pipe < pipe
says "score: only one input can be stdin; try 'score --help'"
wait
rm pipe
expect 0 score -b --systems hypotheses -- - < reference
prints 45.1
expect 0 score -b --systems hypotheses -- /dev/stdin < reference
prints 45.1
expect 0 score -b - -i hypotheses < reference
prints 45.1
expect 2 score -t 14a reference < hypotheses
says "score: option '--tokenize': must be 13a, intl, zh, ja-mecab, ko-mecab, char, none, spm, flores101, flores200 or spBLEU-1K, got '14a', did you mean '13a'?; try 'score --help'"
expect 2 score -t wmt14 reference < hypotheses
says "score: option '--tokenize': unknown tokenizer 'wmt14'; test sets are not downloaded, give their references as files; try 'score --help'"
expect 2 score -t ko-mecab reference < hypotheses
says "score: option '--tokenize': 'ko-mecab' needs mecab-ko-dic, given with --mecab-dictionary; try 'score --help'"
expect 2 score --mecab-dictionary . reference < hypotheses
says "score: option '--mecab-dictionary': the tokenizer '13a' takes no dictionary; try 'score --help'"
expect 1 score . < hypotheses
says 'score: .: Is a directory'
expect 2 score -t spm reference < hypotheses
says "score: option '--tokenize': 'spm' needs a SentencePiece model, given with --spm-model; try 'score --help'"
expect 2 score --spm-model reference reference < hypotheses
says "score: option '--spm-model': the tokenizer '13a' takes no model; try 'score --help'"
expect 1 score -t spm --spm-model /dev/zero reference < hypotheses
says 'score: /dev/zero: too long: more than 268435456 bytes, the limit for files of its kind'
expect 1 score -t flores200 --spm-model reference reference < hypotheses
expect 2 score --smooth linear reference < hypotheses
says "score: option '--smooth': must be none, floor, add-k or exp, got 'linear'; try 'score --help'"
expect 2 score --smooth-value 1 reference < hypotheses
says "score: option '--smooth-value': the method 'exp' takes no value; try 'score --help'"
expect 2 score -f xml reference < hypotheses
says "score: option '--format': must be text, json, latex or tsv, got 'xml'; try 'score --help'"
expect 1 score --systems hypotheses short -- reference
says 'score: short: 2 lines, but hypotheses has 3'
expect 1 score --systems hypotheses second second -- reference
says 'score: second: already the name of another system'
expect 1 score --systems hypotheses second ./second -- reference
says 'score: ./second: already the name of another system'
expect 0 score --paired-bs --systems hypotheses second hypotheses -- reference
same 'a repeated baseline is ignored' 1 "$(grep -c '│.*hypotheses' out)"
expect 1 score --sentence --systems hypotheses second -- reference
says 'score: --sentence takes one system'
expect 1 score --paired-bs reference < hypotheses
says 'score: a paired test needs several systems, given with --systems'
expect 1 score --confidence --systems hypotheses second -- reference
says 'score: --confidence takes one system; use --paired-bs or --paired-ar for several'
expect 2 score --paired-bs --paired-ar --systems hypotheses second -- reference
says "score: --paired-bs and --paired-ar exclude each other; try 'score --help'"
expect 1 score --sentence -m bleu,chrf reference < hypotheses
says 'score: --sentence takes one metric'
expect 2 score -m bleu,meteor reference < hypotheses
says "score: option '--metric': must be bleu, chrf, chrf++, ter, paper-bleu, multi-bleu, brackets, aer, comet or comet-qe, got 'meteor', did you mean 'ter'?; try 'score --help'"
expect 2 score --systems hypotheses reference
says "score: missing operand; try 'score --help'"
expect 2 score -w 21 reference < hypotheses
says "score: option '--width': must be in [0, 20], got 21; try 'score --help'"
expect 2 score --width '' reference < hypotheses
says "score: option '--width': '' is not an integer; try 'score --help'"
expect 2 score --lowercas reference < hypotheses
says "score: unknown option '--lowercas', did you mean '--lowercase'?; try 'score --help'"
expect 1 score -o no/where reference < hypotheses
says 'score: no/where: No such file or directory'

# What would do nothing is refused, and so is what cannot be meant.
refuses() {
  local message=$1
  shift
  expect 2 score "$@" reference < hypotheses
  says "score: $message; try 'score --help'"
}
refuses '--sentence and --confidence exclude each other' --sentence --confidence
refuses '--sentence and --paired-bs exclude each other' --sentence --paired-bs
refuses '--sentence and --json exclude each other' --sentence --json
refuses '--sentence supports only --format text, not latex' --sentence -f latex
refuses '--json and --format exclude each other' --json -f text
refuses '--confidence-n needs --confidence' --confidence-n 10
refuses '--paired-bs-n needs --paired-bs' --paired-ar --paired-bs-n 10
refuses '--paired-ar-n needs --paired-ar' --paired-bs --paired-ar-n 10
refuses '--seed needs --confidence, --paired-bs or --paired-ar' --seed 1
refuses '--tokenize needs --metric bleu' -m chrf -t zh
refuses '--max-order needs --metric bleu' -m multi-bleu --max-order 2
refuses '--lowercase needs --metric bleu, paper-bleu, multi-bleu' -m chrf -l
refuses '--chrf-word-order needs --metric chrf, chrf++' --chrf-word-order 2
refuses '--chrf-word-order needs --metric chrf; chrf++ always uses 2' -m chrf++ --chrf-word-order 1
refuses '--ter-no-punct needs --metric ter' --ter-no-punct
refuses '--brackets-linear needs --metric brackets' --brackets-linear
refuses '--width needs another --format than tsv' -f tsv -w 3
refuses '--perplexity and --metric exclude each other' --perplexity -m chrf

# Other spellings: sacreBLEU's names, long ones and those that it prints.
for names in 'BLEU,chrF2++,TER' 'bleu,chrf++,ter'; do
  expect 0 score -b -m "$names" reference < hypotheses
  same "metrics $names" '45.1 51.7 50.0' "$(xargs < out)"
done
expect 0 score -b -m chrF2,chrf++ reference < hypotheses
same 'chrF with words and without' "$(score -b -m chrf reference < hypotheses) $(score -b -m chrf --chrf-word-order 2 reference < hypotheses)" "$(xargs < out)"
expect 0 score -m chrf,chrf++ --chrf-word-order 2 --json reference < hypotheses
same 'equal metrics are one' "$(score -m chrf++ --json reference < hypotheses)" "$(cat out)"
expect 0 score reference --input hypotheses --metrics bleu ter --smooth-method floor --smooth-value 0.2 --score-only --width 2
same 'the names of sacreBLEU' "$(score -b -w 2 -m bleu,ter --smooth floor --smooth-value 0.2 reference < hypotheses)" "$(cat out)"
# The line of sacreBLEU's README, and metrics as words before references.  The name of a metric is not taken for a file.
wanted=$(score -m bleu,chrf,ter reference < hypotheses)
expect 0 score reference -i hypotheses -m bleu chrf ter
same "the line of sacreBLEU's README" "$wanted" "$(cat out)"
cp reference chrf
cp hypotheses ter
for files in 'reference -i hypotheses -m bleu chrf ter' '-m bleu chrf,ter reference -i hypotheses' '-m bleu -m chrf ter reference -i hypotheses' \
  '--metrics bleu chrf ter reference --input hypotheses' '-i hypotheses -m bleu chrf ter -- reference'; do
  # shellcheck disable=SC2086
  expect 0 score $files
  same "score $files" "$wanted" "$(cat out)"
done
expect 2 score chrf -i hypotheses
says "score: 'chrf' is a metric: use --metric chrf, or ./chrf for a file of this name; try 'score --help'"
expect 2 score -m bleu reference ter -i hypotheses
says "score: 'ter' is a metric: use --metric ter, or ./ter for a file of this name; try 'score --help'"
expect 0 score ./chrf -i ter
same 'files of these names' "$(score reference < hypotheses)" "$(cat out)"
score -m bleu ./chrf reference < hypotheses > out && score ./chrf reference < hypotheses | cmp -s - out || fail 'references after a metric are in order'
rm chrf ter
expect 2 score -nc reference -i hypotheses
says "score: unknown option '-nc': the output has no colors; NO_COLOR disables those of messages; try 'score --help'"
for option in --list --echo --test-set; do
  expect 2 score $option src
  says "score: unknown option '$option': score has no test sets; it reads sources and references from files; try 'score --help'"
done
expect 2 score -m blue reference -i hypotheses
says "score: option '--metric': must be bleu, chrf, chrf++, ter, paper-bleu, multi-bleu, brackets, aer, comet or comet-qe, got 'blue', did you mean 'bleu'?; try 'score --help'"
expect 0 score --sentence-level --num-refs 2 columns < hypotheses
same 'sentences by that name' "$(score --sentence --references-in-tsv 2 columns < hypotheses)" "$(cat out)"
expect 0 env SACREBLEU_FORMAT=JSON score reference < hypotheses
same 'the format of the environment' "$(score --json reference < hypotheses)" "$(cat out)"
expect 0 score -m chrf --force reference < hypotheses
same '--force with any metric' "$(score -m chrf reference < hypotheses)" "$(cat out)"
expect 0 score -f latex reference < hypotheses
same 'for one system, latex is text' "$(score reference < hypotheses)" "$(cat out)"
expect 0 score -b --json reference < hypotheses
same 'only the score, also in JSON' "$(score -b reference < hypotheses)" "$(cat out)"
expect 0 score --by-length reference < hypotheses
mv out lengths
expect 0 env SACREBLEU_FORMAT=latex score --by-length reference < hypotheses
cmp out lengths || fail 'a format that the table of lengths does not have'
expect 0 env SACREBLEU_FORMAT=xml score reference < hypotheses
same 'a format that sacreBLEU ignores' "$(score reference < hypotheses)" "$(cat out)"
expect 0 env SACREBLEU_SEED=7 score reference < hypotheses
expect 0 env SACREBLEU_SEED=7 score --confidence reference < hypotheses
same 'the seed of the environment' "$(score --confidence --seed 7 reference < hypotheses)" "$(cat out)"
expect 0 score --confidence --confidence-n 20 --seed none reference < hypotheses
same 'no seed' 'bs:20|seed:none' "$(cut -d '|' -f 3,4 out)"
expect 0 score --confidence --confidence-n 20 --seed NONE reference < hypotheses
same 'no seed, in capitals' 'bs:20|seed:none' "$(cut -d '|' -f 3,4 out)"
expect 0 score --confidence --confidence-n 1 reference < hypotheses
same 'as in sacreBLEU, one sample has no interval' "$(score reference < hypotheses)" "$(cat out)"
refuses "option '--seed': 'nothing' is not an integer" --confidence --seed nothing
refuses "option '--seed': must be in [0, 9223372036854775807], got 18446744073709551615" --confidence --seed 18446744073709551615
for pair in '-tok --tokenize' '-lc --lowercase' '-sl --sentence' '-sh --short' '-nr --references-in-tsv' '-s --smooth' '-sv --smooth-value'; do
  refuses "unknown option '${pair% *}', did you mean '${pair#* }'?" "${pair% *}"
done
refuses "'en-zh' is read as a reference because -l is --lowercase; did you mean '--language-pair en-zh'?" -l en-zh

# The target language chooses the tokenizer.
for pair in en-zh:zh en-de:13a en-zh-CN:zh; do
  expect 0 score --language-pair "${pair%:*}" reference < hypotheses
  same "the tokenizer of $pair" "tok:${pair#*:}" "$(cut -d '|' -f 5 out)"
done
expect 0 score --language-pair en-zh -t intl reference < hypotheses
same 'a requested tokenizer' tok:intl "$(cut -d '|' -f 5 out)"
refuses "option '--language-pair': expected a pair such as en-de, got 'zh'" --language-pair zh

# Japanese, by MeCab: sacreBLEU 2.6.0 with mecab-python3 1.0.9 and ipadic 1.0.0 prints these figures for the same two lines.
printf '%s\n' 'ファイルの所有者を変更する。' '令状がない引き数は、無視される。' > ja
printf '%s\n' 'ファイルの所有者を変更した。' '引き数は無視される。' > ja.hypotheses
if [ -d /var/lib/mecab/dic/ipadic-utf8 ]; then
  expect 0 score --language-pair en-ja ja < ja.hypotheses
  prints "BLEU|nrefs:1|case:mixed|eff:no|tok:ja-mecab-0.996-IPA-Debian|smooth:exp|version:awend-$version = 51.2 87.5/71.4/58.3/40.0 (BP = 0.829 ratio = 0.842 hyp_len = 16 ref_len = 19)"
  expect 1 score -t ja-mecab --mecab-dictionary . ja < ja.hypotheses
  says 'score: .: does not contain a MeCab dictionary'
  expect 0 score -b -t ja-mecab -j 3 ja < ja
  prints 100.0
else
  skip 'Japanese, without the package mecab-ipadic-utf8'
fi

# The BLEU of the paper and of multi-bleu, under different names.
printf 'a well-known man\n' > one
printf 'a well-known old man\n' > other
expect 0 score -m multi-bleu,paper-bleu -w 2 other < one
same 'names that are not sacreBLEU'"'"'s' 'paper-BLEU multi-BLEU' "$(sed 's/^ *//; s/|.*//' out | xargs)"
expect 0 score -m paper-bleu -b -w 2 one < one
prints '100.00'

# Brackets of parses.
echo '(S (NP (DT the) (NN dog)) (VP (VBZ sleeps)))' > gold
echo '(S (NP (DT the)) (VP (NN dog) (VBZ sleeps)))' > parsed
expect 0 score -m brackets -b gold < gold
prints 100.0
expect 0 score -m brackets -b -w 2 gold < parsed
prints 33.33
echo '(S (NP XX XX )NP (VP XX )VP )S' > linear
expect 0 score -m brackets --brackets-linear -b linear < linear
prints 100.0
echo '(S (NP' > cut
expect 1 score -m brackets gold < cut
grep -q '^score: stdin:1: hypothesis: ' err && [ "$(wc -l < err)" = 1 ] || fail "$(cat err)"
expect 1 score -m brackets --systems gold -- cut
grep -q '^score: cut:1: reference: ' err || fail "$(cat err)"
expect 0 score -m brackets --brackets-damaged -b gold < cut
prints 0.0

# Perplexity: two tokens and an end at ln 2 each, with the length penalty of alpha in the score.
awk 'BEGIN { printf "%.9f\ta b\n", -3 * log(2) / ((5 + 3) / 6) ^ 0.6 }' > scores
expect 0 score --perplexity -w 3 < scores
prints 'perplexity per token = 2.000 (tokens = 3)'
printf '\t\n' > empty-scores
expect 1 score --perplexity --word-scores < empty-scores
says 'score: stdin: no tokens to score'
echo 'ab' > words
expect 0 score --perplexity -w 3 words < scores
same 'per word' 'perplexity per word = 8.000 (words = 1)' "$(tail -n 1 out)"
printf -- '-0.5 -0.5 -0.5\ta b\n\t\n-1\tc\n' > word_scores  # the end; an empty line; cut at the longest output
expect 0 score --perplexity --word-scores -w 6 < word_scores
prints 'perplexity per token = 1.868246 (tokens = 4)'
expect 1 score --perplexity --word-scores < scores
grep -q '^score: stdin:1: 1 logarithms for 2 tokens$' err || fail "$(cat err)"
expect 2 score --perplexity --word-scores --alpha 1 < word_scores
awk 'BEGIN { printf "%.9f\ta b\n0\t\n", -3 * log(2) / 3 ^ 1.5 }' > power_scores
expect 0 score --perplexity --length-penalty power --alpha 1.5 -w 3 < power_scores
prints 'perplexity per token = 2.000 (tokens = 3)'
expect 2 score --perplexity --word-scores --length-penalty power < word_scores
says "score: --length-penalty is in --scores; --word-scores have no length penalty; try 'score --help'"
expect 2 score --word-scores reference < hypotheses
says "score: --word-scores needs --perplexity; try 'score --help'"
expect 1 score --perplexity reference < scores
says 'score: reference: 3 lines, but stdin has 1'
expect 1 score --perplexity < words
grep -q '^score: stdin:1: ' err || fail "$(cat err)"
expect 2 score --alpha 1 reference < hypotheses
says "score: --alpha needs --perplexity; try 'score --help'"

# A byte order mark is text, with the scores of sacreBLEU 2.6.0 and a warning, unless it is to be removed.
{ printf '\xef\xbb\xbf'; cat hypotheses; } > marked
{ printf '\xef\xbb\xbf'; cat reference; } > marked_reference
score -b -w 4 reference < marked > out 2> err
prints 35.4294
says 'score: warning: stdin: begins with a byte order mark, which is scored as text, as sacreBLEU does; --remove-bom removes it'
score --by-length reference < marked > out 2> err
says 'score: warning: stdin: begins with a byte order mark, which is scored as text, as sacreBLEU does; --remove-bom removes it'
while read -r expected metric references systems; do
  score -q -b -w 4 -m "$metric" "$references" < "$systems" > out
  prints "$expected"
done <<'.'
49.8332 chrf reference marked
35.4294 bleu marked_reference hypotheses
45.0675 bleu marked_reference marked
.
expect 0 score --remove-bom -b -w 4 marked_reference < hypotheses
prints 45.0675
expect 0 score --remove-bom -b -w 4 reference < marked
prints 45.0675
{ printf '\xef\xbb\xbf'; cat scores; } > marked_scores
expect 0 score --perplexity -w 3 < marked_scores
prints 'perplexity per token = 2.000 (tokens = 3)'

# The error rate of word alignments.
printf '0-0 1-1 2-2 3-0\n\n' > aligned
printf '0-0 1-1 4-4 2p2\n0-0\n' > gold.links
expect 0 score -m aer -w 2 gold.links < aligned
grep -q '= 37.50 (precision = 75.0 recall = 50.0 links = 4 sure = 4)$' out || fail "the error rate of alignments: $(cat out)"
printf '0-0 1_1\n\n' > wrong.links
expect 1 score -m aer gold.links < wrong.links
says "score: stdin:1: hypothesis: '1_1' is not a link, such as 0-0"
printf '0-0\n0-0 a-1\n' > wrong.gold
expect 1 score -m aer --systems aligned -- wrong.gold
says "score: wrong.gold:2: reference: 'a-1' is not a link, such as 0-0"
