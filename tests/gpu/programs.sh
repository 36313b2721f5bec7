# shellcheck shell=bash
# Sourced by tests/gpu.sh: finds the programs.  Sets programs, their directory, and test_programs.

# system_has LIBRARY: whether the system has a shared library of the same name that is not older.
system_has() {
  local name=${1##*/} file
  file=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2> /dev/null | awk -v name="$name" '$1 == name && /x86-64|aarch64/ && !found++ { print $NF }')
  [ -e "$file" ] || return 1
  # The C++ library is the one whose older versions lack functions that the programs use.
  [[ $name != libstdc++* ]] || [ "$(readlink -f "$file" | sed 's/.*\.//')" -ge "$(cat "$unpacked/lib/libstdc++.minor")" ]
}

if [ -e "$root/programs.tar.gz" ]; then
  unpacked=$root/programs
  if [ ! -d "$unpacked" ]; then
    [ -w "$root" ] || unpacked=$scratch/programs
    mkdir "$unpacked"
    tar xzf "$root/programs.tar.gz" -C "$unpacked"
  fi
  programs=$unpacked/bin test_programs=$unpacked/bin
  [ -n "$data" ] || [ ! -d "$root/data" ] || data=$root/data
  # Libraries of the system are preferred, because its Vulkan driver needs them.
  export AWEND_LIBRARIES=$scratch/libraries
  mkdir "$AWEND_LIBRARIES"
  for library in "$unpacked"/lib/*.so*; do
    system_has "$library" || ln -s "$library" "$AWEND_LIBRARIES/"
  done
  # A container may have a driver of NVIDIA where no loader looks for it.
  if [ -z "${VK_DRIVER_FILES:-}" ] && ! ls /usr/share/vulkan/icd.d/*.json /etc/vulkan/icd.d/*.json > /dev/null 2>&1; then
    driver_file=$(find /usr/local /opt /usr/lib /usr/share -name 'nvidia_icd*.json' 2> /dev/null | head -n 1)
    [ -z "$driver_file" ] || export VK_DRIVER_FILES=$driver_file
  fi
else
  build=${AWEND_BUILD:-$root/build}
  programs=$build/bin test_programs=$build/tests
  if [ ! -x "$test_programs/test-kernels" ] || [ ! -x "$programs/awend-bench" ]; then
    step 'Building'
    [ "$install" = no ] || install_missing "${build_packages[@]}" catch2
    cmake -S "$root" -B "$build" -G Ninja -DAWEND_TESTS=ON
    cmake --build "$build"
  fi
fi
export AWEND_BIN=$programs AWEND_BENCH=$programs/awend-bench
