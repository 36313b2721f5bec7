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
same 'a held-out line is not trained on' '40 40' "$(cd work && for side in source target; do wc -l < train.$side; done | paste -sd ' ')"
grep -qxF "$(tail -n 1 text.en)" work/train.source && fail 'a held-out line is not trained on'
[ -e work/checkpoints/best.safetensors ] || fail 'the fine-tuned model'

# Again: it is trained further, the same pairs with the same settings, and tabs in the text do not matter.
command=("$recipe" --no-install --vocabulary vocabulary --held-out 20)
"${command[@]}" --work work model.safetensors text.en text.de -- --max-steps 4 --valid-every 1 > out 2> err || { fail again; cat err; }
same 'updates of both runs' '1 2 3 4' "$(awk '$1 != "step" { print $1 }' work/checkpoints/log.tsv | sort -nu | paste -sd ' ')"
expect 1 "${command[@]}" --work work model.safetensors text.de text.en
grep -q "^finetune.sh: $PWD/work was made from .* and not from .*; use another --work" err || fail "other text in its place: $(cat err)"
sed 's/ /\t/' text.en > tabs.en
"${command[@]}" --work tabs --minutes 0.05 model.safetensors tabs.en text.de -- --valid-every 100000 > out 2> err || { fail 'a time without a validation'; cat err; }
same 'pairs with tabs' 40 "$(wc -l < tabs/train.target)"
grep -qx 'no validation in this time; the last checkpoint instead' out || fail 'the last checkpoint'
same 'rows of the table' 'before after' "$(cut -f 1 tabs/table.txt | paste -sd ' ')"
echo > file
expect 1 "${command[@]}" --work file/work model.safetensors text.en text.de
[ ! -e input ] || fail 'nothing runs in the current directory'

# What it has trained cannot be its own start; text is not overwritten, either.
cp -r work other-work
echo "$PWD/other-work/checkpoints/model-00000004.safetensors, $PWD/text.en, $PWD/text.de, $PWD/vocabulary,   20 held out" > other-work/input
ln -sf model-00000004.safetensors other-work/checkpoints/best.safetensors
expect 1 "${command[@]}" --work other-work other-work/checkpoints/best.safetensors text.en text.de
says "finetune.sh: $PWD/other-work/checkpoints/model-00000004.safetensors could be overwritten; use another --work"
echo "$PWD/model.safetensors, $PWD/other-work/train.source, $PWD/other-work/train.target, $PWD/vocabulary,   20 held out" > other-work/input
expect 1 "${command[@]}" --work other-work model.safetensors other-work/train.source other-work/train.target
says "finetune.sh: $PWD/other-work/train.source could be overwritten; use another --work"
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
expect 1 "$recipe" model.safetensors <(cat text.en) text.de
grep -q '^finetune.sh: .*: no such file$' err || fail "a pipe: $(cat err)"
gzip -k text.en
expect 1 "$recipe" model.safetensors text.en.gz text.de
says "finetune.sh: $PWD/text.en.gz: SOURCE and TARGET must not be compressed"
expect 2 "$recipe" model.safetensors text.en
says 'finetune.sh: missing operand; try --help'
expect 1 "$recipe" --held-out 50 model.safetensors text.en text.de
says 'finetune.sh: 61 lines are too few to hold out 50'
printf %s "$(cat text.de)" > cut.de
expect 1 "$recipe" --held-out 50 model.safetensors text.en cut.de
says 'finetune.sh: 61 lines are too few to hold out 50'
expect 2 "$recipe" --held-out some model.safetensors text.en text.de
says "finetune.sh: --held-out must be a number from 2, but is 'some'"
