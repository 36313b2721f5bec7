#!/bin/bash
# WMT 2014 English to French, as in the paper: trains on 36 million pairs and scores newstest2014.
set -euo pipefail
. "$(dirname "$0")/setup.sh"
. "$(dirname "$0")/pipeline.sh"

usage() {
  cat << 'END'
Usage: wmt14-en-fr.sh [OPTION]... base|big DATA_DIR [-- TRAIN-OPTION...]

DATA_DIR contains the archives of WMT 2014 (about 6 GB).  Missing archives are
downloaded; newstest2013 is for validation, all of newstest2014 for the test:

  http://www.statmt.org/wmt13/training-parallel-europarl-v7.tgz
  http://www.statmt.org/wmt13/training-parallel-commoncrawl.tgz
  http://www.statmt.org/wmt13/training-parallel-un.tgz
  http://www.statmt.org/wmt14/training-parallel-nc-v9.tgz
  http://www.statmt.org/wmt10/training-giga-fren.tar
  http://data.statmt.org/wmt17/translation-task/dev.tgz   (newstest2013)
  http://www.statmt.org/wmt14/test-full.tgz               (newstest2014)

        updates  FLOP, estimated  in paper  multi-BLEU
  base  100 000  9.1e17           3.3e18    38.1
  big   300 000  9.4e18           2.3e19    41.8

The paper's FLOP are the peak capacity of its GPUs over the training time (8
P100 at 9.5 TFLOPS for 12 hours or 3.5 days).  Our estimate is the cost of the
model, 6 x weights x tokens.  An update has 25000 tokens on each side and is
split into passes if memory requires.

The five corpora have 40.8 million pairs.  The paper uses 36 million and does
not say which.  This recipe removes pairs with more than 175 words on a side, or
with a length ratio above 1.5, like Gehring et al. (2017), who kept 35.5
million.

  --any-size      accept archives whose number of lines differs from the
                  published one
  --prefixes DIR  directory of Moses' nonbreaking_prefixes, for the tokenization
                  of multi-BLEU
END
  common_usage
}

# Settings of the paper; big has less dropout than for German.  It averages checkpoints written every ten minutes: 1500 updates of
# 0.4 s for base, 600 of 1.0 s for big.
vocabulary_size=32000
search=(--beam-size 4 --alpha 0.6 --max-length-ratio 1 --max-length-extra 50)
settings_of() {
  case $1 in
    base) averaged=5 training=(--preset base --save-every 1500 --keep 5) ;;
    big) averaged=20 training=(--preset big --dropout 0.1 --save-every 600 --keep 20) ;;
    *) echo "wmt14-en-fr.sh: '$1' must be base or big" >&2; exit 2 ;;
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
begin wmt14-en-fr "$data"

step 'Downloading missing archives'
fetch "$data" http://www.statmt.org/wmt13/training-parallel-{europarl-v7,commoncrawl,un}.tgz \
  http://www.statmt.org/wmt14/{training-parallel-nc-v9,test-full}.tgz http://www.statmt.org/wmt10/training-giga-fren.tar \
  http://data.statmt.org/wmt17/translation-task/dev.tgz

step 'Unpacking'
# corpus LANGUAGE: prints one side of the five corpora, concatenated.
corpus() {
  member "$data/training-parallel-europarl-v7.tgz" "training/europarl-v7.fr-en.$1" | counted 2007723 "europarl-v7.fr-en.$1"
  member "$data/training-parallel-commoncrawl.tgz" "commoncrawl.fr-en.$1" | counted 3244152 "commoncrawl.fr-en.$1"
  member "$data/training-parallel-un.tgz" "un/undoc.2000.fr-en.$1" | counted 12886831 "undoc.2000.fr-en.$1"
  member "$data/training-parallel-nc-v9.tgz" "training/news-commentary-v9.fr-en.$1" | counted 183251 "news-commentary-v9.fr-en.$1"
  member "$data/training-giga-fren.tar" "giga-fren.release2.fixed.$1.gz" | counted 22520376 "giga-fren.release2.fixed.$1"
}
# fitting SIDE: prints side 1 or 2 of the pairs that pass the length filter.
fitting() {
  awk -v side="$1" '{
    one = $0; words = NF
    getline < "all.fr"
    if (words > 0 && NF > 0 && words <= 175 && NF <= 175 && words <= 1.5 * NF && NF <= 1.5 * words) print (side == 1 ? one : $0)
  }' all.en
}
newstest2013() { member "$data/dev.tgz" "dev/newstest2013.$1" | counted 3000 "newstest2013.$1"; }
newstest2014() { member "$data/test-full.tgz" "test-full/newstest2014-fren-$1.sgm" | segments | counted 3003 "newstest2014-fren-$1"; }
for side in en fr; do
  once all.$side corpus $side
  once valid.$side newstest2013 $side
done
same_lines all.en all.fr
once train.en fitting 1
once train.fr fitting 2
once test.en newstest2014 src.en
once test.fr newstest2014 ref.fr
for part in train valid test; do same_lines $part.en $part.fr; done

step 'Learning one vocabulary of word pieces for both languages'
once vocabulary build-vocab --type wordpiece --size $vocabulary_size train.en train.fr

step 'Tokenizing'
for part in train valid; do
  for side in en fr; do once $part.tokens.$side pieces vocabulary $part.$side; done
done

step "Training, and averaging the last $averaged checkpoints"
learn "${operands[0]}" $averaged --vocabulary vocabulary --source train.tokens.en --target train.tokens.fr \
  --valid-source valid.tokens.en --valid-target valid.tokens.fr --valid-every 5000 "${training[@]}" "$@"

step 'Translating newstest2014'
translated "${operands[0]}.safetensors" "${search[@]}" < test.en > hypotheses.fr

step 'BLEU as in the paper and as in sacreBLEU'
moses fr < test.fr > test.words.fr
moses fr < hypotheses.fr | score --force -m multi-bleu test.words.fr
score test.fr < hypotheses.fr
