#!/bin/bash
# Multi30k from English: trains two small models on 29 000 image captions, translates with both, and scores test set 2016.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/setup.sh"
. "$recipes/pipeline.sh"

usage() {
  cat << 'END'
Usage: multi30k.sh [OPTION]... DATA_DIR [-- TRAIN-OPTION...]

DATA_DIR contains train, val and test_2016_flickr, each with the suffixes .en
and .de or .en.gz and .de.gz.  They are in data/task1/raw of
https://github.com/multi30k/dataset.  Two models of 2400 updates reach 40.4
BLEU in German, in 25 to 30 minutes on two cores that multiply in bf16 (an Intel
Xeon with AMX, an AMD EPYC of Zen 4); each takes about 55 minutes of a core of
Zen 3, which does not.

  --target LANG   de, fr or cs, which is the suffix of its files (default: de)
  --models N      train N models with different seeds, and translate with all of
                  them (default: 2)
  --minutes N     train for at most N minutes, all models together
                  (default: 120)
END
  common_usage
}

# Model size and training budget.
vocabulary_size=5000
training=(--preset tiny --positions relative --decoder-start token --optimizer muon --learning-rate 0.005 --schedule cosine
  --schedule-steps 2400 --max-steps 2400 --save-every 200 --keep 5)
averaged=5
# The search with the highest BLEU on the validation set.
search=(--beam-size 8 --alpha 1.3)

target=de models=2 minutes=120
while [ $# -gt 0 ]; do
  case $1 in
    --target) need_value "$@"; target=$2; shift 2 ;;
    --models) need_value "$@"; models=$2; shift 2 ;;
    --minutes) need_value "$@"; minutes=$2; shift 2 ;;
    --) shift; break ;;
    *) common_option "$@"; shift $taken ;;
  esac
done
need_operands 1
need_number --models "$models" 1
each=$(awk -v minutes="$minutes" -v models="$models" 'BEGIN { if (minutes ~ /^[0-9.]+$/ && minutes > 0) print minutes / models }')
[ -n "$each" ] || { echo "${0##*/}: --minutes must be a number above 0, but is '$minutes'" >&2; exit 2; }
data=$(directory "${operands[0]}")
# Working directories from before --target existed have no language recorded; they are for German.
if [ "$target" = de ]; then begin multi30k "$data"; else begin multi30k "$data, $target"; fi

step 'Reading the data'
for part in train val test_2016_flickr; do
  for side in en "$target"; do once "$part.$side" raw "$data/$part.$side"; done
done
wc -l {train,val,test_2016_flickr}.{en,"$target"}

step 'Learning one vocabulary for both languages'
once vocabulary build-vocab --size $vocabulary_size train.en "train.$target"

step 'Tokenizing'
for part in train val; do
  for side in en "$target"; do once "$part.tokens.$side" pieces vocabulary "$part.$side"; done
done

# in_bf16: whether training uses the processor, and its matrix products can be in bf16.
in_bf16() {
  inspect --devices | awk '
    /^[^ ]/ { on_cpu = $1 == "cpu" }
    on_cpu && $1 == "products" { found = /bf16/ }
    /^train and translate take / { taken = $5 }
    END { exit !(found && taken ~ /^cpu/) }'
}
if in_bf16; then training+=(--precision bf16); fi

all='' logs=()
for ((model = 1; model <= models; ++model)); do
  step "Training model $model of $models, for $each minutes at most"
  train -v --time-limit "$each" --vocabulary vocabulary --source train.tokens.en --target "train.tokens.$target" \
    --valid-source val.tokens.en --valid-target "val.tokens.$target" -o model.$model --seed $model "${training[@]}" "$@"
  mean model.$model $averaged > model.$model.safetensors
  all+=${all:+,}model.$model.safetensors
  logs+=("model.$model/log.tsv")
done

step 'Translating test set 2016'
tokenize -m vocabulary test_2016_flickr.en | translate -m "$all" "${search[@]}" | tokenize -m vocabulary --decode > "hypotheses.$target"

step 'Result'
echo "settings: vocabulary $vocabulary_size, ${training[*]} $*, means of $averaged checkpoints, ${search[*]}"
tail -qn 1 "${logs[@]}" | awk -F '\t' -v processors="$(nproc)" '
  { seconds += $3; updates = updates " " $1 }
  END { printf "training: %d minutes on %d processors, updates:%s\n", seconds / 60, processors, updates }'
score "test_2016_flickr.$target" < "hypotheses.$target"
