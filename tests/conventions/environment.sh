#!/bin/bash
# An environment that is empty, odd or out of reach changes no result and adds no word.  TERM: stderr.sh.
. "$AWEND_SOURCE/tests/conventions/tools.inc" || exit 1
material
make_locales

touch plain
for tool in $tools; do
  work "$tool"
  expect 0 "${command[@]}"
  result "$tool" > usual
  nothing=-i
  nowhere='HOME=/proc XDG_CACHE_HOME=/proc/nowhere LC_ALL=nonsense LANG=nonsense TERM=xyzzy'
  case $tool in
    # Without a cache, these two compile their kernels again, which takes time.
    train) odds=("$nowhere") ;;
    translate) odds=("$nothing") ;;
    *)
      odds=("$nothing" "$nowhere" "HOME=$PWD/plain" '-u LC_ALL LANG=tr_TR.UTF-8 LC_NUMERIC=de_DE.UTF-8'
        'HOME= XDG_CACHE_HOME= TMPDIR= TERM= LC_ALL= LANG=')
      ;;
  esac
  for odd in "${odds[@]}"; do
    work "$tool"
    # shellcheck disable=SC2086
    env $odd "$AWEND_BIN/${command[0]}" "${command[@]:1}" > out 2> err
    same "$tool with $odd: status" 0 $?
    # Mesa has another cache, and prints a warning if that fails.
    same "$tool with $odd: stderr" '' "$(grep -v ' for shader cache ' err)"
    result "$tool" | cmp -s - usual || fail "$tool with $odd: the same results"
  done
done
