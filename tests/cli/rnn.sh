#!/bin/bash
# Recurrent networks from end to end: training, resuming, translating, scores, alignment, attention, ensembles, averaging, inspection.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc" || exit 1

corpus 300
run_from() { train -q -s "$1" -t tokens.de -m vocabulary --batch-tokens 512 --warmup 30 --learning-rate 0.01 "${@:2}"; }
run() { run_from tokens.en "$@"; }
small=(--preset rnn-tiny --d-model 32 --d-embedding 32 --dropout 0)
run -o additive "${small[@]}" --d-attention 32 --max-steps 80 > log || fail 'training'
run -o plain "${small[@]}" --cell lstm --layers 2 --bidirectional none --bridge copy --attention none --dropout 0.1 \
  --variational-dropout on --max-steps 20 > log.plain || fail 'training without attention'
run -o feeding "${small[@]}" --cell lstm --attention general --input-feeding on --decoder-layers 2 --max-steps 20 > log.feeding ||
  fail 'training with input feeding'
conditional=("${small[@]}" --d-attention 32 --d-embedding 16 --d-readout 16 --tie all --conditional-cell on --bridge mean)
run -o conditional "${conditional[@]}" --max-steps 20 > log.conditional || fail 'training with a conditional cell'
summary=("${small[@]}" --attention none --context-feeding on --bidirectional none --readout maxout --d-readout 16)
run -o summary "${summary[@]}" --max-steps 20 > log.summary || fail 'training with a summary of the source'
reversed=("${small[@]}" --attention general --source-order reversed)
run -o reversed "${reversed[@]}" --max-steps 20 > log.reversed || fail 'training in reversed order'
reversed_model=reversed/model-00000020.safetensors
local=("${small[@]}" --attention dot --bidirectional none --input-feeding on --attention-span predictive --local-window 3)
run -o local "${local[@]}" --max-steps 20 > log.local || fail 'training with local attention'
for steps in 8 20; do run -o local-parts "${local[@]}" --max-steps $steps > /dev/null || fail 'a part with local attention'; done
local_model=local/model-00000020.safetensors
cmp -s $local_model local-parts/model-00000020.safetensors || fail 'resuming with local attention does not change the weights'
summary_model=summary/model-00000020.safetensors
conditional_model=conditional/model-00000020.safetensors
model=additive/model-00000080.safetensors
plain=plain/model-00000020.safetensors
feeding=feeding/model-00000020.safetensors

# The loss falls, gradients are clipped, and a run that resumes is the same run, bit for bit.
awk -F '\t' 'NR == 1 {for (i = 1; i <= NF; ++i) if ($i == "loss") column = i; next} !first {first = $column} {last = $column}
  END {exit !(last < 0.8 * first)}' log || fail 'the loss falls'
same 'clipping is the default' 'clip-norm = 1' "$(train --preset rnn-tiny --dump-config | grep clip-norm)"
for steps in 8 20; do
  run -o parts "${small[@]}" --cell lstm --attention general --input-feeding on --decoder-layers 2 --max-steps $steps > /dev/null || fail 'a part'
done
cmp -s $feeding parts/model-00000020.safetensors || fail 'resuming does not change the weights'
for steps in 8 20; do run -o conditional-parts "${conditional[@]}" --max-steps $steps > /dev/null || fail 'a part with a conditional cell'; done
cmp -s $conditional_model conditional-parts/model-00000020.safetensors || fail 'resuming with a conditional cell does not change the weights'
for steps in 8 20; do run -o summary-parts "${summary[@]}" --max-steps $steps > /dev/null || fail 'a part with a summary'; done
cmp -s $summary_model summary-parts/model-00000020.safetensors || fail 'resuming with a summary does not change the weights'
expect 0 inspect --arrays $conditional_model
for array in 'embedding *F32 \[400, 16\]' 'output_bias *F32 \[400, 1\]' 'decoder.0.second.hidden *F32 \[32, 96\]'; do
  grep -qE "^ *$array" out || fail "inspect lists $array"
done
# The gates read embeddings, the state and the summary; maxout units have two inputs each.
expect 0 inspect --arrays $summary_model
for array in 'summary *F32 \[32, 32\]' 'bridge *F32 \[32, 32\]' 'decoder.0.context *F32 \[32, 96\]' 'readout.embedding *F32 \[32, 32\]'; do
  grep -qE "^ *$array" out || fail "inspect lists $array"
