#!/bin/bash
# Back-translation (Sennrich et al. 2016): a model for the reverse direction translates monolingual text in the target language into
# the source language.  The final model is trained on the parallel corpus and on these synthetic pairs.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/setup.sh"
. "$recipes/pipeline.sh"

usage() {
  cat << 'END'
Usage: back-translation.sh [OPTION]... RUN_DIR TEXT [-- TRAIN-OPTION...]

RUN_DIR is the working directory of wmt14-en-de.sh, wmt14-en-fr.sh or
quickstart.sh; its vocabulary, corpus and test set are used.  TEXT is
monolingual text in the target language, one sentence per line; it may be
compressed.  For WMT 2014, English to German:

  https://data.statmt.org/news-crawl/de/news.2013.de.shuffled.deduped.gz

With base and --lines 10000000, the two training runs cost an estimated 1.9e18
FLOP and the translation of TEXT 1.2e17.  Published results for newstest2014 are
28.0 to 28.5 with 10 million lines (sacreBLEU; Marian's examples, four models of
base size), and 35.0 with 226 million lines and a big model (BLEU as in the
paper; Edunov et al. 2018).  The latter is partly due to sampling instead of
beam search; this recipe uses beam search.

  --source LANG   source language, the suffix of the files in RUN_DIR
                  (default: en)
  --target LANG   target language (default: de)
  --lines N       use the first N lines of TEXT (default: all)
  --weights R,S   sampling weights of parallel and synthetic pairs
                  (default: 2,1)
  --compare       also train a model on the parallel corpus only
END
  common_usage
}

training=(--preset base --valid-every 5000 --save-every 1500 --keep 5)
averaged=5
search=(--beam-size 4 --alpha 0.6)

source=en target=de lines=0 weights=2,1 compare=no
while [ $# -gt 0 ]; do
  case $1 in
    --source) need_value "$@"; source=$2; shift 2 ;;
    --target) need_value "$@"; target=$2; shift 2 ;;
    --lines) need_value "$@"; lines=$2; shift 2 ;;
    --weights) need_value "$@"; weights=$2; shift 2 ;;
    --compare) compare=yes; shift ;;
    --) shift; break ;;
    *) common_option "$@"; shift $taken ;;
  esac
done
need_operands 2
[ "$lines" = 0 ] || need_number --lines "$lines" 1
[[ $weights =~ ^[0-9.]+,[0-9.]+$ ]] || { echo "back-translation.sh: --weights must be two numbers with a comma, but is '$weights'" >&2; exit 2; }
run=$(directory "${operands[0]}")
text=$(file "${operands[1]}")
begin back-translation "$run, $text, $source to $target, lines $lines"
once vocabulary cat "$run/vocabulary"

step "Training from $target to $source"
learn reverse $averaged --vocabulary vocabulary --source "$run/train.tokens.$target" --target "$run/train.tokens.$source" \
  --valid-source "$run/valid.tokens.$target" --valid-target "$run/valid.tokens.$source" "${training[@]}" "$@"

step 'Translating the text back'
first_lines() { tokenize -m vocabulary "$text" | awk -v lines="$lines" 'lines == 0 || NR <= lines'; }
once "mono.tokens.$target" first_lines
once "mono.tokens.$source" translate -m reverse.safetensors "${search[@]}" "mono.tokens.$target"
same_lines "mono.tokens.$source" "mono.tokens.$target"

# forward NAME SOURCES TARGETS [TRAIN-OPTION...]: trains a model for the forward direction.
forward() {
  learn "$1" $averaged --vocabulary vocabulary --source "$2" --target "$3" --valid-source "$run/valid.tokens.$source" \
    --valid-target "$run/valid.tokens.$target" "${training[@]}" "${@:4}"
}
step "Training from $source to $target"
forward augmented "$run/train.tokens.$source,mono.tokens.$source" "$run/train.tokens.$target,mono.tokens.$target" \
  --weights "$weights" "$@"
if [ $compare = yes ]; then
  step 'Training without the synthetic pairs'
  forward plain "$run/train.tokens.$source" "$run/train.tokens.$target" "$@"
fi

step 'BLEU'
for model in plain augmented; do
  [ -e $model.safetensors ] || continue
  translated $model.safetensors "${search[@]}" < "$run/test.$source" > "$model.$target"
  printf '%s ' $model
  score "$run/test.$target" < "$model.$target"
done
