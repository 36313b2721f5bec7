#!/bin/bash
# Without Vulkan's loader: what needs a device says in one line what to install, and all else works.  An empty file stands in the
# loader's place, because dlopen would search on if nothing did; a name that is nowhere is tests/unit/vulkan/functions_test.cpp.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

locale-corpus -n 50 -o raw
build-vocab -q --size 300 -o vocabulary raw.en raw.de
for side in en de; do tokenize -m vocabulary < raw.$side > tokens.$side; done
training=(train -q --source tokens.en --target tokens.de --vocabulary vocabulary --preset tiny --d-model 32 --d-ff 32 --heads 2
  --layers 1 --batch-tokens 400 --max-steps 1)
"${training[@]}" -o run > log.tsv || fail 'train'
model=run/model-00000001.safetensors

mkdir hidden && : > hidden/libvulkan.so.1
without=(env LD_LIBRARY_PATH="$PWD/hidden")
loader="Vulkan's loader cannot be loaded: $PWD/hidden/libvulkan.so.1: file too short; install it with 'apt-get install libvulkan1'"
expect 1 "${without[@]}" translate -m $model tokens.en
prints ''
says "translate: $loader"
expect 1 "${without[@]}" "${training[@]}" -o other
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
