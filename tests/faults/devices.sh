#!/bin/bash
# Devices that cannot run awend are refused with the reason, and a GPU whose memory is full is worth a warning.  A layer makes the device
# of this machine look so (device_layer.cpp).
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc" || exit 1
[ -e "${AWEND_BUILD:?}/tests/layers/libawend-device-layer.so" ] || { fail 'the layer is built'; exit 1; }
layer=(env VK_LAYER_PATH="$AWEND_BUILD/tests/layers" VK_INSTANCE_LAYERS=VK_LAYER_AWEND_faults)

corpus 50
small_model run
model=run/model-00000003.safetensors
expect 0 "${layer[@]}" inspect --devices
device=$(sed -n 's/^0  //p' out)
[ -n "$device" ] || { fail 'the name of the device'; exit 1; }
advice='; update its driver, or use another device'
train=(train -q -s tokens.en -t tokens.de -m vocabulary --preset tiny)

# lacking WHAT VARIABLE=VALUE...: a GPU that lacks something is neither chosen, which is said, nor accepted by its name.
lacking() {
  local what=$1 refused
  shift
  refused="0 $device (lacks $what)$advice"
  expect_warning "translate: warning: computing on the CPU, because no GPU can be used: $refused" \
    "${layer[@]}" AWEND_LAYER_GPU=1 "$@" translate -m $model tokens.en
  cmp -s out on_cpu || fail "without $what the processor translates"
  expect 1 "${layer[@]}" "$@" "${train[@]}" -o other --device 0
  prints ''
  says "train: device '0' was found but cannot be used: $refused"
  expect 0 "${layer[@]}" "$@" inspect --devices
  tr -s ' \n' '  ' < out | grep -qF " lacks $what " || fail "inspect: $what"
}
# expect_warning LINE COMMAND...: a success with one line on stderr.
expect_warning() {
  local line=$1
  shift
  "$@" > out 2> err || fail "$*: status $?"
  says "$line"
}
expect 0 translate --device cpu -m $model tokens.en
mv out on_cpu
lacking 'Vulkan 1.3' AWEND_LAYER_VERSION=1.1
lacking 'a queue for compute' AWEND_LAYER_NO_COMPUTE=1
lacking '64 MiB of memory (it has 63)' AWEND_LAYER_MEMORY_MIB=63
# With addresses instead of storage buffers, it could run; lavapipe before Mesa 23.1 pushes too few bytes for them.
if inspect --devices | grep -qE 'Mesa (2[0-2]|23\.0)'; then
  lacking '15 storage buffers in a kernel (it has 4)' AWEND_LAYER_STORAGE_BUFFERS=4
else
  expect 0 "${layer[@]}" AWEND_LAYER_STORAGE_BUFFERS=4 translate --device 0 -m $model tokens.en
fi
lacking 'Vulkan 1.3, a queue for compute' AWEND_LAYER_VERSION=1.2 AWEND_LAYER_NO_COMPUTE=1

# A GPU that is in order and cannot be opened, as one that another program has for itself.
why='vkCreateDevice: initialization failed (VkResult -3)'
expect_warning "translate: warning: computing on the CPU, because $device cannot be opened: $why" \
  "${layer[@]}" AWEND_LAYER_GPU=1 AWEND_LAYER_NO_DEVICE=1 translate -m $model tokens.en
cmp -s out on_cpu || fail 'the processor translates instead'
expect 1 "${layer[@]}" AWEND_LAYER_NO_DEVICE=1 translate -m $model --device 0 tokens.en
says "translate: $why"

# A name of no device: what there is.
expect 1 "${layer[@]}" translate -m $model --device geforce tokens.en
says "translate: no device is named 'geforce'; there are: cpu; 0 $device"

# As on a GPU, the host copies to and from memory that it cannot access; the result is the same as on one without the layer, which
# computes with the same kernels.
head -n 5 tokens.en > few
gpu=("${layer[@]}" AWEND_LAYER_GPU=1 AWEND_MATMUL=subgroup AWEND_MATRIX=0)
expect 0 translate -m $model --device $vulkan few
mv out whole
expect 0 "${gpu[@]}" translate -m $model few
cmp out whole || fail 'a device with memory of its own'
# Training, where inputs of the next pass are written while one runs, and work is divided into submissions; with several passes of an
# update, and resumed.
learn=(train -q -s tokens.en -t tokens.de -m vocabulary --preset tiny --d-model 32 --d-ff 32 --heads 2 --layers 1 --batch-tokens 200)
"${learn[@]}" --device $vulkan --accumulate 2 --max-steps 6 -o cpu > /dev/null || fail 'training on the processor'
for steps in 3 6; do
  "${gpu[@]}" "${learn[@]}" --accumulate 2 --max-steps $steps -o gpu > /dev/null || fail "training for $steps steps"
done
cmp cpu/model-00000006.safetensors gpu/model-00000006.safetensors || fail 'training on a device with memory of its own'
# Two processes, which exchange gradients while the device computes.
if train --version | grep -qx 'MPI: none'; then
  skip 'training by several processes, because this build has no MPI'
else
  prepare_mpi
  mpirun -np 2 "${learn[@]}" --device $vulkan --accumulate 2 --max-steps 4 -o cpus > /dev/null || fail 'two processes'
  mpirun -np 2 "${gpu[@]}" "${learn[@]}" --accumulate 2 --max-steps 4 -o gpus > /dev/null || fail 'two processes with GPUs'
  cmp cpus/model-00000004.safetensors gpus/model-00000004.safetensors || fail 'two processes with GPUs have the weights of one'
fi
# Its memory is full: allocations are in the memory of the machine.
"${gpu[@]}" AWEND_LAYER_LOCAL_MIB=1 translate -m $model few > out 2> err || fail "a full device: $(cat err)"
cmp out whole || fail 'a full device'
grep -qE "^translate: warning: .*: [1-9][0-9]* MiB of [0-9]+ do not fit in its memory; kernels read them from the memory of the machine, which is slow$" err ||
  { fail 'the warning'; cat err >&2; }
same 'one line' 1 "$(wc -l < err)"
true
