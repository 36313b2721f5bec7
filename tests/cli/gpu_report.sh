#!/bin/bash
# tests/gpu.sh: a packed directory is complete, and the report of some tests, run from it on the default device.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
gpu() { bash "$AWEND_SOURCE/tests/gpu.sh" "$@"; }
command -v strip > /dev/null || { skip 'no strip'; exit; }

expect 2 gpu --parts tests,sleep
says "gpu.sh: unknown part 'sleep'; try --help"
expect 2 gpu --minutes soon
says "gpu.sh: --minutes must be a number, but is 'soon'"

mkdir data
for part in train val test_2016_flickr; do echo 'Ein Hund.' | tee "data/$part.en" > "data/$part.de"; done
expect 0 gpu --pack packed --data data
[ -n "${AWEND_SANITIZED:-}" ] ||
  same 'a packed directory is below 60 MB' yes "$([ "$(du -sk packed | cut -f 1)" -lt 60000 ] && echo yes)"
for recipe in quickstart multi30k; do expect 0 packed/tools/recipes/$recipe.sh --help; done
same 'it has the data' 6 "$(ls packed/data | wc -l)"
expect 1 gpu --pack packed
says 'gpu.sh: packed: is not empty'
# Every library but those of glibc is there.
mkdir unpacked
tar xzf packed/programs.tar.gz -C unpacked
same 'no library is missing' '' "$(for program in unpacked/programs/*; do LD_LIBRARY_PATH=$PWD/unpacked/lib ldd "$program"; done |
  awk '/=>/ && $3 !~ /unpacked\/lib\// { print $1 }' | sort -u | grep -vE '^(ld-linux.*|lib(c|m|dl|pthread|rt|resolv|util|mvec)\.so.*)$')"

# From there, without variables of this build.
packed() {
  env -i PATH=/usr/bin:/bin HOME="$PWD" ${MESA_SHADER_CACHE_DIR:+MESA_SHADER_CACHE_DIR="$MESA_SHADER_CACHE_DIR"} \
    AWEND_DEVICE=$vulkan ${ASAN_OPTIONS:+ASAN_OPTIONS="$ASAN_OPTIONS"} packed/tests/gpu.sh "$@"
}
expect 0 packed --parts tests --tests '[graph]' -o report.md
same 'the table has the device, the commit and the tests' 3 \
  "$(grep -cE '^\| (device \| .+|commit of awend \| [0-9a-f]+|tests: kernels \| All tests passed .*) \|$' report.md)"
same 'no other test ran' 2 "$(grep -cE '^\| tests: (learn|properties) \| No tests ran \|$' report.md)"
