#!/bin/bash
# AMD's compiler in Mesa compiles all kernels of training and translation without spills, for GPUs that are not there: RADV runs without
# hardware if RADV_FORCE_FAMILY names a GPU.  Prints a table for each GPU.
#
# Each RADV is tested: that of the system, and a newer one that fetch_radv.sh has unpacked, because older ones do not know all GPUs.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
export MESA_SHADER_CACHE_DISABLE=1 AWEND_PIPELINE_CACHE=0
unset AWEND_MATRIX AWEND_BUFFERS AWEND_MATMUL VK_DRIVER_FILES

# compile FAMILY PRECISION: writes the table to `table` and messages to `messages`.
compile() { RADV_FORCE_FAMILY=$1 "$AWEND_BUILD/tests/compile-kernels" --precision "$2" > table 2> messages; }

# check FAMILY: with all drivers that know the GPU; skipped if none does.  Mesa 22.3 knows RDNA 3 by another name only, and its support is
# experimental.
check() {
  local driver precision known=0
  for driver in "${drivers[@]}"; do
    VK_ICD_FILENAMES=$driver compile "$1" fp32
    grep -q 'Unknown family' messages && continue
    known=1
    for precision in fp32 fp16; do
      VK_ICD_FILENAMES=$driver compile "$1" $precision || { fail "$1, $precision"; sed 's/^/  /' messages; }
      grep '^#' table
      grep -v '^#' table | column -ts $'\t'
      [ "$(grep -c '^[0-9]' table)" -gt 30 ] || fail "$1, $precision: the kernels are there"
    done
  done
  [ $known = 1 ] || skip "$1: RADV is too old for it"
}

drivers=()
for driver in /usr/share/vulkan/icd.d/radeon_icd*.json "$AWEND_BUILD"/drivers/radeon_icd.json; do
  [ ! -e "$driver" ] || drivers+=("$driver")
done
if [ ${#drivers[@]} = 0 ]; then
  skip 'no RADV is installed (mesa-vulkan-drivers)'
  exit
fi
check vega10
check navi21
check navi31
check gfx1200
