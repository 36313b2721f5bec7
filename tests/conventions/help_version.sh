#!/bin/bash
# --help and --version of all tools: to stdout, in 80 columns, status 0; and a full disk is noticed.
. "$AWEND_SOURCE/tests/conventions/tools.inc" || exit 1

for tool in $tools; do
  for option in --help -h; do
    expect 0 "$tool" "$option"
    same "$tool $option, first word" 'Usage:' "$(head -n 1 out | cut -d ' ' -f 1)"
    [ "$(LC_ALL=C.UTF-8 awk 'length > 79' out)" = '' ] || fail "$tool $option: a line is longer than 79 columns"
    grep -q -- '-h, --help ' out || fail "$tool $option: mentions --help"
  done
  for option in --version -V; do
    expect 0 "$tool" "$option"
    same "$tool $option, first line" yes "$(head -n 1 out | grep -qx "$tool (awend) [0-9.]*" && echo yes)"
    grep -qxE 'commit: ([0-9a-f]{12}|unknown)' out || fail "$tool $option: prints the commit: $(cat out)"
    grep -qxE 'compiler: [A-Z][A-Za-z]* [0-9.]+, [A-Za-z]+' out || fail "$tool $option: prints the compiler: $(cat out)"
    grep -qxE 'built with: Boost [0-9.]+, ICU [0-9.]+, SentencePiece( [0-9.]+)?, Vulkan [0-9.]+' out ||
      fail "$tool $option: prints the libraries: $(cat out)"
    [ "$(awk 'length > 79' out)" = '' ] || fail "$tool $option: a line is longer than 79 columns"
  done
  case $tool in
    train | translate | encode) grep -qxE 'matrix kernels: (compiled|prebuilt \(glslang [0-9.]+\))' out || fail "$tool --version: $(cat out)" ;;
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
  # A tool that was installed with a prefix uses that name in its messages, but not the name of a wrapper.
  expect 0 bash -c 'exec -a /opt/bin/awend-"$0" "$(command -v "$0")" --help' "$tool"
  same "the name in the usage" "Usage: awend-$tool " "$(head -n 1 out | grep -o "^Usage: awend-$tool ")"
  expect 2 bash -c 'exec -a awend-"$0" "$(command -v "$0")" --no-such-thing' "$tool"
  same "the name in a message" "awend-$tool: " "$(grep -o "^awend-$tool: " err)"
  same "the name in the advice" "try 'awend-$tool --help'" "$(grep -o "try '.*'" err)"
  expect 0 bash -c 'exec -a wrapper "$(command -v "$0")" --version' "$tool"
  same "the name where a wrapper called it" "$tool (awend)" "$(head -n 1 out | grep -o '^[a-z-]* (awend)')"
  # Whatever else is wrong, help is given.
  expect 0 "$tool" --help --help operand
done
