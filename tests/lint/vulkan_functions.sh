#!/bin/bash
# Every function of vulkan/functions.hpp is looked for by functions.cpp, under its own name and type.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
cd "$AWEND_SOURCE/libcore/vulkan" || exit 1
declared=$(tr -s ' \n' '  ' < functions.hpp | grep -oP 'inline PFN_(vk\w+) \K\1(?= = nullptr;)' | sort)
same 'each declaration has the type of its name' "$(grep -c '^inline PFN_' functions.hpp)" "$(wc -l <<< "$declared")"
same 'each is looked for' "$declared" "$(sed -nE 's/^ *loader\.find\((vk[A-Za-z0-9]+), "\1"\);$/\1/p' functions.cpp | sort)"
[ "$(wc -l <<< "$declared")" -gt 40 ] || fail 'there are functions'
for name in $declared; do
  grep -qrw --include='*.cpp' --include='*.hpp' --exclude='functions.*' "$name" . || fail "$name is used"
done
true
