#!/bin/bash
# train's settings: presets, files of settings, --dump-config; the rows of the paper's Table 3 as they are shipped.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

expect 0 train --dump-config
cp out base
for line in 'd-model = 512' 'heads = 8' 'activation = relu' 'schedule = inverse-sqrt' 'warmup = 4000' 'adam-beta2 = 0.98' \
  'weight-decay = 0' 'label-smoothing = 0.1' 'max-steps = 100000'; do
  grep -qx "$line" base || fail "base has $line"
done

# Printed settings can be read and are equal; an option takes precedence over the file.
expect 0 train --preset big --d-ff 2048 --activation gelu --schedule cosine --weight-decay 0.01 --dump-config
cp out settings
grep -qx 'schedule-steps = 300000' settings || fail 'a cosine ends with the run'
expect 0 train --config settings --dump-config
cmp -s out settings || fail 'settings are read back'
expect 0 train --config settings --schedule-steps 5000 --dump-config
same 'what an option changes' 'schedule-steps = 5000' "$(comm -23 <(sort out) <(sort settings))"

# The settings of each preset, also those that have no option: the same parameters.
for preset in tiny rnn-tiny sutskever luong memory-3hop bert-tiny; do
  expect 0 train --preset $preset --dump-config
  cp out settings
  expect 0 train --config settings --dump-config
  cmp -s out settings || fail "the settings of $preset are read back"
done
expect 2 train --adam-epsilon 0 --dump-config
grep -q "^train: option '--adam-epsilon': " err || fail "a division of 0 by 0: $(cat err)"
expect 0 train --preset bert-tiny --norm-epsilon 1e-6 --dump-config
grep -qx 'preset = bert-tiny' out && grep -qx 'norm-epsilon = 1e-06' out || fail 'what differs from the preset is printed'
expect 2 train --preset memory-3hop --layers 9 --dump-config
says "train: --layers is not a setting of the architecture memory; try 'train --help'"

# The command line has more weight than a file, also where the file has the setting under another name.
train --preset base --dump-config > settings
expect 0 train --config settings --layers 2 --dump-config
for line in 'encoder-layers = 2' 'decoder-layers = 2'; do grep -qx "$line" out || fail "--layers 2 has more weight than the file: $line"; done
expect 0 train --config settings --layers 2 --encoder-layers 3 --dump-config
grep -qx 'encoder-layers = 3' out && grep -qx 'decoder-layers = 2' out || fail '--encoder-layers has the last word'

# Options of files and devices are not settings of a model or its training.
expect 0 train -s text -t text --max-length 50 --weights 2 --device cpu --threads 2 --dump-config
cmp -s out base || fail '--dump-config prints only settings of the model and its training'

# A row of Table 3 changes what it names, and nothing else.
rows=0
for file in "$AWEND_SOURCE"/tools/recipes/table3/*.conf; do
  rows=$((rows + 1))
  expect 0 train --config "$file" --dump-config
  wanted=$(grep -v '^#' "$file" | grep -v '^preset' | sed 's/^layers = \(.*\)/encoder-layers = \1\ndecoder-layers = \1/' | sort)
  [ "${file##*/}" != big.conf ] || wanted=$(train --preset big --dump-config | sort | comm -13 <(sort base) -)
  same "settings of ${file##*/}" "$wanted" "$(comm -13 <(sort base) <(sort out))"
done
same 'rows of the table' 20 "$rows"

printf 'd-model = 64\n# again\nheads = 2\nd-model = 32\n' > twice
expect 2 train --config twice --dump-config
says "train: twice:4: option 'd-model' was set before in line 1; try 'train --help'"
printf '\ndropout = 2\n' > wrong
expect 2 train --config wrong --dump-config
says "train: wrong:2: option '--dropout': must be in [0, 0.99], got 2; try 'train --help'"

expect 2 train --schedule square --dump-config
says "train: option '--schedule': must be inverse-sqrt, constant, linear, cosine or halving, got 'square'; try 'train --help'"
expect 2 train --schedule-steps 10 --dump-config
says "train: --schedule-steps needs --schedule linear, cosine or halving; try 'train --help'"
expect 0 train --schedule halving --max-steps 400 --optimizer sgd --batch-sentences 64 --dump-config
for line in 'schedule-steps = 100' 'optimizer = sgd' 'batch-sentences = 64'; do grep -qx "$line" out || fail "--dump-config prints $line"; done
expect 0 train --preset memory-3hop --max-steps 100 --dump-config
grep -qx 'schedule-steps = 725' out || fail 'the preset has the updates between halvings'
expect 2 train --preset rnn-tiny --local-window 4 --dump-config
says "train: --local-window needs --attention-span monotonic or predictive; try 'train --help'"
expect 2 train --preset sutskever --d-attention 8 --dump-config
says "train: --d-attention needs --attention additive; try 'train --help'"
expect 2 train --optimizer adagrad --dump-config
says "train: option '--optimizer': must be adam, muon or sgd, got 'adagrad'; try 'train --help'"
expect 2 train --schedule linear --schedule-steps 10 --dump-config
says "train: the schedule of 10 updates must be longer than --warmup 4000; try 'train --help'"
expect 2 train --preset memory-3hop --linear-start 20 --schedule cosine --schedule-steps 15 --dump-config
says "train: the schedule of 15 updates must be longer than --linear-start 20; try 'train --help'"
expect 2 train --d-model 510 --dump-config
says "train: option '--d-model': must be a multiple of 4, got 510; try 'train --help'"
expect 2 train --activation tanh --dump-config
says "train: option '--activation': must be relu, gelu, swish, gelu-tanh or gelu-sigmoid, got 'tanh'; try 'train --help'"

# Runs with them learn, can be resumed, and translate.
locale-corpus -n 150 -o raw
build-vocab -q --size 380 -o vocabulary raw.en raw.de
for side in en de; do tokenize -m vocabulary < raw.$side > tokens.$side; done
cat > tiny <<'.'
preset = tiny
d-model = 32
d-ff = 32
heads = 2
layers = 1
batch-tokens = 400
schedule = linear
schedule-steps = 900
weight-decay = 0.01
log-every = 2
.
run() { train -q --source tokens.en --target tokens.de --vocabulary vocabulary --config tiny "$@"; }
for activation in gelu swish; do
  run -o $activation --activation $activation --max-steps 6 > log || fail "a run with $activation"
  run -o parts --activation $activation --max-steps 2 > /dev/null || fail "the first part with $activation"
  run -o parts --activation $activation --max-steps 6 > /dev/null || fail "the second part with $activation"
  cmp -s $activation/model-00000006.safetensors parts/model-00000006.safetensors || fail "resuming with $activation does not change the weights"
  same "lines with $activation" 2 "$(head -n 2 tokens.en | translate -m $activation/model-00000006.safetensors | wc -l)"
  rm -r parts
done
cmp -s gelu/model-00000006.safetensors swish/model-00000006.safetensors && fail 'another activation gives other weights'
expect 1 run -o gelu --activation swish --max-steps 8
grep -q 'was trained with activation gelu' err || fail "$(cat err)"
expect 1 run -o gelu --activation gelu --schedule-steps 1000 --max-steps 8
grep -q 'was trained with schedule-steps 900, which is now 1000' err || fail "$(cat err)"
