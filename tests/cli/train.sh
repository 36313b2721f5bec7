#!/bin/bash
# train on a generated corpus: log, files, resumption, signals, and bad input.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc" || exit 1

corpus 300
head -n 20 tokens.en > valid.en
head -n 20 tokens.de > valid.de
# The output with -v is in err.
spoken() { "$1" -v "${@:2}" > out 2> err || { fail "$*"; cat err >&2; }; }
texts=(-s tokens.en -t tokens.de -m vocabulary)
valid=(--valid-source valid.en --valid-target valid.de)
tiny=(--preset tiny --layers 1 --d-model 16 --d-ff 16 --heads 1 --batch-tokens 256)

# A run: silent on stderr, a line of the log every two updates and at the validation, files with what others need.
expect 0 train "${texts[@]}" "${valid[@]}" "${tiny[@]}" -o run --max-steps 7 --log-every 2 --valid-every 3 --save-every 2 --keep 2
same 'the header' 'step epoch seconds loss perplexity tokens_per_second rate gradient_norm skipped valid_loss valid_perplexity valid_bleu valid_chrf' \
  "$(head -n 1 out | tr '\t' ' ')"
same 'the steps of the log' '2 3 4 6 7' "$(tail -n +2 out | cut -f 1 | xargs)"
same 'the steps of validations' '3 6 7' "$(awk -F '\t' 'NR > 1 && $11 != "-" {print $1}' out | xargs)"
same 'every line has 13 columns' 13 "$(awk -F '\t' '{print NF}' out | sort -u)"
same 'the files' 'best.safetensors cache log.tsv model-00000006.safetensors model-00000007.safetensors state-00000007.safetensors' "$(ls run | xargs)"
for key in awend.format awend.config awend.recipe awend.vocabulary awend.step; do
  head -c 20000 run/model-00000007.safetensors | grep -aq "\"$key\"" || fail "the model carries $key"
done
tokenize -m run/model-00000007.safetensors < raw.en | cmp -s - tokens.en || fail 'tokenize reads the vocabulary of the model'
expect 0 average -o mean --last 2 run

# Once more: there is nothing to do.
expect 0 train -q "${texts[@]}" "${tiny[@]}" -o run --max-steps 7
prints ''
train "${texts[@]}" "${tiny[@]}" -o run --max-steps 5 2> err
says 'train: warning: run: nothing left to do after 7 updates, the maximum'

# Resuming from 3 to 6 gives the model of an uninterrupted run; both logs can be one file.
expect 0 train "${texts[@]}" "${tiny[@]}" -o whole --max-steps 6
train "${texts[@]}" "${tiny[@]}" -o parts --max-steps 3 --log-every 1 > log.tsv || fail 'the first part'
train -q "${texts[@]}" "${tiny[@]}" -o parts --max-steps 6 --log-every 1 >> log.tsv || fail 'the second part'
cmp whole/model-00000006.safetensors parts/model-00000006.safetensors || fail 'two parts make a whole'
same 'one header and six lines' 'step 1 2 3 4 5 6' "$(cut -f 1 log.tsv | xargs)"

# Little memory means more passes, not another run: dropout, losses and gradients are those of the whole update.
large=("${texts[@]}" "${tiny[@]}" --batch-tokens 4096 --max-steps 4 --log-every 1)
spoken train "${large[@]}" -o one-pass
grep -q 'passes of 4096 tokens a side' err || fail 'all in one pass, if memory suffices'
cut -f 1-2,4,7-9 out | sed 's/\.\([0-9][0-9][0-9]\)[0-9]*/.\1/g' > one-pass.tsv
mib=$(sed -n 's/.* \([0-9]*\) MiB of device memory, .*/\1/p' err)
spoken train "${large[@]}" -o passes --memory-budget $((mib / 2))
rows=$(sed -n 's/.* passes of \([0-9]*\) tokens a side/\1/p' err)
[ "$rows" -lt 3000 ] || fail "half of the memory means more passes: $rows tokens"
[ "$(sed -n 's/.* \([0-9]*\) MiB of device memory, .*/\1/p' err)" -le $((mib / 2)) ] || fail 'the memory budget is kept'
same 'the log of one pass' "$(cat one-pass.tsv)" "$(cut -f 1-2,4,7-9 out | sed 's/\.\([0-9][0-9][0-9]\)[0-9]*/.\1/g')"
# A run resumes with its passes, so that results are bit-identical.
train "${large[@]}" -o halves --memory-budget $((mib / 2)) --max-steps 2 > log.tsv || fail 'the first half'
spoken train "${large[@]}" -o halves
grep -q "passes of $rows tokens a side" err || fail 'a run keeps its passes'
cmp passes/model-00000004.safetensors halves/model-00000004.safetensors || fail 'with its passes a run resumes bit-exactly'
spoken train "${large[@]}" -o halves --max-steps 5 --memory-budget $((mib / 4))
grep -q "^train: warning: passes have [0-9]* tokens a side, before they had $rows: " err || fail 'other passes are said'

