#!/bin/bash
# End-to-end memory networks (Sukhbaatar et al., 2015) on tasks of question answering: trains networks for each task, or for all tasks
# together, and prints their test errors.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/setup.sh"
. "$recipes/pipeline.sh"

usage() {
  cat << 'END'
Usage: memory.sh [OPTION]... [TASK]... [-- TRAIN-OPTION...]

Without --babi, the stories are generated: tasks 1 (one supporting fact), 2 and
3 (two and three supporting facts), 4 and 5 (relations with two and three
arguments), 15 (deduction) and 16 (induction) of Weston et al. (2015), 1000
questions for training and 1000 for testing.  A tenth of the training questions
is used for validation.  TASK is a number; default: 1 4 5.

Trains several networks with different random seeds, as many at once as there
are processors, and tests the one with the lowest training loss, as the authors
do.  A network trains for 60 epochs without softmax, then for 100 with it, in
which the learning rate halves every 25; with --joint, for 60, in which it
halves every 15.

  --babi DIR      published stories: DIR contains qaTASK_*_train.txt and
                  qaTASK_*_test.txt (tasks_1-20_v1-2/en), or these compressed
                  (.gz)
  --joint         one network for all tasks together (preset memory-joint)
                  instead of one for each (memory-3hop)
  --questions N   number of generated questions for training (default: 1000)
  --restarts N    number of networks of which the best is chosen (default: 10)
END
  common_usage
}

stories='' questions=1000 restarts=10 joint=''
while [ $# -gt 0 ]; do
  case $1 in
    --babi) need_value "$@"; stories=$(directory "$2"); shift 2 ;;
    --joint) joint=joint; shift ;;
    --questions) need_value "$@"; questions=$2; shift 2 ;;
    --restarts) need_value "$@"; restarts=$2; shift 2 ;;
    --) shift; break ;;
    *) common_option "$@"; shift $taken ;;
  esac
done
need_number --questions "$questions" 2
need_number --restarts "$restarts" 1
[ ${#operands[@]} -gt 0 ] || operands=(1 4 5)
# Networks of other tasks have other words.
[ -z "$joint" ] || joint=$(IFS=-; echo "joint-${operands[*]}")
begin memory "${stories:-$questions questions for each task}"

# published TASK PART: prints the published stories of a task.
published() {
  local files
  files=$(find -L "$stories" -maxdepth 1 \( -name "qa$1_*_$2.txt" -o -name "qa$1_*_$2.txt.gz" \))
  [ -n "$files" ] && [ "$(wc -l <<< "$files")" -eq 1 ] ||
    { echo "memory.sh: $stories: expected one file qa$1_*_$2.txt" >&2; exit 1; }
  case $files in *.gz) gzip -cd "$files" ;; *) cat "$files" ;; esac
}

# told TASK PART: prints the questions of a part with their stories and answers.  Older sentences than the newest 50 are not used.
told() {
  local seed=1 count=$questions
  if [ -n "$stories" ]; then
    published "$1" "$2"
  else
    [ "$2" = train ] || seed=2 count=1000
    babi-stories --task "$1" --questions "$count" --seed $seed
  fi | awk -v sentences=50 -f "$recipes/stories.awk"
}

# split FILE NAME: divides the training questions; the last tenth is for validation, so that few stories are in both parts.  Appends them to
# the files of a network NAME.
split() {
  awk -v name="$2" -v lines="$(wc -l < "$1")" 'BEGIN { FS = "\t" } {
    part = NR > 0.9 * lines ? "valid" : "fit"
    print $1 >> (name "." part ".story")
    print $2 >> (name "." part ".answer")
  }' "$1"
}

# last_loss LOG: prints the training loss of the last line of a log that has one.
last_loss() {
  awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "loss") column = i; next } $column != "-" { loss = $column } END { print loss }' "$1"
}

# fit NAME TRAIN-OPTION...: trains the networks NAME.1, NAME.2, ... and sets best to the one with the lowest training loss.
fit() {
  local name=$1 seed run loss lowest='' preset=memory-3hop decay=25 batches
  shift
  [ -z "$joint" ] || preset=memory-joint decay=15
  batches=$((($(wc -l < "$name.fit.story") + 31) / 32)) # updates of an epoch
  for seed in $(seq "$restarts"); do
    [ "$(jobs -rp | wc -l)" -lt "$(nproc)" ] || wait -n
    run=$name.$seed
    in_background train -q --threads 1 --preset $preset -o "$run" --seed "$seed" --vocabulary "$name.vocabulary" --source "$name.fit.story" \
      --target "$name.fit.answer" --valid-source "$name.valid.story" --valid-target "$name.valid.answer" --cache "$run.cache" \
      --linear-start $((60 * batches)) --schedule-steps $((decay * batches)) --max-steps $(((60 + 4 * decay) * batches)) \
      --log-every "$batches" --valid-every $((10 * batches)) --save-every $((20 * batches)) "$@" > "$run.tsv"
  done
  while [ -n "$(jobs -rp)" ]; do wait -n; done
  for seed in $(seq "$restarts"); do
    run=$name.$seed
    loss=$(last_loss "$run/log.tsv")
    printf 'seed %d: training loss %s\n' "$seed" "$loss"
    if [ -z "$lowest" ] || awk -v a="$loss" -v b="$lowest" 'BEGIN { exit !(a < b) }'; then best=$run lowest=$loss; fi
  done
}

# examine TASK RUN: answers the test questions of a task with the last network of a run, and writes the error to TASK.result.
examine() {
  local models
  models=("$2"/model-*.safetensors)
  translate -q --max-input-length 16000 -m "${models[-1]}" "$1.test.1" > "$1.answers"
  paste "$1.answers" "$1.test.2" | awk -v task="$1" -v model="$2" -F '\t' '
    $1 != $2 { ++errors }
    END { printf "task %s: test error %.1f %% (%d of %d questions, %s)\n", task, 100 * errors / NR, errors, NR, model }' > "$1.result"
}

# network TASK: prints the name of the network for a task.
network() { echo "${joint:-$1}"; }

step 'Writing the stories'
for task in "${operands[@]}"; do
  for part in train test; do once "$task.$part" told "$task" "$part"; done
  for column in 1 2; do cut -f $column "$task.test" > "$task.test.$column"; done
  name=$(network "$task")
  rm -f "$name".{fit,valid}.{story,answer} "$name.text"
done
for task in "${operands[@]}"; do
  name=$(network "$task")
  split "$task.train" "$name"
  tr '\t' ' ' < "$task.train" >> "$name.text"
done
head -n 1 "${operands[0]}.train"

names=("${operands[@]}")
[ -z "$joint" ] || names=("$joint")

step 'Building a vocabulary of whole words for each network'
for name in "${names[@]}"; do
  # Enough merges that each word is one piece.
  once "$name.codes" build-vocab -q --format subword-nmt --size 100000 --min-frequency 1 "$name.text"
  once "$name.vocabulary" build-vocab --import-codes "$name.codes" "$name.text"
done

for name in "${names[@]}"; do
  if [ -n "$joint" ]; then step "All tasks: training $restarts networks"; else step "Task $name: training $restarts networks"; fi
  fit "$name" "$@"
  for task in "${operands[@]}"; do
    [ "$(network "$task")" = "$name" ] || continue
    examine "$task" "$best"
  done
done

step 'Test error'
for task in "${operands[@]}"; do cat "$task.result"; done
[ ${#operands[@]} -eq 1 ] || for task in "${operands[@]}"; do cat "$task.result"; done |
  awk '{ sum += $5 } END { printf "mean of %d tasks: %.1f %%\n", NR, sum / NR }'
