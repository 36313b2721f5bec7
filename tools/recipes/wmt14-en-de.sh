#!/bin/bash
# WMT 2014 English to German, as in the paper: trains on 4.5 million pairs and scores newstest2014.
set -euo pipefail
. "$(dirname "$0")/setup.sh"
. "$(dirname "$0")/pipeline.sh"

usage() {
  cat << 'END'
Usage: wmt14-en-de.sh [OPTION]... base|big DATA_DIR [-- TRAIN-OPTION...]

DATA_DIR contains the archives of WMT 2014 (about 1.6 GB).  Missing archives are
downloaded; newstest2013 is for validation, all of newstest2014 for the test:

  http://www.statmt.org/wmt13/training-parallel-europarl-v7.tgz
  http://www.statmt.org/wmt13/training-parallel-commoncrawl.tgz
  http://www.statmt.org/wmt14/training-parallel-nc-v9.tgz
  http://data.statmt.org/wmt17/translation-task/dev.tgz   (newstest2013)
  http://www.statmt.org/wmt14/test-full.tgz               (newstest2014)

        updates  FLOP, estimated  in paper  paper-BLEU  sacreBLEU, by others
  base  100 000  9.4e17           3.3e18    27.3        26.7 to 27.5
  big   300 000  9.6e18           2.3e19    28.4        27.7 to 28.6

The paper's FLOP are the peak capacity of its GPUs over the training time (8
P100 at 9.5 TFLOPS for 12 hours or 3.5 days).  Our estimate is the cost of the
model, 6 x weights x tokens.  An update has 25000 tokens on each side and is
split into passes if memory requires.

  --any-size      accept archives whose number of lines differs from the
                  published one
  --prefixes DIR  directory of Moses' nonbreaking_prefixes, for the tokenization
                  of paper-BLEU
END
  common_usage
}

# Settings of the paper.  It averages checkpoints written every ten minutes: 1500 updates of 0.4 s for base, 600 of 1.0 s for big.
vocabulary_size=37000
search=(--beam-size 4 --alpha 0.6 --max-length-ratio 1 --max-length-extra 50)
settings_of() {
  case $1 in
    base) averaged=5 training=(--preset base --save-every 1500 --keep 5) ;;
    big) averaged=20 training=(--preset big --save-every 600 --keep 20) ;;
    *) echo "wmt14-en-de.sh: '$1' must be base or big" >&2; exit 2 ;;
  esac
}

sizes=published prefixes=''
while [ $# -gt 0 ]; do
  case $1 in
    --any-size) sizes=any; shift ;;
    --prefixes) need_value "$@"; prefixes=$(directory "$2"); shift 2 ;;
    --) shift; break ;;
    *) common_option "$@"; shift $taken ;;
  esac
done
need_operands 2
settings_of "${operands[0]}"
mkdir -p "${operands[1]}"
data=$(directory "${operands[1]}")
begin wmt14-en-de "$data"

step 'Downloading missing archives'
fetch "$data" http://www.statmt.org/wmt13/training-parallel-{europarl-v7,commoncrawl}.tgz \
  http://www.statmt.org/wmt14/{training-parallel-nc-v9,test-full}.tgz http://data.statmt.org/wmt17/translation-task/dev.tgz

step 'Unpacking'
# corpus LANGUAGE: prints one side of the three corpora, concatenated.
corpus() {
  member "$data/training-parallel-europarl-v7.tgz" "training/europarl-v7.de-en.$1" | counted 1920209 "europarl-v7.de-en.$1"
  member "$data/training-parallel-commoncrawl.tgz" "commoncrawl.de-en.$1" | counted 2399123 "commoncrawl.de-en.$1"
  member "$data/training-parallel-nc-v9.tgz" "training/news-commentary-v9.de-en.$1" | counted 201288 "news-commentary-v9.de-en.$1"
}
newstest2013() { member "$data/dev.tgz" "dev/newstest2013.$1" | counted 3000 "newstest2013.$1"; }
newstest2014() { member "$data/test-full.tgz" "test-full/newstest2014-deen-$1.sgm" | segments | counted 3003 "newstest2014-deen-$1"; }
for side in en de; do
  once train.$side corpus $side
  once valid.$side newstest2013 $side
done
once test.en newstest2014 src.en
once test.de newstest2014 ref.de
for part in train valid test; do same_lines $part.en $part.de; done

step 'Learning one vocabulary for both languages'
once vocabulary build-vocab --size $vocabulary_size train.en train.de

step 'Tokenizing'
for part in train valid; do
  for side in en de; do once $part.tokens.$side pieces vocabulary $part.$side; done
done

step "Training, and averaging the last $averaged checkpoints"
learn "${operands[0]}" $averaged --vocabulary vocabulary --source train.tokens.en --target train.tokens.de \
  --valid-source valid.tokens.en --valid-target valid.tokens.de --valid-every 5000 "${training[@]}" "$@"

step 'Translating newstest2014'
translated "${operands[0]}.safetensors" "${search[@]}" < test.en > hypotheses.de

step 'BLEU as in the paper (with split compounds) and as in sacreBLEU'
moses de < test.de > test.words.de
moses de < hypotheses.de | score --force -m paper-bleu test.words.de
score test.de < hypotheses.de
