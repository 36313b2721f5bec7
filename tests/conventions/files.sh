#!/bin/bash
# Files that cannot be read, over all tools: status 1, one line on stderr that names the file, nothing written.
. "$AWEND_SOURCE/tests/conventions/tools.inc" || exit 1

# refused TOOL FILE PATTERN
refused() {
  local command
  mapfile -t command < <(reading "$1" "$2")
  expect 1 "${unprivileged[@]}" "${command[@]}" < /dev/null
  prints ''
  same "${command[*]}: lines on stderr" 1 "$(wc -l < err)"
  grep -q "^$1: $2.*$3" err || { fail "${command[*]}: $(cat err)"; }
}

unprivileged=()
mkdir folder
for tool in $tools; do
  refused "$tool" missing 'No such file or directory'
  refused "$tool" folder ''
done
# Root may read everything, unless it drops its capabilities.
: > secret
chmod 0 secret
[ "$(id -u)" -ne 0 ] || unprivileged=(setpriv --inh-caps=-all --bounding-set=-all)
if "${unprivileged[@]}" cat secret 2> /dev/null; then
  skip 'files without permission, because capabilities cannot be dropped here'
else
  for tool in $tools; do refused "$tool" secret 'Permission denied'; done
fi
unprivileged=()
# A file that is something else.  build-vocab, score and align take any text.
printf 'some text\n' > foreign
for tool in $tools; do
  printf 'some text\n' > foreign
  pattern=
  case $tool in build-vocab | score | align) printf 'some \377 text\n' > foreign; pattern=':1: invalid UTF-8 at byte 6' ;; esac
  refused "$tool" foreign "$pattern"
done
[ ! -e out.safetensors ] || fail 'average wrote something'
[ ! -e run ] || [ -z "$(ls run)" ] || fail "train wrote $(ls run)"
same 'files left over' '' "$(find . -name '*.tmp')"
