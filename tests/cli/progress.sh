#!/bin/bash
# What takes more than a second shows how far it is, on a terminal and nowhere else, and takes it away at the end.  Nothing here waits
# for a machine to be slow: inputs or readers of the output are late, or a run has a limit.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc"
command -v script > /dev/null || fail 'script(1) is installed'

# on_terminal COMMAND: into the file `seen` comes what a terminal gets that is the command's stderr, and its stdout where that is not
# redirected.  The shell prints nothing.
on_terminal() { script -qec "$1" /dev/null < /dev/null > seen; }
# shows PATTERN: a status line matches.  It begins with a carriage return and a cleared line.
has_status() { grep -qE $'\r\e\\[K'"$1" seen; }
shows() { has_status "$1" || fail "the terminal shows the status line '$1': $(od -c seen | head -n 20)"; }
# shows_late PATTERN COMMAND [ARGUMENT]: runs `on_terminal` or `late_into`, in which something comes after $late seconds, and requires a
# status line that matches.  A machine under load can start a program so late that it finishes within the second after which it would show
# its status.  Then $late becomes longer.
shows_late() {
  local pattern=$1
  shift
  for late in 1.3 5 20; do
    export late
    "$@"
    ! has_status "$pattern" || return 0
  done
  shows "$pattern"
}
export late=1.3
taken_away() { [ "$(tail -c 4 seen)" = $'\r\e[K' ] || fail 'the status line is taken away'; }
nothing() { same "$1" '' "$(cat seen)"; }
export TERM=xterm

corpus 300
for _ in {1..40}; do cat raw.en; done > many.en
for _ in {1..40}; do cat raw.de; done > many.de
# Reads late, so that the writer, whose output is larger than a pipe holds, is at work for more than a second.
late_reader='{ sleep $late; cat > /dev/null; }'

# late_into COMMAND: on a terminal, with the option -o and a file that is read late in place of OUT.
mkfifo slow
late_into() { on_terminal "(sleep \$late; cat > /dev/null) < slow & ${1/OUT/-o slow}; wait"; }

# The size of a file tells percent and time; a pipe has none.
shows_late 'encoding [0-9]+% [0-9.]+ lines/s [0-9]+:[0-9]{2} left' late_into 'tokenize -m vocabulary OUT many.en many.de'
taken_away
shows_late 'encoding [0-9]+ [0-9.]+ lines/s' late_into 'cat many.en many.de | tokenize -m vocabulary OUT'
# Of several filters the last one shows it, so that none overwrites another's.
shows_late 'decoding [0-9]+ ' late_into 'tokenize -m vocabulary < many.en | tokenize -m vocabulary -d OUT'
! grep -q encoding seen || fail 'two status lines on one terminal'
on_terminal "tokenize -m vocabulary many.en | $late_reader"
nothing 'a filter whose output is a pipe'
# What is typed is not overwritten.
{ sleep 1.3; echo typed; sleep 0.3; printf '\004'; } | script -qec 'tokenize -m vocabulary > out' /dev/null > seen
same 'what was typed was answered' 1 "$(wc -l < out)"
! grep -q encoding seen || fail 'a status line where the user types'
for quiet in 'TERM=dumb tokenize' 'tokenize -q'; do
  late_into "$quiet -m vocabulary OUT many.en"
  nothing "$quiet"
done
on_terminal "{ sleep 1.3; echo text; } | tokenize -m vocabulary"
! grep -q encoding seen || fail 'a status line among the lines of the output'
tokenize -m vocabulary many.en 2> err | sh -c "$late_reader"
same 'stderr that is no terminal' '' "$(cat err)"

shows_late 'counting 300 ' on_terminal "{ sleep \$late; cat raw.en; } | build-vocab --size 600 -o other"
taken_away

