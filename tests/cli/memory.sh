#!/bin/bash
# Memory networks from end to end: training with linear start, resuming, answers, scores, attention, ensembles, averaging, inspection, and
# errors.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

# Stories about who is where; the answer is the last place of a person.
awk "$random"'BEGIN {
  seed(1)
  split("mary john sandra", people, " ")
  split("garden office kitchen hallway", places, " ")
  for (n = 0; n < 400; ++n) {
    line = ""
    delete place
    for (i = 0; i < 2 + n % 4; ++i) {
      person = people[1 + int(3 * random())]
      place[person] = places[1 + int(4 * random())]
      line = line person " went to the " place[person] " . "
    }
    do person = people[1 + int(3 * random())]; while (!(person in place))
    print line "where is " person " ?\t" place[person]
  }
}' > pairs
cut -f 1 pairs | head -n 360 > fit.story
cut -f 2 pairs | head -n 360 > fit.answer
cut -f 1 pairs | tail -n 40 > valid.story
cut -f 2 pairs | tail -n 40 > valid.answer
tr '\t' ' ' < pairs > text
build-vocab --format subword-nmt --size 10000 --min-frequency 1 text > codes 2> err || fail "$(cat err)"
build-vocab --import-codes codes text -o vocabulary || fail 'a vocabulary of whole words'
run() {
  train "${quiet:--q}" --preset memory-3hop -s fit.story -t fit.answer --valid-source valid.story --valid-target valid.answer -m vocabulary \
    --linear-start 100 --schedule-steps 100 --valid-every 20 --log-every 20 "$@"
}
run -o memory --max-steps 400 > log || fail training
model=memory/best.safetensors
same 'the score of answers' valid_accuracy "$(head -n 1 log | cut -f 12-)"
translate -m $model valid.story > answers || fail answers
errors=$(paste answers valid.answer | awk -F '\t' '$1 != $2 { ++n } END { print n + 0 }')
[ "$errors" -le 4 ] || fail "$errors of 40 answers are wrong"
# The best checkpoint is the first one with the highest accuracy after the linear start.
best=$(awk -F '\t' 'NR > 1 && $1 >= 100 && $12 > most { most = $12 } END { print most }' log)
same 'the accuracy of the best checkpoint' "$(awk -v errors="$errors" 'BEGIN { printf "%.2f", 100 * (40 - errors) / 40 }')" "$best"

# The linear start ends once; a run that resumes before, at and after its end is the same run, bit for bit.
quiet=-v run -o once --max-steps 400 > /dev/null 2> err || fail 'a run of 400 updates'
same 'the end of the linear start' 'train: phase 2 of 2 of the training begins after step 100' "$(grep 'phase .* of the training' err)"
for steps in 95 100 105 400; do run -o parts --max-steps $steps > /dev/null || fail 'a part'; done
cmp -s once/model-00000400.safetensors parts/model-00000400.safetensors || fail 'resuming does not change the weights'

# Several processes end the linear start after the same update; they compare their weights at checkpoints.
if ! train --version | grep -qx 'MPI: none'; then
  prepare_mpi
  by() {
    mpirun -np "$1" train --preset memory-3hop -s fit.story -t fit.answer --valid-source valid.story --valid-target valid.answer \
      -m vocabulary --linear-start 100 --schedule-steps 50 --valid-every 20 --accumulate 2 --batch-tokens 1500 -v --save-every 20 \
      --max-steps 150 -o "by.$1"
  }
  for n in 1 2; do
    by $n > log.$n 2> err || { fail "training by $n processes"; cat err; }
    same "the end of the linear start of $n processes" 1 "$(grep -c 'phase 2 of 2 of the training begins after step 100' err)"
    # The first validation, before small differences grow.
    awk -F '\t' '$1 == 20 { print substr($10, 1, 5) }' log.$n > first.$n
  done
  same 'the first validation loss' "$(cat first.1)" "$(cat first.2)"
  same 'the last step of 2 processes' 150 "$(tail -n 1 log.2 | cut -f 1)"
fi

# Settings of other tying and encoding.
run -o others --hop-tying layer-wise --hops 2 --sentence-encoding bag-of-words --temporal-encoding off --linear-start 0 --memory-noise 0 \
  --max-steps 40 > /dev/null || fail 'layer-wise tying'
other=others/model-00000040.safetensors

# Answers do not depend on the batch; forced scores are those of the search; an empty line stays empty.
{ head -n 12 valid.story; echo; sed -n 13,20p valid.story; } > lines
close() {
  paste "$1" "$2" > pairs
  finite pairs
  awk -F '\t' '
    {n = split($1, a, " "); m = split($2, b, " "); if (n != m && n + 1 != m) bad = 1
     for (i = 1; i <= n; ++i) if ((a[i] - b[i]) ^ 2 > 1e-8) bad = 1}
    END {exit bad || NR == 0}' pairs || fail "$3"
}
for each in $model $other; do
  expect 0 translate -m "$each" --word-scores lines
  cp out searched
  same "lines of $each" 21 "$(wc -l < out | tr -d ' ')"
  tac lines | translate -m "$each" --word-scores | tac > out
  cmp -s out searched || fail "$each does not depend on the order of the lines"
  cut -f 2 searched > given
  expect 0 translate -m "$each" --word-scores --target given lines
  close <(cut -f 1 searched) <(cut -f 1 out) "forced scores of $each"
  expect 0 translate -m "$each" --n-best 3 -b 5 lines
  same "the list of $each" 61 "$(wc -l < out | tr -d ' ')"
  same "different answers of $each" 60 "$(awk -F ' [|]+ ' 'NF > 3 && $2 != ""' out | cut -d '|' -f 1-4 | sort -u | wc -l | tr -d ' ')"
