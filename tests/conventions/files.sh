#!/bin/bash
# Files that cannot be read, over all tools: status 1, one line on stderr that names the file, nothing written.
. "$AWEND_SOURCE/tests/conventions/tools.inc" || exit 1

# refused TOOL FILE PATTERN
refused() {
  local command
  mapfile -t command < <(reading "$1" "$2")
  expect 1 "${command[@]}" < /dev/null
  prints ''
  same "${command[*]}: lines on stderr" 1 "$(wc -l < err)"
  grep -q "^$1: $2.*$3" err || { fail "${command[*]}: $(cat err)"; }
}

mkdir folder
for tool in $tools; do
  refused "$tool" missing 'No such file or directory'
  refused "$tool" folder ''
  [ "$(id -u)" -eq 0 ] || { : > secret; chmod 0 secret; refused "$tool" secret 'Permission denied'; }
done
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
