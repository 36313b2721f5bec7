#!/bin/bash
# What of the style can be checked by a pattern.  The rest is in CONTRIBUTING.md.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
cd "$AWEND_SOURCE" || exit 1
sources=$(find libcore tools shaders tests \( -name '*.?pp' -o -name '*.h' -o -name '*.comp' -o -name '*.glsl' \))
code=$(grep -E '^(libcore|tools)/.*\.(cpp|hpp)$' <<< "$sources")
headers=$(grep '\.hpp$' <<< "$sources")
scripts=$(find tools tests .ci -name '*.sh' -o -path .ci/run)
[ "$(wc -l <<< "$code")" -gt 20 ] || fail 'there are sources'

# none WHAT PATTERN FILES [EXCEPT]: no line matches; each that does is named.
none() {
  local found
  # shellcheck disable=SC2086
  found=$(grep -nPH -- "$2" $3)
  [ -z "${4:-}" ] || found=$(grep -vP -- "$4" <<< "$found")
  same "$1" '' "$found"
}
same 'no line is wider than 100 columns' '' "$(LC_ALL=C.UTF-8 grep -nHE '^.{101}' $sources)"
# Lintian: 80 in the changelog of a package, where lines begin two columns later.
same 'no line of the changelog is too long' '' "$(LC_ALL=C.UTF-8 grep -nE '^.{79}' tools/packaging/CHANGELOG.md)"
none 'no tabs, no space at the end of a line' '\t|[ \t]+$' "$sources
$scripts"
none 'no macros' '^\s*#\s*define' "$code" '#define HWY_'
none 'no shared ownership' 'shared_ptr' "$code"
none 'no using namespace in a header' 'using namespace' "$headers"
# The callback of the validation layer is called from C, where nothing can be thrown; a rank that fails ends the others.
none 'only run_tool prints or exits' '\b(std::(cout|cerr|clog|exit|quick_exit|_Exit|abort|terminate)|f?printf|f?puts|fwrite|putchar|perror|exit|_Exit|abort)\s*[(<]' \
  "$code" '^(tools/run_tool|libcore/vulkan/instance|libcore/train/ranks/)|\branks\.abort'
none 'no std::regex, which is slow and has its locale' 'std::regex' "$code"
# The version in Vulkan's strings has two parts, and the library's trainer prints two numbers.
none 'numbers are parsed by base/numbers.hpp' '\b(from_chars|strto[a-z]+|sto[idluf]+|ato[fil]|sscanf)\s*\(' "$code" '^libcore/(base/numbers\.hpp|vulkan/buffers\.cpp|text/sentencepiece/trainer\.cpp)'
none 'constants are named kLikeThis' '^(inline |static )?constexpr [^(=]*\b[a-z]\w* ?(=|\[|\{)' "$code" '\bk[A-Z]\w* ?(=|\[|\{)|constexpr struct \{'
none 'no names that say nothing' '^namespace awend::(util|utils|common|misc)' "$code"
none 'the library does not know the options of the programs' '^(?!\s*//)[^"]*(?:"[^"]*"[^"]*)*"[^"]*--[a-z]' "$(grep ^libcore/ <<< "$code")"
none 'contracts read "Requires: ..." and "Test: FILE"' '//.*(?:\bREQUIRES:|\bTested by\b|\bTests:)' "$code"
for header in $headers; do
  grep -q '^#pragma once$' "$header" || fail "$header has #pragma once"
  [ "$(head -c 2 "$header")" = // ] || fail "$header opens with its idea"
done
for module in libcore/*/; do
  module=$(basename "$module")
  for file in $(find "libcore/$module" -name '*.?pp'); do
    grep -qE "^namespace awend::$module( |::)" "$file" || fail "$file is in namespace awend::$module"
  done
done
# Its trap tells ctest what failed.
# shellcheck disable=SC2046
none 'only script.sh traps the end of a test; tests define clean_up()' '^\s*trap .* EXIT' "$(grep -lE '/(script\.sh|tools\.inc)"' $scripts)" '^tests/script'
same 'no file without a last newline' '' "$(for file in $sources $scripts; do [ -z "$(tail -c 1 "$file")" ] || echo "$file"; done)"
same 'no stray text of a merge' '' "$(grep -lE '^(<<<<<<<|>>>>>>>) ' $sources $scripts)"
