#!/bin/bash
# Runs device tests and the quickstart on Vulkan drivers that compute on the CPU, without installing them.  Run manually; not part of
# ctest or CI, because it downloads packages and takes an hour for SwiftShader.
#
#   tests/drivers.sh [--keep DIR] [DRIVER]...     default: swiftshader lavapipe lavapipe-128 lavapipe-512
#
# swiftshader is the one of Debian's chromium (4 lanes), lavapipe that of bookworm-backports if apt knows this suite, otherwise the
# installed one; lavapipe-N has vectors of N bits.  DIR keeps what was downloaded (default: build-drivers).  The programs in build/ (or
# $AWEND_BUILD) are used.  All operations are computed by shaders.
set -euo pipefail
root=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
. "$root/tools/recipes/setup.sh"
build=${AWEND_BUILD:-$root/build} directory=$root/build-drivers
drivers=()
while [ $# -gt 0 ]; do
  case $1 in
    --keep) need_value "$@"; directory=$2; shift ;;
    swiftshader | lavapipe | lavapipe-128 | lavapipe-256 | lavapipe-512) drivers+=("$1") ;;
    *) echo "drivers.sh: unknown driver '$1'" >&2; exit 2 ;;
  esac
  shift
done
[ ${#drivers[@]} -gt 0 ] || drivers=(swiftshader lavapipe lavapipe-128 lavapipe-512)
mkdir -p "$directory"
directory=$(cd "$directory" && pwd)

# unpack PACKAGE[/SUITE]: into the directory of the package, once.
unpack() {
  local place=$directory/${1%%/*}
  [ -d "$place" ] && return
  (cd "$directory" && apt-get -qq download "$1" && dpkg -x "${1%%/*}"_*.deb "$place.new" && rm "${1%%/*}"_*.deb && mv "$place.new" "$place")
}
# description LIBRARY: writes a driver description, and prints its path.
description() {
  printf '{"file_format_version": "1.0.0", "ICD": {"library_path": "%s", "api_version": "1.3.0"}}\n' "$1" > "$directory/${1##*/}.json"
  echo "$directory/${1##*/}.json"
}
# run NAME COMMAND...: prints the seconds and the result of a command; its output is in the directory.
run() {
  local begin=$SECONDS status=0
  "${@:2}" > "$directory/$driver-$1.log" 2>&1 || status=$?
  case $status in
    0) echo "passed, $((SECONDS - begin)) s" ;;
    *) echo "**status $status**, $driver-$1.log" ;;
  esac
}

rows=()
for driver in "${drivers[@]}"; do
  case $driver in
    swiftshader)
      unpack chromium-common
      file=$(description "$directory/chromium-common/usr/lib/chromium/libvk_swiftshader.so") ;;
    lavapipe*)
      if apt-cache madison mesa-vulkan-drivers | grep -q backports; then
        unpack mesa-vulkan-drivers/bookworm-backports
        file=$(description "$directory/mesa-vulkan-drivers/usr/lib/$(gcc -print-multiarch)/libvulkan_lvp.so")
      else
        file=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json)
      fi ;;
  esac
  environment=(env VK_DRIVER_FILES="$file" VK_ICD_FILENAMES="$file" AWEND_DEVICE=0 AWEND_BIN="$build/bin"
    MESA_SHADER_CACHE_DIR="$directory/cache-$driver" XDG_CACHE_HOME="$directory/cache-$driver")
  [[ $driver != lavapipe-* ]] || environment+=(LP_NATIVE_VECTOR_WIDTH="${driver#lavapipe-}")
  step "$driver: $("${environment[@]}" "$build/bin/inspect" --devices | sed -n 's/^ *driver *//p')"
  kernels=$(run kernels "${environment[@]}" "$build/tests/test-kernels")
  echo "kernels: $kernels"
  properties=$(run properties "${environment[@]}" "$build/tests/test-properties" '~[conformance]')
  echo "properties: $properties"
  learn=$(run learn "${environment[@]}" "$build/tests/test-learn")
  echo "learn: $learn"
  quickstart=$(run quickstart "${environment[@]}" "$root/tools/recipes/quickstart.sh" --no-install \
    --work "$directory/quickstart-$driver" -- --save-every 10 --time-limit 60)
  bleu=$(sed -n 's/^BLEU[^ ]* = \([0-9.]*\) .*/\1/p' "$directory/$driver-quickstart.log")
  echo "quickstart: $quickstart, BLEU ${bleu:-none}"
  rows+=("| $driver | $kernels | $properties | $learn | $quickstart, BLEU ${bleu:-none} |")
done
step 'Result'
printf '%s\n' '| driver | kernels | properties | learn | quickstart |' '|---|---|---|---|---|' "${rows[@]}"
case "${rows[*]}" in *'**'*) exit 1 ;; esac
