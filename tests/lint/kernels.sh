#!/bin/bash
# Kernels and their launches: each shader is compiled into kernels, each kernel is declared in the header of its operation, and each
# declared kernel is launched.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
cd "$AWEND_SOURCE" || exit 1

same 'shaders that are compiled' "$(cd shaders && ls op_*.comp)" "$(grep -oE 'op_\w+\.comp' shaders/kernels.cmake | sort -u)"
same 'headers of shaders' "$(cd shaders && printf '%s\n' op_*.comp | sed 's/comp$/h/')" "$(cd shaders && ls op_*.h)"
for shader in shaders/op_*.comp; do
  header=$(basename "${shader%.comp}").h
  grep -qxF "#include \"$header\"" "$shader" || fail "$shader includes $header"
done

# The forms of a product are one declaration; the launch chooses the name.
declared=$(sed -nE 's/^KERNEL(_LIKE)?(_WITHOUT_HOST)?\((\w+), (\w+),.*/\3 \4/p' shaders/op_*.h)
[ "$(wc -l <<< "$declared")" -gt 25 ] || fail 'kernels are declared'
compiled=$(sed -nE 's/^ *awend_(matrix_)?kernel\(([^ ]+) .*/\2/p' shaders/kernels.cmake | sed -E 's/^matmul_(nt|tn|\$\{form\})/matmul_nn/; s/_few//' | sort -u)
same 'kernels that are declared' "$compiled" "$(cut -d ' ' -f 1 <<< "$declared" | sort)"
while read -r kernel type; do
  grep -rqE --include='*.cpp' "\b${type}Launch[>{]" libcore/nn || fail "libcore/nn launches $kernel (${type}Launch)"
done <<< "$declared"
# Names that a launch chooses are put together from those of kernels.cmake.
for part in matmul_nn matmul_nt matmul_tn _shared _few _16 matmul_matrix_fp16 attention_matrix_bf16; do
  grep -rqF --include='*.cpp' "\"$part\"" libcore/nn || fail "libcore/nn has the name $part"
done
