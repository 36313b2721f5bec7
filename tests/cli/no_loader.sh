#!/bin/bash
# Without Vulkan's loader: the processor trains and translates, and a Vulkan device that is asked for is answered with what to install.  An
# empty file is in the loader's place, because dlopen would search on if nothing did; a name that is nowhere is
# tests/unit/vulkan/functions_test.cpp.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc"

corpus 50
small_model run
model=run/model-00000003.safetensors
expect 0 translate -m $model tokens.en
mv out whole

mkdir hidden && : > hidden/libvulkan.so.1
without=(env LD_LIBRARY_PATH="$PWD/hidden")
loader="Vulkan's loader cannot be loaded: $PWD/hidden/libvulkan.so.1: file too short; install it with 'apt-get install libvulkan1'"
expect 1 "${without[@]}" translate -m $model --device $vulkan tokens.en
prints ''
says "translate: $loader"
expect 1 "${without[@]}" train -q -s tokens.en -t tokens.de -m vocabulary --preset tiny -o other --device 0
prints ''
says "train: $loader"

# VK_DRIVER_FILES: the loader is asked for a GPU, in vain.
for variable in '' VK_DRIVER_FILES=nowhere; do
  expect 0 "${without[@]}" ${variable:+"$variable"} translate -m $model tokens.en
  cmp -s out whole || fail "a translation without the loader $variable"
  rm -rf again
  (PATH=$PWD/bin:$PATH && mkdir -p bin && printf '#!/bin/sh\nexec env LD_LIBRARY_PATH=%s %s %s/train "$@"\n' "$PWD/hidden" "$variable" "$AWEND_BIN" > bin/train &&
    chmod +x bin/train && small_model again) || fail 'a training without the loader'
  cmp -s again/model-00000003.safetensors $model || fail "a training without the loader $variable"
done

# A library without Vulkan's functions, as a loader that is older than these, is one that cannot be used.
mkdir old && cp "$(ldd "$AWEND_BIN/translate" | awk '$1 == "libm.so.6" { print $3 }')" old/libvulkan.so.1
expect 1 env LD_LIBRARY_PATH="$PWD/old" translate -m $model --device $vulkan tokens.en
says "translate: Vulkan's loader (libvulkan.so.1) has no vkCmdPipelineBarrier2: it is older than Vulkan 1.3; install a newer libvulkan1"

# The processor is listed; what keeps Vulkan from working is said below.
expect 0 "${without[@]}" inspect --devices
grep -q '^cpu  ' out || fail 'the processor is listed'
grep -qx 'train and translate take cpu: no GPU was found' out || fail 'the processor is taken'
grep -qx 'Loader' out || fail 'the heading of the loader'
tr -s ' \n' '  ' < out > flat
grep -qF "FAILS $loader" flat || fail 'why the loader cannot be loaded'
grep -qF "'apt-get install libvulkan1' brings the loader" flat || fail 'what to install'
grep -q '^Driver files$' out || fail 'the drivers are looked at all the same'
expect 1 "${without[@]}" inspect --devices --device 0
says "inspect: $loader"

# No device is needed for these.
expect 0 "${without[@]}" inspect $model
expect 0 "${without[@]}" inspect --curves log.tsv
for tool in train translate inspect; do expect 0 "${without[@]}" "$tool" --version; done
