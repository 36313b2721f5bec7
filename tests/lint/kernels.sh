#!/bin/bash
# Kernels and those who launch them: each shader is compiled into a kernel, each kernel is launched, and what is launched is a kernel.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
cd "$AWEND_SOURCE" || exit 1

same 'shaders that are compiled' "$(cd shaders && ls op_*.comp)" "$(grep -oE 'op_\w+\.comp' shaders/kernels.cmake | sort -u)"
# The forms of one product, and the units that compute it, are chosen by the launcher, which puts their names together.
kernels=$(sed -nE 's/^awend_(matrix_)?kernel\((\w+) .*/\2/p' shaders/kernels.cmake | sed -E '/^matmul/s/(_few|_16)+$//' | sort -u)
[ "$(wc -l <<< "$kernels")" -gt 25 ] || fail 'there are kernels'
for kernel in $kernels; do
  grep -rqE --include='*.cpp' "\"$kernel(_fp16)?\"" libcore/nn || fail "libcore/nn launches $kernel"
done
for launched in $(grep -rhoP '\.kernel = "\K\w+' libcore/nn | sort -u); do
  grep -qx "$launched" <<< "$kernels" || fail "$launched is a kernel"
done