done
expect 0 inspect $summary_model
grep -q 'context-feeding *on' out || fail 'inspect prints context-feeding'
run -o tuned "${conditional[@]}" --init-from $conditional_model --max-steps 1 > /dev/null || fail 'fine-tuning with a conditional cell'
expect 2 train "${small[@]}" --tie all --d-embedding 16 --dump-config
says "train: tie all needs an output of d-embedding 16, but it has 32; use d-readout; try 'train --help'"
expect 2 train "${small[@]}" --heads 2 --dump-config
average -q --quantize int8 -o narrow.safetensors $conditional_model || fail 'quantize with a conditional cell'
head -n 3 tokens.en | translate -q -m narrow.safetensors > out || fail 'translate with 8-bit integers'
same 'lines with 8-bit integers' 3 "$(wc -l < out)"
# The products of a fed context are added to others.
average -q --quantize int8 -o narrow.safetensors $feeding || fail 'quantize with input feeding'
head -n 3 tokens.en | translate -q -m narrow.safetensors > out || fail 'translate with input feeding and 8-bit integers'
same 'lines with input feeding and 8-bit integers' 3 "$(wc -l < out)"

# Translations do not depend on the batch; forced scores are those of the search.
{ head -n 12 tokens.en; echo; sed -n 13,20p tokens.en; } > lines
close() {
  paste "$1" "$2" > pairs
  finite pairs
  awk -F '\t' '
    # Truncated translations have no score of an end.
    {n = split($1, a, " "); m = split($2, b, " "); if (n != m && n + 1 != m) bad = 1
     for (i = 1; i <= n; ++i) if ((a[i] - b[i]) ^ 2 > 1e-8) bad = 1}
    END {exit bad || NR == 0}' pairs || fail "$3"
}
for each in $model $plain $feeding $conditional_model $summary_model $reversed_model $local_model; do
  expect 0 translate -m "$each" --word-scores lines
  cp out searched
  same "lines of $each" 21 "$(wc -l < out)"
  tac lines | translate -m "$each" --word-scores | tac > out
  cmp -s out searched || fail "$each does not depend on the order of the lines"
  sed -n 3p lines | translate -m "$each" --word-scores > out
  same "$each: a line by itself" "$(sed -n 3p searched)" "$(cat out)"
  cut -f 2 searched > answers
  expect 0 translate -m "$each" --word-scores --target answers lines
  close <(cut -f 1 searched) <(cut -f 1 out) "forced scores of $each"
  expect 0 translate -m "$each" --n-best 3 -b 5 lines
  same "the list of $each" 61 "$(wc -l < out)"
  expect 0 translate -m "$each" --sample --seed 4 lines
  same "samples of $each" 21 "$(wc -l < out)"
  sed 's/ .*//' answers > prefixes
  expect 0 translate -m "$each" --prefix prefixes lines
  same "prefixes of $each" "$(cat prefixes)" "$(sed 's/ .*//' out)"
done
tr ' ' '\n' < tokens.de | sort -u | grep . | head -n 40 > few
expect 0 translate -m $model --shortlist few --unknown-penalty 100 lines
same 'tokens that are not in the list' '' "$(tr ' ' '\n' < out | grep . | sort -u | comm -23 - few)"

# Models together, also with a Transformer, and the mean of two checkpoints.
small_model transformer
expect 0 translate -m $model,$feeding,transformer/model-00000003.safetensors lines
same 'lines of an ensemble' 21 "$(wc -l < out)"
expect 0 average $model $model -o mean.safetensors
expect 0 translate -m mean.safetensors --word-scores lines
cp out of_mean
expect 0 translate -m $model --word-scores lines
same 'the mean of a model and itself' "$(cut -f 2 out)" "$(cut -f 2 of_mean)"
expect 0 average --quantize int8 $model -o small.safetensors
expect 0 translate -m small.safetensors lines
expect 1 average $model $feeding -o none.safetensors

# Alignment and the attention file have one head of the attention of the decoder.
expect 0 translate -m $model --alignment --attention weights lines
same 'alignments' 20 "$(grep -c '||| [0-9]' out)"
same 'the header of the attention' '{"format":"awend-attention 1","encoder_layers":0,"decoder_layers":1,"heads":1}' "$(head -n 1 weights)"
same 'lines with attention' 21 "$(wc -l < weights)"
expect 0 inspect --attention weights -o page.html
grep -q '"encoder_layers":0' page.html || fail 'the page has the attention'
expect 1 translate -m $plain --alignment lines
says 'translate: the model has no attention between decoder and encoder'

