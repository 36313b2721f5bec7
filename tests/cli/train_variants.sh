#!/bin/bash
# train's model variants: options, errors, checkpoints; what they become in the other programs.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc"

variants=(--attention-bias on --output-bias on --embedding-scale none --embedding-norm on --final-norm both --norm-epsilon 0.001
  --positions stored --sinusoid-layout halves-minus-one --first-position 2 --decoder-start token --start-id 0 --source-end off
  --masked-ids 0,7 --tie embeddings --decoder-heads 1 --decoder-d-ff 64)

# Defaults are not printed, other values are, and can be read.
expect 0 train --preset tiny --dump-config
cp out plain
grep -E 'bias|epsilon = 1e-06|embedding-|final-norm|sinusoid-layout|first-position|start|source-end|masked|decoder-[hd]' plain |
  grep -v adam && fail 'defaults are not printed'
expect 0 train --preset tiny "${variants[@]}" --dump-config
cp out varied
same 'printed variants' 14 "$(grep -cvxFf plain <(sed '/^positions/d; /^tie/d' varied))"
grep -qx 'masked-ids = 0,7' varied || fail 'a list of ids'
expect 0 train --config varied --dump-config
cmp -s out varied || fail 'variants are read back'

expect 2 train --attention-bias yes --dump-config
says "train: option '--attention-bias': must be off or on, got 'yes'; try 'train --help'"
expect 2 train --norm-epsilon 0 --dump-config
grep -q "^train: option '--norm-epsilon': " err || fail "$(cat err)"
expect 2 train --masked-ids 3,x --dump-config
grep -q "^train: option '--masked-ids': .*'x'" err || fail "$(cat err)"
expect 2 train --decoder-d-ff 30 --dump-config
says "train: option '--decoder-d-ff': must be a multiple of 4, got 30; try 'train --help'"

corpus 150
small_model default
same 'settings of a default checkpoint' 0 "$(inspect default | grep -cE ' (attention-bias|output-bias|norm-epsilon|source-end|start-id) ')"
run() {
  train -q --source tokens.en --target tokens.de --vocabulary vocabulary --preset tiny --d-model 32 --d-ff 32 --heads 2 --layers 1 \
    --batch-tokens 400 "$@"
}
expect 1 run --max-steps 1 -o none --decoder-start token --start-id 400
says 'train: --start-id must be below 400, got 400'
expect 2 run --max-steps 1 -o none --start-id 2
says "train: --start-id needs --decoder-start token; try 'train --help'"
expect 2 run --max-steps 1 -o none --initializer-deviation 0.1
says "train: --initializer-deviation needs another --initializer than glorot; try 'train --help'"
expect 2 run --max-steps 1 -o none --decoder-heads 3
says "train: decoder-heads 3 must divide heads * d-k = 32 into multiples of 4; try 'train --help'"

# The run learns the same in parts, and continues only with the same variants.
run "${variants[@]}" --max-steps 6 -o whole > log.tsv || fail 'a run with variants'
run "${variants[@]}" --max-steps 2 -o parts > log.tsv || fail 'the first part'
run "${variants[@]}" --max-steps 6 -o parts > log.tsv || fail 'the second part'
cmp -s {whole,parts}/model-00000006.safetensors || fail 'resuming does not change the weights'
expect 1 run "${variants[@]}" --attention-bias off --max-steps 8 -o parts
grep -q 'was trained with attention-bias on, which is now unset' err || fail "$(cat err)"

# The settings are in the checkpoint, and its arrays have names.
expect 0 inspect --arrays whole/model-00000006.safetensors
for setting in 'attention-bias *on' 'norm-epsilon *0.001' 'masked-ids *0,7' 'decoder-heads *1'; do
  grep -qE " $setting( |\$)" out || fail "inspect shows $setting"
done
for array in 'output_bias *F32 \[400, 1\]' 'decoder.0.cross.key_bias *F32 \[1, 32\]' 'encoder.embedding_norm.gain' 'encoder.norm.gain' \
  'decoder.0.feed_forward.inner *F32 \[32, 64\]' 'source_positions *F32 \[1024, 32\]' 'projection *F32 \[400, 32\]'; do
  grep -qE "^ *$array" out || fail "inspect lists $array"
done

# Averaged, quantized, fine-tuned and translated; the table of positions never changes.
average -q -o mean.safetensors {whole,parts}/model-00000006.safetensors || fail 'average'
average -q --quantize int8 -o narrow.safetensors mean.safetensors || fail 'quantize'
for model in whole/model-00000006.safetensors mean.safetensors narrow.safetensors; do
  head -n 9 tokens.en | translate -q -m $model > out || fail "translate with $model"
  same "lines of $model" 9 "$(wc -l < out)"
