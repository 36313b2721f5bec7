#!/bin/bash
# --products: the choice is reported, and each choice gives the same bytes with any number of threads, in any batch, and when resumed.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc"
corpus 300

for tool in 'train -s tokens.en -t tokens.de -m vocabulary -o none' 'translate -m none'; do
  expect 2 $tool --products gpu < tokens.en
  says "${tool%% *}: option '--products': must be auto, host or shader, got 'gpu'; try '${tool%% *} --help'"
done

trained() {
  train -v -s tokens.en -t tokens.de -m vocabulary --preset tiny --layers 1 --d-model 64 --d-ff 256 --heads 2 --batch-tokens 1000 \
    --log-every 1 -o "$@" > log.tsv 2> notes || fail "train $*: $(cat notes)"
}
model=model-00000006.safetensors
trained auto --max-steps 6
if ! grep -q 'CPU' <<< "$(translate -v -m auto/$model < /dev/null 2>&1)"; then
  expect 1 translate -m auto/$model --products host
  says '.*: the host can compute products only for a device of type CPU, whose memory it shares'
  skip 'products by the host: the device is not a CPU'
  exit
fi
grep -qE '^train: products: by the host, [A-Z0-9_]+, [0-9]+ threads?$' notes || fail "the choice is reported: $(cat notes)"
trained host --max-steps 6 --products host --threads 1
grep -qE '^train: products: by the host, [A-Z0-9_]+, 1 thread$' notes || fail "threads are reported: $(cat notes)"
cmp auto/$model host/$model || fail 'the number of threads changes the weights'
trained parts --max-steps 3
trained parts --max-steps 6
cmp auto/$model parts/$model || fail 'a resumed run has other weights'
# Lavapipe has other vectors on other processors; caches do not tell them apart.
for bits in 128 256; do
  (export LP_NATIVE_VECTOR_WIDTH=$bits MESA_SHADER_CACHE_DISABLE=true MESA_GLSL_CACHE_DISABLE=true XDG_CACHE_HOME=$PWD/cache-$bits
    trained wide-$bits --max-steps 6 --clip-norm 0.1) || fail "training with vectors of $bits bits"
done
cmp wide-128/$model wide-256/$model || fail "the vectors of the driver change the weights"
trained shader --max-steps 6 --products shader
grep -qx 'train: products: by shaders' notes || fail "shaders are reported: $(cat notes)"
cmp -s auto/$model shader/$model && fail 'host and shader round in the same way: nothing was computed by the host'
losses() { awk 'NR > 1 {printf "%.2f ", $4}' "$1/log.tsv"; }
same 'losses of host and shader' "$(losses shader)" "$(losses auto)"

head -n 60 tokens.en > lines
translate -m auto/$model --scores -j 2 < lines > together
translate -m auto/$model --scores -j 1 < lines > one_thread
cmp together one_thread || fail 'the number of threads changes translations'
while IFS= read -r line; do translate -q -m auto/$model --scores <<< "$line"; done < <(head -n 6 lines) > alone
cmp <(head -n 6 together) alone || fail 'a translation depends on its batch'

# 8-bit weights: the host multiplies integers, and its scores are close to those of shaders, which widen the weights.
average --quantize int8 -o int8 auto/$model
translate -m int8 --scores -j 2 < lines > together
translate -m int8 --scores -j 1 < lines > one_thread
cmp together one_thread || fail 'the number of threads changes translations with integers'
while IFS= read -r line; do translate -q -m int8 --scores <<< "$line"; done < <(head -n 6 lines) > alone
cmp <(head -n 6 together) alone || fail 'a translation with integers depends on its batch'
head -n 60 tokens.de > targets
translate -m int8 --target targets < lines > host_scores
translate -m int8 --target targets --products shader < lines > shader_scores
same 'scores of all lines' 60 "$(wc -l < host_scores)"
cmp -s host_scores shader_scores && fail 'nothing was computed with integers'
paste host_scores shader_scores | awk '{ d = ($1 - $(NF / 2 + 1)) / $1; if (d > 0.01 || d < -0.01) exit 1 }' || fail 'scores with integers'
