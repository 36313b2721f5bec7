#!/bin/bash
# --device: the processor as a device, and a Vulkan device, which runs every shader.  The choice is reported; the processor gives the same
# bytes with any number of threads, in any batch, and when resumed, and close results to those of shaders.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc"
corpus 300

trained() {
  train -v -s tokens.en -t tokens.de -m vocabulary --preset tiny --layers 1 --d-model 64 --d-ff 256 --heads 2 --batch-tokens 1000 \
    --log-every 1 -o "$@" > log.tsv 2> notes || fail "train $*: $(cat notes)"
}
model=model-00000006.safetensors
trained cpu --max-steps 6 --device cpu --threads 2
grep -qE "^train: cpu, [A-Z0-9_-]+, 2 threads: named by 'cpu'$" notes || fail "the choice is reported: $(cat notes)"
trained one --max-steps 6 --device cpu --threads 1
grep -qE "^train: cpu, [A-Z0-9_-]+, 1 thread: named by 'cpu'$" notes || fail "threads are reported: $(cat notes)"
grep -q AVX3 notes && fail "the name of Highway: $(cat notes)"
cmp cpu/$model one/$model || fail 'the number of threads does not change the weights'
# Without a GPU, it is the default, and no driver is loaded.
if inspect --devices | grep -q '^train and translate take cpu: no GPU was found$'; then
  trained default --max-steps 6
  grep -qE '^train: cpu, .*: no GPU was found$' notes || fail "the default is reported: $(cat notes)"
  cmp cpu/$model default/$model || fail 'the default has the same weights'
else
  skip 'the default: this machine has a GPU'
fi
# loaded DEVICE: how many libraries of Vulkan the dynamic linker loads.
loaded() {
  rm -f libraries.*
  LD_DEBUG=files LD_DEBUG_OUTPUT=libraries translate -q --device "$1" -m cpu/$model tokens.en > /dev/null || fail "translate on $1"
  cat libraries.* | grep -c 'file=libvulkan.*dynamically loaded'
}
same 'libraries of Vulkan for the processor' 0 "$(loaded cpu)"
[ "$(loaded $vulkan)" -gt 0 ] || fail 'a Vulkan device loads the loader'
AWEND_DEVICE=cpu trained environment --max-steps 6
cmp cpu/$model environment/$model || fail 'cpu in AWEND_DEVICE'
trained parts --max-steps 3 --device cpu
trained parts --max-steps 6 --device cpu
cmp cpu/$model parts/$model || fail 'a resumed run has the same weights'

trained shaders --max-steps 6 --device $vulkan
grep -q "^train: llvmpipe.*: named by '$vulkan'$" notes || fail "the Vulkan device is reported: $(cat notes)"
cmp -s cpu/$model shaders/$model && fail 'shaders ran: they round in another way than the processor'
losses() { awk 'NR > 1 {printf "%.2f ", $4}' "$1/log.tsv"; }
same 'losses of processor and shaders' "$(losses shaders)" "$(losses cpu)"
# A run resumes on another device.
trained shaders --max-steps 8 --device cpu
same 'a step more on the processor' 8 "$(tail -n 1 log.tsv | cut -f 1)"

head -n 60 tokens.en > lines
translate --device cpu -m cpu/$model --scores -j 2 < lines > together
translate --device cpu -m cpu/$model --scores -j 1 < lines > one_thread
cmp together one_thread || fail 'the number of threads does not change translations'
while IFS= read -r line; do translate -q --device cpu -m cpu/$model --scores <<< "$line"; done < <(head -n 6 lines) > alone
cmp <(head -n 6 together) alone || fail 'a translation does not depend on its batch'

# 8-bit weights: the processor multiplies integers, and its scores are close to those of shaders, which widen the weights.
average --quantize int8 -o int8 cpu/$model
translate --device cpu -m int8 --scores -j 2 < lines > together
translate --device cpu -m int8 --scores -j 1 < lines > one_thread
cmp together one_thread || fail 'the number of threads does not change translations with integers'
while IFS= read -r line; do translate -q --device cpu -m int8 --scores <<< "$line"; done < <(head -n 6 lines) > alone
cmp <(head -n 6 together) alone || fail 'a translation with integers does not depend on its batch'
head -n 60 tokens.de > targets
translate --device cpu -m int8 --target targets < lines > own_scores
translate --device $vulkan -m int8 --target targets < lines > shader_scores
same 'scores of all lines' 60 "$(wc -l < own_scores)"
cmp -s own_scores shader_scores && fail 'processor and shaders round differently, so both computed with integers'
finite <(awk '{ print $1 }' own_scores shader_scores)
paste own_scores shader_scores | awk '{ d = ($1 - $(NF / 2 + 1)) / $1; if (d > 0.01 || d < -0.01) exit 1 }' || fail 'scores with integers'
