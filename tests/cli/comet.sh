#!/bin/bash
# COMET: scores of unbabel-comet for every segment, with any batch, number of threads and device, and in 8-bit integers; several systems and metrics in one call; decoding by it; XLM-R; bad input.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

printf 'a\nb\n' > two
printf 'a\n' > one
expect 2 score --metric comet --source two two < two
says "score: --metric comet needs --model FILE; try 'score --help'"
expect 2 score --metric comet-qe --model model < two
says "score: --metric comet-qe needs --source FILE; try 'score --help'"
expect 2 score --model model two < two
says "score: --model needs --metric comet, comet-qe; try 'score --help'"
expect 2 score --source two two < two
says "score: --source needs --by-length or --metric comet; try 'score --help'"
expect 1 score --metric comet --model missing.safetensors --source one two < two
says "score: one: 1 lines, but two has 2"
expect 1 score --metric comet --model missing.safetensors --source two two < two
says "score: missing.safetensors: No such file or directory"
expect 2 score --metric comet --model missing.safetensors --source two two two < two
says "score: --metric comet takes one reference; try 'score --help'"
expect 2 score --metric comet --model missing.safetensors --source - two < two
says "score: only one input can be stdin; try 'score --help'"
expect 2 convert-model --encoder one --to marian -o out one
says "convert-model: --encoder is for COMET models; try 'convert-model --help'"
expect 1 convert-model --encoder one -o out.safetensors one
says "convert-model: one: --encoder needs a COMET model, a directory with hparams.yaml"

# Without a neural metric, or with one on the processor, the Vulkan loader is not loaded.
LD_DEBUG=files score two < two > out 2> err || fail 'score with LD_DEBUG'
grep -q 'file=libicuuc' err || fail 'LD_DEBUG lists libraries'
grep -q 'file=libvulkan' err && fail 'BLEU loads Vulkan'

# A BERT that is not a metric.
for _ in 1 2 3 4 5 6 7 8; do printf 'ann sees red apples\nbob sees green apples\n'; done > text
build-vocab -q --type bert --size 60 -o vocabulary text && tokenize -m vocabulary text > tokens || fail 'word pieces'
expect 0 train -q --preset bert-tiny --d-model 32 --d-ff 64 --heads 2 --layers 1 -m vocabulary -s tokens --next-sentence off --max-steps 1 -o run
expect 1 score --metric comet --model run/model-00000001.safetensors --source two two < two
says "score: run/model-00000001.safetensors: not a metric; convert one with: convert-model --encoder DIR -o FILE COMET-DIR"

data=${AWEND_CONFORMANCE:-}/models
if [ ! -d "$data/comet-da" ]; then
  skip 'AWEND_CONFORMANCE has no models of COMET'
  exit
fi

# The largest difference of the numbers in a file from the scores of unbabel-comet.
difference() {
  finite "$2"
  sed -E 's/.*"score": (-?[0-9.e-]+),.*/\1/' "$data/$1/cases.jsonl" | paste "$2" - |
    awk '{d = $1 - $2; if (d < 0) d = -d; if (d > max) max = d} END {printf "%d %s\n", NR, max <= 1e-5 ? "equal" : max}'
}

for model in comet-da comet-kiwi comet-qe; do
  expect 1 convert-model -o $model.safetensors "$data/$model"
  says "convert-model: $data/$model: a COMET model; give the directory of its encoder with --encoder DIR"
  expect 0 convert-model --encoder "$data/$model/encoder" -o $model.safetensors "$data/$model"
  prints ''
  expect 0 inspect --check $model.safetensors
  metric=(--metric comet-qe)
  [ $model != comet-da ] || metric=(--metric comet "$data/$model/text.ref")
  command=(score "${metric[@]}" --model $model.safetensors --source "$data/$model/text.src" -b)
  expect 0 "${command[@]}" --sentence -w 8 < "$data/$model/text.mt"
  cp out $model.scores
  same "scores of $model" '47 equal' "$(difference $model $model.scores)"
  for settings in '-j 1' '-j 3 --batch-tokens 1' '--batch-tokens 5000'; do
    # shellcheck disable=SC2086
    expect 0 "${command[@]}" --sentence -w 8 $settings < "$data/$model/text.mt"
    cmp -s out $model.scores || fail "the scores of $model are the same with $settings"
  done
  # The last segments alone: no score depends on those before it.
  for side in src mt ref; do tail -n 7 "$data/$model/text.$side" > last.$side; done
  metric=(--metric comet-qe)
  [ $model != comet-da ] || metric=(--metric comet last.ref)
  expect 0 score "${metric[@]}" --model $model.safetensors --source last.src -b --sentence -w 8 < last.mt
  same "the last segments of $model" "$(tail -n 7 $model.scores)" "$(cat out)"
  expect 0 "${command[@]}" -w 5 < "$data/$model/text.mt"
  prints "$(sed -E 's/.*"system_score": (-?[0-9.e-]+).*/\1/; t; d' "$data/$model/system.json" | xargs printf '%.5f')"
