#!/bin/bash
# tokenize as a filter: a line in gives a line out before the next is sent, on any number of threads; and a stream of any
# length in a memory that does not grow with it.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

build-vocab -q --size 300 -o vocabulary <<< 'the dog and the dog'
for options in '-j 1' '-j 3' '-j 2 --unbuffered'; do
  # shellcheck disable=SC2086
  coproc filter { timeout 20 tokenize -m vocabulary $options; }
  pid=$! in=${filter[1]} answers=${filter[0]}
  for i in 1 2 3; do
    echo 'the dog' >&"$in"
    answer=
    read -r -t 15 -u "$answers" answer
    same "answer $i ($options)" '▁the ▁dog' "$answer"
  done
  eval "exec $in>&-"
  wait "$pid"
  same "status ($options)" 0 $?
done

# 64 MB of text through 60 MB of address space beyond what the program needs to start.
start_kb=$(tokenize -m vocabulary --unbuffered < <(echo x; sleep 0.5) > /dev/null & sleep 0.3; grep VmPeak "/proc/$!/status" | tr -dc 0-9)
yes 'the dog and the dog' 2> /dev/null | head -c 64000000 |
  (limit_memory $((start_kb + 60000)); tokenize -j 1 -m vocabulary) | tail -n 1 > out
prints '▁the ▁dog ▁ <0x61> <0x6E> d ▁the ▁dog'

# Outputs in a directory that cannot be listed, and in the place of a file on which another is mounted, as containers do.
echo 'the dog' > text
expected=$(tokenize -m vocabulary text)
chmod 755 .
mkdir -m 333 box
as_user=()
[ "$(id -u)" -ne 0 ] || as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if "${as_user[@]}" tokenize -m vocabulary text > /dev/null 2> err; then
  expect 0 "${as_user[@]}" tokenize -m vocabulary -o box/result text
  same 'the file in that directory' "$expected" "$(cat box/result)"
else
  skip "another user cannot run the programs here: $(cat err)"
fi
touch mounted
echo 'a longer text than the result' > host
if unshare -rm mount --bind host mounted 2> err; then
  unshare -rm bash -c 'mount --bind host mounted && tokenize -m vocabulary -o mounted text' || fail 'an output that is mounted'
  same 'the file that is mounted' "$expected" "$(cat host)"
else
  skip "there are no mount namespaces: $(cat err)"
fi
