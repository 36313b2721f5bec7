#!/bin/bash
# WMT 2014 English to German, as in the paper: trains on 4.5 million pairs and scores newstest2014.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/setup.sh"
. "$recipes/pipeline.sh"
. "$recipes/wmt14.sh"

usage() {
  cat << 'END'
Usage: wmt14-en-de.sh [OPTION]... base|big DATA_DIR [-- TRAIN-OPTION...]

DATA_DIR contains the archives of WMT 2014 (about 1.6 GB).  Missing archives are
downloaded; newstest2013 is for validation, all of newstest2014 for the test:

  https://www.statmt.org/wmt13/training-parallel-europarl-v7.tgz
  https://www.statmt.org/wmt13/training-parallel-commoncrawl.tgz
  https://www.statmt.org/wmt14/training-parallel-nc-v9.tgz
  https://data.statmt.org/wmt17/translation-task/dev.tgz   (newstest2013)
  https://www.statmt.org/wmt14/test-full.tgz               (newstest2014)

        updates  FLOP, estimated  in paper  paper-BLEU  sacreBLEU, by others
  base  100 000  9.4e17           3.3e18    27.3        26.7 to 27.5
  big   300 000  9.6e18           2.3e19    28.4        27.7 to 28.6

END
  wmt14_usage paper-BLEU
}

# corpus SIDE: prints one side of the three corpora, concatenated.
corpus() {
  member "$data/training-parallel-europarl-v7.tgz" "training/europarl-v7.de-en.$1" | counted 1920209 "europarl-v7.de-en.$1"
  member "$data/training-parallel-commoncrawl.tgz" "commoncrawl.de-en.$1" | counted 2399123 "commoncrawl.de-en.$1"
  member "$data/training-parallel-nc-v9.tgz" "training/news-commentary-v9.de-en.$1" | counted 201288 "news-commentary-v9.de-en.$1"
}

vocabulary_size=37000 big=()
start de "$@"

step 'Downloading missing archives'
fetch "$data" https://www.statmt.org/wmt13/training-parallel-{europarl-v7,commoncrawl}.tgz \
  https://www.statmt.org/wmt14/{training-parallel-nc-v9,test-full}.tgz https://data.statmt.org/wmt17/translation-task/dev.tgz

step 'Unpacking'
for side in en de; do once train.$side corpus $side; done
validation_and_test
for part in train valid test; do same_lines $part.en $part.de; done

step 'Learning one vocabulary for both languages'
once vocabulary build-vocab --size $vocabulary_size train.en train.de

train_and_score paper-bleu
