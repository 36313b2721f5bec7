#!/bin/bash
# Two builds of the same sources in different directories are the same bytes, debugging information and kernels included.  What is built
# is a sample: what reads the time, a path or an order would do so in one file as in all.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
outputs=(tools/CMakeFiles/awend_main.dir/Unity/unity_awend_main_0_cxx.cxx.o
  CMakeFiles/awend_base.dir/libcore/base/json.cpp.o shaders/adam.storage.spv.h)
export CCACHE_DISABLE=1 # or the second would be the first one's copy

for tree in one two/further/down; do
  mkdir -p "$tree/awend"
  (cd "$AWEND_SOURCE" && tar -c --exclude="./build*" --exclude=./.git --exclude=./run .) | tar -x -C "$tree/awend"
  cmake -S "$tree/awend" -B "$tree/awend/build" -G Ninja -DAWEND_TESTS=OFF -DAWEND_COMMIT=0123456789ab > log 2>&1 ||
    fail "cmake: $(tail -n 20 log)"
  ninja -C "$tree/awend/build" "${outputs[@]}" > log 2>&1 || fail "ninja: $(tail -n 20 log)"
done
for output in "${outputs[@]}" shaders/embedded.cpp; do
  cmp "one/awend/build/$output" "two/further/down/awend/build/$output" || fail "$output is the same"
  grep -qF "$scratch" "one/awend/build/$output" && fail "$output does not contain the name of its build directory"
done
true
