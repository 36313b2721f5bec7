#!/bin/bash
# Compiles all kernels for GPUs of AMD, Intel, NVIDIA and Qualcomm that are not there, and prints a table of registers, occupancy and
# spills for tests/bench/RESULTS.md.  Run manually, on Debian 12, after the build of compile-kernels.
#
#   tests/gpu_compilers.sh [DIRECTORY]      drivers and results; default: build/gpu-compilers
#
# RADV compiles without hardware by itself.  For the others, Mesa has shims that are preloaded and answer the system calls of a driver.
# Debian does not package them, so they are built from its source package of Mesa, with Turnip, which it does not build for amd64: 15
# minutes on two cores.  That of trixie has the same version as the drivers from the backports of Debian 12.  NVK has matrix units only
# in newer releases; it is unpacked with the libraries that it needs, and compile-kernels runs with these.  AWEND_SHIMS names a
# directory with shims that were built before.
set -euo pipefail
root=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
directory=${1:-$root/build/gpu-compilers}
program=${AWEND_COMPILE_KERNELS:-$root/build/tests/compile-kernels}
mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
shims=${AWEND_SHIMS:-$directory/shims}
packages=(bison flex python3-venv libdrm-dev libelf-dev libexpat1-dev zlib1g-dev libzstd-dev)
multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)

# repository SUITE TYPE: options of apt-get for one suite, without changing the system.
repository() {
  local state=$directory/apt/$1-$2
  mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
  echo "$2 [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $1 main" > "$state/sources.list"
  apt=(apt-get -qq -o "Dir::Etc::SourceList=$state/sources.list" -o Dir::Etc::SourceParts=/dev/null -o "Dir::State::Lists=$state/lists"
    -o "Dir::Cache=$state/cache" -o APT::Sandbox::User=root)
  [ -e "$state/updated" ] || "${apt[@]}" update
  touch "$state/updated"
}

# driver NAME LIBRARY: writes the file that names a driver to Vulkan's loader.
driver() {
  printf '{"file_format_version": "1.0.0", "ICD": {"library_path": "%s", "api_version": "1.3.0"}}\n' "$2" > "$directory/$1.json"
}

unpack_backports() {
  [ -e "$directory/backports/usr" ] && return
  repository bookworm-backports deb
  (cd "$directory/apt" && "${apt[@]}" download mesa-vulkan-drivers)
  dpkg -x "$directory"/apt/mesa-vulkan-drivers_*bpo*.deb "$directory/backports"
}

unpack_forky() {
  [ -e "$directory/forky/usr" ] && return
  repository forky deb
  mkdir -p "$directory/apt/forky-packages"
  (cd "$directory/apt/forky-packages" && "${apt[@]}" download libc6 libgcc-s1 libstdc++6 mesa-vulkan-drivers libdrm2 libdisplay-info3 \
    libexpat1 zlib1g libzstd1 libxcb1 libx11-xcb1 libxcb-dri3-0 libxcb-present0 libxcb-randr0 libxcb-shm0 libxcb-sync1 libxcb-xfixes0 \
    libxshmfence1 libwayland-client0 libxau6 libxdmcp6 libffi8)
  for package in "$directory"/apt/forky-packages/*.deb; do dpkg -x "$package" "$directory/forky"; done
}

build_shims() {
  [ -e "$shims/libvulkan_freedreno.so" ] && return
  dpkg-query -W "${packages[@]}" > /dev/null || { echo "install ${packages[*]}" >&2; exit 1; }
  repository trixie deb-src
  local source=$directory/mesa build=$directory/mesa-build
  mkdir -p "$source" "$shims"
  (cd "$directory/apt" && "${apt[@]}" source --download-only mesa)
  tar -xf "$directory"/apt/mesa_*.orig.tar.xz -C "$source" --strip-components=1
  # Without Rust there is no NVK, and no option for its shim.
  sed -i 's/^with_any_nouveau = .*/with_any_nouveau = true/' "$source/meson.build"
  python3 -m venv "$directory/venv"
  "$directory/venv/bin/pip" -q install 'meson==1.7.0' mako ply packaging pyyaml
  PATH=$directory/venv/bin:$PATH meson setup "$build" "$source" --wrap-mode=nodownload --buildtype=release -Dtools=drm-shim,intel,nouveau \
    -Dvulkan-drivers=intel_hasvk,freedreno -Dfreedreno-kmds=msm -Dgallium-drivers= -Dllvm=disabled -Dplatforms= -Dglx=disabled \
    -Degl=disabled -Dgbm=disabled -Dopengl=false
  local outputs=(src/intel/tools/libintel_noop_drm_shim.so src/nouveau/drm-shim/libnouveau_noop_drm_shim.so
    src/freedreno/drm-shim/libfreedreno_noop_drm_shim.so src/freedreno/vulkan/libvulkan_freedreno.so)
  PATH=$directory/venv/bin:$PATH nice ninja -C "$build" "${outputs[@]}"
  (cd "$build" && cp "${outputs[@]}" "$shims")
}

