#!/bin/bash
# A training of each architecture that is killed again and again, in the middle of anything: no checkpoint is damaged, nothing piles up, and the weights at
# the end are those of an uninterrupted run.
#
# AWEND_KILLS is the number of kills of the transformer (default: 30); others have a fifth.  Every fourth one is a SIGTERM that is followed by SIGKILL.
. "$AWEND_SOURCE/tests/faults/tools.inc" || exit 1
RANDOM=20260101

table_material

# A state whose model was not written yet is not a checkpoint.
last_step() { find run -name 'model-*.safetensors' 2> /dev/null | sed 's/.*model-0*\([0-9]*\)\..*/\1/' | sort -n | tail -n 1; }

# killed ARCHITECTURE KILLS
killed() {
  local architecture=$1 kills=$2
  rm -rf run straight
  mapfile -t train < <(training "$architecture")
  train+=(--save-every 1 --keep-states 2 --valid-every 3 -o run)
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
  [ $resumed -ge $((kills / 2)) ] || fail "most of $kills runs get further: $resumed"

  steps=$(($(last_step) + 1))
  expect 0 "${train[@]}" --max-steps $steps
  same 'files of killed runs' '' "$(find run -name '*.tmp' -o -name .train.lock)"
  same 'two states, as requested' 2 "$(find run -name 'state-*' | wc -l)"
  same 'one line a step in the log' "$(seq 3 3 $steps | xargs)" \
    "$(cut -f 1 run/log.tsv | awk '/^[0-9]/ && $1 % 3 == 0' | xargs)"
  expect 0 "${train[@]}" --max-steps $steps -o straight
  name=$(printf 'model-%08d.safetensors' $steps)
  cmp "run/$name" "straight/$name" || fail "the weights after $kills kills"
  cmp run/best.safetensors straight/best.safetensors || fail "the best checkpoint after $kills kills"
  echo "$architecture: $kills kills, $steps updates"
}
kills=${AWEND_KILLS:-30}
for architecture in $architectures; do
  killed "$architecture" "$([ "$architecture" = transformer ] && echo "$kills" || echo $(((kills + 4) / 5)))"
done
