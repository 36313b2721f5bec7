#!/bin/bash
# The examples of the pages are run.  Each display of a page follows a line with its kind:
#
#     .\" example                    commands, and exactly what they print
#     .\" example, output varies     commands that must succeed; what they print is not compared
#     .\" not run: REASON            commands that need what no test has
#     .\" drawing                    no commands
#
#     .\" example
#     .Bd -literal
#     $ seq 2 | tee numbers
#     1
#     2
#     .Ed
#
# A line after `$ ` is a command (`> ` continues it), the lines below are its output.  Every page has its own directory,
# with a small corpus in the files raw.en, raw.de, test.en and test.de.  Pages that say nothing of training find what it left: tokens.en,
# tokens.de, a vocabulary, the directory run of a training of four updates, its log.tsv, and model.safetensors.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
cd "$AWEND_SOURCE" || exit 1

same 'displays without a mark, marks without a display, and commands outside of displays' '' "$(
  awk 'FNR == 1 {mark = ""}
       /^\.Bd/ && mark == "" {print FILENAME ":" FNR ": " $0}
       mark != "" && !/^\.Bd/ {print FILENAME ":" FNR ": " mark}
       {mark = ""}
       /^\.\\" (example(, output varies)?|not run: .+|drawing)$/ {mark = $0}
       /^\.D[l1] \$/ {print FILENAME ":" FNR ": " $0}' man/*.[1-9])"

# examples_of PAGE: the displays to run, an empty line after each; one of which the output varies begins with `~`.
examples_of() {
  awk '/^\.\\" example/ {marked = 1; varies = /varies$/}
       /^\.Ed/ {if (inside) print ""; inside = marked = 0}
       inside {gsub(/\\e/, "\\"); gsub(/\\&/, ""); gsub(/\\-/, "-"); gsub(/\\\(ba/, "|"); print}
       /^\.Bd/ && marked {inside = 1; if (varies) print "~"}' "$1"
}

# run_examples PAGE: runs the commands in the file `examples`.
run_examples() {
  local line command='' expected='' varies=
  check_command() {
    [ -n "$command" ] || return 0
    count=$((count + 1))
    local printed status=0
    # Variables have no zero bytes, of which the shell warns.
    printed=$(set -o pipefail; bash -c "set -eo pipefail; $command" 2> "$scratch/err" | tr -d '\0') || status=$?
    # 141 is SIGPIPE: `head` leaves before the program in front of it has written everything.
    [ $status -eq 0 ] || [ $status -eq 141 ] || fail "$1: $command: $(cat "$scratch/err")"
    [ -n "$varies" ] || same "$1: $command" "${expected%$'\n'}" "$printed"
    command='' expected=''
  }
  while IFS= read -r line; do
    case $line in
      '~') varies=yes ;;
      '$ '*) check_command "$1"; command=${line#'$ '} ;;
      '> '*) command+=$'\n'${line#'> '} ;;
      *) expected+=$line$'\n' ;;
    esac
    [ -n "$line" ] || { expected=${expected%$'\n'}; check_command "$1"; expected='' varies=; }
  done < "$scratch/examples"
  check_command "$1"
}

mkdir "$scratch/trained" && cd "$scratch/trained" || exit 1
locale-corpus -n 300 -o raw && locale-corpus -n 20 -p test -o test
build-vocab --size 600 -o vocabulary raw.en raw.de
for side in en de; do tokenize -m vocabulary < raw.$side > tokens.$side; done
expect 0 train -s tokens.en -t tokens.de -m vocabulary -o run --preset tiny --layers 1 --d-model 32 --d-ff 64 \
  --batch-tokens 512 --max-steps 4 --save-every 2 --log-every 2
mv out log.tsv
expect 0 average -o model.safetensors --last 2 run
rm out err

count=0
for page in "$AWEND_SOURCE"/man/*.[1-9]; do
  examples_of "$page" > "$scratch/examples"
  name=$(basename "$page")
  mkdir "$scratch/$name" && cd "$scratch/$name" || exit 1
  cp ../trained/{raw,test}.?? .
  case $name in
    awend.7 | train.1 | build-vocab.1 | tokenize.1) ;;
    *) cp -R ../trained/. . ;;
  esac
  before=$count
  run_examples "$name"
  [ "$count" -gt "$before" ] || fail "$name has examples that are run"
  # The tutorial ends in words: 89.8 where it was written.
  [ "$name" != awend.7 ] || [ "$(score -b test.de < hypotheses.de | cut -d . -f 1)" -ge 60 ] || fail "the tutorial's model translates"
done
