# shellcheck shell=bash
# Sourced by the recipes and tests/run.sh: Debian packages, the build, and the location of the programs.

unset CDPATH      # with it, cd prints where it went
set +o noclobber  # which an environment may set

# These package names exist in both Debian 12 and 13.
build_packages=(g++ cmake ninja-build ccache libboost-dev libboost-program-options-dev libicu-dev libsentencepiece-dev nlohmann-json3-dev
                zlib1g-dev libzstd-dev libxxhash-dev libzip-dev libhwy-dev libvulkan-dev libvulkan-volk-dev spirv-headers
                glslang-tools)
test_packages=(catch2 mandoc groff-base librsvg2-bin netpbm mesa-vulkan-drivers vulkan-validationlayers spirv-tools git libopenblas-dev
               libboost-mpi-dev libopenmpi-dev openmpi-bin parallel pkgconf zsh fish clang-format clang libclang-rt-dev libmecab2
               mecab-ipadic-utf8 jq socat curl iproute2 libxml2-utils locales)

# install_missing PACKAGE...: prints and installs missing packages with apt-get; does nothing if none is missing.
# Fails on other systems.
install_missing() {
  local missing=() package
  command -v dpkg-query > /dev/null || { name_packages >&2; return 1; }
  for package; do
    [ "$(dpkg-query -W -f '${db:Status-Status}\n' "$package" 2> /dev/null | sort -u)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "missing packages: ${missing[*]}" >&2
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo > /dev/null || { echo 'installing them requires root, and sudo was not found' >&2; return 1; }
    as_root=(sudo)
  fi
  command -v apt-get > /dev/null || { echo 'cannot install them: apt-get was not found' >&2; return 1; }
  echo 'installing them with apt-get' >&2
  "${as_root[@]}" apt-get -qq update
  # Of dpkg, only errors: hundreds of lines tell what it unpacks.
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Dpkg::Use-Pty=0 --no-install-recommends install "${missing[@]}" > /dev/null
}

# name_packages: for systems without dpkg, what the build needs, by the names that are usual for their packages.
name_packages() {
  printf '%s\n' 'packages are installed on Debian only; install these with your package manager, and use --no-install:' \
    '  programs:  gcc-c++ or g++ (12 or newer), cmake (3.25 or newer), ninja, glslang; optionally ccache' \
    '  libraries: boost (program_options), icu, sentencepiece, nlohmann-json, zlib, zstd, xxhash, libzip, highway, vulkan-headers,' \
    '             volk, spirv-headers; with their -devel packages where headers are packages of their own' \
    "  tests:     catch2; some also need mandoc, openmpi with boost-mpi, mesa's lavapipe, vulkan-validation-layers, spirv-tools, jq"
}

# build_tools ROOT: builds all but the tests in ROOT/build and keeps an existing configuration if it is complete.  Ninja, interrupted while it
# configures again, removes its own file.
build_tools() {
  [ -f "$1/build/cmake_install.cmake" ] && { [ -f "$1/build/build.ninja" ] || [ -f "$1/build/Makefile" ]; } || cmake -S "$1" -B "$1/build" -G Ninja -DAWEND_TESTS=OFF
  cmake --build "$1/build" --target awend
}

# The recipes are either in a source tree, with working directories in its run/, or installed, with working directories in run/ of the
# current directory.
recipes=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [ -f "$recipes/installed.sh" ]; then
  . "$recipes/installed.sh"
  runs=$PWD/run
else
  runs=${recipes%/tools/recipes}/run
fi

# find_programs INSTALL: makes the programs callable by name.  They are taken from AWEND_BIN if it is set, otherwise from the
# installation of the recipe.  In a source tree they are built, and missing packages are installed unless INSTALL is `no`.
find_programs() {
  if [ -n "${AWEND_BIN:-}" ]; then
    PATH=$(cd "$AWEND_BIN" && pwd):$PATH
  elif [ -f "$recipes/installed.sh" ]; then
    PATH=$(cd "$recipes/$installed_programs" && pwd):$(cd "$recipes/$installed_helpers" && pwd):$PATH
    local tool
    for tool in $installed_tools; do
      [ -z "$installed_prefix" ] || eval "$tool() { $installed_prefix$tool \"\$@\"; }"
    done
  else
    local tree=${recipes%/tools/recipes}
    step 'Building'
    [ "$1" = no ] || install_missing "${build_packages[@]}"
    build_tools "$tree"
    PATH=$tree/build/bin:$PATH
  fi
}

# step TEXT: prints a heading with the elapsed time.
step() { printf '\n== %d:%02d  %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$1"; }

# print_head: prints the comment at the head of the script.
print_head() { sed -n '2,/^set /{/^#/s/^# \?//p}' "$0"; }

# need_value OPTION [VALUE]...: exits unless the option has a value.
need_value() { [ $# -ge 2 ] || { echo "${0##*/}: option '$1' needs a value" >&2; exit 2; }; }
