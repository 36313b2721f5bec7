#!/bin/bash
# Lines that break filters, over the tools that read lines: NUL, CR LF, no last line feed, and many megabytes.
# What tokenize and build-vocab make of odd characters: tests/cli/hard_text.sh.
. "$AWEND_SOURCE/tests/conventions/tools.inc" || exit 1
material

# filter TOOL: `command` reads lines from stdin.
filter() { rm -rf run; mapfile -t command < <(filtering "$1"); }
input() { # TOOL: the lines that it is at home with
  case $1 in
    train | translate) cat tokens.en ;;
    encode) cat text.tok ;;
    inspect) cat log.tsv ;;
    *) cat raw.en ;;
  esac
}
filters=
for tool in $tools; do
  filter "$tool"
  [ ${#command[@]} -eq 0 ] || filters+=" $tool"
done
same 'the filters that are tested' 8 "$(wc -w <<< "$filters")"

for tool in $filters; do
  input "$tool" > lines
  filter "$tool"
  expect 0 "${command[@]}" < lines
  result "$tool" > usual
  filter "$tool"
  expect 0 "${command[@]}" < <(printf '%s' "$(cat lines)")
  result "$tool" | cmp -s - usual || fail "$tool: a last line without line feed counts as one with it"

  # CR before LF: translate and tokenize say so once; it changes a token, and no count of lines.
  sed 's/$/\r/' lines > crlf
  filter "$tool"
  "${command[@]}" < crlf > out 2> err
  same "$tool, CR LF: status" 0 $?
  case $tool in tokenize | translate | encode) same "$tool, CR LF: lines" "$(wc -l < lines)" "$(wc -l < out)" ;; esac
  case $tool in
    tokenize | translate | encode) grep -qx "$tool: warning: stdin: $(wc -l < lines) lines end in CR, which is kept as text" err ||
      fail "$tool tells of CR: $(cat err)" ;;
    score | inspect) cmp -s out usual || fail "$tool: CR before LF is white space" ;;
  esac
  ! LC_ALL=C grep -q $'[\001-\010\013-\037]' err || fail "$tool, CR LF: a message holds control characters"

  # A byte order mark is not text.
  { printf '\xef\xbb\xbf'; cat lines; } > marked
  filter "$tool"
  "${command[@]}" < marked > out 2> err
  same "$tool, byte order mark: status" 0 $?
  if [ "$tool" = score ]; then  # as sacreBLEU, to the last digit
    says 'score: warning: stdin: begins with a byte order mark, which is scored as text, as sacreBLEU does; --remove-bom removes it'
  else
    result "$tool" | cmp -s - usual || fail "$tool: a byte order mark changes nothing"
    says ''
  fi

  # NUL is a character.
  sed '1s/^/\x00/' lines > nul
  filter "$tool"
  "${command[@]}" < nul > out 2> err
  case $tool in
    inspect) same "$tool, NUL: status" 1 $? ;;
    *) same "$tool, NUL: status" 0 $? ;;
  esac
  case $tool in tokenize | translate | encode) same "$tool, NUL: lines" "$(wc -l < lines)" "$(wc -l < out)" ;; esac
  same "$tool, NUL: NULs in messages" 0 "$(tr -dc '\0' < err | wc -c)"
done

# 20 MB on one line, between two others.
repeated() { yes "$1" 2> /dev/null | head -n "$2" | tr '\n' ' '; echo; }
long() {
  local line
  line=$(head -n 1 "$1")
  echo "$line"
  repeated "$line" $((20000000 / ${#line}))
  tail -n 1 "$1"
}
long raw.en > text
expect 0 score -b text < text
prints 100.0
expect 0 score -b -m chrf text < text
prints 100.0
expect 0 tokenize -m vocabulary text
same 'tokenize: lines' 3 "$(wc -l < out)"
expect 0 build-vocab -q --size 300 -o /dev/null text
# What is too long to train on is left out.
long tokens.en | cat - tokens.en > long.en
long tokens.en | cat - tokens.de > long.de
expect 0 train -q -s long.en -t long.de -m vocabulary "${small[@]}" -o long
# As one token, it is unknown, and does not flood the terminal.
{ head -n 1 tokens.en; head -c 20000000 /dev/zero | tr '\0' a; echo; } > token
translate -m model token > out 2> err
same 'translate, a token of 20 MB: status' 0 $?
same 'translate, a token of 20 MB: lines' 2 "$(wc -l < out)"
[ "$(wc -c < err)" -lt 5000 ] || fail 'a token of 20 MB is cut in a message'
# A line of 60 000 tokens is translated piece by piece.
repeated "$(head -n 1 tokens.en)" $((60000 / $(head -n 1 tokens.en | wc -w))) > many
expect 0 translate -q -m model -b 1 --max-length-ratio 0 --max-length-extra 1 many
same 'translate, 60 000 tokens: lines' 1 "$(wc -l < out)"
# inspect's log is of numbers.
expect 1 inspect --curves text
same 'inspect, a line of 20 MB: lines on stderr' 1 "$(wc -l < err)"
[ "$(wc -c < err)" -lt 5000 ] || fail 'a line of 20 MB is cut in a message'
