#!/bin/bash
# score --rerank: weighted sums of features, weights found on a development set, and bad input.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

cat > list <<'END'
0 ||| a dog ||| logprob= -1 LM= -9 -2 ||| -0.5
0 ||| the dog barks loudly ||| logprob= -2 LM= -3 -2 ||| -0.7
0 ||| the dog barks ||| logprob= -3 LM= -4 -3 ||| -0.9
1 |||  ||| logprob= 0 LM= 0 0 ||| 0
1 ||| no ||| logprob= 0 LM= 0 0 ||| 0
END
expect 0 score --rerank --weights logprob=1 < list
prints 'a dog'
same 'a line for each source line' 2 "$(wc -l < out)"
expect 0 score --rerank --weights LM.1=1 < list
same 'the choice by a feature of several values' 'the dog barks loudly' "$(head -n 1 out)"
expect 0 score --rerank --weights logprob=1,words=0.9 --json < list
same 'a weighted sum' '{"line": 0, "candidate": 1, "sum": 1.6, "text": "the dog barks loudly"}' "$(head -n 1 out)"
printf 'qe\tlength\n1\t0\n2\t0\n7\t1\n0\t0\n1\t-1\n' > columns
expect 0 score --rerank --features columns --weights qe=1 -o file < list
same 'the choice by a column' "$(printf 'the dog barks\nno')" "$(cat file)"
expect 0 score --rerank --features columns --weights qe=-1,length=0 --candidates 5 <<< $'a\nb\nc\nd\ne'
prints d
expect 2 score --rerank --features columns < list
says "score: --rerank needs --weights, --weights-file or --tune; try 'score --help'"

# Weights from a development set: the second feature tells the better translation, minus the first one misleads.
awk 'BEGIN {
  srand(3)
  for (i = 0; i < 60; i++) {
    good = ""; for (k = 0; k < 8; k++) good = good " w" int(rand() * 20)
    print substr(good, 2) > "reference"
    for (c = 0; c < 4; c++) {
      n = split(substr(good, 2), words, " "); text = ""
      for (k = 1; k <= n; k++) text = text (k > 1 ? " " : "") (k <= 2 * c ? "x" k : words[k])
      printf "%d ||| %s ||| logprob= %.3f TM= %.3f ||| %.3f\n", i, text, c - rand(), -c + rand() / 2, c
    }
  }
}' > development
score -b -w 2 reference < <(awk -F ' [|][|][|] ' '$1 != last {last = $1; first = ""} {text[$1] = $2} END {for (i = 0; i < 60; i++) print text[i]}' development) > before
score --rerank --tune weights -v reference < development > out 2> err || fail 'weights are found'
grep -q 'BLEU 100.00, ' err || fail 'the score of the best candidates'
score -b -w 2 reference < out > after
same 'the tuned choices' 100.00 "$(cat after)"
cp out chosen
[ "$(wc -l < chosen)" = 60 ] || fail 'a line for each source line'
same 'a weight for each feature' 'logprob TM score words' "$(cut -d ' ' -f 1 weights | paste -sd ' ')"
awk '{sum += $2 < 0 ? -$2 : $2} END {exit !(sum > 0.999999 && sum < 1.000001)}' weights || fail 'weights have the sum 1'
expect 0 score --rerank --weights-file weights < development
same 'the weights give the same choices again' "$(cat chosen)" "$(cat out)"
for threads in 1 3; do
  expect 0 score --rerank --tune again -j $threads --tune-starts 3 --seed 4 reference < development
  [ ! -e once ] || cmp -s again once || fail 'the threads do not change the weights'
  cp again once
done
expect 0 score --rerank --tune unseeded --tune-starts 3 --seed none reference < development
same 'choices with another seed' "$(cat chosen)" "$(cat out)"
expect 0 env SACREBLEU_SEED=none score --rerank --tune unseeded --tune-starts 3 reference < development
expect 0 score --rerank --tune weights --metric chrf --weights TM=1 reference < development
same 'chrF chooses the same' "$(cat chosen)" "$(cat out)"

