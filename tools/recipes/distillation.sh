#!/bin/bash
# Distillation of sequences (Kim and Rush 2016): a model translates the source side of its corpus, and a smaller one learns from
# these translations, which are more regular than those of humans.
set -euo pipefail
. "$(dirname "$0")/setup.sh"
. "$(dirname "$0")/pipeline.sh"

usage() {
  cat << 'END'
Usage: distillation.sh [OPTION]... RUN_DIR TEACHER [-- TRAIN-OPTION...]

RUN_DIR is the folder that wmt14-en-de.sh, wmt14-en-fr.sh or quickstart.sh worked in: its vocabulary, pairs and test are used, and
TEACHER is a checkpoint of that vocabulary, say the big.safetensors or model.safetensors there.  The student has the preset base.

For WMT 2014, English to German, whose addresses wmt14-en-de.sh --help tells: translating 4.5 million lines by a big teacher costs
1.7e17 FLOP by our count, training a base student 9.4e17.  The paper has no such line.  Between base and big there, 27.3 and 28.4
BLEU, is where the student is to be expected.

  --source LANG   the source language, as the files of RUN_DIR are named (default: en)
  --target LANG   the target language (default: de)
  --text FILE     lines in the source language, which the teacher translates too; may be compressed
  --compare       train the student on the true translations as well

It is the diversity of human translations that the teacher takes away.  Where they have none, as in the quickstart's corpus, the
student learns more from the truth, unless there is --text.
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
run=$(folder "${operands[0]}")
teacher=$(file "${operands[1]}")
begin distillation
once vocabulary cat "$run/vocabulary"

step 'Translating the corpus by the teacher'
once "taught.tokens.$target" translate -m "$teacher" "${search[@]}" "$run/train.tokens.$source"
same_lines "$run/train.tokens.$source" "taught.tokens.$target"
if [ -n "$text" ]; then
  once "more.tokens.$source" pieces vocabulary "$text"
  once "more.tokens.$target" translate -m "$teacher" "${search[@]}" "more.tokens.$source"
fi

# student NAME SOURCES TARGETS [TRAIN-OPTION...]: validation compares with true translations, whatever it learns from.
student() {
  learn "$1" $averaged --vocabulary vocabulary --source "$2" --target "$3" --valid-source "$run/valid.tokens.$source" \
    --valid-target "$run/valid.tokens.$target" "${training[@]}" "${@:4}"
}
step 'Training the student'
student student "$run/train.tokens.$source${text:+,more.tokens.$source}" "taught.tokens.$target${text:+,more.tokens.$target}" "$@"
if [ $compare = yes ]; then
  step 'Training it without the teacher'
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
