#!/bin/bash
# No tool links Vulkan or MeCab: those that need them open them at run time, and say what is missing.  Only train links MPI, and only
# build-vocab the trainer of SentencePiece.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
for tool in tokenize build-vocab align average convert-model score translate inspect train awend-bench; do
  ldd "$AWEND_BIN/$tool" > libraries || fail "ldd $tool"
  grep -q libstdc++ libraries || fail "ldd lists what $tool links"
  grep vulkan libraries && fail "$tool does not link Vulkan"
  grep mecab libraries && fail "$tool does not link MeCab"
  case $tool in
    build-vocab) grep -q libsentencepiece_train libraries || fail "$tool links the trainer, so that this test can see it" ;;
    *) grep libsentencepiece_train libraries && fail "$tool does not link the trainer of SentencePiece" ;;
  esac
done
# And the tools for text do not even hold the means to look for it; score has it for neural metrics (tests/cli/comet.sh).
for tool in tokenize build-vocab align average convert-model; do
  grep -qF libvulkan.so "$AWEND_BIN/$tool" && fail "$tool does not name Vulkan's loader"
done
for tool in score translate inspect train; do
  grep -qF libvulkan.so "$AWEND_BIN/$tool" || fail "$tool names Vulkan's loader, so that this test can see it"
done
for tool in tokenize build-vocab align average convert-model score translate inspect; do
  ldd "$AWEND_BIN/$tool" | grep -E 'lib(boost_)?mpi' && fail "$tool does not link MPI"
done
if train --version | grep -qx 'MPI: none'; then
  skip 'what links MPI, which is not in this build'
else
  ldd "$AWEND_BIN/train" | grep -q libboost_mpi || fail 'train links MPI, so that this test can see it'
fi
