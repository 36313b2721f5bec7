#!/bin/bash
# Writes a picture of a terminal with the pipeline, an SVG: runs the commands below with a model of Multi30k.
#
#   tests/bench/terminal.sh [DIRECTORY] > man/terminal.svg      DIRECTORY of multi30k.sh, default: run/multi30k
set -euo pipefail
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
PATH=${AWEND_BIN:-$here/../../build/bin}:$PATH
cd "${1:-$here/../../run/multi30k}"
commands=(
  'head -n 3 test_2016_flickr.en'
  'head -n 1 test_2016_flickr.en | tokenize -m model.safetensors'
  'tokenize -m model.safetensors < test_2016_flickr.en | translate -m model.safetensors |\
    tokenize -m model.safetensors --decode > hypotheses.de'
  'head -n 3 hypotheses.de'
  'score -m bleu,chrf test_2016_flickr.de < hypotheses.de | fold -s -w 88'
  'translate --raw --alignment --alignment-words -m model.safetensors <<< "A dog is running."'
)
for command in "${commands[@]}"; do
  printf '$ %s\n' "$command"
  bash -c "$command"
done | awk -f "$here/terminal.awk"