# What inspect prints; a Transformer has other settings.
expect 0 inspect $feeding
grep -q 'input-feeding *on' out || fail 'inspect prints the settings'
grep -q 'encoder: cells' out || fail 'inspect prints the parts'
grep -q 'heads' out && fail 'a recurrent network has no heads'
expect 2 train --architecture rnn --heads 4 --dump-config
says "train: --heads is not a setting of the architecture rnn; try 'train --help'"
expect 2 train --cell gru --dump-config
says "train: --cell is not a setting of the architecture transformer; try 'train --help'"
expect 2 train --preset luong --architecture transformer --dump-config
says "train: --preset luong is of the architecture rnn, not transformer; try 'train --help'"
expect 2 train --architecture perceptron --dump-config
says "train: option '--architecture': must be transformer, rnn, memory or bert, got 'perceptron'; try 'train --help'"
expect 2 train --preset luong --attention none --dump-config
says "train: input-feeding needs attention dot or general; try 'train --help'"
expect 1 run -o additive "${small[@]}" --d-attention 36 --max-steps 90
grep -q 'was trained with d-attention 32, which is now 36' err || fail "$(cat err)"

# Local attention is a part of the settings, and its weights outside of the window are 0.
expect 0 inspect $local_model
grep -q 'attention-span *predictive' out || fail 'inspect prints the span'
{ head -n 12 tokens.de; echo; sed -n 13,20p tokens.de; } > given
expect 0 translate -m $local_model --target given --alignment --attention weights lines
[ "$(grep -c '||| [0-9]' out)" -ge 15 ] || fail 'alignments of local attention'
same 'no query attends to more than 7 tokens' '' "$(sed 's/.*"cross"://' weights | grep -oE '\[[0-9][^]]*' | tr -d '[' |
  awk -F , '{ n = 0; for (i = 1; i <= NF; ++i) n += $i > 0 } n > 7 || n < 1')"
expect 2 train --preset bahdanau --attention-span monotonic --dump-config
says "train: attention-span monotonic needs attention dot or general; try 'train --help'"

# The order is that of the checkpoint: training in the order of the text on reversed lines is the same.
mirrored() { awk '{ for (i = NF; i > 0; --i) printf "%s%s", $i, (i > 1 ? " " : "\n") } NF == 0' "$1"; }
mirrored tokens.en > tokens.ne
run_from tokens.ne -o mirrored "${small[@]}" --attention general --max-steps 20 > log.mirrored || fail 'training on reversed lines'
mirrored lines > senil
translate -m $reversed_model lines > out || fail 'translate in reversed order'
same 'a network that reads the source reversed' "$(translate -m mirrored/model-00000020.safetensors senil)" "$(cat out)"
expect 0 translate -m $reversed_model --raw lines
expect 0 translate -m $reversed_model --attention weights lines
expect 2 train --preset tiny --source-order reversed --dump-config
says "train: --source-order is not a setting of the architecture transformer; try 'train --help'"

# Settings can be read back, and a preset is the default of its architecture.
for preset in cho sutskever bahdanau luong gnmt rnn-small rnn-tiny; do
  expect 0 train --preset $preset --dump-config
  cp out settings
  expect 0 train --config settings --dump-config
  cmp -s out settings || fail "settings of $preset are read back"
done
# A setting that differs from the default only is part of a checkpoint.
grep -qaE 'context-feeding|readout[\\]?":[\\]?"' $model && fail 'a checkpoint has defaults of these settings'
grep -qaE 'context-feeding[\\":]+on' $summary_model || fail 'a checkpoint has other values of these settings'
expect 2 train --preset cho --attention additive --dump-config
says "train: context-feeding needs attention none; try 'train --help'"
same 'the preset of the architecture' "$(train --preset bahdanau --dump-config)" "$(train --architecture rnn --dump-config)"

# A line longer than the longest sentence is translated in pieces.
for i in $(seq 50); do head -n 1 tokens.en; done | paste -sd ' ' > long
translate -q -m $model long > out || fail 'a long line'
same 'one line' 1 "$(wc -l < out)"
expect 1 translate -m $model --target long long
says "translate: long:1: a side of the pair has $(tr ' ' '\n' < long | wc -l) tokens, more than the model or this device can score"
