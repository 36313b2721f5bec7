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
"$recipe" --no-install --work run --minutes 2 --labeled 100 --updates 2 data -- "${small[@]}" --batch-tokens 500 --whole-words on \
  --max-steps 4 --valid-every 2 > out 2> err ||
  { fail 'the recipe'; cat err; }
same 'rows of the table' 'masked labels, labels,' "$(cut -d ' ' -f 1 run/table.txt | paste -sd ' ')"
grep -q '^masked tokens     4 updates ' run/table.txt || fail "the last validation: $(cat run/table.txt)"
# Fine-tuning has the same network, and its own training, that of the preset.
for model in with without; do
  same "updates of fine-tuning $model" 2 "$(tail -n 1 run/$model/log.tsv | cut -f 1)"
  inspect run/$model | grep -qE '^ *d-model +32' || fail "the network of $model: $(inspect run/$model)"
done
bare() { train --dump-config "$@" | grep -vE '^(d-|heads|encoder-layers|learning-rate|max-steps|valid-every)'; }
eval "$(sed -n '/^fine_tuning=(/,/)$/p' "$recipe")"
(cd run && bare "${fine_tuning[@]}") > own
bare --preset bert-tiny --task classify --batch-tokens 2000 --warmup 60 --log-every 25 --save-every 250 > preset
cmp -s own preset || fail "the training of the preset: $(diff own preset)"
grep -q '<svg' run/curves.svg || fail 'the curves'
same 'labels' 'original swapped' "$(sort -u run/labels.train | paste -sd ' ')"
# A swapped line has the words of the original one in another order.
paste <(sed 's/^[a-z]*\t//' run/judged.test) <(awk 'NF >= 3 { $1 = $1; print }' run/test.en) run/judged.test | awk -F '\t' '
  { swapped += $3 == "swapped"; if ($3 == "original" ? $1 != $2 : $1 == $2 || length($1) != length($2)) exit odd = 1 }
  END { exit odd || !swapped }' || fail 'the labels'

"$recipe" --no-install --work short --minutes 0.001 --labeled 100 --updates 2 data -- "${small[@]}" --valid-every 100000 > out 2> err ||
  { fail 'a time without a validation'; cat err; }
grep -qx 'masked tokens     no validation in this time' short/table.txt || fail "no validation: $(cat short/table.txt)"

expect 0 "$recipe" --help
grep -q '^Usage: ' out || fail '--help'
expect 1 "$recipe" nowhere
says 'bert.sh: nowhere: no such directory'
