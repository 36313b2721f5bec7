#!/bin/bash
# Compiles and tests the kernels for matrix units without a GPU: in a Debian forky tree, whose GLSL compiler supports them and whose
# lavapipe emulates them.  Run manually, as root; not part of ctest or CI, because creating the tree requires network access.
#
#   tests/matrix.sh [TREE]      debootstrap creates TREE if it does not exist; default: build-forky/tree
#
# Rewrites shaders/prebuilt (commit the changes), then runs the kernel tests with AWEND_MATRIX=1, and spirv-val on all modules.
set -euo pipefail
root=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
tree=${1:-$root/build-forky/tree}
tree=${tree%/}
packages=(cmake ninja-build g++ ccache glslang-tools spirv-tools mesa-vulkan-drivers libvulkan-dev libvulkan-volk-dev spirv-headers
  vulkan-validationlayers libboost-program-options-dev libicu-dev libsentencepiece-dev zlib1g-dev libzstd-dev libxxhash-dev libzip-dev libhwy-dev
  catch2 nlohmann-json3-dev)

if [ ! -e "$tree/etc/debian_version" ]; then
  rm -rf --one-file-system "$tree.part"  # of an interrupted run
  # Debian 12's debootstrap does not know the name, and has one script for all releases.
  debootstrap --variant=minbase forky "$tree.part" http://deb.debian.org/debian /usr/share/debootstrap/scripts/sid
  [ ! -d "$tree" ] || rmdir "$tree"
  mv "$tree.part" "$tree"
fi
inside() { chroot "$tree" /usr/bin/env PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 "$@"; }
inside dpkg -s "${packages[@]}" > /dev/null 2>&1 || {
  inside apt-get update
  inside env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${packages[@]}"
}

# The tree sees this directory in a separate mount namespace, which ends with the script.
if [ "${AWEND_MATRIX_INSIDE:-}" != 1 ]; then exec env AWEND_MATRIX_INSIDE=1 unshare --mount "$0" "$tree"; fi
mkdir -p "$tree/awend"
mount --bind "$root" "$tree/awend"
mountpoint -q "$tree/proc" || mount -t proc proc "$tree/proc"
mountpoint -q "$tree/dev" || mount --rbind /dev "$tree/dev"

inside bash -euo pipefail -c '
  cd /awend
  cmake -B build-forky -G Ninja -DAWEND_WERROR=ON
  ninja -C build-forky regenerate-shaders
  nice ninja -C build-forky -j"$(nproc)" test-kernels test-unit-vulkan test-unit-nn
  export AWEND_MODULES=$(mktemp -d)
  build-forky/tests/test-unit-vulkan
  for header in build-forky/shaders/*.spv.h shaders/prebuilt/*.h; do
    perl -0777 -ne "s/.*?\\{//s; print pack q(V*), map { /^0x/ ? hex : \$_ } /(0x[0-9a-f]+|\\d+)/g" "$header" \
      > "$AWEND_MODULES/$(basename "$header")"
  done
  for module in "$AWEND_MODULES"/*; do spirv-val --target-env vulkan1.3 "$module" || { echo "$module is not valid"; exit 1; }; done
  echo "spirv-val accepts $(ls "$AWEND_MODULES" | wc -l) modules"
  export VK_DRIVER_FILES=/usr/share/vulkan/icd.d/lvp_icd.json AWEND_DEVICE=llvmpipe AWEND_MATRIX=1
  build-forky/tests/test-unit-nn
  build-forky/tests/test-kernels
  AWEND_VALIDATION=1 AWEND_BUFFERS=storage build-forky/tests/test-kernels "*matrix units*,zz*"
'
git -C "$root" diff --exit-code --stat -- shaders/prebuilt || echo 'shaders/prebuilt changed: commit it'
