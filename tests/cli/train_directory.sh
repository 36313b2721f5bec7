#!/bin/bash
# The directory of a run: one training at a time, what killed ones have left, damaged and missing files, and the link to the best.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc" || exit 1

corpus 300
head -n 20 tokens.en > valid.en
head -n 20 tokens.de > valid.de
tiny=(-s tokens.en -t tokens.de -m vocabulary --preset tiny --layers 1 --d-model 16 --d-ff 16 --heads 1 --batch-tokens 256)
valid=(--valid-source valid.en --valid-target valid.de)
files() { (cd "$1" && find . -type f -o -type l) | sed 's,^\./,,' | grep -v '^cache/' | sort | xargs; }
model() { printf '%s/model-%08d.safetensors' "$1" "$2"; }
state() { printf '%s/state-%08d.safetensors' "$1" "$2"; }

# Only files of train's own names are removed, and those at once.
mkdir -p run/cache
for name in notes.12345.tmp notes.0123456789ab.tmp model.1.tmp thesis.safetensors.0123456789ab.tmp; do
  echo mine > run/$name
  cp run/$name run/cache
  touch -d '2 hours ago' run/$name run/cache/$name
done
left=(run/model-00000009.safetensors.0123456789ab.tmp run/state-00000009.safetensors.ba9876543210.tmp
      run/cache/corpus-0123456789abcdef.0123456789ab.tmp)
for name in "${left[@]}"; do echo left > "$name"; done
echo left > run/pending-00000009.safetensors
expect 0 train -q "${tiny[@]}" -o run --max-steps 2
for name in notes.12345.tmp notes.0123456789ab.tmp model.1.tmp thesis.safetensors.0123456789ab.tmp; do
  [ -e run/$name ] && [ -e run/cache/$name ] || fail "$name is not train's own"
done
for name in "${left[@]}"; do [ ! -e "$name" ] || fail "$name remains"; done
[ ! -e run/pending-00000009.safetensors ] || fail 'a state whose weights were never written remains'
# Also when there is nothing left to do.
for name in "${left[@]:0:2}"; do echo left > "$name"; done
expect 0 train -q "${tiny[@]}" -o run --max-steps 2
for name in "${left[@]:0:2}"; do [ ! -e "$name" ] || fail "$name remains when there is nothing to do"; done

# A run that is refused removes nothing.
expect 0 train -q "${tiny[@]}" -o many --max-steps 4 --save-every 1 --keep 100
sed 1d tokens.en > other.en
sed 1d tokens.de > other.de
before=$(files many)
expect 1 train -q "${tiny[@]}" -o many --max-steps 8 --keep 1 -s tokens.en.typo
expect 1 train -q "${tiny[@]}" -o many --max-steps 8 --keep 1 -s other.en -t other.de
grep -q 'was trained on another corpus' err || fail "$(cat err)"
same 'the files' "$before" "$(files many)"
expect 0 train -q "${tiny[@]}" -o many --max-steps 4 --keep 1
same 'the files with --keep 1' "$(echo log.tsv model-00000004.safetensors state-00000004.safetensors)" "$(files many)"

# A second training in the same directory is refused, and told who has it.
mkfifo late
train -q "${tiny[@]}" -o shared --max-steps 2 -s late > first.tsv &
pid=$!
await [ -e shared/.train.lock ]
expect 1 train -q "${tiny[@]}" -o shared --max-steps 2 --seed 2
says "train: shared: is in use by process $pid on host $(uname -n)"
cat tokens.en > late
wait $pid || fail 'the first training'
same 'no lock is left' 'log.tsv model-00000002.safetensors state-00000002.safetensors' "$(files shared)"

# A resumed run reports its position.
train "${tiny[@]}" -o shared --max-steps 3 > out 2> err || fail 'a run that is resumed'
says "train: resuming from step 2 ($(model shared 2))"

