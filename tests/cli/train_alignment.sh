#!/bin/bash
# Guided alignment: what train reads and refuses, that resuming is bit for bit, and which head translate aligns by.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc" || exit 1

corpus 200
align -q -s tokens.en -t tokens.de > links || fail 'the alignment'
tiny=(-s tokens.en -t tokens.de -m vocabulary --preset tiny --layers 2 --d-model 16 --d-ff 16 --heads 2 --batch-tokens 256)
guided=(--guided-alignment links)
model=model-00000006.safetensors

# Two parts make a whole, from a cache and from compressed pipes; links change the training, and so do their weight and cost.
gzip -c links > packed
expect 0 train -q "${tiny[@]}" "${guided[@]}" -o whole --max-steps 6
expect 0 train -q "${tiny[@]}" --guided-alignment <(cat packed) -o parts --max-steps 3
expect 0 train -q "${tiny[@]}" "${guided[@]}" -o parts --max-steps 6
cmp whole/$model parts/$model || fail 'two parts make a whole'
expect 0 train -q "${tiny[@]}" -o without --max-steps 6
for other in "--guided-alignment-weight 2" "--guided-alignment-cost mse" "--guided-alignment-layer 1"; do
  expect 0 train -q "${tiny[@]}" "${guided[@]}" $other -o other --max-steps 6
  cmp -s whole/$model other/$model && fail "$other changes nothing"
  rm -r other
done
cmp -s whole/$model without/$model && fail 'links change the training'
cut -f 4 whole/log.tsv > a; cut -f 4 without/log.tsv > b
cmp -s a b && fail 'the loss contains the cost'

# The configuration of its model can be read back.
train -m whole --dump-config > config || fail 'the configuration'
expect 0 train -q -s tokens.en -t tokens.de --config config -m whole --init-from whole -o again --max-steps 1 --batch-tokens 256
# A layer that a smaller model lacks is not inherited.
expect 0 train -m whole --layers 1 --dump-config

# Another file, or none, is another corpus.
sed '1s/.*/0-0/' links > changed
expect 1 train -q "${tiny[@]}" --guided-alignment changed -o whole --max-steps 7
says 'train: whole/state-00000006.safetensors: was trained on another corpus: --source, --target, --guided-alignment, --weights or --max-length changed'
expect 1 train -q "${tiny[@]}" "${guided[@]}" --guided-alignment-weight 2 -o whole --max-steps 7
grep -q 'was trained with guided-alignment-weight 0.1, which is now 2' err || fail 'the weight that differs is named'
expect 1 train -q "${tiny[@]}" -o whole --max-steps 7
grep -q 'guided-alignment-layer' err || fail 'the layer that differs is named'

# What does not fit is refused in one line, before anything is written.
head -n 100 links > short
expect 1 train -q "${tiny[@]}" --guided-alignment short -o new
says 'train: tokens.en has 200 lines, but short has 100'
sed '7s/.*/0-0 900-1/' links > outside
expect 1 train -q "${tiny[@]}" --guided-alignment outside -o new
grep -qx 'train: outside:7: the link 900-1 is outside of the pair, which has [0-9]* source and [0-9]* target tokens' err ||
  fail 'the link outside of its pair is named'
sed '8s/.*/0_0/' links > wrong
expect 1 train -q "${tiny[@]}" --guided-alignment wrong -o new
says "train: wrong:8: '0_0' is not a link, such as 0-0"
expect 2 train "${tiny[@]}" "${guided[@]}" --guided-alignment-layer 3 -o new
says "train: guided-alignment-layer 3 does not exist, decoder-layers is 2; try 'train --help'"
expect 2 train "${tiny[@]}" --guided-alignment-layer 1 -o new
says "train: --guided-alignment-layer needs --guided-alignment; try 'train --help'"
expect 2 train "${tiny[@]}" --guided-alignment-weight 1 -o new
says "train: --guided-alignment-cost and --guided-alignment-weight need --guided-alignment; try 'train --help'"
expect 2 train "${tiny[@]}" --guided-alignment links,links -o new
says "train: --source has 1 files, but --guided-alignment has 2; try 'train --help'"
expect 2 train -s tokens.en -t tokens.de -m vocabulary --preset rnn-tiny "${guided[@]}" -o new
says "train: --guided-alignment is not for the architecture rnn, only for transformer; try 'train --help'"
expect 2 train -s tokens.en -m vocabulary --preset bert-tiny "${guided[@]}" -o new
says "train: --guided-alignment is not for the architecture bert, only for transformer; try 'train --help'"
[ ! -e new ] || fail 'a run that cannot start leaves no directory'

# A dumped configuration has the layer, and is used with the file.
expect 0 train "${tiny[@]}" "${guided[@]}" -o new --dump-config
cp out settings
grep -qx 'guided-alignment-layer = 2' settings || fail 'the layer is dumped'
expect 0 train -q -s tokens.en -t tokens.de -m vocabulary "${guided[@]}" --config settings -o dumped --max-steps 6
cmp whole/$model dumped/$model || fail 'a dumped configuration trains the same'

# The alignment is that of the first head; by --alignment-layer it is the mean of both heads.
head -n 20 tokens.en > source; head -n 20 tokens.de > target
hard() { translate -q -m "$1" --target target --alignment "${@:2}" source | sed 's/.* ||| //'; }
hard whole > by-head
hard whole --alignment-layer 2 > by-layer
cmp -s by-head by-layer && fail 'the guided head is not the mean'
hard without > second-to-last
hard without --alignment-layer 1 | cmp -s - second-to-last || fail 'without a guided head, the second-to-last layer'
same 'lines of an alignment' 20 "$(wc -l < by-head)"

# The average of checkpoints keeps the layer.
expect 0 average -q -o mean.safetensors whole/$model parts/$model
hard mean.safetensors | cmp -s - by-head || fail 'an average aligns by the head'

# Exported models name the layer.
expect 0 train -q "${tiny[@]}" "${guided[@]}" --guided-alignment-layer 1 --sinusoid-layout halves-minus-one -o first --max-steps 6
expect 0 convert-model -q --to marian -o marian first/$model
grep -aq 'transformer-guided-alignment-layer: 1' marian/* || fail 'the layer in the model of Marian'
expect 0 convert-model -q --to ctranslate2 -o ctranslate2 first/$model
