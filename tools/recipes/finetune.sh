#!/bin/bash
# Fine-tunes a translation model, such as a converted one, on parallel text, and compares its translations of held-out lines before and
# after.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/setup.sh"
. "$recipes/pipeline.sh"

usage() {
  cat << 'END'
Usage: finetune.sh [OPTION]... MODEL SOURCE TARGET [-- TRAIN-OPTION...]

MODEL is a checkpoint of train, average or convert-model.  SOURCE and TARGET are
raw text with the same number of lines.  The last lines are held out: half of
them for validation, which selects the checkpoint, and half for the test.
Training pairs whose source is a held-out line are left out.  The vocabulary of
the model is kept, so text that it cannot represent remains unknown.

  --vocabulary FILE  vocabulary that splits text, required if the model has only
                     a list of tokens, as in CTranslate2 (default: the model)
  --source-language CODE, --target-language CODE
                     languages of the text, for a multilingual model
  --held-out N       number of held-out lines, from 2 to half of the text
                     (default: 1000)
  --minutes M        training time; a second run trains further (default: 10)
  --work DIR         working directory for all files (default: run/finetune)
  --no-install       do not install missing packages
  --help             print this text
END
  usage_end
}

# A small rate, so that the model keeps what it has learned.
training=(--learning-rate 0.0003 --warmup 50 --batch-tokens 2000 --valid-every 100 --save-every 100
  --keep 1)

vocabulary='' source_language=() target_language=() held_out=1000 minutes=10
while [ $# -gt 0 ]; do
  case $1 in
    --vocabulary) need_value "$@"; vocabulary=$(realpath "$2"); shift 2 ;;
    --source-language) need_value "$@"; source_language=("$1" "$2"); shift 2 ;;
    --target-language) need_value "$@"; target_language=("$1" "$2"); shift 2 ;;
    --held-out) need_value "$@"; held_out=$2; shift 2 ;;
    --minutes) need_value "$@"; minutes=$2; shift 2 ;;
    --) shift; break ;;
    *) common_option "$@"; shift $taken ;;
  esac
done
need_operands 3
need_number --held-out "$held_out" 2
[ -e "${operands[0]}" ] || { echo "finetune.sh: ${operands[0]}: no such file" >&2; exit 1; }
for path in "${operands[@]:1}"; do file "$path" > /dev/null; done  # it is read several times
model=$(realpath "${operands[0]}") source=$(realpath "${operands[1]}") target=$(realpath "${operands[2]}")
for path in "$source" "$target"; do
  ! gzip -t "$path" 2> /dev/null || { echo "finetune.sh: $path: SOURCE and TARGET must not be compressed" >&2; exit 1; }
done
lines=$(awk 'END { print NR }' "$source")
[ "$lines" -eq "$(awk 'END { print NR }' "$target")" ] || { echo 'finetune.sh: SOURCE and TARGET differ in their number of lines' >&2; exit 1; }
[ $((2 * held_out)) -le "$lines" ] || { echo "finetune.sh: $lines lines are too few to hold out $held_out" >&2; exit 1; }
begin finetune "$model, $source, $target, ${vocabulary:-its vocabulary}, ${source_language[*]} ${target_language[*]} $held_out held out"
for path in "$model" "$source" "$target" "$vocabulary"; do
  case $path/ in "$(pwd -P)"/*) echo "finetune.sh: $path could be overwritten; use another --work" >&2; exit 1 ;; esac
done

step "Splitting $lines lines, $held_out held out"
half=$((held_out / 2))
for side in source target; do
  tail -n $half "${!side}" > test.$side
  tail -n "$held_out" "${!side}" | head -n $((held_out - half)) > valid.$side
done
head -n -"$held_out" "$source" | awk 'FILENAME != "-" { held[$0]; next } !($0 in held) { print FNR }' valid.source test.source - > train.numbers
for side in source target; do
  awk 'FILENAME != "-" { kept[$1]; next } FNR in kept' train.numbers - < <(head -n -"$held_out" "${!side}") > train.$side
done
echo "$(wc -l < train.numbers) pairs for training"

# split SIDE < TEXT: tokens.  Only a model has a vocabulary for each side.
split() {
  local -n language=$1_language
  if [ -n "$vocabulary" ]; then tokenize -m "$vocabulary" "${language[@]}"; else tokenize -m "$model" --side "$1" "${language[@]}"; fi
}

step 'Tokenizing with the vocabulary of the model'
for part in train valid; do
  for side in source target; do split $side < $part.$side > $part.tokens.$side; done
done

# translated MODEL: the test lines in the target language.
translated() { split source < test.source | translate -m "$1" "${target_language[@]}" | tokenize -m "${vocabulary:-$model}" --decode; }

step 'Translating the test lines with the model as it is'
translated "$model" > before

step "Fine-tuning for $minutes minutes"
train -v -m "$model" --init-from "$model" -s train.tokens.source -t train.tokens.target --valid-source valid.tokens.source \
  --valid-target valid.tokens.target -o checkpoints "${training[@]}" --time-limit "$minutes" "$@"

step 'Translating the test lines with the best checkpoint'
[ -e checkpoints/best.safetensors ] || echo 'no validation in this time; the last checkpoint instead'
translated checkpoints > after

step 'BLEU'
for which in before after; do
  result=$(score -q test.target < $which)
  printf '%s\t%s\n' $which "$result"
done | tee table.txt