# The search is not lost with its choices.
rm weights
expect 1 score --rerank --tune weights --tune-starts 1 -o /dev/full reference < development
says 'score: /dev/full: No space left on device'
[ -s weights ] || fail 'weights without choices'
expect 1 score -v --rerank --tune other-weights -o no/where reference < development
says 'score: no/where: No such file or directory'
[ ! -e other-weights ] || fail 'no search without an output'

# Bad input.
expect 1 score --rerank --weights logprob=1 < /dev/null
says 'score: stdin: no candidates'
for inputs in '--weights-file -' '--weights a=1 --features -' '--tune out2 -' '--tune out2 /dev/stdin'; do
  # shellcheck disable=SC2086
  expect 2 score --rerank $inputs < list
  says "score: only one input can be stdin; try 'score --help'"
done
expect 2 score --rerank --weights logprob list < list
says "score: --rerank without --tune takes no REFERENCE; try 'score --help'"
expect 2 score --rerank --weights logprob < list
says "score: option '--weights': expected NAME=VALUE, got 'logprob'; try 'score --help'"
expect 2 score --rerank --weights logprob=inf < list
says "score: option '--weights': expected a number, got 'inf'; try 'score --help'"
expect 2 score --rerank --weights logprob=1,logprob=2 < list
says "score: option '--weights': two values for 'logprob'; try 'score --help'"
expect 2 score --rerank --weights a=1 --weights-file list < list
says "score: --weights and --weights-file exclude each other; try 'score --help'"
expect 2 score --rerank --tune out2 < list
says "score: --tune needs a REFERENCE; try 'score --help'"
expect 2 score --rerank --tune out2 --metric ter reference < list
says "score: --tune maximizes one of --metric bleu, chrf or chrf++; try 'score --help'"
expect 2 score --rerank --weights a=1 --seed 3 < list
says "score: --seed needs --tune; try 'score --help'"
expect 2 score --rerank --weights a=1 --chrf-beta 3 < list
says "score: --chrf-beta needs --tune; try 'score --help'"
expect 2 score --rerank --weights a=1 --mbr-scale 3 < list
says "score: --rerank and --mbr-scale exclude each other; try 'score --help'"
expect 2 score --tune out2 reference < list
says "score: --tune needs --rerank; try 'score --help'"
expect 1 score --rerank --weights lm=1 < list
says "score: no feature 'lm'; there are logprob, LM.1, LM.2, score, words"
expect 1 score --rerank --tune out2 reference < list
says 'score: reference: more lines than stdin, which has candidates of 2'
[ ! -e out2 ] || fail 'no weights after an error'
head -n 1 reference > short
expect 1 score --rerank --tune out2 short < list
says 'score: short: 1 lines, but stdin has more'
printf '0 ||| a ||| x= 1\n0 ||| b ||| y= 1\n' > other
expect 1 score --rerank --weights x=1 < other
says 'score: stdin:2: a candidate has other features than the first one'
printf '0 ||| a ||| x= -inf\n' > infinite
expect 1 score --rerank --weights x=1 < infinite
says 'score: stdin:1: the feature x is not finite'
printf '1\t2\n3\t4\n' > headless
expect 1 score --rerank --features headless --weights words=1 < list
says 'score: headless:1: expected names of features, got the number 1'
printf 'words\n' > twice
expect 1 score --rerank --features twice --weights words=1 < list
says "score: twice: two features 'words'"
head -n 3 columns > few
expect 1 score --rerank --features few --weights qe=1 < list
says 'score: few: ends after 3 lines, before the candidates'
(cat columns; echo 1) > many
expect 1 score --rerank --features many --weights qe=1 < list
says 'score: many:7: more lines than candidates'
printf 'qe\n1\t2\n' > wide
expect 1 score --rerank --features wide --weights qe=1 < list
says 'score: wide:2: expected 1 columns, got 2'
printf 'qe\nx\n' > letters
expect 1 score --rerank --features letters --weights qe=1 < list
says "score: letters:2: 'x' is not a number"
printf 'words\n' > bad
expect 1 score --rerank --weights-file bad < list
says 'score: bad:1: expected a name and a weight'
printf 'words 1\nwords 2\n' > bad
expect 1 score --rerank --weights-file bad < list
says 'score: bad:2: a second weight of words'
