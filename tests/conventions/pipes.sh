#!/bin/bash
# A reader that leaves ends a tool in silence, whether SIGPIPE kills (the default) or is ignored (as under some parents).
. "$AWEND_SOURCE/tests/conventions/tools.inc" || exit 1
material

# left_alone STATUS COMMAND...: writes into a pipe whose reader has already closed it.
left_alone() {
  local wanted=$1
  shift
  { sleep 0.1; "$@" 2> err; echo $? > status; } | :
  same "$*: stderr" '' "$(cat err)"
  same "$*: status" "$wanted" "$(cat status)"
}

for tool in $tools; do
  left_alone 141 "$tool" --help
  (trap '' PIPE; "$tool" --help) 2> err | :
  same "$tool --help: stderr with SIGPIPE ignored" '' "$(cat err)"
  work "$tool"
  left_alone 141 "${command[@]}"
  work "$tool"
  (trap '' PIPE; left_alone 141 "${command[@]}")
  # stderr may be a closed pipe as well: then nothing is printed.
  mapfile -t command < <(reading "$tool" missing)
  { sleep 0.1; "${command[@]}" 2>&1 > out; echo $? > status; } | :
  grep -qxE '1|141' status || fail "$tool: status of a failure without a reader of stderr: $(cat status)"
done

# A reader that stops, of endless input.
endless() {
  yes 'the dog' 2> /dev/null | timeout 20 tokenize -m vocabulary 2> err | head -n 1 > out
  same 'tokenize ends with its reader' 141 "${PIPESTATUS[1]}"
  [ -s out ] || fail 'tokenize: one line is answered'
  same 'tokenize: stderr' '' "$(cat err)"
  yes "$(head -n 1 tokens.en)" 2> /dev/null | timeout 20 translate -m model --batch-tokens 60 2> err | head -n 1 > out
  same 'translate ends with its reader' 141 "${PIPESTATUS[1]}"
  [ -s out ] || fail 'translate: one line is answered'
  same 'translate: stderr' '' "$(cat err)"
}
endless
(trap '' PIPE; endless)

# A reader of messages that stops: the temporary file does not stay.  The input, with unknown tokens, which are a message, comes after that.
mkfifo lines
exec 7<> lines
timeout 60 translate -v -m model -o translations lines 2> >(sed '/decoders/q' > messages) 7>&- &
program=$!
for _ in $(seq 100); do grep -q decoders messages && break; sleep 0.1; done
sleep 0.2
same 'temporary files' 1 "$(find . -name 'translations*' | wc -l)"
yes nosuchtoken | head -n 100 >&7
exec 7>&-
wait $program
same 'the status by a closed pipe' 141 $?
same 'files that are left' '' "$(find . -name 'translations*')"
