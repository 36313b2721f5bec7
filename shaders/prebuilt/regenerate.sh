#!/bin/bash
# Compiles a kernel for matrix units and keeps the module as NAME.h beside this script, with the
# hash of its sources (tests/lint/prebuilt.sh) and the compiler that made it.
#
#   shaders/prebuilt/regenerate.sh GLSLANG NAME SOURCE
#
# Words are written in decimal, which is shorter than hexadecimal here.
set -euo pipefail
glslang=$1 name=$2 source=$3
cd "$(dirname "$0")/.."
# A source and what it includes, each once.
sources_of() {
  echo "$1"
  sed -n 's|^#include "\(.*\)"|\1|p' "$1" | while read -r included; do sources_of "$included"; done
}
mapfile -t sources < <(sources_of "$source" | awk '!seen[$0]++')
module=$(mktemp)
trap 'rm -f "$module"' EXIT
"$glslang" --quiet -g0 -V --target-env vulkan1.3 -I. -o "$module" "$source"
{
  echo '// SPIR-V for compilers that cannot make it.  The target regenerate-shaders writes this file.'
  echo "// Sources: ${sources[*]}"
  echo "// SHA-256: $(cat "${sources[@]}" | sha256sum | cut -d' ' -f1)"
  "$glslang" --version | sed -n 's|^Glslang Version: [0-9]*:|// Compiler: glslang |p'
  echo
  echo "constexpr std::uint32_t kernel_${name}_fp16[] = {"
  od -An -v -tu4 -w4 "$module" | sed 's/ *//; s/$/,/' | fmt -w 100
  echo '};'
} > "prebuilt/$name.h"
