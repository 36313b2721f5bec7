# shellcheck shell=bash
# What the recipes of WMT 2014 share, which source this file after pipeline.sh and define what differs: `big`, options of train for that
# preset, and corpus SIDE, which prints the pairs of the corpora.  Test: tests/cli/recipes.sh.

search=(--beam-size 4 --alpha 0.6 --max-length-ratio 1 --max-length-extra 50)
sizes=published prefixes=''

# wmt14_usage METRIC
wmt14_usage() {
  cat << END
The paper's FLOP are the peak capacity of its GPUs over the training time (8
P100 at 9.5 TFLOPS for 12 hours or 3.5 days).  Our estimate is the cost of the
model, 6 x weights x tokens.  An update has 25000 tokens on each side and is
split into passes if memory requires.

  --any-size      accept archives whose number of lines differs from the
                  published one
  --prefixes DIR  directory of Moses' nonbreaking_prefixes, for the tokenization
                  of $1
END
  common_usage
}

# start LANGUAGE ARGUMENT...: parses the arguments of a recipe to `preset`, `data`, `training` and `averaged`.  The paper averages
# checkpoints written every ten minutes: 1500 updates of 0.4 s for base, 600 of 1.0 s for big.
start() {
  local name=${0##*/}
  language=$1
  shift
  while [ $# -gt 0 ]; do
    case $1 in
      --any-size) sizes=any; shift ;;
      --prefixes) need_value "$@"; prefixes=$(directory "$2"); shift 2 ;;
      --) shift; break ;;
      *) common_option "$@"; shift $taken ;;
    esac
  done
  need_operands 2
  preset=${operands[0]}
  case $preset in
    base) averaged=5 training=(--preset base --save-every 1500 --keep 5 "$@") ;;
    big) averaged=20 training=(--preset big "${big[@]}" --save-every 600 --keep 20 "$@") ;;
    *) echo "$name: '$preset' must be base or big" >&2; exit 2 ;;
  esac
  mkdir -p "${operands[1]}"
  data=$(directory "${operands[1]}")
  begin "${name%.sh}" "$data"
}

newstest2013() { member "$data/dev.tgz" "dev/newstest2013.$1" | counted 3000 "newstest2013.$1"; }
newstest2014() {
  local name=newstest2014-${language}en-$1
  member "$data/test-full.tgz" "test-full/$name.sgm" | segments | counted 3003 "$name"
}

# validation_and_test: unpacks the sets that both recipes have.
validation_and_test() {
  local side
  for side in en "$language"; do once valid.$side newstest2013 $side; done
  once test.en newstest2014 src.en
  once "test.$language" newstest2014 "ref.$language"
}

# train_and_score METRIC: all steps after the vocabulary.
train_and_score() {
  local part side
  step 'Tokenizing'
  for part in train valid; do
    for side in en "$language"; do once $part.tokens.$side pieces vocabulary $part.$side; done
  done

  step "Training, and averaging the last $averaged checkpoints"
  learn "$preset" $averaged --vocabulary vocabulary --source train.tokens.en --target "train.tokens.$language" \
    --valid-source valid.tokens.en --valid-target "valid.tokens.$language" --valid-every 5000 "${training[@]}"

  step 'Translating newstest2014'
  translated "$preset.safetensors" "${search[@]}" < test.en > "hypotheses.$language"

  step 'BLEU as in the paper and as in sacreBLEU'
  moses "$language" < "test.$language" > "test.words.$language"
  moses "$language" < "hypotheses.$language" | score --force -m "$1" "test.words.$language"
  score "test.$language" < "hypotheses.$language"
}
