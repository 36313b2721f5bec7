#!/bin/bash
# The log file of train: whole after interruptions, next to a table on the terminal, and readable by inspect.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc" || exit 1

corpus 300
head -n 20 tokens.en > valid.en
head -n 20 tokens.de > valid.de
tiny=(train -q -s tokens.en -t tokens.de -m vocabulary --preset tiny --layers 1 --d-model 16 --d-ff 16 --heads 1 --batch-tokens 256
      --log-every 1)
steps() { cut -f 1 "$1" | xargs; }

# The log is in the directory of the run, and what stdout gets is the same.
expect 0 "${tiny[@]}" -o run --max-steps 3
cmp out run/log.tsv || fail 'the log file and stdout'
same 'a header and three lines' 'step 1 2 3' "$(steps run/log.tsv)"
expect 0 "${tiny[@]}" -o run --max-steps 5
same 'stdout of a resumed run' 'step 4 5' "$(steps out)"
same 'one log of both parts' 'step 1 2 3 4 5' "$(steps run/log.tsv)"

# Lines after the checkpoint that a killed run resumes from, and one that was cut off, are written again.
printf '6\t0.1\n7\t0.1\n8\t0.' >> run/log.tsv
expect 0 "${tiny[@]}" -o run --max-steps 7
same 'a line for each step' 'step 1 2 3 4 5 6 7' "$(steps run/log.tsv)"
expect 0 inspect --curves run/log.tsv
cp out curves.svg
expect 0 inspect --curves run
cmp out curves.svg || fail 'inspect finds the log in the directory of a run'
mkdir empty
expect 1 inspect --curves empty
says 'inspect: empty/log.tsv: No such file or directory'

# A script's own line before the log.
(echo started; exec "${tiny[@]}" -o scripted --max-steps 2) > log || fail 'a run after other text'
same 'the header is there' 'started step 1 2' "$(steps log)"
expect 0 inspect --curves log
(echo started; exec "${tiny[@]}" -o scripted --max-steps 3) > log || fail 'a resumed run after other text'
same 'the whole log' 'step 1 2 3' "$(steps scripted/log.tsv)"

# A reader that stops: no update is counted twice when the run is resumed.
"${tiny[@]}" --log-every 2 -o read --max-steps 3000 | head -n 2 > /dev/null
last=$(find read -name 'state-*' | sed 's/.*state-0*\([0-9]*\).*/\1/')
expect 0 "${tiny[@]}" --log-every 2 -o read --max-steps $((last + 2))
expect 0 "${tiny[@]}" --log-every 2 -o unread --max-steps $((last + 2))
same 'the log of a resumed run' "$(cut -f 1,4,8 unread/log.tsv)" "$(cut -f 1,4,8 read/log.tsv)"

# Another file: shared by runs, and refused if it is something else.
expect 0 "${tiny[@]}" -o one --log all.tsv --max-steps 2
expect 0 "${tiny[@]}" -o two --log all.tsv --max-steps 2
same 'two runs in one file' 'step 1 2 step 1 2' "$(steps all.tsv)"
[ ! -e one/log.tsv ] || fail '--log names the only log file'
expect 0 "${tiny[@]}" -o two --log all.tsv --max-steps 3
same 'the last of them resumed' 'step 1 2 step 1 2 3' "$(steps all.tsv)"
# The first one resumes after the other has written there: below a header of its own, and nothing is removed.
cp all.tsv before.tsv
for steps in 3 4; do expect 0 "${tiny[@]}" -o one --log all.tsv --max-steps $steps; done
same 'the first of them resumed' 'step 1 2 step 1 2 3 step 3 4' "$(steps all.tsv)"
head -c "$(wc -c < before.tsv)" all.tsv | cmp - before.tsv || fail 'the lines of both remain'
echo 'years of work' > thesis
expect 1 "${tiny[@]}" -o three --log thesis --max-steps 2
says 'train: thesis: is not a log of train'
same 'the file is not touched' 'years of work' "$(cat thesis)"
expect 0 "${tiny[@]}" -o four --log /dev/null --max-steps 1
expect 2 "${tiny[@]}" -o four --log - --max-steps 1
says "train: --log is a file; standard output has the log, too; try 'train --help'"
expect 1 "${tiny[@]}" -o five --log /nonexistent/log --max-steps 1
says 'train: /nonexistent/log: No such file or directory'
expect 1 "${tiny[@]}" -o five --log one --max-steps 1
says 'train: one: Is a directory'
expect 1 "${tiny[@]}" -o five --log vocabulary/log --max-steps 1
says 'train: vocabulary/log: Not a directory'
[ ! -e five ] || fail 'the log is checked before the corpus is encoded'
# It may be in the directory of the cache, and a complete run does not need it.
expect 0 "${tiny[@]}" -o six --cache six.cache --log six.cache/log --max-steps 1
rm -r six.cache
"${tiny[@]}" -o six --cache six.cache --log six.cache/log --max-steps 1 > out 2> err || fail "a complete run without its log: $(cat err)"

