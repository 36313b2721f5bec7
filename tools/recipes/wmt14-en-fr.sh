#!/bin/bash
# WMT 2014, English to French, as the paper trains on it: 36 million pairs, and the BLEU of newstest2014.
set -euo pipefail
. "$(dirname "$0")/setup.sh"
. "$(dirname "$0")/pipeline.sh"

usage() {
  cat << 'END'
Usage: wmt14-en-fr.sh [OPTION]... base|big DATA_DIR [-- TRAIN-OPTION...]

DATA_DIR holds the archives of WMT 2014, some 6 GB; those that it lacks are downloaded:

  http://www.statmt.org/wmt13/training-parallel-europarl-v7.tgz
  http://www.statmt.org/wmt13/training-parallel-commoncrawl.tgz
  http://www.statmt.org/wmt13/training-parallel-un.tgz
  http://www.statmt.org/wmt14/training-parallel-nc-v9.tgz
  http://www.statmt.org/wmt10/training-giga-fren.tar
  http://data.statmt.org/wmt17/translation-task/dev.tgz           newstest2013, to validate with
  http://www.statmt.org/wmt14/test-full.tgz                       newstest2014, all 3003 sentences

        updates  FLOP, our count  FLOP, the paper's  multi-BLEU
  base  100 000  9.1e17           3.3e18             38.1
  big   300 000  9.4e18           2.3e19             41.8

The paper counts what its GPUs could have done in the time: 8 P100 at 9.5 TFLOPS for 12 hours, or for 3.5 days.  Ours counts what
the model needs, 6 x weights x tokens.  An update has 25000 tokens on each side; where a device's memory is too small for that,
-- --batch-tokens 5000 --accumulate 5 is the same in five parts.

The five corpora have 40.8 million pairs.  The paper says 36 million, and not which: here those go that have more than 175 words
on a side, or 1.5 times as many on one side as on the other, after which Gehring et al. (2017) were left with 35.5 million.

  --any-size      go on with archives that have not the published numbers of lines
  --prefixes DIR  Moses' nonbreaking_prefixes, for the words of multi-BLEU
END
  common_usage
}

# What the paper fixes; big drops out less than for German.  It averages checkpoints of ten minutes, which were 1500 updates of
# 0.4 s for base, 600 of 1.0 s for big.
vocabulary_size=32000
search=(--beam-size 4 --alpha 0.6 --max-length-ratio 1 --max-length-extra 50)
settings_of() {
  case $1 in
    base) averaged=5 training=(--preset base --save-every 1500 --keep 5) ;;
    big) averaged=20 training=(--preset big --dropout 0.1 --save-every 600 --keep 20) ;;
    *) echo "wmt14-en-fr.sh: '$1' is neither base nor big" >&2; exit 2 ;;
  esac
}

while [ $# -gt 0 ]; do
  case $1 in
    --) shift; break ;;
    *) common_option "$@"; shift $taken ;;
  esac
done
need_operands 2
settings_of "${operands[0]}"
mkdir -p "${operands[1]}"
data=$(folder "${operands[1]}")
begin wmt14-en-fr

step 'Downloading what is missing'
fetch "$data" http://www.statmt.org/wmt13/training-parallel-{europarl-v7,commoncrawl,un}.tgz \
  http://www.statmt.org/wmt14/{training-parallel-nc-v9,test-full}.tgz http://www.statmt.org/wmt10/training-giga-fren.tar \
  http://data.statmt.org/wmt17/translation-task/dev.tgz

step 'Unpacking'
# corpus LANGUAGE: one side of the five corpora, one behind the other.
corpus() {
  member "$data/training-parallel-europarl-v7.tgz" "training/europarl-v7.fr-en.$1" | counted 2007723 "europarl-v7.fr-en.$1"
  member "$data/training-parallel-commoncrawl.tgz" "commoncrawl.fr-en.$1" | counted 3244152 "commoncrawl.fr-en.$1"
  member "$data/training-parallel-un.tgz" "un/undoc.2000.fr-en.$1" | counted 12886831 "undoc.2000.fr-en.$1"
  member "$data/training-parallel-nc-v9.tgz" "training/news-commentary-v9.fr-en.$1" | counted 183251 "news-commentary-v9.fr-en.$1"
  member "$data/training-giga-fren.tar" "giga-fren.release2.fixed.$1.gz" | counted 22520376 "giga-fren.release2.fixed.$1"
}
# fitting SIDE: 1 or 2, of the pairs that are neither long nor unlike in their lengths.
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

step 'BLEU: of words as the paper'\''s, and sacreBLEU'\''s'
moses fr < test.fr > test.words.fr
moses fr < hypotheses.fr | score --force -m multi-bleu test.words.fr
score test.fr < hypotheses.fr