unpack_backports
unpack_forky
build_shims >&2
driver radv "$directory/backports/usr/lib/$multiarch/libvulkan_radeon.so"
driver intel "$directory/backports/usr/lib/$multiarch/libvulkan_intel.so"
driver turnip "$shims/libvulkan_freedreno.so"
driver nvk "$directory/forky/usr/lib/$multiarch/libvulkan_nouveau.so"
export MESA_SHADER_CACHE_DISABLE=1 AWEND_PIPELINE_CACHE=0 NVK_I_WANT_A_BROKEN_VULKAN_DRIVER=1
unset AWEND_MATRIX AWEND_BUFFERS AWEND_MATMUL

# with DRIVER [VARIABLE=VALUE...]: the environment and the program, in the array `run`.
with() {
  run=(env VK_DRIVER_FILES="$directory/$1.json" VK_ICD_FILENAMES="$directory/$1.json" "${@:2}" "$program")
}

# target NAME: sets `run`.
target() {
  case $1 in
    nv*) with nvk NOUVEAU_CHIPSET="${1#nv}"
      local libraries=$directory/forky/usr/lib/$multiarch
      unset 'run[-1]'
      run+=("$libraries/ld-linux-x86-64.so.2" --preload "$shims/libnouveau_noop_drm_shim.so"
        --library-path "$libraries:/usr/lib/$multiarch" "$program") ;;
    a[0-9]*) with turnip FD_GPU_ID="${1#a}" LD_PRELOAD="$shims/libfreedreno_noop_drm_shim.so" ;;
    vega* | navi* | gfx*) with radv RADV_FORCE_FAMILY="$1" ;;
    *) with intel INTEL_STUB_GPU_PLATFORM="$1" LD_PRELOAD="$shims/libintel_noop_drm_shim.so" ;;
  esac
}

targets=(vega10 navi21 navi31 gfx1200 tgl dg2 lnl bmg nv162 nv172 a630 a740)
mkdir -p "$directory/results"
for name in "${targets[@]}"; do
  target "$name"
  : > "$directory/results/$name"
  for precision in fp32 fp16; do
    # The status is 1 if a kernel spills.
    "${run[@]}" --precision $precision >> "$directory/results/$name" 2> "$directory/results/$name.messages" || true
  done
  grep '^#' "$directory/results/$name" >&2
done

# Of the variants of a kernel, the one with the most spills, then with the most registers.
cd "$directory/results"
awk -F '\t' '
  FNR == 1 { targets[++count] = FILENAME }
  /^[0-9]/ {
    split($8, words, " ")
    name = words[1]
    if (name ~ /^matmul_matrix/) name = name " " substr("NNNTTN", 2 * words[11] + 1, 2)
    if (name ~ /^attention_matrix/) name = name " " words[8]
    if (!(name in seen)) { seen[name] = 1; names[++rows] = name }
    weight = ($3 + $4) * 1000 + $2
    if (weight < worst[name, FILENAME]) next
    worst[name, FILENAME] = weight
    cell[name, FILENAME] = $2 ($6 > 0 ? "/" $6 : "") ($3 > 0 ? " **" $3 "**" : "")
  }
  END {
    printf "| kernel |"; for (t = 1; t <= count; ++t) printf " %s |", targets[t]
    printf "\n|---|"; for (t = 1; t <= count; ++t) printf "---|"
    printf "\n"
    for (r = 1; r <= rows; ++r) {
      printf "| %s |", names[r]
      for (t = 1; t <= count; ++t) printf " %s |", cell[names[r], targets[t]]
      printf "\n"
    }
  }' "${targets[@]}"
