#!/bin/bash
# Multi30k, English to German: 29 000 captions of pictures, an hour on two CPU cores, and the BLEU of the test set of 2016.
set -euo pipefail
. "$(dirname "$0")/setup.sh"

usage() {
  cat << 'END'
Usage: multi30k.sh [OPTION]... DATA_DIR [-- TRAIN-OPTION...]

DATA_DIR holds train, val and test_2016_flickr, each with .en and .de, as text or with .gz behind it: data/task1/raw of
https://github.com/multi30k/dataset.  Fifty minutes on two cores were 1475 updates, 5.2e13 FLOP by 6 x weights x tokens, and gave
32.0 BLEU.

  --work DIR      where all files go (default: run/multi30k)
  --minutes N     train no longer than this (default: 60)
  --no-install    leave missing packages to you
  --help          print this text

What follows -- is given to train, after the options below.  AWEND_DEVICE chooses a GPU.

The programs are those in the folder AWEND_BIN, if the environment has it; or those that this script was installed with; or else
they are built, with the packages that this needs.
END
}

# What the training costs and yields is decided here.
vocabulary_size=5000
training=(--preset small --layers 2 --d-ff 512 --dropout 0.1 --batch-tokens 1500 --learning-rate 0.0015 --warmup 400
  --max-steps 20000 --valid-every 330 --save-every 110 --keep 5)
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
[ -d "$data" ] || { echo "multi30k.sh: $data: no such folder" >&2; exit 1; }
data=$(cd "$data" && pwd)

find_programs $install
mkdir -p "$work" && cd "$work"
rm -rf checkpoints
SECONDS=0

# raw NAME: the lines of a file of the data set, packed or not.
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
  -o checkpoints "${training[@]}" "$@" | tee log.tsv
trained=$((SECONDS - begin))

step "Averaging the last $averaged checkpoints"
average -o model.safetensors --last $averaged checkpoints

step 'Translating the test set of 2016'
tokenize -m model.safetensors < test_2016_flickr.en | translate -m model.safetensors |
  tokenize -m model.safetensors --decode > hypotheses.de

step 'The result'
echo "settings: vocabulary $vocabulary_size, ${training[*]} $*, mean of $averaged checkpoints"
echo "training: $((trained / 60)) minutes on $(nproc) processors, $(tail -n 1 log.tsv | cut -f 1) updates"
score test_2016_flickr.de < hypotheses.de
