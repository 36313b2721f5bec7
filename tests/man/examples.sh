#!/bin/bash
# The EXAMPLES of the pages are run.  An example is a display after the line `.\" example`:
#
#     .\" example
#     .Bd -literal
#     $ seq 2 | tee numbers
#     1
#     2
#     .Ed
#
# A line after `$ ` is a command (`> ` goes on with it), the lines below are what it prints.  Every page gets a folder of its own,
# with a small corpus in the files raw.en, raw.de, test.en and test.de.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

# The display of each example, without its request lines; an empty line lies between two.
examples_of() { awk '/^\.\\" example$/ {marked = 1} /^\.Ed/ {if (inside) print ""; inside = marked = 0}
                     inside {gsub(/\\e/, "\\"); gsub(/\\&/, ""); print} /^\.Bd/ {inside = marked}' "$1"; }

# run_examples PAGE: runs what stands in the file `examples`.
run_examples() {
  local line command='' expected=''
  check_command() {
    [ -n "$command" ] || return 0
    count=$((count + 1))
    local printed
    printed=$(bash -c "set -eo pipefail; $command" 2> "$scratch/err") || fail "$1: $command: $(cat "$scratch/err")"
    same "$1: $command" "${expected%$'\n'}" "$printed"
    command='' expected=''
  }
  while IFS= read -r line; do
    case $line in
      '$ '*) check_command "$1"; command=${line#'$ '} ;;
      '> '*) command+=$'\n'${line#'> '} ;;
      *) expected+=$line$'\n' ;;
    esac
    [ -n "$line" ] || { expected=${expected%$'\n'}; check_command "$1"; expected=''; }
  done < "$scratch/examples"
  check_command "$1"
}

count=0
for page in "$AWEND_SOURCE"/man/*.[1-9]; do
  examples_of "$page" > "$scratch/examples"
  name=$(basename "$page")
  mkdir "$scratch/$name" && cd "$scratch/$name" || exit 1
  locale-corpus -n 300 -o raw && locale-corpus -n 20 -p test -o test
  run_examples "$name"
done
[ "$count" -gt 0 ] || fail 'there are examples'
