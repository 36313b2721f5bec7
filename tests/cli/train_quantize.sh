#!/bin/bash
# train --quantize int8: the last updates of a model, for 8-bit products; its checkpoints in the other programs.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc"

corpus 150
small_model floats
model=floats/model-00000003.safetensors
# more OPTION...: updates after those of the model.
more() {
  train -q --source tokens.en --target tokens.de --vocabulary vocabulary --preset tiny --d-model 32 --d-ff 32 --heads 2 --layers 1 \
    --batch-tokens 400 --log-every 1 --warmup 1 --learning-rate 0.0001 "$@"
}
quantized=(--init-from $model --quantize int8)
# scales FILE: those of its activations.
scales() { inspect --json "$1" | grep -o '"activation_scales":{[^}]*}'; }

# The scales are in all checkpoints, and the weights are fp32.
expect 0 more "${quantized[@]}" -o whole --max-steps 4 --save-every 1
for step in 1 2 3 4; do scales whole/model-0000000$step.safetensors > scales.$step || fail "the scales after $step updates"; done
cmp -s scales.1 scales.4 || fail 'scales are constant'
same 'matrices with scales' 17 "$(tr , '\n' < scales.1 | wc -l | tr -d ' ')"
expect 0 inspect whole/model-00000004.safetensors
grep -q '^  activations  *fixed scales of 8-bit products with 17 matrices$' out || fail "the scales in inspect: $(cat out)"
grep -q '  quantize  *int8$' out || fail 'the recipe in inspect'
inspect $model | grep -q 'activations ' && fail 'other models have no scales'

# Threads change nothing, parts are bit-identical, and the option must be the same.
expect 0 more "${quantized[@]}" -o parts --max-steps 2 --threads 1
expect 0 more --quantize int8 -o parts --max-steps 4
cmp -s {whole,parts}/model-00000004.safetensors || fail 'resuming changes nothing'
expect 1 more -o parts --max-steps 5
says 'train: parts/state-00000004.safetensors: was trained with quantize int8, which is now none; resume with the old value, or start '\
'a new run from these weights in another directory'
expect 0 more --init-from $model -o floats-on --max-steps 4
cmp -s whole/model-00000004.safetensors floats-on/model-00000004.safetensors && fail 'rounding has an effect'
# A run that starts from such a checkpoint keeps the scales.
expect 0 more --init-from whole --quantize int8 -o next --max-steps 1
scales next/model-00000001.safetensors > scales.next
cmp -s scales.1 scales.next || fail 'the scales of the first run are kept'
expect 0 more --resume-from whole --quantize int8 -o resumed --max-steps 5
scales resumed/model-00000005.safetensors > scales.next
cmp -s scales.1 scales.next || fail 'the scales of the resumed run are kept'

# Averages keep the scales, if they are the same.
expect 0 average -o mean.safetensors --last 3 whole
scales mean.safetensors > scales.mean
cmp -s scales.1 scales.mean || fail 'averages keep the scales'
expect 1 average -o none.safetensors $model whole/model-00000004.safetensors
says "average: whole/model-00000004.safetensors: its activation scales are not those of $model; average checkpoints of one run"
expect 0 average --quantize int8 -o small.safetensors mean.safetensors
scales small.safetensors > scales.small
cmp -s scales.1 scales.small || fail 'quantized weights keep the scales'
expect 0 translate -m small.safetensors tokens.en
same 'lines of the quantized model' 150 "$(wc -l < out | tr -d ' ')"
expect 0 convert-model --to ctranslate2 -o exported mean.safetensors

# Refusals, before a directory is made.
expect 2 train --source tokens.en --target tokens.de --vocabulary vocabulary --preset rnn-tiny --quantize int8 -o none
says "train: --quantize int8 is not for the architecture rnn, only for transformer; try 'train --help'"
expect 2 more "${quantized[@]}" --precision bf16 -o none
says "train: --quantize int8 needs --precision fp32, got bf16; try 'train --help'"
expect 2 more "${quantized[@]}" --quantize int4 -o none
grep -q "^train: option '--quantize': must be none or int8, got 'int4'" err || fail "$(cat err)"
expect 1 more --quantize int8 -o none
says 'train: --quantize is for the last updates of a trained model; give --init-from'
[ ! -e none ] || fail 'a refused run leaves no directory'
