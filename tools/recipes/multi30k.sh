#!/bin/bash
# Multi30k English to German: trains on 29 000 image captions, for half an hour on four CPU cores, and scores test set 2016.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/setup.sh"
. "$recipes/pipeline.sh"

usage() {
  cat << 'END'
Usage: multi30k.sh [OPTION]... DATA_DIR [-- TRAIN-OPTION...]

DATA_DIR contains train, val and test_2016_flickr, each with the suffixes .en
and .de or .en.gz and .de.gz.  They are in data/task1/raw of
https://github.com/multi30k/dataset.  7500 updates reach 39.1 BLEU; on four
cores of an Intel Xeon with AMX they take 15 minutes with --precision bf16.

  --minutes N     stop training after N minutes (default: 60)
END
  common_usage
}

# Model size and training budget.
vocabulary_size=5000
training=(--preset small --d-ff 512 --batch-tokens 2000 --schedule cosine --schedule-steps 7500 --max-steps 7500
  --valid-every 500 --save-every 250 --keep 5)
averaged=5

minutes=60
while [ $# -gt 0 ]; do
  case $1 in
    --minutes) need_value "$@"; minutes=$2; shift 2 ;;
    --) shift; break ;;
    *) common_option "$@"; shift $taken ;;
  esac
done
need_operands 1
data=$(directory "${operands[0]}")
begin multi30k "$data"

step 'Reading the data'
for part in train val test_2016_flickr; do
  for side in en de; do once "$part.$side" raw "$data/$part.$side"; done
done
wc -l {train,val,test_2016_flickr}.{en,de}

step 'Learning one vocabulary for both languages'
once vocabulary build-vocab --size $vocabulary_size train.en train.de

step 'Tokenizing'
for part in train val; do
  for side in en de; do once "$part.tokens.$side" pieces vocabulary "$part.$side"; done
done

step "Training, for $minutes minutes at most"
train -v --time-limit "$minutes" --vocabulary vocabulary --source train.tokens.en --target train.tokens.de \
  --valid-source val.tokens.en --valid-target val.tokens.de \
  -o checkpoints "${training[@]}" "$@"

step "Averaging the last $averaged checkpoints"
mean checkpoints $averaged > model.safetensors

step 'Translating test set 2016'
translated model.safetensors < test_2016_flickr.en > hypotheses.de

step 'Result'
echo "settings: vocabulary $vocabulary_size, ${training[*]} $*, mean of $averaged checkpoints"
tail -n 1 checkpoints/log.tsv | awk -F '\t' -v processors="$(nproc)" '
  { printf "training: %d minutes on %d processors, %d updates\n", $3 / 60, processors, $1 }'
score test_2016_flickr.de < hypotheses.de
