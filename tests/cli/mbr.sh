#!/bin/bash
# score --mbr and --rerank: lists of translate and of other programs, choices by chrF and BLEU, weights found on a development set, bad input.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc"

# Choices by hand: the third candidate shares most with the others; equal ones count twice.
cat > list <<'END'
0 ||| a dog barks ||| logprob= -1 ||| -0.5
0 ||| the dog runs ||| logprob= -2 ||| -0.7
0 ||| the dog barks ||| logprob= -3 ||| -0.9
1 |||  ||| logprob= 0 ||| 0
2 ||| x y ||| logprob= -1 ||| -1
2 ||| c d ||| logprob= -2 ||| -1
2 ||| c d ||| logprob= -9 ||| -1
END
printf 'the dog barks\n\nc d\n' > best
for metric in chrf chrf++ bleu; do
  for threads in 1 3; do
    expect 0 score --mbr $metric -j $threads < list
    prints "$(cat best)"
  done
done
# By their probabilities, the first of line 2 counts more than both others; and of equals, the first is chosen.
expect 0 score --mbr chrf --mbr-scale 1 < list
same 'the choice by probabilities' 'x y' "$(tail -n 1 out)"
printf '0 ||| b\n0 ||| a\n0 ||| a  \n0 ||| b\n' > ties
expect 0 score --mbr chrf --json < ties
prints '{"line": 0, "candidate": 0, "utility": 50, "text": "b"}'
mv out json
expect 0 env SACREBLEU_FORMAT=JSON score --mbr chrf < ties
cmp out json || fail 'the format of the environment, in any case of letters'
# The mean over all references, the candidate included, of the scores that --sentence prints.
expect 0 score --mbr chrf --sentence -w 4 < list
cp out utilities
head -n 3 list | sed 's/.*||| \(.*\) ||| l.*/\1/' > texts
for i in 1 2 3; do
  for k in 1 2 3; do
    sed -n ${k}p texts > reference
    sed -n ${i}p texts | score -m chrf --sentence -b -w 12 reference
  done | awk '{sum += $1} END {printf "%.4f\n", sum / 3}'
done > means
same 'the mean scores' "$(cat means)" "$(head -n 3 utilities)"
# The references of another list; plain lines.
printf '0 ||| a cat runs\n1 ||| x\n2 ||| x y\n' > other
expect 0 score --mbr chrf other < list
prints "$(printf 'the dog runs\n\nx y')"
printf 'a b\na b c\nb c\nq\nr\nr s\n' > plain
expect 0 score --mbr chrf --candidates 3 < plain
prints "$(printf 'a b c\nr s')"
expect 1 score --mbr chrf --candidates 4 < plain
says 'score: stdin: 6 lines are not a multiple of 4 candidates'

# All outputs of translate.
corpus 50
small_model run --max-steps 60
head -n 6 raw.en > source
translate=(translate -q -m run/model-00000060.safetensors --raw --sample --n-best 7 source)
expect 0 "${translate[@]}"
cp out samples
"${translate[@]}" --json > samples.json || fail 'samples in JSON'
expect 0 score --mbr chrf < samples
same 'a line for each source line' 6 "$(wc -l < out)"
cp out chosen
expect 0 score --mbr chrf < samples.json
same 'JSON has the same choices' "$(cat chosen)" "$(cat out)"
expect 0 score --mbr chrf -o file -j 2 samples < samples
same 'a list as its own references has the same choices' "$(cat chosen)" "$(cat file)"
while read -r line; do grep -qF "$line" samples || fail "a choice is a sample: $line"; done < chosen
"${translate[@]:0:4}" --alignment --alignment-words --raw --n-best 3 source > aligned || fail 'a list with alignments'
expect 0 score --mbr bleu < aligned

# Bad input.
expect 2 score --mbr ter < list
says "score: option '--mbr': must be chrf, chrf++, bleu or comet, got 'ter'; try 'score --help'"
expect 2 score --mbr chrf --metric bleu < list
says "score: --mbr and --metric exclude each other; try 'score --help'"
expect 2 score --mbr chrf --tokenize char < list
says "score: --tokenize needs --mbr bleu; try 'score --help'"
expect 2 score --mbr chrf a b < list
says "score: --mbr takes at most one list of references; try 'score --help'"
expect 2 score --mbr chrf - < list
says "score: only one input can be stdin; try 'score --help'"
expect 2 score --mbr comet < list
says "score: --mbr comet needs --model FILE; try 'score --help'"
expect 2 score --mbr comet --model m < list
says "score: --mbr comet needs --source FILE; try 'score --help'"
expect 2 score --mbr chrf --format tsv < list
says "score: --mbr supports text and json, not tsv; try 'score --help'"
expect 2 score --mbr-scale 1 list < list
says "score: --mbr-scale needs --mbr; try 'score --help'"
expect 2 score --mbr chrf -w 3 < list
says "score: --width needs --sentence, because --mbr prints texts; try 'score --help'"
expect 1 score --mbr chrf < texts
says 'score: stdin:1: expected an entry of an n-best list, line ||| text ||| ...'
printf '0 ||| a\n2 ||| b\n' > gap
expect 1 score --mbr chrf < gap
says 'score: stdin:2: line 1 has no candidates; those of line 2 follow'
printf '0 ||| a\n1 ||| b\n0 ||| c\n' > back
expect 1 score --mbr chrf < back
says 'score: stdin:3: a candidate of line 0 comes after those of line 1'
expect 1 score --mbr chrf --mbr-scale 1 < back
says 'score: a candidate of line 0 has no logprob, which --mbr-scale needs'
expect 1 score --mbr chrf gap < list
says 'score: gap:2: line 1 has no candidates; those of line 2 follow'
head -n 4 list > short
expect 1 score --mbr chrf short < list
says 'score: short: nothing for line 2 of stdin'
expect 1 score --mbr chrf list < short
says 'score: list: more lines than stdin, which has candidates of 2'
printf '{"line": 0, "translations": [{"tokens": 1}]}\n{"line": 1}\n' > bad.json
expect 1 score --mbr chrf < bad.json
says "score: stdin:2: no member 'translations'"
expect 1 score --mbr comet --model missing --source best < short
says 'score: best: more lines than stdin, which has candidates of 2'
expect 1 score --mbr comet --model missing --source best < list
says 'score: missing: No such file or directory'
: > empty
expect 1 score --mbr chrf -o none < empty
says 'score: stdin: no candidates'
[ ! -e none ] || fail 'no output without candidates'
