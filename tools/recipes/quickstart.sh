#!/bin/bash
# Runs the full pipeline on a corpus generated from ICU's locale data, after building awend if necessary.  Downloads only Debian
# packages; takes about ten minutes on two CPU cores and needs no GPU.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/setup.sh"
. "$recipes/pipeline.sh"

usage() {
  cat << 'END'
Usage: quickstart.sh [OPTION]... [-- TRAIN-OPTION...]

The corpus is generated from ICU's locale data.  Training costs 3.9e12 FLOP (6 x
weights x tokens) and reaches about 97 BLEU for English to German.

  --source-locale LOCALE  source language (default: en)
  --target-locale LOCALE  target language (default: de)
  --lines N               number of training lines (default: 20000)
  --held-out N            number of validation lines and of test lines
                          (default: 500)
  --work DIR              working directory for all files
                          (default: run/quickstart)
  --no-install            do not install missing packages
  --help                  print this text
END
  usage_end
}

# Model size and training budget, for less than a minute on two CPU cores.
vocabulary_size=1200
training=(--preset tiny --layers 2 --d-ff 512 --dropout 0.05 --batch-tokens 1000 --learning-rate 0.003 --warmup 150
  --max-steps 600 --time-limit 8 --valid-every 150 --save-every 30 --keep 5)
averaged=5

source=en target=de lines=20000 held_out=500
while [ $# -gt 0 ]; do
  case $1 in
    --source-locale) need_value "$@"; source=$2; shift 2 ;;
    --target-locale) need_value "$@"; target=$2; shift 2 ;;
    --lines) need_value "$@"; lines=$2; shift 2 ;;
    --held-out) need_value "$@"; held_out=$2; shift 2 ;;
    --) shift; break ;;
    *) common_option "$@"; shift $taken ;;
  esac
done
need_operands 0
begin quickstart 'a generated corpus'
rm -rf checkpoints

step "Generating a corpus, $source to $target: $lines lines for training, $held_out for validation, $held_out for testing"
locale-corpus -s "$source" -t "$target" -n "$lines" -o train
locale-corpus -s "$source" -t "$target" -n "$held_out" --part valid -o valid
locale-corpus -s "$source" -t "$target" -n "$held_out" --part test -o test
paste <(head -n 3 "train.$source") <(head -n 3 "train.$target")

step 'Learning one vocabulary for both languages'
build-vocab --size $vocabulary_size -o vocabulary "train.$source" "train.$target"

step 'Tokenizing'
for part in train valid; do
  for side in "$source" "$target"; do
    tokenize -m vocabulary < "$part.$side" > "$part.tokens.$side"
  done
done
head -n 1 "train.tokens.$source"

step 'Training'
train -v --vocabulary vocabulary --source "train.tokens.$source" --target "train.tokens.$target" \
  --valid-source "valid.tokens.$source" --valid-target "valid.tokens.$target" \
  -o checkpoints "${training[@]}" "$@"

step "Averaging the last $averaged checkpoints"
mean checkpoints $averaged > model.safetensors

step 'Translating the test set'
translated model.safetensors < "test.$source" > "hypotheses.$target"

step 'Five translations'
paste -d '\n' "test.$source" "hypotheses.$target" "test.$target" |
  awk 'NR <= 15 { print (NR % 3 == 1 ? "\nsource       " : NR % 3 == 2 ? "translation  " : "reference    ") $0 }'

step 'BLEU'
score "test.$target" < "hypotheses.$target"
