#!/bin/bash
# Prints the hash of what the compiler of GLSL sees of a source, so that a change of comments or of declarations for C++ needs no
# regeneration:
#
#   shaders/prebuilt/hash.sh SOURCE
#
# As assembler, directives of GLSL are no errors.
set -euo pipefail
unset CDPATH
cd "$(dirname "$0")/.."
cpp -P -x assembler-with-cpp -I. "$1" | tr -d '[:space:]' | sha256sum | cut -d ' ' -f 1
