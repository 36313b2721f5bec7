#!/bin/bash
# The recipe for BERT from end to end, so small that nothing is learned: every step runs, and hands on what the next one needs.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
export AWEND_BIN
recipe=$AWEND_SOURCE/tools/recipes/bert.sh
small=(--d-model 32 --d-ff 32 --heads 2 --layers 1)

locale-corpus -n 300 -o generated
mkdir data
sed -n '1,200p' generated.en | gzip > data/train.en.gz
sed -n '201,250p' generated.en > data/val.en
sed -n '251,300p' generated.en > data/test_2016_flickr.en
"$recipe" --no-install --work run --minutes 0.02 --labeled 100 --updates 2 data -- "${small[@]}" --batch-tokens 500 > out 2> err ||
  { fail 'the recipe'; cat err; }
same 'rows of the table' 'masked labels, labels,' "$(cut -d ' ' -f 1 run/table.txt | paste -sd ' ')"
grep -q '<svg' run/curves.svg || fail 'the curves'
same 'labels' 'original swapped' "$(sort -u run/labels.train | paste -sd ' ')"
# A swapped line has the words of the original one in another order.
paste <(sed 's/^[a-z]*\t//' run/judged.test) <(awk 'NF >= 3 { $1 = $1; print }' run/test.en) run/judged.test | awk -F '\t' '
  { swapped += $3 == "swapped"; if ($3 == "original" ? $1 != $2 : $1 == $2 || length($1) != length($2)) exit odd = 1 }
  END { exit odd || !swapped }' || fail 'the labels'

expect 0 "$recipe" --help
grep -q '^Usage: ' out || fail '--help'
expect 1 "$recipe" nowhere
says 'bert.sh: nowhere: no such directory'
