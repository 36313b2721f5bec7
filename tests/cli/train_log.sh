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
echo 'years of work' > thesis
expect 1 "${tiny[@]}" -o three --log thesis --max-steps 2
says 'train: thesis: is not a log of train'
same 'the file is not touched' 'years of work' "$(cat thesis)"
expect 0 "${tiny[@]}" -o four --log /dev/null --max-steps 1
expect 1 "${tiny[@]}" -o five --log /nonexistent/log --max-steps 1
says 'train: /nonexistent/log: No such file or directory'

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
until [ -e asked/log.tsv ] && [ "$(wc -l < asked/log.tsv)" -ge 2 ]; do sleep 0.05; done
kill -INT "$(sed 's/process \([0-9]*\) .*/\1/' asked/.train.lock)"
wait $!
grep -q 'train: stopping after this update; press Ctrl-C again to quit without saving' seen || fail 'Ctrl-C is answered'
ls asked/state-* > /dev/null || fail 'and the work is saved'
