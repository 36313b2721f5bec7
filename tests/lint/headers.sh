#!/bin/bash
# Each header of the library compiles on its own.  The build checks headers that are the first include of some source, usually the
# source of the same name; this test compiles the others.  Test sources do not count because of their precompiled header.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
cd "$AWEND_SOURCE" || exit 1

headers=$(find libcore -name '*.hpp' -printf '%P\n' | sort)
first=$(find libcore tools -name '*.cpp' -exec grep -hm 1 '^#include' {} + | sed -n 's/^#include "\(.*\)"$/\1/p' | sort -u)
others=$(comm -23 <(echo "$headers") <(echo "$first"))
same 'most are proved by the build' yes "$([ $(($(wc -l <<< "$others") * 4)) -lt "$(wc -l <<< "$headers")" ] && echo yes)"
alone() { echo "#include \"$1\"" | "${CXX:-c++}" -std=c++20 -Wall -Wextra -Werror -fsyntax-only -I libcore -I . -x c++ -; }
export -f alone
said=$(xargs -P 2 -I HEADER bash -c 'alone HEADER' <<< "$others" 2>&1) || fail "headers include what they need: $said"

# Programs that use the library get no macros of it, such as those of kernels, but with its name.
installed=$(sed -n '/^set(awend_headers/,/)/p' tools/packaging/install.cmake | grep -o '[a-z0-9_/]*\.hpp')
same 'macros of installed headers' '' "$(sed 's/.*/#include "&"/' <<< "$installed" |
  "${CXX:-c++}" -std=c++20 -E -dD -I libcore -I . -x c++ - |
  awk '$1 == "#" { own = $3 ~ /^"(libcore|\.\/shaders|shaders)/ } own && $1 == "#define" && $2 !~ /^AWEND_/ { print $2 }')"
