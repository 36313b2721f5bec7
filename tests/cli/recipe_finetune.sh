#!/bin/bash
# The recipe for fine-tuning from end to end, with a converted model and so little text that nothing is learned: every step runs, and hands
# on what the next one needs.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc"
export AWEND_BIN
recipe=$AWEND_SOURCE/tools/recipes/finetune.sh
corpus 40
small_model run
convert-model --to ctranslate2 -o ct2 run/model-00000003.safetensors && convert-model -o model.safetensors ct2 || fail 'a converted model'
locale-corpus -n 60 --seed 9 -o other
# The first line is also a held-out one.
for side in en de; do { tail -n 1 other.$side; cat other.$side; } > text.$side; done
"$recipe" --no-install --vocabulary vocabulary --held-out 20 --work work model.safetensors text.en text.de -- --max-steps 2 --valid-every 1 > out 2> err ||
  { fail 'the recipe'; cat err; }
same 'rows of the table' 'before after' "$(cut -f 1 work/table.txt | paste -sd ' ')"
same 'lines of the parts' '10 10 10 10' "$(cd work && for part in valid.source test.target before after; do wc -l < $part; done | paste -sd ' ')"
[ "$(wc -l < work/train.pairs)" -lt 41 ] || fail 'a held-out line is not trained on'
grep -qxF "$(tail -n 1 text.en)" work/train.source && fail 'a held-out line is not trained on'
[ -e work/checkpoints/best.safetensors ] || fail 'the fine-tuned model'

# What it has trained can be trained further, but not where it would be deleted first; text is not overwritten, either.
expect 1 "$recipe" --no-install --vocabulary vocabulary --held-out 20 --work work work/checkpoints/best.safetensors text.en text.de
says "finetune.sh: $PWD/work/checkpoints/model-00000002.safetensors could be overwritten; use another --work"
[ -e work/checkpoints/best.safetensors ] || fail 'the model is still there'
expect 1 "$recipe" --no-install --vocabulary vocabulary --held-out 10 --work work model.safetensors work/train.source work/train.target
says "finetune.sh: $PWD/work/train.source could be overwritten; use another --work"
mkdir own
cp text.en own/train.source
expect 1 "$recipe" --no-install --vocabulary vocabulary --held-out 20 --work own model.safetensors text.en text.de
says "finetune.sh: $PWD/own has files that no recipe has made; use another --work"
cmp text.en own/train.source || fail 'files of the user remain'

nllb=${AWEND_CONFORMANCE:-/nowhere}/models/hf-nllb
if [ -d "$nllb" ]; then
  convert-model -o nllb.safetensors "$nllb" || fail 'a multilingual model'
  "$recipe" --no-install --source-language eng_Latn --target-language deu_Latn --held-out 20 --work many nllb.safetensors text.en text.de \
    -- --max-steps 2 --valid-every 1 > out 2> err || { fail 'the recipe with a multilingual model'; cat err; }
  same 'rows of the table' 'before after' "$(cut -f 1 many/table.txt | paste -sd ' ')"
  same 'the first target token' deu_Latn "$(head -n 1 many/train.tokens.target | cut -d ' ' -f 1)"
else
  skip 'a multilingual model; AWEND_CONFORMANCE names no directory of it'
fi

expect 0 "$recipe" --help
grep -q '^Usage: ' out || fail '--help'
expect 1 "$recipe" model.safetensors nowhere text.de
says 'finetune.sh: nowhere: no such file'
expect 2 "$recipe" model.safetensors text.en
says 'finetune.sh: missing operand; try --help'
expect 1 "$recipe" --held-out 50 model.safetensors text.en text.de
says 'finetune.sh: 61 lines are too few to hold out 50'
printf %s "$(cat text.de)" > cut.de
expect 1 "$recipe" --held-out 50 model.safetensors text.en cut.de
says 'finetune.sh: 61 lines are too few to hold out 50'
expect 2 "$recipe" --held-out some model.safetensors text.en text.de
says "finetune.sh: --held-out must be a number, but is 'some'"
