#!/bin/bash
# All tests: installs what is missing, builds with warnings as errors, runs ctest.  Status 0 if every test passed.
#
#   tests/run.sh [--no-install] [CTEST-OPTION...]      e.g. tests/run.sh -L unit
#
# AWEND_CONFORMANCE and AWEND_DATA name folders with outputs of reference programs and with corpora; without them the tests that
# compare with those say that they leave it out.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tools/recipes/setup.sh"

if [ "${1:-}" = --no-install ]; then
  shift
else
  install_missing "${build_packages[@]}" "${test_packages[@]}"
fi

step 'Building'
build=$root/build
cmake -S "$root" -B "$build" -G Ninja -DAWEND_TESTS=ON -DAWEND_WERROR=ON
cmake --build "$build"

step 'Testing'
for folder in AWEND_CONFORMANCE AWEND_DATA; do
  [ -d "${!folder:-}" ] || echo "left out where $folder would be needed: it names no folder"
done
export MESA_SHADER_CACHE_DIR=$build/mesa-cache
status=0
ctest --test-dir "$build" -j 2 --output-on-failure "$@" || status=$?
printf '\ntests/run.sh: %s after %d:%02d\n' "$([ $status -eq 0 ] && echo passed || echo FAILED)" $((SECONDS / 60)) $((SECONDS % 60))
exit $status