done

# By the lengths of the source, which needs no reference either.
command=(score --metric comet-qe --model comet-qe.safetensors --source "$data/comet-qe/text.src" -w 5)
expect 0 "${command[@]}" --by-length --length-bounds 1000 < "$data/comet-qe/text.mt"
score=$("${command[@]}" -b < "$data/comet-qe/text.mt")
grep -qF -e "$score" out || fail "one group has the score of all lines, $score: $(cat out)"

# On a Vulkan device; a few of the segments, because a driver for the processor is slow.
for model in comet-da comet-kiwi comet-qe; do
  for side in src mt ref; do head -n 12 "$data/$model/text.$side" > first.$side; done
  metric=(--metric comet-qe)
  [ $model != comet-da ] || metric=(--metric comet first.ref)
  expect 0 score "${metric[@]}" --model $model.safetensors --source first.src -b --sentence -w 8 --device $vulkan < first.mt
  finite out
  head -n 12 "$data/$model/cases.jsonl" | sed -E 's/.*"score": (-?[0-9.e-]+),.*/\1/' | paste out - |
    awk '{d = $1 - $2; if (d < 0) d = -d; if (d > max) max = d} END {exit !(NR == 12 && max <= 1e-5)}' ||
    fail "the scores of $model on $vulkan"
done

# In 8-bit integers, system scores differ by at most 0.002.
for model in comet-da comet-kiwi comet-qe; do
  expect 0 average --quantize int8 -o int8.safetensors $model.safetensors
  metric=(--metric comet-qe)
  [ $model != comet-da ] || metric=(--metric comet "$data/$model/text.ref")
  expect 0 score "${metric[@]}" --model int8.safetensors --source "$data/$model/text.src" -b -w 6 < "$data/$model/text.mt"
  cp out narrow
  expect 0 score "${metric[@]}" --model $model.safetensors --source "$data/$model/text.src" -b -w 6 < "$data/$model/text.mt"
  cmp -s out narrow && fail "8-bit weights change the scores of $model"
  finite out narrow
  paste out narrow | awk '{d = $1 - $2; exit !(d < 0.002 && d > -0.002)}' || fail "8-bit scores of $model: $(paste out narrow)"
done

# Equal texts are encoded once: another system with the same translations needs no more.
ref=$data/comet-da/text.ref src=$data/comet-da/text.src mt=$data/comet-da/text.mt
texts=$(cat "$ref" "$src" "$mt" | sort -u | wc -l)
cp "$mt" twin
for systems in "$mt" "$mt twin" "$mt twin $ref $src"; do
  # shellcheck disable=SC2086
  score -v --metric comet --model comet-da.safetensors --source "$src" -i $systems -- "$ref" > out 2> err || fail 'score -v'
  encoded=$(sed -nE 's/.*COMET encoded ([0-9]+) different texts/\1/p' err)
  [ "${encoded:-999}" -le "$texts" ] || fail "$systems: $encoded texts were encoded, but only $texts differ"
  same 'the texts that were encoded' "${before:-$encoded}" "$encoded"
  before=$encoded
done

# Choices by COMET are those by the mean over all pairs of the scores of segments.
sed -n 1,4p "$mt" > four
for line in 0 1; do
  for text in 1 2 3 4 2; do printf '%d ||| %s ||| logprob= -1 ||| -1\n' $line "$(sed -n ${text}p four)"; done
done > list
head -n 2 "$src" > sources
expect 0 score --mbr comet --model comet-da.safetensors --source sources --sentence -w 6 < list
cp out utilities
for line in 1 2; do
  for text in 1 2 3 4 2; do
    for _ in 1 2 3 4 5; do sed -n ${text}p four; done > repeated
    for other in 1 2 3 4 2; do sed -n ${other}p four; done > others
    for _ in 1 2 3 4 5; do sed -n ${line}p sources; done > repeated.src
    score --metric comet --model comet-da.safetensors --source repeated.src -b -w 6 others < repeated
  done
done > means
finite utilities means
paste utilities means | awk '{d = $1 - $2; if (d < 0) d = -d; if (d > max) max = d} END {exit !(NR == 10 && max <= 1.1e-6)}' ||
  fail "the expected scores: $(paste utilities means)"
score -v --mbr comet --model comet-da.safetensors --source sources < list > out 2> err || fail 'choices by COMET'
same 'a line for each source line' 2 "$(wc -l < out)"
grep -q 'COMET encoded 10 different texts' err || fail "each candidate and source is encoded once: $(cat err)"
for line in 0 1; do
  best=$(tail -n +$((5 * line + 1)) utilities | head -n 5 | awk 'NR == 1 || $1 > max {max = $1; best = NR} END {print best}')
  same "the choice of line $line" "$(sed -n "$((best == 5 ? 2 : best))p" four)" "$(sed -n $((line + 1))p out)"