shows_late 'scoring [0-9]+ [0-9.]+ lines/s' on_terminal "{ sleep \$late; cat raw.de; } | score raw.de > out"
taken_away
on_terminal "timeout 5 score --confidence --confidence-n 10000000 raw.de < raw.de > out"
shows 'resampling [0-9]+% [0-9.]+ samples/s [0-9:]+ left'
on_terminal "timeout 5 score --paired-ar --paired-ar-n 10000000 --systems raw.de raw.en -- raw.de > out"
shows 'resampling [0-9]+% '
printf -- '-1.5\ttoken\n%.0s' {1..10} > scored
shows_late 'reading [0-9]+ [0-9.]+ lines/s' on_terminal "{ sleep \$late; cat scored; } | score --perplexity > out"

# A training of six seconds.  A terminal gets the header and a line for each validation; what is redirected is the whole log.
training="train -s tokens.en -t tokens.de --valid-source tokens.en --valid-target tokens.de --valid-beam 0 -m vocabulary --preset tiny
  --layers 1 --d-model 32 --d-ff 64 --batch-tokens 512 --log-every 1 --valid-every 5 --save-every 1000000 --max-steps 1000000
  --time-limit 0.1"
on_terminal "$(tr '\n' ' ' <<< "$training") -o run"
shows 'training [0-9]+% [0-9.]+ steps/s 0:[0-9]{2} left, step [0-9]+, perplexity '
for what in 'reading the corpus' 'opening the device' 'compiling kernels' 'first update'; do shows "$what"; done
tr '\r' '\n' < seen | sed 's/\x1b\[K//' | grep -E '^ +(step|[0-9]+) ' > rows
grep -qx ' *step *epoch *time *perplexity *tokens/s *valid_perplexity *BLEU *chrF' rows || fail 'the terminal shows the header'
[ "$(wc -l < rows)" -gt 1 ] || fail 'the terminal shows the line'
last=$(tail -n 1 rows | awk '{print $1}')
same 'lines for validations alone, and the last' '' \
  "$(awk -v last="$last" '/step/ {next} $6 == "-" || ($1 % 5 != 0 && $1 != last)' rows)"
rm -r run
on_terminal "$(tr '\n' ' ' <<< "$training") -o run > log.tsv"
shows 'training [0-9]+% '
# Then a message follows, unless the last update was validated.
sed -zi 's/train: the time limit is reached: the last validation is skipped\r\n$//' seen
taken_away
[ "$(head -n 1 log.tsv | cut -f 1-3)" = $'step\tepoch\tseconds' ] || fail 'the log has its header'
same 'a line for each update' '' "$(awk 'NR > 1 && $1 != NR - 1' log.tsv)"
! grep -q $'\e' log.tsv || fail 'a status line in the log'

model=$(ls run/model-* | tail -n 1)
mkfifo mean
shows_late 'averaging [0-9]+% [0-9.]+ weights/s' on_terminal "(sleep \$late; cat mean > /dev/null) & average -o mean $model $model; wait"
taken_away
shows_late 'translating [0-9]+ [0-9.]+ lines/s' on_terminal "for _ in 1 2 3 4; do head -n 1 tokens.en; sleep \$late; done | translate -m $model > out"
taken_away
for _ in {1..10}; do cat tokens.en; done > many
shows_late 'translating [0-9]+% [0-9.]+ lines/s [0-9]+:[0-9]{2} left' late_into "translate -m $model -b 1 OUT many"
on_terminal "{ sleep 1.3; cat tokens.en; } | translate -m $model -b 1"
! grep -q translating seen || fail 'a status line among the lines of the output'

shows_late 'decoding [0-9]+ ' on_terminal "{ head -n 1 raw.en; sleep \$late; head -n 2 raw.en; } | tokenize -m $model | translate -m $model | tokenize -m $model -d > out"
taken_away
! grep -qE 'encoding|translating' seen || fail 'several status lines in the pipeline of three filters'

translate -m "$model" --attention heads tokens.en > out
shows_late 'reading [0-9]+ [0-9.]+ lines/s' on_terminal "{ sleep \$late; cat heads; } | inspect --attention > page"
taken_away
