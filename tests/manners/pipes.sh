#!/bin/bash
# A reader that leaves ends a tool in silence, whether SIGPIPE kills (the default) or is ignored (as under some parents).
. "$AWEND_SOURCE/tests/manners/tools.inc" || exit 1

# A pipe whose reader has gone before the tool begins to write.
# left_alone STATUS COMMAND...
left_alone() {
  local wanted=$1
  shift
  { sleep 0.2; "$@" 2> err; echo $? > status; } | :
  same "$*: stderr" '' "$(cat err)"
  same "$*: status" "$wanted" "$(cat status)"
}

for tool in $tools; do
  left_alone 141 "$tool" --help
  (trap '' PIPE; "$tool" --help) 2> err | :
  same "$tool --help: stderr with SIGPIPE ignored" '' "$(cat err)"
done

build-vocab --size 400 -q -o vocabulary <<< 'the quick brown fox jumps over the lazy dog, the dog'
left_alone 141 build-vocab -q --size 400 <<< 'the dog and the dog'
yes 'the dog' 2> /dev/null | timeout 20 tokenize -m vocabulary 2> err | head -n 1 > out
prints '▁the ▁dog'
same 'tokenize: stderr' '' "$(cat err)"
(trap '' PIPE; yes 'the dog' 2> /dev/null | timeout 20 tokenize -m vocabulary 2> err | head -n 1 > out)
prints '▁the ▁dog'
same 'tokenize: stderr with SIGPIPE ignored' '' "$(cat err)"
