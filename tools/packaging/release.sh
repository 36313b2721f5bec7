#!/bin/bash
# Builds the files of a release in clean trees of Debian: packages for each suite and architecture, the source archive, the notes, and the
# sums of all.  Run as root, from a clean checkout; the same commit gives the same bytes.
#
#   tools/packaging/release.sh [--suites 'bookworm trixie'] [--architectures 'amd64 arm64'] [--trees DIR] [-o DIR]
#
# DIR of --trees keeps the trees; debootstrap creates those that do not exist.  Another architecture than that of the machine is
# cross-compiled.
set -euo pipefail
root=$(CDPATH='' cd "$(dirname "$0")/../.." && pwd)
. "$root/tools/recipes/setup.sh"
suites='bookworm trixie' architectures='amd64 arm64' trees=$root/build-trees output=$root/build-release
while [ $# -gt 0 ]; do
  if [ "$1" = --help ]; then print_head; exit; fi
  need_value "$@"
  case $1 in
    --suites) suites=$2 ;;
    --architectures) architectures=$2 ;;
    --trees) trees=$(realpath -m "$2") ;;
    -o) output=$(realpath -m "$2") ;;
    *) echo "release.sh: unknown option '$1'; see the head of the file" >&2; exit 2 ;;
  esac
  shift 2
done
umask 022  # or packages have directories that users cannot read
[ "$(id -u)" -eq 0 ] || { echo 'release.sh: only root can create the trees' >&2; exit 1; }
# The trees see the source, /proc and /dev in a mount namespace, which ends with the script.
if [ "${AWEND_RELEASE_INSIDE:-}" != 1 ]; then
  exec env AWEND_RELEASE_INSIDE=1 unshare --mount "$0" --suites "$suites" --architectures "$architectures" --trees "$trees" -o "$output"
fi
. "$root/tools/packaging/trees.sh"

version=$(sed -n 's/^project(awend VERSION \([0-9.]*\) .*/\1/p' "$root/CMakeLists.txt")
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
export SOURCE_DATE_EPOCH
commit=$(git -C "$root" rev-parse --short=12 HEAD)
[ -z "$(git -C "$root" status --porcelain)" ] || { echo 'release.sh: there are uncommitted changes, which would not be part of the release' >&2; exit 1; }
mkdir -p "$output"
# What a run before has left would enter the sums.
for suite in bookworm trixie $suites; do rm -rf "${output:?}/$suite"; done
rm -f "$output"/{SHA256SUMS,NOTES.md} "$output"/awend-*.tar.gz

step 'Source archive'
source=$output/awend-$version.tar.gz
# Files in packages have the modes of those in the archive.
git -C "$root" -c tar.umask=0022 archive --format=tar --prefix="awend-$version/" HEAD | gzip -9n > "$source"
awk -v version="$version" '/^## / {inside = $2 == version} inside' "$root/tools/packaging/CHANGELOG.md" > "$output/NOTES.md"
[ -s "$output/NOTES.md" ] || { echo "release.sh: tools/packaging/CHANGELOG.md has no section of version $version" >&2; exit 1; }

