#!/bin/bash
# Constituency parsing, section 6.3 of the paper: a sentence is translated into the brackets of its tree, and F1 of section 23 of the
# Wall Street Journal says how well.
set -euo pipefail
. "$(dirname "$0")/setup.sh"
. "$(dirname "$0")/pipeline.sh"

usage() {
  cat << 'END'
Usage: parsing.sh [OPTION]... TREEBANK_DIR [-- TRAIN-OPTION...]

TREEBANK_DIR holds the Wall Street Journal of the Penn Treebank, folders 02 to 23 of .mrg files, at any depth: parsed/mrg/wsj.  It
is sold by the LDC, https://catalog.ldc.upenn.edu/LDC99T42, and no file of it is public.  Sections 02 to 21 are learnt from, 22 is
validated with, 23 is the test.

                                    trees        FLOP, our count  F1 in the paper
  WSJ only                          40 thousand  3.0e17           91.3
  semi-supervised, with --extra     17 million   1.7e18           92.7

The paper gives 4 layers, d_model 1024, vocabularies of 16 and 32 thousand, beam 21, alpha 0.3 and outputs of at most 300 more
tokens than the input, and leaves the rest as in base but for dropout and learning rate, which it chose on section 22 and does not
tell.  Those here, and the number of updates of the first line, are ours, and untried on the Treebank.

  --extra FILE    trees that other parsers have made, in the form of the Treebank; may be compressed by gzip
  --any-size      go on with sections that have not the known numbers of trees
END
  common_usage
}

averaged=5
search=(--beam-size 21 --alpha 0.3 --max-length-ratio 1 --max-length-extra 300)
training=(--preset base --layers 4 --d-model 1024 --valid-every 500 --valid-beam 0 --save-every 500 --keep 5)

extra=''
while [ $# -gt 0 ]; do
  case $1 in
    --extra) need_value "$@"; extra=$(file "$2"); shift 2 ;;
    --) shift; break ;;
    *) common_option "$@"; shift $taken ;;
  esac
done
need_operands 1
treebank=$(folder "${operands[0]}")
if [ -z "$extra" ]; then
  merges=16000 training+=(--dropout 0.3 --attention-dropout 0.1 --max-steps 20000)
else
  merges=32000 training+=(--dropout 0.1)
fi
begin parsing
awks=$recipes/trees

step 'Reading the trees'
# sections FIRST LAST TREES: trees of a line each.
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

step 'Making lines of words, of leaves and of brackets'
for part in $parts; do
  for kind in words brackets; do once "$part.$kind" awk -v kind=$kind -f "$awks/linearise.awk" "$part.trees"; done
done
once test.leaves awk -v kind=leaves -f "$awks/linearise.awk" test.trees
head -n 1 train.words train.brackets

step 'Learning one vocabulary for words and brackets'
learnt_from=(train.words train.brackets)
[ -z "$extra" ] || learnt_from+=(extra.words extra.brackets)
# The words of the Treebank stand between spaces already, which subword-nmt's codes leave as they are.
once codes build-vocab --format subword-nmt --size $merges "${learnt_from[@]}"
once vocabulary build-vocab --import-codes codes "${learnt_from[@]}"

step 'Tokenizing'
for part in ${parts/test/}; do
  for kind in words brackets; do once "$part.tokens.$kind" pieces vocabulary "$part.$kind"; done
done

step "Training, and averaging the last $averaged checkpoints"
learn parser $averaged --vocabulary vocabulary --source "train.tokens.words${extra:+,extra.tokens.words}" \
  --target "train.tokens.brackets${extra:+,extra.tokens.brackets}" --valid-source valid.tokens.words \
  --valid-target valid.tokens.brackets "${training[@]}" "$@"

step 'Parsing the test'
# The leaves lend the trees their tags, by which evalb leaves punctuation out; a tag does not count for F1.
translated parser.safetensors "${search[@]}" < test.words > hypotheses.brackets
awk -v leaves=test.leaves -f "$awks/delinearise.awk" hypotheses.brackets > hypotheses.trees

step 'F1 of brackets'
score -m brackets test.trees < hypotheses.trees
