#!/bin/bash
# A device that is lost in the middle of a run: status 1 and one line, no hang, and a training that is started again ends with the bytes
# of one that nothing disturbed.  A layer returns VK_ERROR_DEVICE_LOST (device_layer.cpp).
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc" || exit 1
[ -e "${AWEND_BUILD:?}/tests/layers/libawend-device-layer.so" ] || { fail 'the layer is built'; exit 1; }
layer=(timeout 300 env VK_LAYER_PATH="$AWEND_BUILD/tests/layers" VK_INSTANCE_LAYERS=VK_LAYER_AWEND_faults)

corpus 60
head -n 10 tokens.en > few.en
head -n 10 tokens.de > few.de
device=$(inspect --devices | sed -n 's/^0  //p')
train=(train -q --device $vulkan -s tokens.en -t tokens.de -m vocabulary --preset tiny --d-model 32 --d-ff 32 --heads 2 --layers 1
       --batch-tokens 200 --valid-source few.en --valid-target few.de --valid-beam 0 --valid-every 4 --save-every 2 --max-steps 8)

# checked WHAT: one line, which names the device, and what to do.
checked() {
  same "$1: one line" 1 "$(wc -l < err)"
  grep -qF ": $device was lost (vk" err || { fail "$1: the device"; cat err >&2; }
  grep -qF 'run the same command again to resume from what was saved' err || fail "$1: what to do"
}

"${train[@]}" -o whole > /dev/null || fail 'the training'
"${layer[@]}" AWEND_LAYER_COUNT="$PWD/calls" "${train[@]}" -o counted > /dev/null || fail 'the training with the layer'
cmp whole/model-00000008.safetensors counted/model-00000008.safetensors || fail 'the layer does not change results'
calls=$(stat -c %s calls)
[ "$calls" -gt 20 ] || fail "there are $calls submissions"
# In different places: while the run starts, in updates, and at the end.
for tenths in 1 5 7 9; do
  rm -rf run
  expect 1 "${layer[@]}" AWEND_LAYER_LOST_AT=$((calls * tenths / 10)) "${train[@]}" -o run
  checked "lost after $tenths tenths"
  expect 0 "${train[@]}" -o run
  cmp whole/model-00000008.safetensors run/model-00000008.safetensors || fail "resumed after $tenths tenths"
done

rm calls
"${layer[@]}" AWEND_LAYER_COUNT="$PWD/calls" translate --device $vulkan -m whole few.en > right || fail 'the translation'
expect 1 "${layer[@]}" AWEND_LAYER_LOST_AT=$(($(stat -c %s calls) / 2)) translate --device $vulkan -m whole few.en
checked 'translate'