# Pipes give what files give.
for precision in bf16 fp16; do
  expect 0 train "${texts[@]}" "${tiny[@]}" -o $precision --max-steps 2 --log-every 1 --precision $precision --device $vulkan
  same "a header and two updates in $precision" 3 "$(wc -l < out)"
done
expect 1 train "${texts[@]}" "${tiny[@]}" -o bf16 --max-steps 3 --device $vulkan
says 'train: bf16/state-00000002.safetensors: was trained with precision bf16, which is now fp32; resume with the old value, or start '\
'a new run from these weights in another directory'

expect 0 train -s <(cat tokens.en) -t <(cat tokens.de) -m vocabulary "${tiny[@]}" -o piped --max-steps 6
cmp whole/model-00000006.safetensors piped/model-00000006.safetensors || fail 'a corpus from pipes'
expect 0 train -s - -t tokens.de -m vocabulary "${tiny[@]}" -o stdin --max-steps 6 < tokens.en
cmp whole/model-00000006.safetensors stdin/model-00000006.safetensors || fail 'a corpus from stdin'

# Options from a file rank below the command line.
printf 'preset = tiny\nlayers = 1\nd-model = 16\nd-ff = 16\nheads = 1\nbatch-tokens = 256\nmax-steps = 100\n' > settings
expect 0 train "${texts[@]}" --config settings -o configured --max-steps 6
cmp whole/model-00000006.safetensors configured/model-00000006.safetensors || fail 'the settings of a file'

# Other ends: an epoch, a limit of time.
expect 0 train "${texts[@]}" "${tiny[@]}" -o epoch --max-epochs 1
same 'one epoch' 1.000 "$(tail -n 1 out | cut -f 2)"
expect 0 train "${texts[@]}" "${tiny[@]}" -o hurried --time-limit 0.001
ls hurried/state-* > /dev/null 2>&1 || [ ! -s out ] || [ "$(wc -l < out)" -eq 1 ] || fail 'what was done in time is saved'

# A new run from the weights of another: with no rate to speak of they stay what they are.
expect 0 train "${texts[@]}" "${tiny[@]}" -o warm --init-from whole/model-00000006.safetensors --max-steps 1 --learning-rate 1e-30
same 'the weights of the start' "$(tail -c 4000 whole/model-00000006.safetensors | md5sum)" \
  "$(tail -c 4000 warm/model-00000001.safetensors | md5sum)"

# On SIGTERM and SIGINT it saves and ends by the signal; the run can be resumed.
for signal in TERM INT; do
  # The lines of the signal before must not be taken for this run's.
  rm -f log
  : > log
  # A command in the background would ignore SIGINT without job control.
  set -m
  train "${texts[@]}" "${tiny[@]}" -o "stopped-$signal" --max-steps 100000 --log-every 1 > log 2> err &
  set +m
  pid=$!
  for _ in $(seq 600); do
    [ "$(wc -l < log)" -lt 3 ] || break
    sleep 0.1
  done
  kill -s "$signal" $pid
  wait $pid
  status=$?
  same "the status after SIG$signal" $((128 + $(kill -l "$signal"))) "$status"
  same "stderr after SIG$signal" '' "$(cat err)"
  last=$(tail -n 1 log | cut -f 1)
  [ -f "$(printf 'stopped-%s/state-%08d.safetensors' $signal "$last")" ] || fail "SIG$signal leaves the state of step $last"
  expect 0 train -q "${texts[@]}" "${tiny[@]}" -o "stopped-$signal" --max-steps $((last + 1))
  same "a step more after SIG$signal" $((last + 1)) "$(tail -n 1 out | cut -f 1)"
done

# A reader that goes away ends it by SIGPIPE, and the work is saved.
{ train "${texts[@]}" "${tiny[@]}" -o unread --max-steps 100000 --log-every 1 2> err; echo $? > status; } | head -n 3 > out
same 'the status without a reader' 141 "$(cat status)"
same 'stderr without a reader' '' "$(cat err)"
ls unread/state-*.safetensors > /dev/null || fail 'the work is saved without a reader'

# What changed is refused before anything is trained.
refused() {
  local message=$1
  shift
  expect 1 train "${texts[@]}" "${tiny[@]}" -o run --max-steps 9 "$@"
  grep -qF "$message" err || { fail "$* is refused"; cat err >&2; }
  same "one line for $*" 1 "$(wc -l < err)"
}
refused 'was trained with seed 1, which is now 2' --seed 2
refused 'was trained with batch-tokens 256, which is now 512' --batch-tokens 512
refused 'was trained with accumulate 1, which is now 2' --accumulate 2
refused 'was trained with d-ff 16, which is now 32' --d-ff 32
refused 'was trained with dropout 0.2, which is now 0' --dropout 0
refused 'was trained on another corpus' -s tokens.de
build-vocab --size 390 -o smaller raw.en raw.de
refused 'vocabulary' -m smaller

