#!/bin/bash
# A small fast model from parallel text: a teacher translates the source, and a student with a light decoder learns these translations and
# their word alignment.  It is written with eight bits and a lexical shortlist, and for Marian and Firefox.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/setup.sh"
. "$recipes/pipeline.sh"

usage() {
  cat << 'END'
Usage: student.sh [OPTION]... TRAIN VALID TEST [-- TRAIN-OPTION...]

TRAIN, VALID and TEST are beginnings of file names: with a point and a language
they are a text and its translation, such as multi30k/train.en and
multi30k/train.de, which may be compressed (.gz).

The steps are those of the students of Marian and Firefox (Kim et al. 2019):
  1. One vocabulary, a SentencePiece model.
  2. A teacher is trained, or given.
  3. It translates the source of TRAIN; of the N best translations, the student
     learns the one with the best chrF.
  4. The pairs are aligned, for guided alignment and for the lexical shortlist.
  5. A student is trained: 6 layers that read and 2 that write, with SSRUs; a
     few more updates adapt a copy of it to 8-bit products.
  6. Its files: student.safetensors with fp32, small.safetensors with 8 bits,
     both with the shortlist, and the directories marian and firefox with 8
     bits.

  --source LANG   source language, the suffix of the files (default: en)
  --target LANG   target language (default: de)
  --text FILE     more source text for the teacher to translate; may be
                  compressed
  --teacher FILE  a checkpoint that reads raw text, instead of training a
                  teacher
  --n-best N      number of translations to choose from (default: 8)
  --vocabulary N  number of pieces, a multiple of 8 (default: 5000)
  --tiny          a student with 256 dimensions instead of 512
  --adapt N       number of updates that adapt it to 8-bit products
                  (default: 500)
  --minutes N     stop each training after N minutes (default: no limit)
END
  common_usage
}

source=en target=de text='' teacher='' candidates=8 vocabulary_size=5000 minutes=0 adapting=500
d_model=512 d_ff=2048
while [ $# -gt 0 ]; do
  case $1 in
    --source) need_value "$@"; source=$2; shift 2 ;;
    --target) need_value "$@"; target=$2; shift 2 ;;
    --text) need_value "$@"; text=$(file "$2"); shift 2 ;;
    --teacher) need_value "$@"; teacher=$(file "$2"); shift 2 ;;
    --n-best) need_value "$@"; candidates=$2; shift 2 ;;
    --vocabulary) need_value "$@"; vocabulary_size=$2; shift 2 ;;
    --adapt) need_value "$@"; adapting=$2; shift 2 ;;
    --minutes) need_value "$@"; minutes=$2; shift 2 ;;
    --tiny) d_model=256 d_ff=1536; shift ;;
    --) shift; break ;;
    *) common_option "$@"; shift $taken ;;
  esac
