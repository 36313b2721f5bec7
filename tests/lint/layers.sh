#!/bin/bash
# The arrows between rooms, and each outside library's one door.  CONTRIBUTING.md draws them.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
cd "$AWEND_SOURCE" || exit 1

declare -A may_include=(
  [base]='base'
  [text]='text base'
  [store]='store base'
  [metrics]='metrics text base'
  [vulkan]='vulkan base shaders'
  [data]='data text base'
  [nn]='nn vulkan base shaders'
  [model]='model nn store base'
  [train]='train decode text model nn data store metrics base'
  [decode]='decode model nn data store text base'
)

# An arrow is an #include with quotes in a room's sources, or a link line in CMakeLists.txt.
for room in libcore/*/; do
  room=$(basename "$room")
  allowed=${may_include[$room]:-}
  [ -n "$allowed" ] || { fail "libcore/$room is a room of the house"; continue; }
  included=$(grep -rhoP '^\s*#\s*include "\K[^"]*' "libcore/$room")
  for header in $(sort -u <<< "$included"); do
    case " $allowed " in
      *" ${header%%/*} "*) ;;
      *) fail "libcore/$room includes $header; it may include: $allowed" ;;
    esac
    [ -f "libcore/$header" ] || [ -f "$header" ] || fail "libcore/$room includes $header by its path from libcore or the root"
  done
  for linked in $(grep -oP "^awend_room\($room \K[^)]*" CMakeLists.txt | grep -o 'awend_[a-z]*'); do
    case " $allowed " in
      *" ${linked#awend_} "*) ;;
      *) fail "CMakeLists.txt links $room with $linked; it may see: $allowed" ;;
    esac
  done
done
same 'rooms found' yes "$([ "$(ls -d libcore/*/ | wc -l)" -ge 4 ] && echo yes)"

# door LIBRARY PATTERN-OF-INCLUDE PLACE...: only these places include it.
door() {
  local library=$1 pattern=$2 found
  shift 2
  found=$(grep -rlP "^\s*#\s*include <$pattern" libcore tools shaders)
  for place; do found=$(grep -v "^$place" <<< "$found"); done
  same "$library is included behind its door only" '' "$found"
}
door ICU unicode/ libcore/text/ tools/recipes/
door SentencePiece sentencepiece_ libcore/text/sentencepiece.cpp
door Vulkan vulkan/ libcore/vulkan/functions.hpp
door nlohmann/json nlohmann/ libcore/store/json libcore/store/settings.cpp libcore/store/header.cpp libcore/store/attention_file.cpp \
  libcore/store/array_writer.cpp
door zlib 'z(lib|conf)\.h' libcore/base/decompressor.cpp
door libzstd zstd libcore/base/decompressor.cpp
door Boost boost/ libcore/base/options.cpp libcore/train/ranks_with_mpi.cpp
door MPI mpi libcore/train/ranks_with_mpi.cpp
