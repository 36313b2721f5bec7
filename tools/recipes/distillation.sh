#!/bin/bash
# Sequence-level knowledge distillation (Kim and Rush 2016): a teacher translates the source side of its training corpus, and a
# smaller student is trained on these translations, which are more regular than human translations.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/setup.sh"
. "$recipes/pipeline.sh"

usage() {
  cat << 'END'
Usage: distillation.sh [OPTION]... RUN_DIR TEACHER [-- TRAIN-OPTION...]

RUN_DIR is the working directory of wmt14-en-de.sh, wmt14-en-fr.sh or
quickstart.sh; its vocabulary, corpus and test set are used.  TEACHER is a
checkpoint with that vocabulary, such as big.safetensors or model.safetensors in
RUN_DIR.  The student uses the preset base.

For WMT 2014 English to German (see wmt14-en-de.sh --help), translating 4.5
million lines with a big teacher costs an estimated 1.7e17 FLOP, and training a
base student 9.4e17.  The paper does not report distillation.  The expected BLEU
of the student is between those of base (27.3) and big (28.4).

  --source LANG   source language, the suffix of the files in RUN_DIR
                  (default: en)
  --target LANG   target language (default: de)
  --text FILE     additional source text for the teacher to translate; may be
                  compressed
  --compare       also train a student on the original translations

Distillation reduces the diversity of human translations.  Generated
translations, as in the quickstart's corpus, have no such diversity; there the
student is better without a teacher, unless --text is given.
END
  common_usage
}

training=(--preset base --valid-every 5000 --save-every 1500 --keep 5)
averaged=5
search=(--beam-size 4 --alpha 0.6)

source=en target=de text='' compare=no
while [ $# -gt 0 ]; do
  case $1 in
    --source) need_value "$@"; source=$2; shift 2 ;;
    --target) need_value "$@"; target=$2; shift 2 ;;
    --text) need_value "$@"; text=$(file "$2"); shift 2 ;;
    --compare) compare=yes; shift ;;
    --) shift; break ;;
    *) common_option "$@"; shift $taken ;;
  esac
done
need_operands 2
run=$(directory "${operands[0]}")
teacher=$(file "${operands[1]}")
begin distillation "$run, $teacher, ${text:-no other text}, $source to $target"
once vocabulary cat "$run/vocabulary"

step 'Translating the corpus with the teacher'
once "taught.tokens.$target" translate -m "$teacher" "${search[@]}" "$run/train.tokens.$source"
same_lines "$run/train.tokens.$source" "taught.tokens.$target"
if [ -n "$text" ]; then
  once "more.tokens.$source" pieces vocabulary "$text"
  once "more.tokens.$target" translate -m "$teacher" "${search[@]}" "more.tokens.$source"
fi

# student NAME SOURCES TARGETS [TRAIN-OPTION...]: trains a student; validation always uses the original translations.
student() {
  learn "$1" $averaged --vocabulary vocabulary --source "$2" --target "$3" --valid-source "$run/valid.tokens.$source" \
    --valid-target "$run/valid.tokens.$target" "${training[@]}" "${@:4}"
}
step 'Training the student'
student student "$run/train.tokens.$source${text:+,more.tokens.$source}" "taught.tokens.$target${text:+,more.tokens.$target}" "$@"
if [ $compare = yes ]; then
  step 'Training a student without the teacher'
  student untaught "$run/train.tokens.$source" "$run/train.tokens.$target" "$@"
fi

step 'BLEU'
once teacher.safetensors cat "$teacher"
for model in teacher untaught student; do
  [ -e $model.safetensors ] || continue
  translated $model.safetensors "${search[@]}" < "$run/test.$source" > "$model.$target"
  printf '%s ' $model
  score "$run/test.$target" < "$model.$target"
done