# In a terminal: rows for validations on stdout, every line in the file.
export TERM=xterm
script -qec "$(printf '%q ' "${tiny[@]:0:1}" "${tiny[@]:2}") --valid-source valid.en --valid-target valid.de --valid-every 2 -o shown --max-steps 4" \
  /dev/null < /dev/null > seen
same 'rows on the terminal' '2 4' "$(tr '\r' '\n' < seen | sed 's/\x1b\[K//' | awk '$1 ~ /^[0-9]+$/ && NF == 8 {print $1}' | xargs)"
same 'lines in the file' 'step 1 2 3 4' "$(steps shown/log.tsv)"
# The reader of a pipe writes to the same terminal: no status line between its lines.
script -qec "$(printf '%q ' "${tiny[@]:0:1}" "${tiny[@]:2}") -o piped --time-limit 0.05 | tee log" /dev/null < /dev/null > seen
! grep -q $'\e' seen || fail 'a status line among the lines of tee'
same 'the first line' step "$(head -n 1 log | cut -f 1)"

# Ctrl-C is answered at once.  Without job control a command in the background would ignore it.
set -m
script -qec "$(printf '%q ' train "${tiny[@]:2}") -o asked --max-steps 100000" /dev/null < /dev/null > seen &
set +m
await has_lines 2 asked/log.tsv
kill -INT "$(sed 's/process \([0-9]*\) .*/\1/' asked/.train.lock)"
wait $!
grep -q 'train: stopping after this update; press Ctrl-C again to quit without saving' seen || fail 'Ctrl-C is answered'
ls asked/state-* > /dev/null || fail 'and the work is saved'

# Killed between the last checkpoint and the last validation: the run that resumes makes up for it.
whole=("${tiny[@]}" --valid-source valid.en --valid-target valid.de --valid-every 100 --log-every 2 --max-steps 3)
timeless() { cut -f 1,2,4,5,7- "$1"; }
expect 0 "${whole[@]}" -o ended
same 'the steps of a run that ended' 'step 2 3' "$(steps ended/log.tsv)"
cp ended/log.tsv ended.tsv
cp -a ended killed
head -n 2 ended.tsv > killed/log.tsv
rm killed/best.safetensors
expect 0 "${whole[@]}" -o killed
timeless killed/log.tsv | cmp - <(timeless ended.tsv) || fail 'the log of a run that was killed before its last validation'
same 'the link of that run' model-00000003.safetensors "$(readlink killed/best.safetensors)"
# Neither that run nor one whose time is over writes a line again.
expect 0 "${whole[@]}" -o killed
expect 0 "${whole[@]}" -o killed --max-steps 9 --time-limit 1e-9
cmp -s <(timeless killed/log.tsv) <(timeless ended.tsv) || { fail 'the line of the last step is there once'; cat killed/log.tsv; }

# A program that rotates logs copies the file and empties it: it begins with a header again, and the run can be resumed.
mkfifo lines
"${tiny[@]}" -o rotated --max-steps 100000 --save-every 100000 > lines 2> err &
pid=$!
exec 3< lines
read -r _ <&3; read -r _ <&3
cp rotated/log.tsv rotated/log.tsv.1
: > rotated/log.tsv
until [ "$(wc -l < rotated/log.tsv)" -ge 3 ]; do read -r _ <&3; done
kill -TERM $pid
cat <&3 > /dev/null
wait $pid
exec 3<&-
same 'the header comes first' step "$(head -n 1 rotated/log.tsv | cut -f 1)"
last=$(tail -n 1 rotated/log.tsv | cut -f 1)
expect 0 "${tiny[@]}" -o rotated --max-steps $((last + 2))
same 'the next lines' "$last $((last + 1)) $((last + 2))" "$(tail -n 3 rotated/log.tsv | cut -f 1 | xargs)"
same 'one header' 1 "$(grep -c '^step' rotated/log.tsv)"

# The disk of the log is full: the work is kept.
mkdir disk
if unshare -rm mount -t tmpfs none disk 2> err; then
  # shellcheck disable=SC2016
  unshare -rm bash -c 'mount -t tmpfs -o size=4k none disk && "$@"' small_disk "${tiny[@]}" -o full --log disk/log.tsv --max-steps 300 > out 2> err
  same 'the status of a run whose log does not fit' 1 $?
  same 'its error' 'train: disk/log.tsv: No space left on device' "$(cat err)"
  # 4096 bytes have place for fewer lines than stdout got.
  last=$(find full -name 'state-*' | sed 's/.*state-0*\([0-9]*\).*/\1/')
  [ "${last:-0}" -gt 10 ] || fail "the updates are saved: $last"
  expect 0 "${tiny[@]}" -o full --max-steps $((last + 1))
  same 'it goes on' "step $((last + 1))" "$(steps out)"
else
  skip 'a full disk of the log: no separate mount namespace'
fi
