# shellcheck shell=bash
# For recipes and tests/run.sh, which source it: what a Debian machine needs, how to build, and where the programs are.

# Debian 12 and 13 have all of these under the same names.
build_packages=(g++ cmake ninja-build ccache libboost-dev libboost-program-options-dev libicu-dev libsentencepiece-dev nlohmann-json3-dev
                zlib1g-dev libzstd-dev libvulkan-dev mesa-vulkan-drivers glslang-tools)
test_packages=(catch2 mandoc vulkan-validationlayers spirv-tools git libopenblas-dev libboost-mpi-dev libopenmpi-dev openmpi-bin
               parallel pkgconf zsh fish clang-format)

# install_missing PACKAGE...: installs with apt what is not there, and says what; does nothing where nothing is missing.
install_missing() {
  local missing=() package
  for package; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "missing packages: ${missing[*]}" >&2
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo > /dev/null || { echo 'they must be installed by root, and there is no sudo' >&2; return 1; }
    as_root=(sudo)
  fi
  command -v apt-get > /dev/null || { echo 'there is no apt-get to install them with' >&2; return 1; }
  echo 'installing them with apt-get' >&2
  "${as_root[@]}" apt-get -qq update
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install "${missing[@]}"
}

# build_tools ROOT: builds the programs in ROOT/build, as an earlier run configured it if there was one.
build_tools() {
  [ -f "$1/build/CMakeCache.txt" ] || cmake -S "$1" -B "$1/build" -G Ninja -DAWEND_TESTS=OFF
  cmake --build "$1/build" --target build-vocab tokenize train average translate score locale-corpus
}

# Where the recipes lie: in a source tree, whose folder run/ is for their work, or installed, where their work goes into run/ of the
# current folder.
recipes=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [ -f "$recipes/installed.sh" ]; then
  . "$recipes/installed.sh"
  runs=$PWD/run
else
  runs=${recipes%/tools/recipes}/run
fi

# find_programs INSTALL: lets the recipe call the programs by their names: those in AWEND_BIN if that is set, or those that were
# installed with it, or those that its source tree is built into, with packages that are missing unless INSTALL is `no`.
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

# step TEXT: says what comes next, and how long it has been.
step() { printf '\n== %d:%02d  %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$1"; }

# need_value OPTION [VALUE]...: ends the script unless the option has its value.
need_value() { [ $# -ge 2 ] || { echo "${0##*/}: option '$1' needs a value" >&2; exit 2; }; }
