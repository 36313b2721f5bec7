#!/bin/bash
# `uninstall` removes the files of a list and empty directories of awend, and nothing else, whatever bytes their paths have.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
uninstall() { "$AWEND_SOURCE/tools/packaging/uninstall.sh" "$@"; }

# installed PREFIX FILE...: makes the files below PREFIX, and their list.
installed() {
  local prefix=$1 file
  : > list
  for file in "${@:2}"; do
    mkdir -p "$(dirname "$prefix/$file")" && touch "$prefix/$file" && echo "$prefix/$file" >> list
  done
}
files=(bin/train share/awend/recipes/table3/a.conf share/awend/recipes/setup.sh share/doc/libawend-dev/copyright lib/libawend_base.a)
for name in plain 'two words' 'fü/x' é $'latin\xe9/x' 'x[1]' 'a*b' 'back\slash' 'semi;colon'; do
  mkdir -p "$name"
  installed "$PWD/$name" "${files[@]}"
  touch "$name/share/awend/mine" "$name/f"
  echo x > f
  expect 0 uninstall list
  same "what remains in '$name'" "$(printf '%s\n' "$name/f" "$name/share/awend/mine" | sort)" "$(find "./$name" -type f | sed 's|^\./||' | sort)"
  same "directories in '$name'" "bin lib share share/awend share/doc" \
    "$(find "./$name" -mindepth 1 -type d -printf '%P\n' | sort | paste -sd ' ')"
  [ -e f ] && [ ! -e list ] || fail "'$name': other files remain, and the list does not"
done

# Part of it may be gone; if all is, the list was of another place.
installed "$PWD/usr" "${files[@]}"
rm usr/bin/train
expect 0 uninstall list
same 'nothing remains' '' "$(find usr -type f)"
echo /opt/awend-test-nowhere/bin/train > list
expect 1 uninstall list
says 'uninstall: no file of list is below /'
[ -e list ] || fail 'the list remains'
mkdir -p stage/opt/awend-test-nowhere/bin && touch stage/opt/awend-test-nowhere/bin/train
DESTDIR=$PWD/stage expect 0 uninstall list
expect 1 uninstall list
says 'uninstall: nothing was installed: there is no list'

mkdir -p unremovable/in_it
echo "$PWD/unremovable" > list
expect 1 uninstall list
says "uninstall: cannot remove $PWD/unremovable; uninstall as the user who installed it"
[ -e list ] || fail 'uninstalling can be repeated'
