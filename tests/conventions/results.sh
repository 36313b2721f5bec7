#!/bin/bash
# Results that cannot be written, over all tools: status 1 and one line that names the place, and no half a file stays.

# A separate file system, which can be full, if it can be mounted.
if [ "${AWEND_CONVENTIONS_INSIDE:-}" = '' ]; then
  export AWEND_CONVENTIONS_INSIDE=outside
  if unshare --mount --map-root-user true 2> /dev/null; then
    AWEND_CONVENTIONS_INSIDE=inside exec unshare --mount --map-root-user bash "$0"
  fi
fi
. "$AWEND_SOURCE/tests/conventions/tools.inc" || exit 1
material

# refused PLACE: the last command's status and words.
refused() {
  same "${command[*]} to $1: status" 1 "$status"
  says "$tool: $1"
}
for tool in $tools; do
  work "$tool"
  "${command[@]}" > /dev/full 2> err
  status=$?
  refused 'stdout: No space left on device'
  work "$tool"
  "${command[@]}" 2> err >&-
  status=$?
  refused 'stdout: Bad file descriptor'
  [ "$tool" != train ] || continue # its --output is a folder: see below
  work "$tool" /dev/full
  "${command[@]}" > out 2> err
  status=$?
  refused '/dev/full: No space left on device'
  prints ''
done

if [ $AWEND_CONVENTIONS_INSIDE = outside ]; then
  skip 'a full file system, which cannot be mounted here'
  exit
fi
mkdir disk
mount -t tmpfs -o size=16k none disk || fail 'a small file system is mounted'
head -c 16384 /dev/zero > disk/other
for tool in $tools; do
  work "$tool" disk/result
  "${command[@]}" > out 2> err
  same "$tool on a full disk: status" 1 $?
  same "$tool on a full disk: lines on stderr" 1 "$(wc -l < err)"
  grep -qE "^$tool: disk/result[^:]*: No space left on device$" err || fail "$tool on a full disk: $(cat err)"
  same "$tool on a full disk: what is left" other "$(find disk -type f -printf '%P\n')"
  rm -rf disk/result
done
umount disk
