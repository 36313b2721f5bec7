#!/bin/bash
# Text that breaks tools: what each of build-vocab and tokenize does with it, and that no line is lost.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

build-vocab -q --size 300 -o vocabulary <<< 'the dog and the dog'

# NUL, a byte order mark within a text and characters without width are text like any other.
printf 'the\0dog\n\357\273\277the dog\nthe\342\200\213dog\342\200\215\302\255\n' > odd
expect 0 build-vocab --size 270 -q -o odd_vocabulary odd
for model in vocabulary odd_vocabulary; do
  tokenize -m $model odd > tokens
  same 'no line is lost' 3 "$(wc -l < tokens)"
  tokenize -m $model -d tokens | cmp -s - odd || fail "odd characters are decoded ($model)"
done

# At the start of a file a byte order mark is removed, and kept where that is requested; -v reports it.
printf '\xef\xbb\xbfthe dog\n\xef\xbb\xbfthe dog\n' > marked
expect 0 tokenize -m vocabulary marked
tokenize -m vocabulary -d out > back
same 'a removed mark' "$(tail -c +4 marked)" "$(cat back)"
expect 0 tokenize -m vocabulary --keep-bom marked
tokenize -m vocabulary -d out | cmp -s - marked || fail 'a kept mark is decoded'
tokenize -v -m vocabulary marked 2>&1 > out | grep -qx 'tokenize: marked: removed a byte order mark' || fail '-v reports a removed mark'
printf '\xef\xbb\xbf' > only
expect 0 tokenize -m vocabulary only only marked
same 'a file of a mark only has no lines' 2 "$(wc -l < out)"
build-vocab -q --size 300 -o with_mark marked
build-vocab -q --size 300 -o without_mark back
cmp -s with_mark without_mark || fail 'no vocabulary has a removed mark'
build-vocab -q --keep-bom --size 300 -o kept_mark marked
cmp -s with_mark kept_mark && fail 'a mark that is kept changes the vocabulary'

# CR before LF is text too, and said once; --control remove takes it away, with the rest of its kind.
printf 'the dog\r\nthe dog\r\n' > dos
expect 0 tokenize -q -m vocabulary dos
prints $'▁the ▁dog <0x0D>\n▁the ▁dog <0x0D>'
tokenize -m vocabulary dos 2> err | tokenize -m vocabulary -d 2> /dev/null | cmp -s - dos || fail 'CR is decoded'
says 'tokenize: warning: dos: 2 lines end in CR, which is kept as text'
build-vocab -q --control remove --lowercase --size 300 -o plain dos
printf 'The\tDog\001\r\n' | tokenize -q -m plain > out
prints '▁the ▁dog'

# Lone surrogates, a form longer than needed, a character cut off: no UTF-8.
for bytes in '\355\240\200' '\300\257' '\342\202' '\364\220\200\200'; do
  printf 'the dog\nthe dog\nthe '"$bytes"'\nthe dog\n' > bad
  for tool in 'tokenize -m vocabulary' 'build-vocab --size 300'; do
    # shellcheck disable=SC2086
    expect 1 $tool -o out bad
    says "${tool%% *}: bad:3: invalid UTF-8 at byte 5"
  done
  same 'no line is lost' 4 "$(tokenize -q -m vocabulary --replace-invalid bad | wc -l)"
done

# If the system refuses threads, here for lack of memory for their stacks, the error states how many were requested.
if [ -z "${AWEND_SANITIZED:-}" ]; then
  (ulimit -s 1000000; ulimit -v 2000000; tokenize -m vocabulary -j 8 <<< 'the dog') > out 2> err
  same 'status without threads' 1 $?
  says 'tokenize: cannot start 8 threads: Resource temporarily unavailable; use fewer'
fi

# Floods: time and memory grow with the line and no faster.
flood() {
  case $1 in
    letters) head -c 20000000 /dev/zero | tr '\0' a ;;
    spaces) head -c 5000000 /dev/zero | tr '\0' ' ' ;;
    digits) head -c 5000000 /dev/zero | tr '\0' 7 ;;
    marks) printf e; yes $'\314\201\314\226' 2> /dev/null | tr -d '\n' | head -c 4000000 ;;     # U+0301 U+0316, out of order
    joiners) yes $'\342\200\215\342\200\213' 2> /dev/null | tr -d '\n' | head -c 6000000 ;;     # U+200D U+200B
    chinese) yes '我们喜欢音乐' 2> /dev/null | tr -d '\n' | head -c 6000000 ;;
    thai) yes 'ภาษาไทย' 2> /dev/null | tr -d '\n' | head -c 4200000 ;;
    flags) yes $'\360\237\207\251\360\237\207\252' 2> /dev/null | tr -d '\n' | head -c 4000000 ;;
  esac
  echo
}
for kind in letters spaces digits marks joiners chinese thai flags; do
  { echo 'the dog'; flood $kind; echo 'the dog'; } > text
  (limit_memory 2000000; timeout 120 tokenize -m vocabulary -j 1 text) > tokens || fail "$kind: status $?"
  same "lines ($kind)" 3 "$(wc -l < tokens)"
  tokenize -m vocabulary -d tokens > back
  if [ $kind = marks ]; then
    # Normalization has put the marks in order.
    same 'length of marks' "$(wc -m < text)" "$(($(wc -m < back) + 1))"
  else
    cmp -s text back || fail "$kind are decoded"
  fi
  (limit_memory 2000000; timeout 120 build-vocab -q --size 300 -j 1 -o /dev/null text) || fail "$kind: build-vocab: status $?"
done

# 100 MB on one line.
{ yes 'the dog, and the 2 other dogs' 2> /dev/null | head -c 100000000 | tr '\n' ' '; echo; echo 'the dog'; } > text
timeout 120 tokenize -m vocabulary text > tokens || fail "one long line: status $?"
same 'lines' 2 "$(wc -l < tokens)"
tokenize -m vocabulary -d tokens | cmp -s - text || fail 'one long line is decoded'
timeout 120 build-vocab -q --size 300 -o /dev/null text || fail "one long line: build-vocab: status $?"
