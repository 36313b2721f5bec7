#!/bin/bash
# WMT 2014 English to French, as in the paper: trains on 36 million pairs and scores newstest2014.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/setup.sh"
. "$recipes/pipeline.sh"
. "$recipes/wmt14.sh"

usage() {
  cat << 'END'
Usage: wmt14-en-fr.sh [OPTION]... base|big DATA_DIR [-- TRAIN-OPTION...]

DATA_DIR contains the archives of WMT 2014 (about 6 GB).  Missing archives are
downloaded; newstest2013 is for validation, all of newstest2014 for the test:

  https://www.statmt.org/wmt13/training-parallel-europarl-v7.tgz
  https://www.statmt.org/wmt13/training-parallel-commoncrawl.tgz
  https://www.statmt.org/wmt13/training-parallel-un.tgz
  https://www.statmt.org/wmt14/training-parallel-nc-v9.tgz
  https://www.statmt.org/wmt10/training-giga-fren.tar
  https://data.statmt.org/wmt17/translation-task/dev.tgz   (newstest2013)
  https://www.statmt.org/wmt14/test-full.tgz               (newstest2014)

The five corpora have 40.8 million pairs.  The paper uses 36 million and does
not say which.  This recipe removes pairs with more than 175 words on a side, or
with a length ratio above 1.5, like Gehring et al. (2017), who kept 35.5
million.

        updates  FLOP, estimated  in paper  multi-BLEU
  base  100 000  9.1e17           3.3e18    38.1
  big   300 000  9.4e18           2.3e19    41.8

END
  wmt14_usage multi-BLEU
}

# corpus SIDE: prints one side of the five corpora, concatenated.
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

vocabulary_size=32000 big=(--dropout 0.1)  # less than for German
start fr "$@"

step 'Downloading missing archives'
fetch "$data" https://www.statmt.org/wmt13/training-parallel-{europarl-v7,commoncrawl,un}.tgz \
  https://www.statmt.org/wmt14/{training-parallel-nc-v9,test-full}.tgz https://www.statmt.org/wmt10/training-giga-fren.tar \
  https://data.statmt.org/wmt17/translation-task/dev.tgz

step 'Unpacking'
for side in en fr; do once all.$side corpus $side; done
same_lines all.en all.fr
once train.en fitting 1
once train.fr fitting 2
validation_and_test
for part in train valid test; do same_lines $part.en $part.fr; done

step 'Learning one vocabulary of word pieces for both languages'
once vocabulary build-vocab --type wordpiece --size $vocabulary_size train.en train.fr

train_and_score multi-bleu