# A state belongs to its weights.
expect 0 train -q "${tiny[@]}" -o other --max-steps 3 --seed 2
cp "$(model other 3)" "$(model shared 3)"
expect 1 train -q "${tiny[@]}" -o shared --max-steps 4
says "train: $(state shared 3): belongs to other weights than $(model shared 3)"

# Several states: a damaged newest one is passed over.
expect 0 train -q "${tiny[@]}" -o states --save-every 1 --max-steps 6 --keep-states 3 --keep 1
same 'three states with their weights' "log.tsv $(for s in 4 5 6; do model . $s | cut -c3-; echo; done | xargs) \
$(for s in 4 5 6; do state . $s | cut -c3-; echo; done | xargs)" "$(files states)"
cp -r states whole
cp -r states damaged
printf 'x' | dd of="$(state damaged 6)" bs=1 seek=2000 conv=notrunc 2> dd.err
truncate -s 3000 "$(state damaged 5)"
train "${tiny[@]}" -o damaged --max-steps 6 --keep-states 3 --keep 1 > out 2> err || fail 'a run with damaged states'
same 'damage is reported, file by file' 2 "$(grep -c '^train: warning: damaged/state-0000000[56].*; resuming from the state before it$' err)"
grep -qx "train: resuming from step 4 ($(model damaged 4))" err || { fail 'the state before is used'; cat err >&2; }
cmp "$(model damaged 6)" "$(model whole 6)" || fail 'the same weights from an older state'
for s in 4 5 6; do truncate -s 100 "$(state whole $s)"; done
expect 1 train -q "${tiny[@]}" -o whole --max-steps 7
grep -q "^train: $(state whole 4): " err || { fail 'the last damaged state is named'; cat err >&2; }

# A state whose weights were removed: the state before it, or no new run over it.
cp -r states removed
rm "$(model removed 6)"
train "${tiny[@]}" -o removed --max-steps 6 --keep-states 3 --keep 1 > out 2> err || fail 'a run without its newest weights'
same 'the missing weights are reported' \
  "train: warning: $(state removed 6): $(model removed 6) is missing; resuming from the state before it|train: resuming from step 5 ($(model removed 5))|" \
  "$(tr '\n' '|' < err)"
