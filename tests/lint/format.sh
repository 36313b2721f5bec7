#!/bin/bash
# clang-format has nothing to change.  Versions differ in what they would; the one that counts is Debian 12's.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
cd "$AWEND_SOURCE" || exit 1
version=$(clang-format --version 2> /dev/null | grep -oP 'version \K[0-9]+')
if [ "$version" != 14 ]; then
  skip "this is clang-format ${version:-none}, not 14"
  exit
fi
sources=$(find libcore tools tests -name '*.?pp')
[ "$(wc -l <<< "$sources")" -gt 100 ] || fail 'there are sources'
# shellcheck disable=SC2086
same 'what clang-format would change' '' "$(clang-format --dry-run $sources 2>&1 | grep -F warning: | cut -d : -f 1 | sort -u)"
