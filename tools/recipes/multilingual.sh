#!/bin/bash
# One model for several target languages (Johnson et al., 2017): a tag at the front of each source line names the language to
# translate into, here for the captions of Multi30k.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/setup.sh"
. "$recipes/pipeline.sh"

usage() {
  cat << 'END'
Usage: multilingual.sh [OPTION]... DATA_DIR [-- TRAIN-OPTION...]

DATA_DIR holds train, val and test_2016_flickr, each with a suffix for each
language, such as .en, .de, .fr and .cs, as text or with .gz: data/task1/raw of
https://github.com/multi30k/dataset.  A source line becomes one training pair
per target language, and BLEU is printed for each of them.

  --source LANG   the source language (default: en)
  --targets LIST  target languages, comma-separated (default: those of de, fr
                  and cs that DATA_DIR has)
  --vocabulary N  ids of the vocabulary that all languages share (default: 5000)
  --minutes N     stop training after N minutes (default: 120)
END
  common_usage
}

# A small model for short sentences.
training=(--preset small --layers 2 --d-ff 512 --dropout 0.1 --batch-tokens 1500 --learning-rate 0.0015 --warmup 400
  --max-steps 40000 --valid-every 660 --save-every 110 --keep 5)
averaged=5

source=en targets='' size=5000 minutes=120
while [ $# -gt 0 ]; do
  case $1 in
    --source) need_value "$@"; source=$2; shift 2 ;;
    --targets) need_value "$@"; targets=$2; shift 2 ;;
    --vocabulary) need_value "$@"; size=$2; shift 2 ;;
    --minutes) need_value "$@"; minutes=$2; shift 2 ;;
    --) shift; break ;;
    *) common_option "$@"; shift $taken ;;
  esac
done
need_operands 1
data=$(directory "${operands[0]}")

# exists NAME: whether the data set has this file, compressed or not.
exists() { [ -e "$data/$1" ] || [ -e "$data/$1.gz" ]; }
if [ -z "$targets" ]; then
  for language in de fr cs; do
    if [ "$language" != "$source" ] && exists "train.$language"; then targets+=${targets:+,}$language; fi
  done
fi
IFS=, read -r -a languages <<< "$targets"
[ ${#languages[@]} -gt 0 ] || { echo "multilingual.sh: $data: no train file of de, fr or cs" >&2; exit 1; }
for part in train val test_2016_flickr; do
  for language in "$source" "${languages[@]}"; do
    exists "$part.$language" || { echo "multilingual.sh: $data: no $part.$language" >&2; exit 1; }
  done
done
begin multilingual "$data, $source to $targets, vocabulary $size"

step 'Reading the data'
for part in train val test_2016_flickr; do
  for language in "$source" "${languages[@]}"; do
    once "$part.$language" raw "$data/$part.$language"
    same_lines "$part.$source" "$part.$language"
  done
done

# The tags are control symbols: no text can contain one by accident, and a tag in a translation is not printed.
step 'Learning one vocabulary for all languages'
tags=$(printf ',<2%s>' "${languages[@]}")
once vocabulary build-vocab --size "$size" --control-symbols "${tags#,}" "train.$source" "${languages[@]/#/train.}"

# tagged LANGUAGE FILE: its token lines, each with the tag of the target language in front.
tagged() { pieces vocabulary "$2" | sed "s/^/<2$1> /"; }
# all_sources PART, all_targets PART: the token lines of one side for each target language, one after the other.
all_sources() { local language; for language in "${languages[@]}"; do tagged "$language" "$1.$source"; done; }
all_targets() { local language; for language in "${languages[@]}"; do pieces vocabulary "$1.$language"; done; }

step 'Tokenizing'
for part in train val; do
  once "$part.tokens.source" all_sources $part
  once "$part.tokens.target" all_targets $part
  same_lines $part.tokens.source $part.tokens.target
done

step "Training, for $minutes minutes at most"
learn run $averaged --vocabulary vocabulary --source train.tokens.source --target train.tokens.target \
  --valid-source val.tokens.source --valid-target val.tokens.target --time-limit "$minutes" "${training[@]}" "$@"

step 'BLEU'
for language in "${languages[@]}"; do
  tagged "$language" "test_2016_flickr.$source" | translate -m run.safetensors |
    tokenize -m run.safetensors --decode > "hypotheses.$language"
  printf '%s ' "$language"
  score "test_2016_flickr.$language" < "hypotheses.$language"
done
