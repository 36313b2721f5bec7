#!/bin/bash
# Compares the cost per unit of work with other programs: CPU time, which depends less on machine load than elapsed time, alternating
# on the same input, with one thread.
#
#     tests/bench/unit_costs.sh [--rounds N] SOURCE REFERENCE HYPOTHESES
#
# SOURCE is a text; REFERENCE and HYPOTHESES are inputs of score.  All must be uncompressed files.  Missing programs are reported and
# skipped.  PYTHON: a python3 with sacrebleu, subword_nmt and sentencepiece; MOSES: the directory scripts of mosesdecoder.
set -euo pipefail
root=$(CDPATH='' cd "$(dirname "$0")/../.." && pwd)
PATH=${AWEND_BIN:-$root/build/bin}:$PATH
python=${PYTHON:-python3}
rounds=3
while [ $# -gt 3 ]; do
  case $1 in
    --rounds) rounds=${2:?}; shift 2 ;;
    *) echo "${0##*/}: unknown option '$1'" >&2; exit 2 ;;
  esac
done
[ $# -eq 3 ] || { sed -n 's/^# \?//p' "$0" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$1" "$work/text"
cp "$2" "$work/reference"
cp "$3" "$work/hypotheses"
cd "$work"

# processor COMMAND: prints the CPU seconds of all its processes; its output goes to `printed`.
processor() { (TIMEFORMAT='%U %S'; time bash -c "$1" > printed 2> err || touch failed) 2>&1 | awk '{ print $1 + $2 }'; }
median() { sort -n | sed -n "$(((rounds + 1) / 2))p"; }

# race WHAT UNITS PEER PEER-COMMAND AWEND-COMMAND: alternates both commands and compares their output.
race() {
  local what=$1 units=$2 peer=$3 theirs=$4 ours=$5 round
  rm -f theirs.times ours.times failed
  for ((round = 0; round < rounds; ++round)); do
    processor "$theirs" >> theirs.times
    mv printed theirs
    processor "$ours" >> ours.times
  done
  if [ -e failed ]; then
    printf '| %s | %s | failed: %s | | | |\n' "$what" "$peer" "$(tail -n 1 err)"
    return
  fi
  local same=yes
  cmp -s theirs printed || same=no
  [ -s printed ] || same=-  # the output is a model file
  awk -v what="$what" -v units="$units" -v peer="$peer" -v t="$(median < theirs.times)" -v o="$(median < ours.times)" -v same=$same \
    'function digits(x) { return sprintf(x < 100 ? "%.3g" : "%.0f", x) }
     BEGIN { printf "| %s | %s | %s | %s | %s | %s |\n", what, peer, digits(t / units * 1e6), digits(o / units * 1e6), digits(t / o), same }'
}
has() { "$python" -c "import $1" 2> /dev/null || { echo "skipped: $1" >&2; return 1; }; }

lines=$(wc -l < text) pairs=$(wc -l < reference)
words=$(wc -w < text)
printf '%s lines, %s words; %s pairs; medians of %s rounds; load %s\n\n' "$lines" "$words" "$pairs" "$rounds" "$(cut -d ' ' -f 1 /proc/loadavg)"
printf '| task | peer | peer µs | awend µs | ratio | same output |\n|---|---|--:|--:|--:|---|\n'

if has sacrebleu; then
  sacrebleu="$python -m sacrebleu reference -i hypotheses -b -w 4 -f text"
  race 'BLEU, per pair' "$pairs" sacreBLEU "$sacrebleu" 'score -j 1 -b -w 4 reference < hypotheses'
  race 'BLEU, 1000 samples, per pair' "$pairs" sacreBLEU "$sacrebleu --confidence" 'score -j 1 -b -w 4 --confidence reference < hypotheses'
  race 'chrF, per pair' "$pairs" sacreBLEU "$sacrebleu -m chrf" 'score -j 1 -b -w 4 -m chrf reference < hypotheses'
  race 'TER, per pair' "$pairs" sacreBLEU "$sacrebleu -m ter" 'score -j 1 -b -w 4 -m ter reference < hypotheses'
fi
if has subword_nmt; then
  race 'learning 8000 merges, per word' "$words" subword-nmt "$python -m subword_nmt.learn_bpe -s 8000 < text" \
    'build-vocab -q -j 1 --format subword-nmt -s 8000 text'
  build-vocab -q --format subword-nmt -s 8000 -o codes text
  race 'applying codes, per word' "$words" subword-nmt "$python -m subword_nmt.apply_bpe -c codes < text" 'tokenize -j 1 -m codes text'
fi
if has sentencepiece; then
  for type in bpe unigram; do
    train="import sentencepiece as s; s.SentencePieceTrainer.train(input='text', model_prefix='peer', vocab_size=8000, model_type='$type', hard_vocab_limit=False, minloglevel=4)"
    race "learning SentencePiece $type, per word" "$words" SentencePiece "$python -c \"$train\"; :" \
      "build-vocab -q --format sentencepiece -t $type -s 8000 -o model text"
    build-vocab -q --format sentencepiece -t "$type" -s 8000 -o model text
    encode="import sentencepiece as s, sys; p = s.SentencePieceProcessor(model_file='model'); [print(*p.encode(l.rstrip(chr(10)), out_type=str)) for l in open('text', encoding='utf-8', newline=chr(10))]"
    race "applying SentencePiece $type, per word" "$words" SentencePiece "$python -c \"$encode\"" 'tokenize -j 1 -m model text'
  done
fi
if [ -n "${MOSES:-}" ]; then
  race "Moses tokenization, per word" "$words" Moses "perl $MOSES/tokenizer/tokenizer.perl -q -l en < text" \
    "tokenize -j 1 --scheme moses --prefixes $MOSES/share/nonbreaking_prefixes text"
else
  echo 'skipped: Moses (set MOSES)' >&2
fi