# build ARCHITECTURE OPTION...: the packages of a suite, in the directory /build/ARCHITECTURE of its tree.  The second build differs from the
# first one in the files that know MPI.
build() {
  local architecture=$1 log=$trees/$suite-$1.log mpi
  for mpi in OFF ON; do
    { inside "$tree" cmake -S "/build/awend-$version" -B "/build/$architecture" -G Ninja -DAWEND_TESTS=OFF -DAWEND_COMMIT="$commit" \
      -DAWEND_MPI=$mpi -DCMAKE_INSTALL_PREFIX=/usr -DAWEND_COMPRESS_PAGES=ON -DAWEND_ZSH_DIR=share/zsh/vendor-completions "${@:2}" &&
      inside "$tree" nice cmake --build "/build/$architecture"; } > "$log" 2>&1 || { tail -n 30 "$log" >&2; return 1; }
    components=(-D 'CPACK_COMPONENTS_ALL=tools;library')
    [ $mpi = OFF ] || components=(-D CPACK_COMPONENTS_ALL=mpi)
    inside "$tree" sh -c 'cd "$0" && cpack -G DEB -D CPACK_DEBIAN_PACKAGE_ARCHITECTURE="$1" "$2" "$3" > cpack.log || { cat cpack.log; exit 1; }' \
      "/build/$architecture" "$architecture" "${components[@]}"
  done
  mkdir -p "$output/$suite"
  cp "$tree/build/$architecture"/*.deb "$output/$suite"
}

# unpack_mpi ARCHITECTURE: MPI for another architecture.  Its development packages need a Fortran compiler that runs there, which would replace
# the cross-compiler, so their files are only unpacked.
unpack_mpi() {
  local packages development runtime
  packages=$(inside "$tree" apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances \
    "libboost-mpi-dev:$1" "libopenmpi-dev:$1" | grep -oE "lib(openmpi|boost-mpi)[0-9.]*(-dev)?:$1\$" | sort -u)
  mapfile -t development < <(grep -e '-dev:' <<< "$packages")
  mapfile -t runtime < <(grep -v -e '-dev:' <<< "$packages")
  inside "$tree" apt-get -qq -y --no-install-recommends install "libboost-serialization-dev:$1" "${runtime[@]}" > /dev/null
  inside "$tree" sh -euc 'rm -rf /mpi && mkdir /mpi && cd /mpi && apt-get -qq -o APT::Sandbox::User=root download "$@"
    for file in *.deb; do dpkg -x "$file" /; done' - "${development[@]}"
}

findings=()
for suite in $suites; do
  tree=$trees/$suite
  make_tree "$suite" "$tree"
  native=$(inside "$tree" dpkg --print-architecture)
  mkdir -p "$tree/build"
  rm -rf "$tree/build/awend-$version"
  tar -xz -C "$tree/build" -f "$source"
  for architecture in $native $architectures; do
    # Completions for other architectures are those that the programs of this one print.
    [ "$architecture" != "$native" ] || [ ! -d "$output/$suite" ] || continue
    step "Building for $suite, $architecture"
    rm -rf "$tree/build/$architecture"
    if [ "$architecture" = "$native" ]; then
      inside "$tree" apt-get -qq -y --no-install-recommends install "${build_packages[@]}" libboost-mpi-dev libopenmpi-dev lintian > /dev/null
      build "$architecture"
      continue
    fi
    inside "$tree" dpkg --add-architecture "$architecture"
    inside "$tree" apt-get -qq update
    triplet=$(inside "$tree" sh -c "apt-get -qq -y install dpkg-dev > /dev/null; dpkg-architecture -a $architecture -qDEB_HOST_MULTIARCH")
    libraries=()
    for package in "${build_packages[@]}"; do
      # Headers alone belong to no architecture.
      [[ $package != lib*-dev && $package != zlib1g-dev ]] ||
        inside "$tree" apt-cache show "$package" | grep '^Architecture: all$' > /dev/null || libraries+=("$package:$architecture")
    done
    inside "$tree" apt-get -qq -y --no-install-recommends install "g++-${triplet//_/-}" "${libraries[@]}" > /dev/null
    unpack_mpi "$architecture"
    # CMake asks the compiler of MPI, which does not run here.
    build "$architecture" -DMPI_CXX_HEADER_DIR="/usr/lib/$triplet/openmpi/include" -DMPI_CXX_LIB_NAMES=mpi \
      -DMPI_mpi_LIBRARY="/usr/lib/$triplet/openmpi/lib/libmpi.so" -DCMAKE_INSTALL_LIBDIR="lib/$triplet" \
      -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="${triplet%%-*}" -DCMAKE_CXX_COMPILER="$triplet-g++" \
      -DCMAKE_STRIP="/usr/bin/$triplet-strip" -DCMAKE_LIBRARY_ARCHITECTURE="$triplet" -DAWEND_COMPLETIONS="/build/$native/completions"
  done
  step "lintian on $suite"
  mkdir -p "$tree/packages" && rm -f "$tree/packages"/*.deb && cp "$output/$suite"/*.deb "$tree/packages"
  inside "$tree" sh -c 'lintian --allow-root --fail-on error,warning /packages/*.deb' || findings+=("$suite")
done
(cd "$output" && find . -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort | xargs sha256sum > SHA256SUMS)
step "Done: $output"
cat "$output/SHA256SUMS"
[ ${#findings[@]} -eq 0 ] || { echo "release.sh: lintian has findings on ${findings[*]}" >&2; exit 1; }
