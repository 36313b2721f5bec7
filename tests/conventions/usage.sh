#!/bin/bash
# Wrong command lines of all tools: status 2, one line on stderr that names the nearest option, nothing on stdout.
. "$AWEND_SOURCE/tests/conventions/tools.inc" || exit 1

# wrong MESSAGE TOOL ARGUMENT...
wrong() {
  local message=$1 tool=$2
  shift
  expect 2 "$@" < /dev/null
  says "$tool: $message; try '$tool --help'"
  prints ''
}

# The options in --help, long forms; those that take a value with an = appended.
options_of() {
  "$1" --help | sed -En 's/^  (-.,|   ) (--[a-z0-9-]+) [A-Z].*/\2=/p; s/^  (-.,|   ) (--[a-z0-9-]+)(  .*)?$/\2/p'
}

for tool in $tools; do
  wrong "unknown option '--hepl', did you mean '--help'?" "$tool" --hepl
  wrong "unknown option '--xyzzyxyzzy'" "$tool" --xyzzyxyzzy
  wrong "unknown option '-?'" "$tool" '-?'
  wrong "unknown option '--verb', did you mean '--verbose'?" "$tool" --verb  # a prefix is not guessed at
  wrong "option '--quiet' takes no value" "$tool" --quiet=1
  [ "$(options_of "$tool" | wc -l)" -ge 5 ] || fail "$tool --help lists options"
  # Each option that --help tells of is taken, and a letter is in front of one option only.
  for option in $(options_of "$tool"); do
    case $option in
      *=)
        expect 0 "$tool" "${option}1" --help
        wrong "option '${option%=}' needs a value" "$tool" "${option%=}"
        ;;
      *) expect 0 "$tool" "$option" --help ;;
    esac
  done
  same "$tool: duplicate options" '' "$(options_of "$tool" | sort | uniq -d)"
  same "$tool: duplicate letters" '' "$("$tool" --help | sed -n 's/^  -\(.\), --.*/\1/p' | sort | uniq -d)"
  for letter in $("$tool" --help | sed -n 's/^  -\(.\), --[a-z-]*  .*/\1/p'); do
    expect 0 "$tool" "-$letter" --help
  done
done

# Only one input can be standard input, by any name.
for tool in tokenize build-vocab average translate encode inspect score; do
  for name in - /dev/stdin /dev/fd/0 /proc/self/fd/0; do wrong 'only one input can be stdin' "$tool" - $name; done
done
wrong 'only one input can be stdin' align -s - -t /dev/stdin
wrong 'only one input can be stdin' train -s - -t /dev/stdin -m vocabulary -o new
