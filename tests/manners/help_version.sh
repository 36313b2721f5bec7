#!/bin/bash
# --help and --version of all tools: to stdout, in 80 columns, status 0; and a full disk is noticed.
. "$AWEND_SOURCE/tests/manners/tools.inc" || exit 1

for tool in $tools; do
  for option in --help -h; do
    expect 0 "$tool" "$option"
    same "$tool $option, first word" 'Usage:' "$(head -n 1 out | cut -d ' ' -f 1)"
    [ "$(LC_ALL=C.UTF-8 awk 'length > 79' out)" = '' ] || fail "$tool $option: a line is longer than 79 columns"
    grep -q -- '-h, --help ' out || fail "$tool $option: does not tell of --help"
  done
  for option in --version -V; do
    expect 0 "$tool" "$option"
    grep -qx "$tool (awend) [0-9.]*" out || fail "$tool $option: $(cat out)"
  done
  case $tool in
    train | translate) grep -qxE 'matrix kernels: (compiled|prebuilt \(glslang [0-9.]+\))' out || fail "$tool --version: $(cat out)" ;;
  esac
  [ "$tool" != train ] || grep -qxE 'MPI: (none|[A-Z].* v?[0-9.]+)' out || fail "$tool --version: $(cat out)"
  for option in --help --version; do
    "$tool" "$option" > /dev/full 2> err
    same "$tool $option, status on a full disk" 1 $?
    says "$tool: stdout: No space left on device"
    "$tool" "$option" >&- 2> err
    same "$tool $option, status with stdout closed" 1 $?
    says "$tool: stdout: Bad file descriptor"
  done
  # Whatever else is wrong, help is given.
  expect 0 "$tool" --help --help operand
done
