#!/bin/bash
# The tools for text link no Vulkan: they run where there is no GPU, no driver and no loader.  Only train links MPI.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
for tool in tokenize build-vocab average score; do
  ldd "$AWEND_BIN/$tool" > libraries || fail "ldd $tool"
  grep -q libstdc++ libraries || fail "ldd lists what $tool links"
  grep vulkan libraries && fail "$tool links Vulkan"
done
ldd "$AWEND_BIN/train" | grep -q libvulkan || fail 'train links Vulkan, so that this test can see it'
for tool in tokenize build-vocab average score translate inspect; do
  ldd "$AWEND_BIN/$tool" | grep -E 'lib(boost_)?mpi' && fail "$tool links MPI"
done
if train --version | grep -qx 'MPI: none'; then
  echo 'left out: what links MPI, which is not in this build'
else
  ldd "$AWEND_BIN/train" | grep -q libboost_mpi || fail 'train links MPI, so that this test can see it'
fi
