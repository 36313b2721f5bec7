#!/bin/bash
# inspect --curves: a picture of logs of train, and other files.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

header=$'step\tepoch\tseconds\tloss\tperplexity\ttokens_per_second\trate\tgradient_norm\tskipped\tvalid_loss\tvalid_perplexity\tvalid_bleu'
{ echo "$header"; printf '%s\t0.5\t60\t4\t50\t900\t0.001\t1.5\t0\t-\t-\t-\n' 50 100
  printf '150\t1\t90\t3\t20\t900\t0.001\t1.5\t0\t3.5\t30\t12.25\n'; } > old.tsv
{ printf '%s\tvalid_chrf\n' "$header"; printf '%s\t0.5\t60\t4\t50\t900\t0.001\t1.5\t0\t3\t-\t20\t45\n' 50 100; } > new.tsv
expect 0 inspect --curves old.tsv new.tsv
same 'panels' 6 "$(grep -c 'class="title"' out)"
same 'names' 2 "$(grep -cE '>(old|new).tsv<' out)"
grep -q '>30 at 150<' out || fail 'the best validation of the old log'
grep -q '<title>Training of old.tsv, new.tsv</title>' out || fail 'the title names the logs'
mv out both.svg
expect 0 inspect --curves -o again.svg old.tsv new.tsv
prints ''
cmp -s both.svg again.svg || fail 'the same logs give the same bytes'
expect 0 inspect --curves --over epoch < old.tsv
grep -q '>epochs<' out || fail 'over epochs'
grep -q '>stdin<' out || fail 'a log from stdin'
# XML as another program reads it.
if command -v xmllint > /dev/null; then
  xmllint --noout both.svg || fail 'the picture is XML'
else
  skip 'xmllint is not installed'
fi

# The log of a run is not replaced by its picture.
mkdir run
cp old.tsv run/log.tsv
expect 1 inspect --curves -o run/log.tsv run
says 'inspect: run/log.tsv: the command also reads this file; write to another file'
cmp -s old.tsv run/log.tsv || fail 'the log stays'

# Bad input.
echo 'BLEU|nrefs:1 = 27.3' > scores
expect 1 inspect --curves old.tsv scores
says "inspect: scores: not a log of train: no line begins with 'step'"
head -n 1 old.tsv > begun
expect 1 inspect --curves begun
says 'inspect: begun: no rows to plot yet'
expect 1 inspect --curves /dev/null
says 'inspect: /dev/null: not a log of train: empty file'
sed '3s/900/many/' old.tsv > damaged
expect 1 inspect -o none.svg --curves damaged
says "inspect: damaged:3: 'many' is not a number"
[ ! -e none.svg ] || fail 'a failure leaves no picture'
expect 2 inspect --curves --over hours old.tsv
says "inspect: option '--over': must be step, epoch or seconds, got 'hours'; try 'inspect --help'"
expect 2 inspect --over epoch old.tsv
says "inspect: --over needs --curves; try 'inspect --help'"