# Bad files.
expect 1 train -s nothing -t tokens.de -m vocabulary "${tiny[@]}" -o new
says 'train: nothing: No such file or directory'
expect 1 train -s tokens.en -t tokens.de -m tokens.en "${tiny[@]}" -o new
grep -q '^train: tokens.en:1: ' err || fail 'an invalid vocabulary is named'
expect 1 train -s tokens.en -t valid.de -m vocabulary "${tiny[@]}" -o new
grep -q 'valid.de' err || fail 'texts of different lengths are named'
expect 1 train -s raw.en -t raw.de -m vocabulary "${tiny[@]}" -o new
grep -q 'of the pieces are unknown.*does not fit the vocabulary$' err || { fail 'text that was not tokenized'; cat err >&2; }
printf 'a\n\xff\n' > invalid
expect 1 train -s invalid -t valid.de -m vocabulary "${tiny[@]}" -o new
says 'train: invalid:2: invalid UTF-8 at byte 1'
: > empty
expect 1 train -s empty -t empty -m vocabulary "${tiny[@]}" -o new
[ ! -e new ] || fail 'a failure leaves no directory'
expect 1 train "${texts[@]}" "${tiny[@]}" -o vocabulary
expect 1 train "${texts[@]}" "${tiny[@]}" -o new --init-from tokens.en
says 'train: tokens.en: not a safetensors file'
expect 1 train "${texts[@]}" "${tiny[@]}" --d-ff 20 -o new --init-from whole/model-00000006.safetensors
expect 1 train "${texts[@]}" "${tiny[@]}" -o nowhere --device 'no such device'
grep -q "^train: no device is named 'no such device'; there are: " err || fail 'the device is named'
[ ! -e nowhere ] || fail 'the device is opened before the corpus is encoded'
expect 1 train "${texts[@]}" --preset tiny -o new --memory-budget 1
grep -q 'device memory for its longest sentence of [0-9]* tokens, but only 1 MiB are available; reduce --max-length, --d-model, --d-ff or the size' err ||
  fail 'a model that does not fit is reported'
wild=("${texts[@]}" "${tiny[@]}" --max-steps 30 --learning-rate 1000000)
expect 1 train "${wild[@]}" -o new
grep -q 'gradient was not finite in 10 updates in a row, up to step [0-9]*; no checkpoint was saved: start again, with a smaller --learning-rate' err ||
  { fail 'a diverged run is reported'; cat err >&2; }
expect 1 train "${wild[@]}" -o wild --save-every 1
grep -q '; start from an earlier checkpoint of wild in another directory by --init-from, with a smaller --learning-rate' err ||
  { fail 'and where it has checkpoints'; cat err >&2; }

# Names with commas.
mkdir 'a,b'
cp tokens.en tokens.de a,b
expect 0 train -q -s a,b/tokens.en -t a,b/tokens.de -m vocabulary "${tiny[@]}" -o commas --max-steps 1

# A command line that cannot be.
usage() {
  local message=$1
  shift
  expect 2 train "$@"
  says "train: $message; try 'train --help'"
}
usage "option '--source' is required" -m vocabulary -o new
usage "option '--output' is required" "${texts[@]}"
usage "option '--vocabulary' is required" -s tokens.en -t tokens.de -o new
usage '--heads 3 does not divide --d-model 16; give --d-k and --d-v' "${texts[@]}" "${tiny[@]}" --heads 3 -o new
usage "option '--precision': must be fp32, bf16 or fp16, got 'tf32', did you mean 'fp32'?" "${texts[@]}" -o new --precision tf32
usage '--valid-source and --valid-target must be given together' "${texts[@]}" -o new --valid-source valid.en
usage 'only one input can be stdin' -s - -t - -m vocabulary -o new
usage '--early-stopping needs --valid-source and --valid-target' "${texts[@]}" -o new --early-stopping 3
usage "option '--dropout': must be in [0, 0.99], got 1" "${texts[@]}" -o new --dropout 1
usage "option '--d-k': must be in [4, 1048576], got 16777220" "${texts[@]}" -o new --heads 256 --d-k 16777220
usage "option '--layers': must be in [1, 1024], got 1000000000" "${texts[@]}" -o new --layers 1000000000
usage "option '--accumulate': must be in [1, 65536], got 2000000000" "${texts[@]}" -o new --accumulate 2000000000
usage 'an update has at most 2147483648 tokens on a side, got 65536000000' "${texts[@]}" -o new --accumulate 65536 --batch-tokens 1000000
usage "option '--max-steps': 'many' is not an integer" "${texts[@]}" -o new --max-steps many
usage "unknown option '--d-modle', did you mean '--d-model'?" "${texts[@]}" -o new --d-modle 16
expect 2 train "${texts[@]}" -o new --preset huge
expect 2 train "${texts[@]}" -o new --norm middle
