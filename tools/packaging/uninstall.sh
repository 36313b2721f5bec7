#!/bin/sh
# Removes what `cmake --install` has installed from a build directory, by the list that install.cmake keeps, and directories of awend that are
# then empty.  DESTDIR is respected.  Paths may have any byte but a line feed.  Test: tests/install/uninstall.sh.
#
#   uninstall.sh LIST
set -eu
fail() {
  echo "uninstall: $1" >&2
  exit 1
}

[ -e "$1" ] || fail "nothing was installed: there is no $1"
removed=no
while IFS= read -r file; do
  file=${DESTDIR:-}$file
  [ -e "$file" ] || [ -L "$file" ] || continue
  rm -f -- "$file" 2> /dev/null || fail "cannot remove $file; uninstall as the user who installed it"
  removed=yes
done < "$1"
[ $removed = yes ] || fail "no file of $1 is below ${DESTDIR:-/}"
while IFS= read -r file; do
  directory=${DESTDIR:-}${file%/*}
  while case $directory/ in */awend/* | */awend-mpi/* | */libawend-dev/*) ;; *) false ;; esac; do
    rmdir -- "$directory" 2> /dev/null || break
    directory=${directory%/*}
  done
done < "$1"
rm -f -- "$1"
