#!/bin/bash
# The recipe that compares architectures from end to end, on a data set with the layout of Multi30k, with small models that learn nothing.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
recipe=$AWEND_SOURCE/tools/recipes/architectures.sh
few=(--d-model 32 --batch-tokens 500 --max-steps 6 --valid-every 3 --save-every 1)

mkdir data
locale-corpus -t de -n 60 -o data/train
locale-corpus -t de -n 10 --part valid -o data/val
locale-corpus -t de -n 9 --part test -o data/test_2016_flickr
gzip data/train.de

# checked NAME: the outputs in the directory NAME.
checked() {
  same "$1: rows of the table" 'Transformer;RNN, attention;RNN, summary' "$(sed -n '4,6p' "$1/table.txt" | cut -c 1-16 | sed 's/ *$//' | paste -sd ';')"
  # Parameters depend on the vocabulary, updates are those above, and every column has a value.
  same "$1: numbers of the table" '6 6 6' "$(sed -n '4,6p' "$1/table.txt" | awk '{ print $(NF - 4) }' | xargs)"
  same "$1: rows after equal updates" 'after 6 updates of each;Transformer;RNN, attention;RNN, summary' \
    "$(sed -n '8p;11,$p' "$1/table.txt" | sed -E 's/ +[0-9.]+ +[0-9.]+$//' | paste -sd ';')"
  same "$1: lines in all lengths" 9 "$(awk -F '│' '$3 ~ /[0-9]/ { n += $3 } END { print n }' "$1/lengths.txt")"
  grep -q '<svg' "$1/curves.svg" || fail "$1: curves.svg"
  grep -qa 'context-feeding' "$1/rnn-plain.safetensors" || fail "$1: the network without attention is that of Cho et al."
  for name in transformer rnn-attention rnn-plain; do
    grep -q "$name" "$1/curves.svg" || fail "$1: $name in curves.svg"
    grep -q "$name" "$1/lengths.svg" || fail "$1: $name in lengths.svg"
    same "$1: translations of $name" 9 "$(wc -l < "$1/$name.de" | tr -d ' ')"
  done
}

"$recipe" --work work --minutes 5 data -- "${few[@]}" > out 2> err || { fail architectures; cat err; }
checked work
"$recipe" --together --work together --minutes 5 data -- "${few[@]}" > out 2> err || { fail together; cat err; }
checked together
for name in transformer rnn-attention rnn-plain; do
  cmp "work/$name.safetensors" "together/$name.safetensors" || fail "$name is the same when all are trained together"
done

# The best learning rate of a search is used.
"$recipe" --search 5 --work searched --minutes 5 data -- "${few[@]}" > out 2> err || { fail search; cat err; }
checked searched
same 'models, rates and losses of the search' '15 3 5 15' "$(awk '{ m[$1]; r[$2]; n += $3 > 0 } END { print NR, length(m), length(r), n }' searched/rates.txt)"
best=$(grep '^rnn-plain ' searched/rates.txt | sort -g -k 3 | awk 'NR == 1 { print $2 }')
grep -qaE "learning-rate[^,]{1,4}$best," searched/rnn-plain/state-*.safetensors || fail "the best rate, $best, is that of the training"

# Again: nothing is trained twice.
touch -d '2001-01-01' together/*.safetensors
"$recipe" --work together --minutes 5 data -- "${few[@]}" > out 2> err || { fail again; cat err; }
same 'no second training' '' "$(find together -name '*.safetensors' -newermt 2002-01-01 -maxdepth 1)"

# Other settings are not those of the training.
expect 1 "$recipe" --work together --minutes 5 data -- "${few[@]}" --dropout 0.4
grep -q 'was trained with dropout .*, which is now 0.4; ' err || fail "$(cat err)"

# A longer training continues the shorter one.
"$recipe" --work together --minutes 6 data -- "${few[@]/6/9}" > out 2> err || { fail 'more minutes'; cat err; }
grep -q '^train: resuming from step 6 ' err || { fail 'more minutes resume the training'; cat err; }
same 'updates of the longer training' '9 9 9' "$(sed -n '4,6p' together/table.txt | awk '{ print $(NF - 4) }' | xargs)"
expect 1 "$recipe" --work together --minutes 6 .
says "architectures.sh: $PWD/together was made from '$PWD/data' and not from '$PWD'; use another --work"

# A model that fails ends all, with its message.
rm -r together
"$recipe" --together --work together --minutes 5 data -- "${few[@]}" --max-steps x > out 2> err && fail 'a bad option is an error'
grep -q "^train: option '--max-steps'" err || { fail 'the message of train'; cat err; }
rm -r searched
"$recipe" --search 5 --work searched --minutes 5 data -- "${few[@]}" --max-steps x > out 2> err && fail 'a bad option is an error of the search'
grep -q "^train: option '--max-steps'" err || { fail 'the message of the search'; cat err; }
[ ! -s searched/rates.txt ] || fail 'a search that failed has no result'

expect 0 "$recipe" --help
grep -q '^Usage: architectures' out || fail 'architectures --help'
expect 2 "$recipe"
says 'architectures.sh: missing operand; try --help'
expect 1 "$recipe" nowhere
says 'architectures.sh: nowhere: no such directory'