done
expect 0 translate -m $model,$other lines
same 'lines of an ensemble' 21 "$(wc -l < out | tr -d ' ')"
expect 0 average $model $model -o mean.safetensors
expect 0 translate -m mean.safetensors lines
same 'the mean of a model and itself' "$(translate -m $model lines)" "$(cat out)"
expect 0 average --quantize int8 $model -o small.safetensors
expect 0 translate -m small.safetensors lines
expect 1 average $model $other -o none.safetensors
run -o early --max-steps 60 > /dev/null || fail 'a model before the end of the linear start'
expect 1 average early/model-00000060.safetensors $model -o none.safetensors
says "average: the linear start of training is between early/model-00000060.safetensors and $model"

# Attention has the hops as layers and the sentences as columns.
echo 'mary went to the garden . john went to the office . where is mary ?' > story
expect 0 translate -m $model --attention weights story
same 'the header of the attention' '{"format":"awend-attention 1","encoder_layers":0,"decoder_layers":3,"heads":1}' "$(head -n 1 weights)"
grep -qF '"source":["mary went to the garden","john went to the office","(empty)"]' weights || fail 'the source of the attention is sentences'
grep -qF '"question":"where is mary"' weights || fail 'the attention has the question'
expect 0 inspect --attention weights -o page.html
grep -qF 'john went to the office' page.html || fail 'the page has the sentences'
expect 1 translate -m $model --alignment story
says 'translate: the model attends to sentences, not to tokens: it has no alignment'
expect 0 inspect $model
grep -q 'hops *3' out || fail 'inspect prints the settings'
grep -q 'heads' out && fail 'a memory network has no heads'
! grep -q '^  other' out || fail 'each parameter has its part'
expect 0 inspect --positions $model
grep -q '>distance<' out || fail 'rows of a temporal encoding are distances'

# A story without a question is an error that names its line; lines before it are answered.
{ head -n 3 valid.story; echo 'mary went to the garden .'; } > bad
expect 1 translate -m $model bad
says "translate: bad:4: a story without a question; the last token must be '?'"
same 'answers before the error' 3 "$(wc -l < out | tr -d ' ')"
expect 1 translate -m $model --target <(seq 4) bad
says "translate: bad:4: a story without a question; the last token must be '?'"
{ head -n 359 fit.story; echo 'mary went to the garden . ?'; } > bad
expect 1 run -o bad.run -s bad
says 'train: bad:360: a story whose question is empty'
for i in $(seq 300); do printf 'mary went to the garden . '; done > long
echo 'where is mary ?' >> long
expect 1 translate -m $model long
says 'translate: long:1: 1804 tokens are more than 1024, the longest input, and the model does not read lines in pieces'
expect 0 translate -m $model --max-input-length 2000 long
same 'the newest sentences are read' garden "$(cat out)"

# Settings that do not belong together.
expect 2 train --architecture memory --heads 4 --dump-config
says "train: --heads is not a setting of the architecture memory; try 'train --help'"
expect 2 train --hops 4 --dump-config
says "train: --hops is not a setting of the architecture transformer; try 'train --help'"
# No validation text is needed, and without scores the best checkpoints are those with the lowest loss.
train -q --preset memory-3hop -s fit.story -t fit.answer -m vocabulary --max-steps 10 -o alone > /dev/null || fail 'training without validation'
run -o plain --valid-beam 0 --linear-start 0 --max-steps 60 > log || fail 'validation without scores'
same 'the best loss' 1 "$(cmp -s plain/best.safetensors plain/model-00000060.safetensors && echo 1)"
expect 2 train --preset memory-3hop -s fit.story -t fit.answer -m vocabulary -o x --best-metric bleu
says "train: option '--best-metric': for this model must be loss or accuracy, got 'bleu'; try 'train --help'"

# An answer is one token.
{ head -n 4 fit.answer; echo 'garden office'; tail -n +6 fit.answer; } > bad
expect 1 run -o bad.run -t bad
says 'train: bad:5: an answer of 2 tokens; it must be one token, so a list must be one word'
expect 1 translate -m $model --target bad fit.story
says 'translate: bad:5: an answer of 2 tokens; it must be one token, so a list must be one word'
expect 2 train --preset memory-3hop --sentence-end '?' --dump-config
says "train: sentence-end and question-end must be different tokens, got '?'; try 'train --help'"
expect 1 run -o x --sentence-end ';'
says "train: the vocabulary has no token ';'; set sentence-end"
for preset in memory-3hop memory-joint; do
  expect 0 train --preset $preset --dump-config
  cp out settings
  expect 0 train --config settings --dump-config
  cmp -s out settings || fail "settings of $preset are read back"
done
same 'the preset of the architecture' "$(train --preset memory-3hop --dump-config)" "$(train --architecture memory --dump-config)"
