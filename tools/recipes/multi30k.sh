#!/bin/bash
# Multi30k English to German: trains on 29 000 image captions, for half an hour on four CPU cores, and scores test set 2016.
set -euo pipefail
. "$(dirname "$0")/setup.sh"

usage() {
  cat << 'END'
Usage: multi30k.sh [OPTION]... DATA_DIR [-- TRAIN-OPTION...]

DATA_DIR contains train, val and test_2016_flickr, each with the suffixes .en and .de or .en.gz and .de.gz.  They are in
data/task1/raw of https://github.com/multi30k/dataset.  7500 updates reach 39.1 BLEU; on four cores of an Intel Xeon with AMX they take
15 minutes with --precision bf16.

  --work DIR      working directory for all files (default: run/multi30k)
  --minutes N     stop training after N minutes (default: 60)
  --no-install    do not install missing packages
  --help          print this text

Arguments after -- are passed to train after the options of the recipe.  Set AWEND_DEVICE to select a GPU.

The programs are taken from the directory AWEND_BIN if it is set, otherwise from the installation of this script.  In a source tree,
they are built, and missing packages are installed.
END
}

# Model size and training budget.
vocabulary_size=5000
training=(--preset small --d-ff 512 --batch-tokens 2000 --schedule cosine --schedule-steps 7500 --max-steps 7500
  --valid-every 500 --save-every 250 --keep 5)
averaged=5

data='' work=$runs/multi30k minutes=60 install=yes
while [ $# -gt 0 ]; do
  case $1 in
    --work) need_value "$@"; work=$2; shift ;;
    --minutes) need_value "$@"; minutes=$2; shift ;;
    --no-install) install=no ;;
    --help) usage; exit ;;
    --) shift; break ;;
    -*) echo "multi30k.sh: unknown option '$1'; try --help" >&2; exit 2 ;;
    *) data=$1 ;;
  esac
  shift
done
[ -n "$data" ] || { echo 'multi30k.sh: missing operand; try --help' >&2; exit 2; }
[ -d "$data" ] || { echo "multi30k.sh: $data: no such directory" >&2; exit 1; }
data=$(cd "$data" && pwd)

find_programs $install
mkdir -p "$work" && cd "$work"
rm -rf checkpoints
SECONDS=0

# raw NAME: prints a file of the data set, compressed or not.
raw() { if [ -e "$data/$1" ]; then cat "$data/$1"; else gzip -dc "$data/$1.gz"; fi; }

step 'Reading the data'
for part in train val test_2016_flickr; do
  for side in en de; do raw "$part.$side" > "$part.$side"; done
done
wc -l {train,val,test_2016_flickr}.{en,de}

step 'Learning one vocabulary for both languages'
build-vocab --size $vocabulary_size -o vocabulary train.en train.de

step 'Tokenizing'
for part in train val; do
  for side in en de; do tokenize -m vocabulary < "$part.$side" > "$part.tokens.$side"; done
done

step "Training, for $minutes minutes at most"
begin=$SECONDS
train -v --time-limit "$minutes" --vocabulary vocabulary --source train.tokens.en --target train.tokens.de \
  --valid-source val.tokens.en --valid-target val.tokens.de \
  -o checkpoints "${training[@]}" "$@"
trained=$((SECONDS - begin))

step "Averaging the last $averaged checkpoints"
average -o model.safetensors --last $averaged checkpoints

step 'Translating test set 2016'
tokenize -m model.safetensors < test_2016_flickr.en | translate -m model.safetensors |
  tokenize -m model.safetensors --decode > hypotheses.de

step 'Result'
echo "settings: vocabulary $vocabulary_size, ${training[*]} $*, mean of $averaged checkpoints"
echo "training: $((trained / 60)) minutes on $(nproc) processors, $(tail -n 1 checkpoints/log.tsv | cut -f 1) updates"
score test_2016_flickr.de < hypotheses.de