done
head -n 9 tokens.en | translate -q -m mean.safetensors > one
head -n 9 tokens.en | translate -q -m whole/model-00000006.safetensors > two
cmp -s one two || fail 'a mean of equal models translates as they do'
head -n 9 tokens.en | translate -q -m mean.safetensors --batch-tokens 40 > two
cmp -s one two || fail 'translations depend on the batch'
echo '☃' > prefix
head -n 1 tokens.en > one
expect 1 translate -q -m mean.safetensors --prefix prefix one
says 'translate: prefix:1: the prefix has a token that the model masks'
run "${variants[@]}" --first-position 0 --init-from whole --max-steps 1 -o tuned > log.tsv || fail 'fine-tuning'
inspect --arrays tuned/model-00000001.safetensors | grep -E '^ *source_positions' > tuned.positions
inspect --arrays whole/model-00000006.safetensors | grep -E '^ *source_positions' > whole.positions
cmp -s {tuned,whole}.positions || fail 'fine-tuning keeps stored positions'
expect 1 run --init-from whole --max-steps 1 -o other

# Restricted self-attention.
expect 2 run --attention-window 2 --autoregressive-layer ssru --dump-config
says "train: --attention-window needs --autoregressive-layer self-attention; try 'train --help'"
expect 2 run --preset rnn-tiny --attention-window 2 --dump-config
run --max-steps 6 -o all-tokens > log.tsv || fail 'a run without a window'
run --attention-window 0 --max-steps 6 -o no-window > log.tsv || fail 'a run with window 0'
cmp -s {all-tokens,no-window}/model-00000006.safetensors || fail 'window 0 is the default'
inspect all-tokens/model-00000006.safetensors | grep -q attention-window && fail 'checkpoints omit the default window'
run --attention-window 2 --max-steps 6 -o windows > log.tsv || fail 'a run with a window'
run --attention-window 2 --max-steps 2 -o window-parts > log.tsv || fail 'the first part with a window'
run --attention-window 2 --max-steps 6 -o window-parts > log.tsv || fail 'the second part with a window'
cmp -s {windows,window-parts}/model-00000006.safetensors || fail 'resuming with a window does not change the weights'
average -q -o window.safetensors {windows,window-parts}/model-00000006.safetensors || fail 'average with a window'
average -q --quantize int8 -o narrow.safetensors window.safetensors || fail 'quantize with a window'
head -n 9 tokens.en > lines
for model in window.safetensors narrow.safetensors; do
  translate -q -m $model lines > one || fail "translate with $model"
  same "lines of $model" 9 "$(wc -l < one)"
  translate -q -m $model --batch-tokens 40 lines > two
  cmp -s one two || fail "translations with $model depend on the batch"
done
translate -q -m window.safetensors,all-tokens/model-00000006.safetensors lines > one || fail 'an ensemble with and without a window'
same 'lines of the ensemble' 9 "$(wc -l < one)"
translate -q -m window.safetensors --attention maps lines > one || fail 'attention with a window'
expect 0 inspect --attention maps
run --attention-window 2 --init-from all-tokens --max-steps 1 -o restricted > log.tsv || fail 'fine-tuning with a window'

# Decoders with SSRU.
ssru=(--autoregressive-layer ssru --ssru-projection on --norm pre)
expect 2 run --ssru-projection on --dump-config
says "train: --ssru-projection needs --autoregressive-layer ssru; try 'train --help'"
run "${ssru[@]}" --max-steps 6 -o ssru-whole > log.tsv || fail 'a run with SSRU'
expect 0 train -m ssru-whole --autoregressive-layer self-attention --dump-config
! grep -q ssru out || fail 'self-attention instead of the SSRU of a checkpoint needs no other option'
run "${ssru[@]}" --max-steps 2 -o ssru-parts > log.tsv || fail 'the first part with SSRU'
run "${ssru[@]}" --max-steps 6 -o ssru-parts > log.tsv || fail 'the second part with SSRU'
cmp -s ssru-{whole,parts}/model-00000006.safetensors || fail 'resuming with SSRU does not change the weights'
expect 0 inspect --arrays ssru-whole/model-00000006.safetensors
for array in 'decoder.0.ssru.forget *F32 \[32, 32\]' 'decoder.0.ssru.output_bias' 'decoder.0.ssru_norm.gain'; do
  grep -qE "^ *$array" out || fail "inspect lists $array"
done
grep -q 'decoder.0.self' out && fail 'a decoder with SSRU has no self-attention'
average -q -o ssru.safetensors ssru-{whole,parts}/model-00000006.safetensors || fail 'average with SSRU'
average -q --quantize int8 -o narrow.safetensors ssru.safetensors || fail 'quantize with SSRU'
head -n 9 tokens.en > lines
for model in ssru.safetensors narrow.safetensors; do
  translate -q -m $model lines > one || fail "translate with $model"
  same "lines of $model" 9 "$(wc -l < one)"
  translate -q -m $model --batch-tokens 40 lines > two
  cmp -s one two || fail "translations with $model depend on the batch"
done
translate -q -m ssru.safetensors --attention heads lines > one || fail 'attention with SSRU'
same 'lines with attention to the source only' 9 "$(grep -c '"decoder":\[\],"cross":\[\[' heads)"
expect 0 inspect --attention heads
run "${ssru[@]}" --init-from ssru-whole --max-steps 1 -o ssru-tuned > log.tsv || fail 'fine-tuning with SSRU'
expect 1 run --init-from ssru-whole --max-steps 1 -o other
