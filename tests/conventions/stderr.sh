#!/bin/bash
# Silence is success; -q silences warnings; a status line appears on a terminal only.
. "$AWEND_SOURCE/tests/conventions/tools.inc" || exit 1

text='the dog and the dog'
expect 0 build-vocab --size 262 -o vocabulary <<< "$text"
build-vocab --size 4000 -o vocabulary <<< "$text" 2> err
says "build-vocab: warning: the text yields only 271 of the 4000 ids requested; use --size 271 or more text"
expect 0 build-vocab -q --size 4000 -o vocabulary <<< "$text"
build-vocab -v --size 262 -o vocabulary <<< "$text" 2> err
says 'build-vocab: the text has 3 distinct words'

# Whatever is quoted, a message is one line, and a terminal obeys none of it.
for tool in $tools; do
  mapfile -t command < <(reading "$tool" $'odd\r\e[31mname\177')
  expect 1 "${command[@]}"
  says "$tool: odd\x0D\x1B[31mname\x7F: No such file or directory"
done

# A terminal, as `script` makes one.  The input takes longer to come than the status line waits.
command -v script > /dev/null || fail 'script(1) is installed'
on_terminal() { script -qec "$1" /dev/null < /dev/null; }
slow="{ sleep 1.3; echo '$text'; } | "
on_terminal "$slow TERM=xterm build-vocab --size 262 -o vocabulary" > out
grep -q $'\r\e\[Kcounting [0-9]* [0-9.]* lines/s' out || fail 'a terminal shows the status line'
[ "$(tail -c 4 out)" = $'\r\e[K' ] || fail 'the status line is taken away'
for term in TERM=dumb TERM= 'env -u TERM'; do
  on_terminal "$slow $term build-vocab --size 262 -o vocabulary" > out
  prints ''
  on_terminal "$term build-vocab --size 4000 -o vocabulary /dev/null" > out
  grep -q 'warning' out || fail "a warning with $term"
  ! grep -q $'\e' out || fail "color with $term"
done
on_terminal "$slow TERM=xterm build-vocab -q --size 262 -o vocabulary" > out
prints ''
on_terminal 'TERM=xterm build-vocab --size 4000 -o vocabulary /dev/null' > out
grep -q $'\e\[33mwarning' out || fail 'a terminal shows colors'
on_terminal 'NO_COLOR=1 TERM=xterm build-vocab --size 4000 -o vocabulary /dev/null' > out
! grep -q $'\e\[33m' out || fail 'color in spite of NO_COLOR'
