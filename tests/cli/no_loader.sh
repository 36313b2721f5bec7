#!/bin/bash
# Without Vulkan's loader: programs that need a device print one line about what to install, and all others work.  An empty file is in the
# loader's place, because dlopen would search on if nothing did; a name that is nowhere is tests/unit/vulkan/functions_test.cpp.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc"

corpus 50
small_model run
model=run/model-00000003.safetensors

mkdir hidden && : > hidden/libvulkan.so.1
without=(env LD_LIBRARY_PATH="$PWD/hidden")
loader="Vulkan's loader cannot be loaded: $PWD/hidden/libvulkan.so.1: file too short; install it with 'apt-get install libvulkan1'"
expect 1 "${without[@]}" translate -m $model tokens.en
prints ''
says "translate: $loader"
expect 1 "${without[@]}" train -q -s tokens.en -t tokens.de -m vocabulary --preset tiny -o other
prints ''
says "train: $loader"

expect 1 "${without[@]}" inspect --devices
says "inspect: $loader"
grep -qx 'Loader' out || fail 'the heading of the loader'
tr -s ' \n' '  ' < out > flat
grep -qF "FAILS $loader" flat || fail 'why the loader cannot be loaded'
grep -qF "'apt-get install libvulkan1' brings the loader" flat || fail 'what to install'
grep -q '^Driver files$' out || fail 'the drivers are looked at all the same'

# No device is needed for these.
expect 0 "${without[@]}" inspect $model
expect 0 "${without[@]}" inspect --curves log.tsv
for tool in train translate inspect; do expect 0 "${without[@]}" "$tool" --version; done
