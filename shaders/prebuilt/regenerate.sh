#!/bin/bash
# Compiles a kernel for matrix units and writes the module to NAME.h in this directory, with the hash of its preprocessed source
# (hash.sh, tests/lint/prebuilt.sh) and the version of the compiler.
#
#   shaders/prebuilt/regenerate.sh GLSLANG NAME SOURCE
#
# Words are written in decimal, which is shorter than hexadecimal here.
set -euo pipefail
glslang=$1 name=$2 source=$3
unset CDPATH
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$glslang" --quiet -g0 -V --target-env vulkan1.3 -I. -o "$work/module" "$source"
{
  echo '// SPIR-V for compilers without cooperative matrices, written by the target regenerate-shaders.'
  echo "// Source: $source"
  echo "// SHA-256: $(prebuilt/hash.sh "$source")"
  "$glslang" --version | sed -n 's|^Glslang Version: [0-9]*:|// Compiler: glslang |p'
  echo
  echo "constexpr std::uint32_t kernel_${name}_fp16[] = {"
  od -An -v -tu4 -w4 "$work/module" | sed 's/ *//; s/$/,/' | fmt -w 100
  echo '};'
} > "prebuilt/$name.h"
