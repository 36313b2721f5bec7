#!/bin/bash
# Every kernel that an op header declares has a host function, or none and a comment that says why.  A missing function is also a link
# error, but only in programs that launch the kernel.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

# check TREE: the numbers of kernels with and without host functions, and what is wrong.
check() {
  local defined header name with=0 without=0
  defined=$(grep -rhoP '^void \K[a-z_0-9]+(?=\(ThreadPool&)' "$1/libcore/host" | sort)
  for header in "$1"/shaders/op_*.h; do
    grep -qE '^KERNEL(_LIKE)?(_WITHOUT_HOST)?\(' "$header" || echo "${header##*/} declares no kernel"
    for name in $(sed -nE 's/^KERNEL(_LIKE)?\(([a-z_0-9]+),.*/\2/p' "$header"); do
      with=$((with + 1))
      grep -qx "$name" <<< "$defined" || echo "$name has no host function in libcore/host"
    done
    for name in $(sed -nE 's/^KERNEL(_LIKE)?_WITHOUT_HOST\(([a-z_0-9]+),.*/\2/p' "$header"); do
      without=$((without + 1))
      grep -q '^// No host function' "$header" || echo "$name has neither a host function nor a reason"
      ! grep -qx "$name" <<< "$defined" || echo "$name has a host function"
    done
  done
  echo "$with with, $without without"
}
result=$(check "$AWEND_SOURCE")
grep -qxE '[0-9]{2,} with, [0-9]+ without' <<< "$result" || fail "kernels and their host functions: $result"
counts=$(tail -n 1 <<< "$result")

# broken FILE SED MESSAGE: the check reports what is wrong after a change of a copy of the tree.
broken() {
  rm -rf tree && mkdir -p tree/libcore && cp -r "$AWEND_SOURCE/shaders" tree/ && cp -r "$AWEND_SOURCE/libcore/host" tree/libcore/ || exit 1
  sed -i "$2" "tree/$1"
  ! cmp -s "tree/$1" "$AWEND_SOURCE/$1" || fail "sed '$2' changes nothing in $1"
  same "the check notices sed '$2' in $1" "$3" "$(check tree | head -n 1)"
}
broken libcore/host/mean_rows.cpp 's/void mean_rows(/void mean_of_rows(/' 'mean_rows has no host function in libcore/host'
broken shaders/op_narrow.h '/^\/\/ No host/d' 'narrow has neither a host function nor a reason'
broken shaders/op_ssru.h 's/^KERNEL(ssru,/KERNEL_WITHOUT_HOST(ssru,/' 'ssru has neither a host function nor a reason'
broken shaders/op_ssru.h '/^KERNEL/d' 'op_ssru.h declares no kernel'
echo "kernels: $counts host functions"
