#!/bin/bash
# From nothing to a scored translation: builds awend if it must, makes a corpus from ICU's locale data, and runs the whole pipeline on it.
# No download but Debian packages; about ten minutes on two CPU cores, and no GPU is needed.
set -euo pipefail
. "$(dirname "$0")/setup.sh"

usage() {
  cat << 'END'
Usage: quickstart.sh [OPTION]... [-- TRAIN-OPTION...]

The corpus is made here, of ICU's locale data.  The training costs 3.9e12 FLOP by 6 x weights x tokens, and English to German comes to
some 95 BLEU.

  --source-locale LOCALE  the language to translate from (default: en)
  --target-locale LOCALE  the language to translate to (default: de)
  --lines N               lines to train on (default: 20000)
  --held-out N            lines to validate with, and as many to translate (default: 500)
  --work DIR              where all files go (default: run/quickstart)
  --no-install            leave missing packages to you
  --help                  print this text

What follows -- is given to train, after the options below.  AWEND_DEVICE chooses a GPU.

The programs are those in the folder AWEND_BIN, if the environment has it; or those that this script was installed with; or else
they are built, with the packages that this needs.
END
}

# What the training costs and yields is decided here: sized for about five minutes on two CPU cores.
vocabulary_size=1200
training=(--preset tiny --layers 2 --d-ff 512 --dropout 0.05 --batch-tokens 1000 --learning-rate 0.003 --warmup 300
  --max-steps 600 --time-limit 8 --valid-every 150 --save-every 30 --keep 5)
averaged=5

source=en target=de lines=20000 held_out=500 work=$runs/quickstart install=yes
while [ $# -gt 0 ]; do
  case $1 in
    --source-locale) need_value "$@"; source=$2; shift ;;
    --target-locale) need_value "$@"; target=$2; shift ;;
    --lines) need_value "$@"; lines=$2; shift ;;
    --held-out) need_value "$@"; held_out=$2; shift ;;
    --work) need_value "$@"; work=$2; shift ;;
    --no-install) install=no ;;
    --help) usage; exit ;;
    --) shift; break ;;
    *) echo "quickstart.sh: unknown option '$1'; try --help" >&2; exit 2 ;;
  esac
  shift
done

find_programs $install
mkdir -p "$work" && cd "$work"
rm -rf checkpoints
SECONDS=0

step "Generating a corpus, $source to $target: $lines lines to train on, $held_out to validate with, $held_out to translate"
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
  -o checkpoints "${training[@]}" "$@" | tee log.tsv

step "Averaging the last $averaged checkpoints"
average -o model.safetensors --last $averaged checkpoints

step 'Translating what training never saw'
tokenize -m model.safetensors < "test.$source" | translate -m model.safetensors |
  tokenize -m model.safetensors --decode > "hypotheses.$target"

step 'Five translations'
paste -d '\n' "test.$source" "hypotheses.$target" "test.$target" |
  awk 'NR <= 15 { print (NR % 3 == 1 ? "\nsource       " : NR % 3 == 2 ? "translation  " : "reference    ") $0 }'

step 'BLEU'
score "test.$target" < "hypotheses.$target"
