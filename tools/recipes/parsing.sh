#!/bin/bash
# Constituency parsing (section 6.3 of the paper): translates sentences into bracketed trees, evaluated by bracket F1 on section 23 of
# the Wall Street Journal.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/setup.sh"
. "$recipes/pipeline.sh"

usage() {
  cat << 'END'
Usage: parsing.sh [OPTION]... TREEBANK_DIR [-- TRAIN-OPTION...]

TREEBANK_DIR contains the Wall Street Journal sections of the Penn Treebank:
directories 02 to 23 with .mrg files, at any depth (parsed/mrg/wsj).  The
treebank is not public; it is sold by the LDC,
https://catalog.ldc.upenn.edu/LDC99T42.  Sections 02 to 21 are used for
training, section 22 for validation, and section 23 for testing.

                                 trees        FLOP, estimated  F1 in the paper
  WSJ only                       40 thousand  3.0e17           91.3
  semi-supervised, with --extra  17 million   1.7e18           92.7

From the paper: 4 layers, d_model 1024, vocabularies of 16 and 32 thousand, beam
size 21, alpha 0.3, and outputs of at most the input length plus 300 tokens.
Outputs are also not shorter, relative to the input, than all trees of the
training.  Its other settings are those of base, except for dropout and learning
rate, which were tuned on section 22 and not published.  This recipe chooses its
own values for these, and for the number of updates with WSJ only; they have not
been tested on the whole treebank.  On the sample that NLTK has, a twelfth of
it, a small model reached F1 18 after 17 minutes on two processors.

  --extra FILE    additional trees in treebank format, such as parser output;
                  may be compressed with gzip
  --any-size      accept sections whose number of trees differs from the
                  published one
  --merges N      size of the vocabulary in merges (default: 16000, with --extra
                  32000), for a treebank of another size
END
  common_usage
}

averaged=5
# The scores of long outputs are lower.  With a wide beam and this alpha, a model that has not learned enough prefers an empty output, so
# outputs have at least as many tokens for each input token as all trees of the training have.
search=(--beam-size 21 --alpha 0.3 --max-length-ratio 1 --max-length-extra 300)
min_ratio() {
  paste train.tokens.words train.tokens.brackets | awk -F '\t' '
    { ratio = split($2, tokens, " ") / split($1, tokens, " "); if (NR == 1 || ratio < min) min = ratio }
    END { printf "%.2f\n", int(100 * min) / 100 }'
}
training=(--preset base --layers 4 --d-model 1024 --valid-every 500 --valid-beam 0 --save-every 500 --keep 5)

sizes=published extra='' merges=''
while [ $# -gt 0 ]; do
  case $1 in
    --any-size) sizes=any; shift ;;
    --extra) need_value "$@"; extra=$(file "$2"); shift 2 ;;
    --merges) need_value "$@"; merges=$2; shift 2 ;;
    --) shift; break ;;
    *) common_option "$@"; shift $taken ;;
  esac
done
need_operands 1
treebank=$(directory "${operands[0]}")
if [ -z "$extra" ]; then
  merges=${merges:-16000} training+=(--dropout 0.3 --attention-dropout 0.1 --max-steps 20000)
else
  merges=${merges:-32000} training+=(--dropout 0.1)
fi
begin parsing "$treebank, ${extra:-no other trees}, merges $merges"
awks=$recipes/trees

step 'Reading the trees'
# sections FIRST LAST TREES: prints the trees of a range of sections, one per line.
sections() {
  local section
  (
    cd "$treebank"
    for section in $(seq -f %02.0f "$1" "$2"); do find -L . -path "*/$section/*.mrg" -print0; done | sort -z |
      xargs -0r awk -f "$awks/treebank.awk" | counted "$3" "sections $1 to $2"
  )
}
more_trees() { gzip -dcf "$extra" | awk -f "$awks/treebank.awk"; }
once train.trees sections 2 21 39832
once valid.trees sections 22 22 1700
once test.trees sections 23 23 2416
parts='train valid test'
if [ -n "$extra" ]; then
  once extra.trees more_trees
  parts+=' extra'
fi
wc -l ./*.trees

step 'Extracting words, leaves and brackets'
for part in $parts; do
  for kind in words brackets; do once "$part.$kind" awk -v kind=$kind -f "$awks/linearize.awk" "$part.trees"; done
done
once test.leaves awk -v kind=leaves -f "$awks/linearize.awk" test.trees
head -n 1 train.words train.brackets

step 'Learning one vocabulary for words and brackets'
learned_from=(train.words train.brackets)
[ -z "$extra" ] || learned_from+=(extra.words extra.brackets)
# The text of the treebank is already tokenized; subword-nmt codes split words only at spaces.
once codes build-vocab --format subword-nmt --size "$merges" "${learned_from[@]}"
once vocabulary build-vocab --import-codes codes "${learned_from[@]}"

step 'Tokenizing'
for part in ${parts/test/}; do
  for kind in words brackets; do once "$part.tokens.$kind" pieces vocabulary "$part.$kind"; done
done

step "Training, and averaging the last $averaged checkpoints"
learn parser $averaged --vocabulary vocabulary --source "train.tokens.words${extra:+,extra.tokens.words}" \
  --target "train.tokens.brackets${extra:+,extra.tokens.brackets}" --valid-source valid.tokens.words \
  --valid-target valid.tokens.brackets "${training[@]}" "$@"

step 'Parsing the test set'
once min_ratio min_ratio
search+=(--min-length-ratio "$(cat min_ratio)")
# The leaves provide the part-of-speech tags, by which evalb ignores punctuation; tags do not count for F1.
translated parser.safetensors "${search[@]}" < test.words > hypotheses.brackets
awk -v leaves=test.leaves -f "$awks/delinearize.awk" hypotheses.brackets > hypotheses.trees

step 'Bracket F1'
score -m brackets test.trees < hypotheses.trees
