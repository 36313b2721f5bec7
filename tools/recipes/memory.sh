#!/bin/bash
# End-to-end memory networks (Sukhbaatar et al., 2015) on tasks of question answering: trains a network for each task, and prints its
# test error.
set -euo pipefail
. "$(dirname "$0")/setup.sh"
. "$(dirname "$0")/pipeline.sh"

usage() {
  cat << 'END'
Usage: memory.sh [OPTION]... [TASK]... [-- TRAIN-OPTION...]

Without --babi, the stories are generated: tasks 1 (one supporting fact), 2 and 3 (two and three supporting facts), 4 and 5 (relations
with two and three arguments), 15 (deduction) and 16 (induction) of Weston et al. (2015), 1000 questions for training and 1000 for
testing.  A tenth of the training questions is used for validation.  TASK is a number; default: 1 4 5.

For each task, several networks with different random seeds are trained, and the one with the lowest validation loss is tested.

  --babi DIR      published stories: DIR contains qaTASK_*_train.txt and qaTASK_*_test.txt (tasks_1-20_v1-2/en)
  --questions N   number of generated questions for training (default: 1000)
  --restarts N    number of networks per task (default: 5)
END
  common_usage
}

stories='' questions=1000 restarts=5
while [ $# -gt 0 ]; do
  case $1 in
    --babi) need_value "$@"; stories=$(directory "$2"); shift 2 ;;
    --questions) need_value "$@"; questions=$2; shift 2 ;;
    --restarts) need_value "$@"; restarts=$2; shift 2 ;;
    --) shift; break ;;
    *) common_option "$@"; shift $taken ;;
  esac
done
[ ${#operands[@]} -gt 0 ] || operands=(1 4 5)
begin memory

# published TASK PART: prints the published stories of a task.
published() {
  local files
  files=$(find -L "$stories" -maxdepth 1 -name "qa$1_*_$2.txt")
  [ -n "$files" ] && [ "$(wc -l <<< "$files")" -eq 1 ] ||
    { echo "memory.sh: $stories: expected one file qa$1_*_$2.txt" >&2; exit 1; }
  cat "$files"
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

# split FILE: divides the training questions; the last tenth is for validation, so that few stories are in both parts.
split() {
  awk -v name="$1" -v lines="$(wc -l < "$1")" 'BEGIN { FS = "\t" } {
    part = NR > 0.9 * lines ? "valid" : "fit"
    print $1 > (name "." part ".story")
    print $2 > (name "." part ".answer")
  }' "$1"
}

# lowest LOG: prints the lowest validation loss after the linear start, which begins again with the best validation.
lowest() { cut -f 10 "$1" | grep -E '^[0-9]' | sort -g | head -n 1; }

step 'Writing the stories'
for task in "${operands[@]}"; do
  for part in train test; do once "$task.$part" told "$task" "$part"; done
  split "$task.train"
  for column in 1 2; do cut -f $column "$task.test" > "$task.test.$column"; done
done
head -n 1 "${operands[0]}.train"

step 'Building a vocabulary of whole words for each task'
for task in "${operands[@]}"; do
  tr '\t' ' ' < "$task.train" > "$task.text"
  # Enough merges that each word is one piece.
  once "$task.codes" build-vocab -q --format subword-nmt --size 100000 --min-frequency 1 "$task.text"
  once "$task.vocabulary" build-vocab --import-codes "$task.codes" "$task.text"
done

for task in "${operands[@]}"; do
  step "Task $task: training $restarts networks"
  best=''
  for seed in $(seq "$restarts"); do
    run=$task.$seed
    train -q --preset memory-3hop -o "$run" --seed "$seed" --vocabulary "$task.vocabulary" --source "$task.train.fit.story" \
      --target "$task.train.fit.answer" --valid-source "$task.train.valid.story" --valid-target "$task.train.valid.answer" \
      --cache "$task.cache" "$@" > "$run.tsv"
    loss=$(lowest "$run/log.tsv")
    printf 'seed %d: validation loss %s\n' "$seed" "$loss"
    if [ -z "$best" ] || awk -v a="$loss" -v b="$lowest_loss" 'BEGIN { exit !(a < b) }'; then best=$run lowest_loss=$loss; fi
  done
  translate --max-input-length 16000 -m "$best/best.safetensors" "$task.test.1" > "$task.answers"
  paste "$task.answers" "$task.test.2" | awk -v task="$task" -v model="$best" -F '\t' '
    $1 != $2 { ++errors }
    END { printf "task %s: test error %.1f %% (%d of %d questions, %s)\n", task, 100 * errors / NR, errors, NR, model }' |
    tee "$task.result"
done

step 'Test error'
for task in "${operands[@]}"; do cat "$task.result"; done
