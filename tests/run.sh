#!/bin/bash
# Installs missing packages, builds, in a new build directory with warnings as errors, and runs all tests.  Exits with status 0 if all tests
# passed.
#
#   tests/run.sh [--no-install] [CTEST-OPTION...]      e.g. tests/run.sh -L unit
#
# AWEND_CONFORMANCE and AWEND_DATA name directories with the output of reference programs and with corpora.  Without them, tests that
# need them are skipped.
set -euo pipefail
root=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
. "$root/tools/recipes/setup.sh"

offline=
if [ "${1:-}" = --no-install ]; then
  offline=yes
  shift
else
  install_missing "${build_packages[@]}" "${test_packages[@]}"
fi

step 'Building'
build=$root/build
# What quickstart.sh has built is kept; other compiler options would build it again.
[ -f "$build/cmake_install.cmake" ] || set_options=-DAWEND_WERROR=ON
cmake -S "$root" -B "$build" -G Ninja -DAWEND_TESTS=ON ${set_options:-}
cmake --build "$build"

# The fuzz targets are another build, by clang.
if [ $# -eq 0 ] && command -v clang++ > /dev/null; then
  (cd "$root" && cmake --preset fuzz > /dev/null && cmake --build --preset fuzz)
fi

[ -n "$offline" ] || "$root/tests/fetch_radv.sh" "$build/drivers" || echo 'no newer RADV: fewer GPUs are compiled for'

step 'Testing'
for variable in AWEND_CONFORMANCE AWEND_DATA; do
  [ -d "${!variable:-}" ] || echo "skipping tests that need $variable: it is not a directory"
done
export MESA_SHADER_CACHE_DIR=$build/mesa-cache
status=0
# One more than there are processors: some tests mostly wait.  Shells let commands in the background ignore SIGINT, which tests send.
env --default-signal=INT ctest --test-dir "$build" -j $(($(nproc) + 1)) --no-tests=error --output-on-failure "$@" || status=$?
printf '\ntests/run.sh: %s after %d:%02d\n' "$([ $status -eq 0 ] && echo passed || echo FAILED)" $((SECONDS / 60)) $((SECONDS % 60))
exit $status
