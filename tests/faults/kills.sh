#!/bin/bash
# A training that is killed again and again, in the middle of anything: no checkpoint is damaged, nothing piles up, and the weights at
# the end are those of an uninterrupted run.
#
# AWEND_KILLS is the number of kills (default: 30).  Every fourth one is a SIGTERM that is followed by SIGKILL.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc" || exit 1
kills=${AWEND_KILLS:-30}
RANDOM=20260101

corpus 100
train=(train -q -s tokens.en -t tokens.de -m vocabulary --valid-source tokens.en --valid-target tokens.de --valid-beam 0 --valid-every 3
       --preset tiny --d-model 64 --d-ff 64 --heads 2 --layers 1 --batch-tokens 256 --save-every 1 --keep-states 2 -o run)
# A state whose model was not written yet is not a checkpoint.
last_step() { find run -name 'model-*.safetensors' 2> /dev/null | sed 's/.*model-0*\([0-9]*\)\..*/\1/' | sort -n | tail -n 1; }

resumed=0
for ((i = 1; i <= kills; ++i)); do
  before=$(last_step)
  "${train[@]}" --max-steps 1000000 > out 2> err &
  pid=$!
  # Until it has saved something, and then to anywhere within the next updates.
  for _ in $(seq 600); do
    [ "$(last_step)" = "$before" ] || break
    kill -0 $pid 2> /dev/null || break
    sleep 0.02
  done
  sleep "0.$(printf '%03d' $((RANDOM % 300)))"
  if [ $((i % 4)) -eq 0 ]; then
    kill -TERM $pid
    sleep "0.$(printf '%03d' $((RANDOM % 40)))"
  fi
  kill -KILL $pid 2> /dev/null
  wait $pid 2> /dev/null
  same "kill $i: stderr" '' "$(cat err)"
  after=$(last_step)
  [ "${after:-0}" -ge "${before:-0}" ] || fail "kill $i: from step $before back to $after"
  [ "${after:-0}" -le "${before:-0}" ] || resumed=$((resumed + 1))
done
[ $resumed -ge $((kills / 2)) ] || fail "only $resumed of $kills runs got further"

steps=$(($(last_step) + 1))
expect 0 "${train[@]}" --max-steps $steps
same 'files of killed runs' '' "$(find run -name '*.tmp' -o -name .train.lock)"
same 'two states, as requested' 2 "$(find run -name 'state-*' | wc -l)"
same 'one line a step in the log' "$(seq "$(sed -n 2p run/log.tsv | cut -f 1)" $steps | awk '$1 % 3 == 0' | xargs)" \
  "$(cut -f 1 run/log.tsv | awk '/^[0-9]/ && $1 % 3 == 0' | xargs)"
expect 0 "${train[@]}" --max-steps $steps -o straight
name=$(printf 'model-%08d.safetensors' $steps)
cmp "run/$name" "straight/$name" || fail "the weights after $kills kills"
cmp run/best.safetensors straight/best.safetensors || fail "the best checkpoint after $kills kills"
echo "$kills kills, $steps updates"
