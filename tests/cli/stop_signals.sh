#!/bin/bash
# Signals that ask a program to stop: while it waits for a reader or a FIFO, twice, as the first process of a container, and the warnings of
# batch systems.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc" || exit 1

corpus 300
tiny=(train -q -s tokens.en -t tokens.de -m vocabulary --preset tiny --layers 1 --d-model 16 --d-ff 16 --heads 1 --batch-tokens 256
      --log-every 1 --max-steps 1000000 --save-every 1000000)
# ended PID STATUS WHAT: waits for a program, which must end like this.
ended() {
  local status=0
  wait "$1" || status=$?
  same "$3" "$2" $status
}

# The log on stdout has no reader, as in a pager: the run is saved nevertheless.
mkfifo full
exec 3<> full
"${tiny[@]}" -o unread > full 2> err 3>&- &
pid=$!
await has_lines 2 unread/log.tsv
until lines=$(wc -l < unread/log.tsv) && sleep 0.3 && [ "$lines" -eq "$(wc -l < unread/log.tsv)" ]; do :; done
kill -TERM $pid
ended $pid 143 'a run whose log nobody reads'
exec 3>&-
ls unread/state-* > /dev/null || fail 'the run is saved'
same 'all updates are in the file' "$(tail -n 1 unread/log.tsv | cut -f 1)" \
  "$(find unread -name 'state-*' | sed 's/.*state-0*\([0-9]*\).*/\1/')"

# A FIFO that no one has opened yet.
mkfifo nobody
for program in 'tokenize -m vocabulary -o out.tokens nobody' 'build-vocab --size 300 -o other nobody' "${tiny[*]} -o waiting --log nobody"; do
  # shellcheck disable=SC2086
  $program > out 2> err &
  pid=$!
  until grep -qs wait_for_partner "/proc/$pid/wchan" || ! kill -0 $pid 2> /dev/null; do sleep 0.05; done
  kill -TERM $pid
  ended $pid 143 "${program%% *} at a FIFO: $(cat err)"
done

# The warnings of batch systems are requests to stop; SIGXCPU comes every second.
for signal in USR1 USR2 XCPU; do
  "${tiny[@]}" -o "by$signal" > out 2> err &
  pid=$!
  await has_lines 2 "by$signal/log.tsv"
  kill -$signal $pid
  [ $signal != XCPU ] || kill -$signal $pid 2> /dev/null
  ended $pid $((128 + $(kill -l $signal))) "SIG$signal"
  ls "by$signal"/state-* > /dev/null || fail "a run is saved on SIG$signal"
done

# A validation is interrupted, and made up for: the log, and which checkpoint is best, are those of a run that was not.
for i in 1 2 3 4 5 6; do cat tokens.en; done > valid.en
for i in 1 2 3 4 5 6; do cat tokens.de; done > valid.de
validating=("${tiny[@]}" --max-steps 6 --valid-source valid.en --valid-target valid.de --valid-every 3 --valid-beam 8)
expect 0 "${validating[@]}" -o whole
# interrupted NAME TRAIN-OPTION...: a run that gets the signal in its validation after the third update.
interrupted() {
  local name=$1 attempt pid
  shift
  for attempt in 1 2 3 4 5; do
    rm -rf "$name" out
    "${validating[@]}" -o "$name" "$@" > out 2> err &
    pid=$!
    await has_lines 3 out  # two updates; the third one takes milliseconds
    sleep 0.0$attempt
    kill -TERM $pid
    ended $pid 143 'a run that validates'
    [ ! -e "$name/state-00000003.safetensors" ] || [ "$(wc -l < out)" -gt 3 ] || return
  done
  fail 'a validation was interrupted'
}
interrupted stopped
expect 0 "${validating[@]}" -o stopped
for column in 1 4 8 10,11,12,13; do
  same "column $column of the log" "$(cut -f $column whole/log.tsv)" "$(cut -f $column stopped/log.tsv)"
done
same 'the best checkpoint' "$(readlink whole/best.safetensors)" "$(readlink stopped/best.safetensors)"
# The last one, without a log.
interrupted unlogged --max-steps 3 --log /dev/null
expect 0 "${validating[@]}" -o unlogged --max-steps 3 --log /dev/null
same 'the best checkpoint without a log' model-00000003.safetensors "$(readlink unlogged/best.safetensors)"

mkfifo text
translate --raw -m unread -o translation < text &
pid=$!
exec 3> text
await compgen -G 'translation.*.tmp' > /dev/null
kill -USR1 $pid
ended $pid $((128 + $(kill -l USR1))) 'translate by SIGUSR1'
exec 3>&-
! compgen -G 'translation.*' || fail 'temporary files are removed'

# A second signal ends a run at once, also the first process of a container, for which the system ignores the default action.
slow=(train -v -s tokens.en -t tokens.de -m vocabulary --preset small --accumulate 10000 --max-steps 2)
for inside in '' 'unshare -Urpf --kill-child'; do
  # shellcheck disable=SC2086
  if [ -n "$inside" ] && ! $inside true 2> /dev/null; then continue; fi
  rm -f err  # of the run before, which has the line that is waited for
  # shellcheck disable=SC2086
  $inside "${slow[@]}" -o twice > out 2> err &
  pid=$!
  await grep -qs 'passes of' err
  target=$pid
  [ -z "$inside" ] || target=$(cat "/proc/$pid/task/$pid/children")
  target=${target% }
  for _ in 1 2; do kill -TERM "$target"; sleep 0.3; done
  ended $pid 143 "twice ${inside:+in a container}"
  rm -rf twice
done