done
expect 1 score --mbr comet --model comet-kiwi.safetensors --source sources < list
says "score: comet-kiwi.safetensors: a metric without references; use --metric comet-qe"

# The model of comet-kiwi with references, whose scores are the means of three sequences.  unbabel-comet 2.2.7 printed these numbers for the
# corpus, and for four segments that are longer than the model reads.
cp -r "$data/comet-kiwi" both && chmod -R u+w both
sed -i 's/^- src$/- src\n- ref/' both/hparams.yaml
expect 0 convert-model --encoder both/encoder -o both.safetensors both
for side in src mt ref; do cp both/text.$side both.$side; done
expect 0 score --metric comet --model both.safetensors --source both.src --sentence -b -w 8 both.ref < both.mt
tr ' ' '\n' <<< '-0.73052144 -0.74264687 -0.72309160 -0.74264687' > expected
finite out
sed -n 43,46p out | paste - expected |
  awk '{d = $1 - $2; if (d < 0) d = -d; if (d > max) max = d} END {exit !(NR == 4 && max <= 1e-5)}' || fail "scores of long segments: $(sed -n 43,46p out)"
expect 0 score --metric comet --model both.safetensors --source both.src -b -w 5 both.ref < both.mt
prints -0.74343

expect 1 score --metric comet --model comet-qe.safetensors --source two two < two
says "score: comet-qe.safetensors: a metric without references; use --metric comet-qe"
expect 1 score --metric comet-qe --model comet-da.safetensors --source two < two
says "score: comet-da.safetensors: a metric with references; use --metric comet"
expect 1 convert-model --to huggingface -o hf comet-da.safetensors
says "convert-model: comet-da.safetensors: the model must not be a metric for BERT of Hugging Face"

LD_DEBUG=files score --metric comet-qe --model comet-qe.safetensors --source two < two > out 2> err || fail 'score with LD_DEBUG'
grep -q 'file=libvulkan' err && fail 'COMET on the processor loads Vulkan'

# With other metrics, for several systems.
ref=$data/comet-da/text.ref src=$data/comet-da/text.src mt=$data/comet-da/text.mt
expect 0 score --metric comet,bleu,chrf --model comet-da.safetensors --source "$src" -w 4 "$ref" < "$mt"
cp out together
for metric in bleu chrf; do
  score -q --metric $metric -w 4 "$ref" < "$mt" > alone
  grep -qF "$(sed 's/^ *//' alone)" together || fail "$metric is the same next to COMET"
done
version=$(score --version | sed -n '1s/.* //p')
grep -qE "^COMET\|nrefs:1\|model:comet-da.safetensors\|digest:[0-9a-f]{16}\|version:awend-$version = -0.1371$" together ||
  fail 'the signature names the model and its digest'
expect 0 score --metric comet-qe,bleu --model comet-qe.safetensors --source "$src" "$ref" < "$mt"
same 'references are counted where they are read' 'BLEU|nrefs:1 COMET-QE|nrefs:0' "$(sed 's/^ *//' out | cut -d '|' -f 1,2 | paste -sd ' ')"
expect 0 score --metric comet --model comet-da.safetensors --source "$src" --paired-bs -f tsv -i "$mt" "$src" -- "$ref"
same 'the systems' "$mt $src" "$(awk -F '\t' '$2 == "COMET" {print $1}' out | paste -sd ' ')"
awk -F '\t' '$2 == "COMET" && NR == 3 {exit !($8 > 0 && $8 < 0.05)}' out || fail 'the sources are worse than the translations'
expect 0 score --metric comet --model comet-da.safetensors --source "$src" --confidence -f json "$ref" < "$mt"
grep -q '"confidence_mean": -0.1' out || fail 'a negative score has an interval'
head -n 3 "$mt" > short
expect 1 score --metric comet --model comet-da.safetensors --source "$src" "$ref" < short
says "score: $ref: 47 lines, but stdin has 3"

# The encoder of a metric is read as XLM-R; its tokenizer keeps masks.
printf 'a man is <mask> a dog\n' > raw
tokenize -m comet-da.safetensors raw > tokens
grep -q ' <mask> ' tokens || fail 'a mask in raw text is a token'

# It has no other output than vectors, and is not trained.
for output in '' --fill --label '--n-best 2'; do
  # shellcheck disable=SC2086
  expect 1 encode -m comet-da.safetensors $output tokens
  says 'encode: comet-da.safetensors: a metric of translations; use score --model'
done
expect 0 encode -m comet-da.safetensors --vectors mean tokens
[ -s out ] || fail 'vectors of the encoder of a metric'
for start in '-m comet-da.safetensors' '-m vocabulary --preset bert-tiny --init-from comet-da.safetensors' \
  '-m vocabulary --init-from comet-da.safetensors --extend-vocabulary'; do
  # shellcheck disable=SC2086
  expect 1 train -s tokens $start -o other
  says 'train: comet-da.safetensors: a metric of translations; use score --model'
done
