#!/bin/bash
# Writes a picture of a terminal with the pipeline, an SVG: runs the commands below with the model of the quickstart.
#
#   tests/bench/terminal.sh [DIRECTORY] > man/terminal.svg      DIRECTORY of quickstart.sh, default: run/quickstart
set -euo pipefail
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
PATH=${AWEND_BIN:-$here/../../build/bin}:$PATH
cd "${1:-$here/../../run/quickstart}"
commands=(
  'head -n 3 test.en'
  'head -n 1 test.en | tokenize -m model.safetensors'
  'tokenize -m model.safetensors < test.en | translate -m model.safetensors |\
    tokenize -m model.safetensors --decode > hypotheses.de'
  'head -n 3 hypotheses.de'
  'score -m bleu,chrf test.de < hypotheses.de | fold -s -w 88'
  'translate --raw --alignment-words -m model.safetensors <<< "Friday, 3 May" --alignment'
)
for command in "${commands[@]}"; do
  printf '$ %s\n' "$command"
  bash -c "$command"
done | awk -f "$here/terminal.awk"
