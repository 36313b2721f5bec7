#!/bin/bash
# Each header of the library compiles on its own.  The build has proved it of those that some source includes before anything else, as
# x.cpp does x.hpp; the others are compiled here.  Tests prove nothing: they have a precompiled header in front.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
cd "$AWEND_SOURCE" || exit 1

headers=$(find libcore -name '*.hpp' -printf '%P\n' | sort)
first=$(find libcore tools -name '*.cpp' -exec grep -hm 1 '^#include' {} + | sed -n 's/^#include "\(.*\)"$/\1/p' | sort -u)
others=$(comm -23 <(echo "$headers") <(echo "$first"))
same 'most are proved by the build' yes "$([ "$(wc -l <<< "$others")" -lt 40 ] && echo yes)"
alone() { echo "#include \"$1\"" | "${CXX:-c++}" -std=c++20 -Wall -Wextra -Werror -fsyntax-only -I libcore -I . -x c++ -; }
export -f alone
said=$(xargs -P 2 -I HEADER bash -c 'alone HEADER' <<< "$others" 2>&1) || fail "a header that needs what it does not include: $said"