done
need_operands 3
need_number --n-best "$candidates" 1
need_number --adapt "$adapting" 1
[[ $vocabulary_size =~ ^[0-9]+$ ]] && [ $((10#$vocabulary_size % 8)) -eq 0 ] ||
  { echo "student.sh: the number of pieces must be a multiple of 8 for Firefox, not '$vocabulary_size'" >&2; exit 2; }

# corpus PREFIX: the absolute beginning of its files; exits if one does not exist.
corpus() {
  local side name
  for side in "$source" "$target"; do
    if [ -f "$1.$side.gz" ]; then name=$1.$side.gz; else name=$1.$side; fi
    name=$(file "$name") || exit 1
  done
  echo "$(dirname "$name")/${1##*/}"
}
train=$(corpus "${operands[0]}")
valid=$(corpus "${operands[1]}")
test=$(corpus "${operands[2]}")

# Budgets of the teacher and of the student.  With --tiny an update takes 0.75 and 1.35 seconds of a core with AVX-512, 1.2 and 2.2 with AVX2,
# and all steps take 180 or about 280 minutes of a core.
limits=(--time-limit "$minutes" --valid-every 500 --save-every 250 --keep 5)
teaching=(--preset small --d-ff 512 --batch-tokens 2000 --schedule cosine --max-steps 4500 "${limits[@]}")
learning=(--preset base --layers 6 --decoder-layers 2 --d-model $d_model --d-ff $d_ff --heads 8 --d-k $((d_model / 8)) --d-v $((d_model / 8))
  --autoregressive-layer ssru --sinusoid-layout halves-minus-one --batch-tokens 2000 --learning-rate 0.001 --warmup 500 --schedule cosine
  --max-steps 4500 "${limits[@]}")
averaged=5
begin student "$train, $valid, $test, $source to $target, vocabulary $vocabulary_size, ${teacher:-own teacher}, ${text:-no other text}, \
$candidates candidates, d-model $d_model, $adapting updates for eight bits${*:+, $*}"

step 'Reading the texts'
for side in "$source" "$target"; do
  for part in train valid test; do once "$part.$side" raw "${!part}.$side"; done
done
for part in train valid test; do same_lines "$part.$source" "$part.$target"; done

step 'Learning one vocabulary'
# The ids of Marian's SentencePiece models, so that it can read this one.
once vocabulary build-vocab --format sentencepiece --size "$vocabulary_size" --bos-id -1 --eos-id 0 --unk-id 1 "train.$source" "train.$target"
for part in train valid; do
  for side in "$source" "$target"; do once "$part.tokens.$side" pieces vocabulary "$part.$side"; done
done

if [ -n "$teacher" ]; then
  once teacher.safetensors cat "$teacher"
elif [ ! -e teacher.safetensors ]; then
  step 'Training the teacher'
  learn teacher $averaged --vocabulary vocabulary --source "train.tokens.$source" --target "train.tokens.$target" \
    --valid-source "valid.tokens.$source" --valid-target "valid.tokens.$target" "${teaching[@]}"
fi

step "Translating with the teacher, $candidates translations of each line"
taught() { translate --raw -m teacher.safetensors --unknown-tokens off --beam-size "$candidates" "$@"; }
once nbest taught --n-best "$candidates" "train.$source"
# nearest: of the translations of each line, the one with the best chrF.  Chooses by a column of scores.
nearest() {
  # A translation may contain the separator: it is between the first field and the last two.
  awk -v references="train.$target" '
    BEGIN { while ((getline line < references) > 0) reference[n++] = line }
    {
      print reference[$1] > "references.part"
      sub(/^[0-9]+ [|][|][|] /, ""); sub(/ [|][|][|] [^|]* [|][|][|] [^|]*$/, ""); print > "candidates.part"
    }' nbest
  { echo chrf; score -m chrf --sentence -b -w 4 references.part < candidates.part; } > scores.part
  score --rerank --features scores.part --weights chrf=1 < nbest
  rm candidates.part references.part scores.part
}
once "taught.$target" nearest
same_lines "train.$source" "taught.$target"
once "taught.tokens.$target" pieces vocabulary "taught.$target"
if [ -n "$text" ]; then
  once "more.$source" gzip -dcf "$text"
  once "more.$target" taught "more.$source"
  for side in "$source" "$target"; do once "more.tokens.$side" pieces vocabulary "more.$side"; done
fi
once "pairs.tokens.$source" cat "train.tokens.$source" ${text:+"more.tokens.$source"}
once "pairs.tokens.$target" cat "taught.tokens.$target" ${text:+"more.tokens.$target"}

step 'Aligning'
once alignment align -q -s "pairs.tokens.$source" -t "pairs.tokens.$target" --lexicon lexicon

step 'Training the student'
if [ ! -e trained.safetensors ]; then
  learn trained $averaged --vocabulary vocabulary --source "pairs.tokens.$source" --target "pairs.tokens.$target" \
    --guided-alignment alignment --valid-source "valid.tokens.$source" --valid-target "valid.tokens.$target" "${learning[@]}" "$@"
fi

step 'Training for eight bits'
if [ ! -e adaptation.safetensors ]; then
  learn adaptation 1 --vocabulary vocabulary --source "pairs.tokens.$source" --target "pairs.tokens.$target" \
    --guided-alignment alignment --valid-source "valid.tokens.$source" --valid-target "valid.tokens.$target" "${learning[@]}" "$@" \
    --init-from trained.safetensors --quantize int8 --learning-rate 0.0002 --warmup $((adapting / 10 + 1)) --schedule linear --max-steps "$adapting"
fi

step 'Writing the shortlist, eight bits, and the files of Marian and Firefox'
# The search of Marian.
finishing=(--shortlist lexicon,50,50 --search unknown-tokens=off,length-penalty=power)
average -q "${finishing[@]}" -o student.safetensors trained.safetensors
average -q "${finishing[@]}" -o adapted.safetensors adaptation.safetensors
average -q --quantize int8 -o small.safetensors adapted.safetensors
# Rounded once: of the weights in fp32.  Files of an earlier run may have other names.
rm -rf marian firefox
convert-model --to marian --quantize int8 -o marian adapted.safetensors
convert-model --to firefox -o firefox adapted.safetensors

step 'Size, BLEU and speed'
# row MODEL: a line of the table.
row() {
  local beginning=$EPOCHREALTIME ending tokens bleu
  translate --raw -m "$1.safetensors" < "test.$source" > "$1.$target"
  ending=$EPOCHREALTIME
  tokens=$(pieces vocabulary "$1.$target" | wc -w)
  bleu=$(score -b "test.$target" < "$1.$target")
  printf '%-10s %8.1f %8s %10.0f\n' "$1" "$(stat -c %s "$1.safetensors" | awk '{ print $1 / 1e6 }')" "$bleu" \
    "$(echo "$tokens $beginning $ending" | awk '{ print $1 / ($3 - $2) }')"
}
{
  printf '%-10s %8s %8s %10s\n' '' MB BLEU 'tokens/s'
  for model in teacher student small; do row $model; done
} | tee table
