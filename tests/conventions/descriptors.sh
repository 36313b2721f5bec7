#!/bin/bash
# stdin or stderr that is closed, and input that cannot be read, over all tools.  stdout: results.sh.
. "$AWEND_SOURCE/tests/conventions/tools.inc" || exit 1
material

for tool in $tools; do
  # Files are worked on without stdin; nothing is said where there is no stderr, nor written where it does not belong.
  work "$tool"
  expect 0 "${command[@]}" < /dev/null
  result "$tool" > whole
  for closed in '<&-' '2>&-'; do
    work "$tool"
    eval '"${command[@]}" > out '"$closed"
    same "$tool $closed: status" 0 $?
    result "$tool" | cmp -s - whole || fail "$tool $closed: the same results"
  done
  mapfile -t command < <(reading "$tool" missing)
  "${command[@]}" > out 2>&- < /dev/null
  same "$tool 2>&-: status of a failure" 1 $?
  prints ''

  # A disconnected terminal, a broken disk: reading fails.  The memory of a process has nothing at the address 0.
  exec 9< /proc/self/mem
  mapfile -t command < <(filtering "$tool")
  [ ${#command[@]} -gt 0 ] || continue
  rm -rf run
  expect 1 "${command[@]}" <&9
  says "$tool: stdin: Input/output error"
  prints ''
  expect 1 "${command[@]}" <&-
  says "$tool: stdin: Bad file descriptor"
  prints ''
  [ ! -e run ] || fail "$tool leaves no other files"
done