cmp "$(model removed 6)" "$(model states 6)" || fail 'the same weights from the state before it'
expect 0 train -q "${tiny[@]}" -o one --save-every 1 --max-steps 3
rm "$(model one 3)"
cp -r one several
cp -r one pending
sums=$(md5sum one/*.safetensors)
expect 1 train -q "${tiny[@]}" -o one --max-steps 4
says "train: $(state one 3): cannot resume without $(model one 3); restore that file, or use another directory, with $(model one 2) for --init-from"
rm several/model-*
expect 1 train -q "${tiny[@]}" -o several --max-steps 4
says "train: $(state several 3): cannot resume without $(model several 3); restore that file, or use another directory"
[ -e "$(state several 3)" ] || fail 'the state is kept'
same 'the log has one header' 1 "$(grep -c '^step' several/log.tsv)"
same 'nothing has changed' "$sums" "$(md5sum one/*.safetensors)"

# Killed before the weights were written, and before the state got its name.
mv "$(state pending 3)" pending/pending-00000003.safetensors
rm "$(model pending 1)" "$(model pending 2)"
expect 0 train -q "${tiny[@]}" -o pending --save-every 1 --max-steps 3
mv "$(state pending 3)" pending/pending-00000003.safetensors
train "${tiny[@]}" -o pending --max-steps 4 > out 2> err || fail 'a state that has not got its name'
says "train: resuming from step 3 ($(model pending 3))"
same 'no state is pending' '' "$(find pending -name "pending-*")"

# The best: also of a run that validates only at its end, and never stale.
expect 0 train -q "${tiny[@]}" "${valid[@]}" -o short --max-steps 2
same 'the best of a short run' model-00000002.safetensors "$(readlink short/best.safetensors)"
mkdir -p stale/best.safetensors
expect 1 train -q "${tiny[@]}" "${valid[@]}" -o stale --max-steps 2
says 'train: stale/best.safetensors: Is a directory'
# Also if the last update has its line of the log.
mkdir -p logged/best.safetensors
for _ in 1 2; do
  train -q "${tiny[@]}" "${valid[@]}" -o logged --max-steps 2 --log-every 1 > out 2> err
  rmdir logged/best.safetensors 2> /dev/null
done
same 'the best after a failure' model-00000002.safetensors "$(readlink logged/best.safetensors)"

# SIGHUP saves as SIGTERM does; nohup is respected.
for how in '' nohup; do
  : > log
  $how train -q "${tiny[@]}" -o "hangup$how" --max-steps 100000 --log-every 1 > log 2> err &
  pid=$!
  await has_lines 3 log
  kill -HUP $pid
  [ -z "$how" ] || { sleep 0.3; kill -TERM $pid; }
  wait $pid 2> /dev/null
  status=$?
  same "the status after a hang-up, $how" "$([ -z "$how" ] && echo 129 || echo 143)" $status
  last=$(tail -n 1 log | cut -f 1)
  [ -e "$(state "hangup$how" "$last")" ] || fail "a hang-up leaves the state of step $last"
done

# The time limit counts validations: the last one is skipped, and said to be.
# A limit that is over before the first update leaves nothing to validate.
train "${tiny[@]}" "${valid[@]}" -o limited --time-limit 0.0000001 > out 2> err || fail 'a time limit'
same 'no update in no time' 1 "$(wc -l < out)"
train "${tiny[@]}" "${valid[@]}" -o timed --time-limit 0.05 --valid-every 100000 --log-every 100000 \
  --max-steps 100000 > out 2> err || fail 'a time limit of 3 s'
says 'train: the time limit is reached: the last validation is skipped'
same 'no validation in the last line' '-' "$(tail -n 1 out | cut -f 10)"

# Options without the text that they need.
usage() {
  expect 2 train "${tiny[@]}" -o new "${@:2}"
  says "train: $1; try 'train --help'"
}
usage '--best-metric needs --valid-source and --valid-target' --best-metric bleu
usage '--keep-best needs --valid-source and --valid-target' --keep-best 3
train --dump-config "${tiny[@]}" > dumped || fail 'a configuration is dumped'
expect 0 train -q --config dumped -s tokens.en -t tokens.de -m vocabulary -o dumped-run --max-steps 1

# A long run is announced.
: > log  # the shell may look into it before the new process empties it
set -m
train "${tiny[@]}" -o long --max-steps 2000000000 --log-every 1 > log 2> err &
set +m
pid=$!
await has_lines 8 log
kill -TERM $pid
wait $pid
if inspect --devices | grep -q CPU; then
  grep -qE '^train: warning: this run will take about [0-9]+ (hours|days) on this CPU \([0-9.]+ s per update\); ' err ||
    { fail 'a long run is warned of'; cat err >&2; }
fi

# A signal during the last validation: the best checkpoint is that of a run without signals.
for side in en de; do for part in 1 2 3 4 5; do cat tokens.$side; done > long.$side; done
long=(-q "${tiny[@]}" --valid-source long.en --valid-target long.de --valid-beam 8 --valid-every 4 --log-every 2 --max-steps 6)
expect 0 train "${long[@]}" -o calm
train "${long[@]}" -o stopped > out 2> err &
pid=$!
until grep -q '^4' stopped/log.tsv 2> /dev/null || ! kill -0 $pid; do sleep 0.05; done
sleep 0.2
kill -TERM $pid 2> /dev/null # which may have ended
wait $pid
train "${long[@]}" -o stopped > out 2> err || fail "the rest of the run: $(cat err)"
same 'the best checkpoint' "$(readlink calm/best.safetensors)" "$(readlink stopped/best.safetensors)"
