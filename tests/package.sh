#!/bin/bash
# Tests the Debian packages of a release on a clean system.  Run manually, as root; not part of ctest or CI, because creating the trees
# requires network access.
#
#   tests/package.sh [SUITE [PACKAGE...]]      e.g. tests/package.sh trixie; default: bookworm
#
# Without PACKAGEs, which must be for this suite, tools/packaging/release.sh builds them.  The trees are in build-trees/.
set -euo pipefail
root=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
. "$root/tools/recipes/setup.sh"
suite=${1:-bookworm}
if [ "$suite" = --help ]; then print_head; exit; fi
[ "$(id -u)" -eq 0 ] || { echo 'package.sh: only root can create the trees' >&2; exit 1; }
[ $# -eq 0 ] || shift
trees=${AWEND_TREES:-$root/build-trees}

# The trees see /proc and /dev in a separate mount namespace, which ends with the script.
if [ "${AWEND_PACKAGE_INSIDE:-}" != 1 ]; then exec env AWEND_PACKAGE_INSIDE=1 unshare --mount "$0" "$suite" "$@"; fi
. "$root/tools/packaging/trees.sh"

if [ $# -eq 0 ]; then
  "$root/tools/packaging/release.sh" --suites "$suite" --architectures "$(dpkg --print-architecture)" --trees "$trees" -o "$root/build-release"
  set -- "$root/build-release/$suite"/*_"$(dpkg --print-architecture)".deb
fi

step "Installing on a clean $suite"
clean=$trees/$suite-clean
make_tree "$suite" "$clean"
rm -rf "$clean/packages"
mkdir "$clean/packages"
cp "$@" "$clean/packages"
inside "$clean" bash -euo pipefail -c '
  cd /packages
  quietly() { "$@" > log 2>&1 || { tail log; exit 1; }; }
  # Remove files of an earlier run.
  quietly dpkg --purge awend-mpi awend libawend-dev
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
  # The package with MPI replaces train, and gives it back.
  quietly apt-get -qq -y --no-install-recommends install ./awend-mpi_*.deb
  train --version | grep -q "MPI: Open MPI" || { echo "awend-mpi has no MPI"; exit 1; }
  quietly dpkg --purge awend-mpi
  [ -x /usr/bin/train ] && [ ! -e /usr/bin/train.without-mpi ]
  dpkg --verify awend
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
