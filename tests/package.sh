#!/bin/bash
# Builds the Debian packages and tests them on clean systems.  Run manually, as root; not part of ctest or CI, because creating the
# trees requires network access.
#
#   tests/package.sh [SUITE [PACKAGE...]]      e.g. tests/package.sh trixie; default: bookworm
#
# build-SUITE contains a tree for building and a clean tree for installing; debootstrap creates them if they do not exist.  With
# PACKAGEs, which must be for this suite, nothing is built.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tools/recipes/setup.sh"
suite=${1:-bookworm}
[ $# -eq 0 ] || shift
place=$root/build-$suite

# The trees see this directory and /proc in a separate mount namespace, which ends with the script.
if [ "${AWEND_PACKAGE_INSIDE:-}" != 1 ]; then exec env AWEND_PACKAGE_INSIDE=1 unshare --mount "$0" "$suite" "$@"; fi

inside() { # TREE COMMAND...
  local tree=$1
  shift
  chroot "$tree" /usr/bin/env PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
make_tree() { # NAME
  if [ ! -e "$place/$1/etc/debian_version" ]; then
    mkdir -p "$place/$1"
    debootstrap --variant=minbase "$suite" "$place/$1" http://deb.debian.org/debian
  fi
  mountpoint -q "$place/$1/proc" || mount -t proc proc "$place/$1/proc"
  mountpoint -q "$place/$1/dev" || mount --rbind /dev "$place/$1/dev"
  inside "$place/$1" apt-get -qq update
}

if [ $# -eq 0 ]; then
  step "Building for $suite"
  make_tree building
  inside "$place/building" apt-get -qq -y --no-install-recommends install "${build_packages[@]}" libboost-mpi-dev libopenmpi-dev \
    lintian > /dev/null
  mkdir -p "$place/building/awend"
  mount --bind "$root" "$place/building/awend"
  inside "$place/building" bash -euo pipefail -c '
    cd "/awend/build-$0"
    rm -rf packages  # from another tree or kind of build
    cmake -S /awend -B packages -G Ninja -DAWEND_TESTS=OFF -DCMAKE_INSTALL_PREFIX=/usr -DAWEND_COMPRESS_PAGES=ON \
      -DAWEND_ZSH_DIR=share/zsh/vendor-completions
    nice cmake --build packages
    cd packages && rm -f ./*.deb && cpack -G DEB
    lintian --allow-root ./*.deb || true' "$suite"
  set -- "$place"/packages/awend_*.deb "$place"/packages/libawend-dev_*.deb
fi

step "Installing on a clean $suite"
make_tree clean
rm -rf "$place/clean/packages"
mkdir "$place/clean/packages"
cp "$@" "$place/clean/packages"
inside "$place/clean" bash -euo pipefail -c '
  cd /packages
  quietly() { "$@" > log 2>&1 || { tail log; exit 1; }; }
  # Remove files of an earlier run.
  quietly dpkg --purge awend libawend-dev
  quietly apt-get -qq -y --auto-remove purge libvulkan1
  quietly apt-get -qq -y --no-install-recommends install ./awend_*.deb
  # Without the loader of Vulkan the processor computes, and a request for a GPU names the missing package.
  inspect --devices > devices
  grep -qx "train and translate take cpu: no GPU was found" devices
  if inspect --devices --device 0 > devices 2> said; then echo "there is a Vulkan device already"; exit 1; fi
  grep -q "^inspect: Vulkan.s loader cannot be loaded: libvulkan.so.1: .*apt-get install libvulkan1" said
  quietly apt-get -qq -y --no-install-recommends install ./libawend-dev_*.deb g++ pkgconf
  for tool in build-vocab tokenize train average translate score; do "$tool" --version > version; head -n 1 version; done
  train --version
  # A small corpus of numbers.
  for i in $(seq 300); do echo "number $i of $((i * 7))"; done > raw.en
  sed "s/number/Nummer/; s/of/von/" raw.en > raw.de
  build-vocab -q --size 300 -o vocabulary raw.en raw.de
  for side in en de; do tokenize -m vocabulary < raw.$side > tokens.$side; done
  tokenize -m vocabulary --decode < tokens.en | cmp - raw.en
  train -q --preset tiny --layers 1 --max-steps 10 --save-every 5 --valid-every 5 --batch-tokens 300 --vocabulary vocabulary -o run \
    --source tokens.en --target tokens.de --valid-source tokens.en --valid-target tokens.de --valid-beam 0 > log.tsv
  average -q -o mean.safetensors --last 2 run
  head -n 3 tokens.en | translate -q -m mean.safetensors > translated
  [ "$(wc -l < translated)" -eq 3 ]
  [ "$(score -b raw.de < raw.de)" = 100.0 ]
  quietly /usr/share/awend/recipes/quickstart.sh --lines 200 --held-out 10 -- --d-model 32 --d-ff 32 --heads 2 --max-steps 6 --save-every 1
  tail -n 1 log
  printf "#include <iostream>\n#include \"awend/train/recipe.hpp\"\nint main() { std::cout << awend::train::preset(\"base\").model.d_model; }\n" > a.cpp
  g++ a.cpp $(pkg-config --cflags --libs awend-train) -o a
  [ "$(./a)" = 512 ]'
echo "tests/package.sh: passed on $suite"
