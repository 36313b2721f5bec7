#!/bin/bash
# Stories are generated and converted, published ones are read, and the recipe for memory networks runs from end to end.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
recipes=$AWEND_SOURCE/tools/recipes

# The same seed gives the same stories, with the requested number of questions.
for task in 1 2 3 4 5 15 16; do
  expect 0 babi-stories --task $task --questions 103
  cp out stories
  same "questions of task $task" 103 "$(grep -c "$(printf '\t')" stories)"
  expect 0 babi-stories --task $task --questions 103
  cmp -s out stories || fail "task $task: the same seed gives the same stories"
  expect 0 babi-stories --task $task --questions 103 --seed 2
  cmp -s out stories && fail "task $task: another seed gives other stories"
  expect 0 awk -f "$recipes/stories.awk" stories
  same "pairs of task $task" 103 "$(wc -l < out | tr -d ' ')"
  grep -vqP '^([a-z ]+ \. )+[a-z ]+ \?\t[a-z]+$' out && fail "task $task: lines are sentences, a question and an answer"
  # Supporting statements come before the question.
  awk -F '\t' 'NF == 3 { n = split($3, of, " "); for (i = 1; i <= n; ++i) if (of[i] < 1 || of[i] >= $1 + 0) bad = 1 } END { exit bad }' stories ||
    fail "task $task: supports are statements of the story"
done

# The answers follow from the stories: where people went last, what is in a direction, what a kind fears, and the color of a kind.
babi-stories --task 1 --questions 200 | awk '
  $1 == 1 { delete place }
  $NF ~ /\.$/ { sub(/\./, "", $NF); place[$2] = $NF }
  /Where/ { sub(/\?/, "", $4); if (place[$4] != $5) bad = 1 }
  END { exit bad }' || fail 'task 1: wrong answers'
babi-stories --task 4 --questions 200 | tr -d '.?' | awk '
  BEGIN { split("north south south north east west west east", w, " "); for (i = 1; i < 9; i += 2) opposite[w[i]] = w[i + 1] }
  $1 == 1 { delete is }
  $2 == "The" { is[$3, $5, $8]; is[$8, opposite[$5], $3] }
  $2 == "What" && $4 == "the" { if (!(($5, $6, $8) in is)) bad = 1 }
  $2 == "What" && $4 != "the" { if (!(($8, $4, $7) in is)) bad = 1 }
  END { exit bad }' || fail 'task 4: wrong answers'
babi-stories --task 15 --questions 200 | tr -d '.?' | awk '
  BEGIN { split("mice mouse cats cat wolves wolf sheep sheep", w, " "); for (i = 1; i < 9; i += 2) one[w[i]] = w[i + 1] }
  $1 == 1 { delete kind; delete fear }
  $3 == "is" && $4 == "a" { kind[tolower($2)] = $5 }
  $4 == "afraid" { fear[one[tolower($2)]] = one[$6] }
  $2 == "What" { if (fear[kind[$4]] != $7) bad = 1 }
  END { exit bad }' || fail 'task 15: wrong answers'
babi-stories --task 16 --questions 200 | tr -d '.?' | awk '
  $1 == 1 { delete kind; delete color }
  $4 == "a" { kind[$2] = $5 }
  $3 == "is" && $4 != "a" && $2 != "What" { color[$2] = $4 }
  $2 == "What" { found = 0; for (name in color) if (kind[name] == kind[$5] && color[name] == $6) found = 1; if (!found) bad = 1 }
  END { exit bad }' || fail 'task 16: wrong answers'

expect 2 babi-stories
says "babi-stories: option '--task' is required; try 'babi-stories --help'"
expect 2 babi-stories --task 6
says "babi-stories: option '--task': must be 1, 2, 3, 4, 5, 15 or 16, got '6'; try 'babi-stories --help'"

# The published format, with lists as answers and carriage returns.
printf '%s\n' '1 Mary moved to the bathroom.' '2 John got the milk there.' $'3 Where is Mary? \tbathroom\t1' '4 Mary left.' \
  $'5 What is John carrying?\tmilk,apple\t2 4' $'1 John went back.\r' $'2 Where is John?\tgarden\t1\r' > published
expect 0 awk -f "$recipes/stories.awk" published
prints $'mary moved to the bathroom . john got the milk there . where is mary ?\tbathroom
mary moved to the bathroom . john got the milk there . mary left . what is john carrying ?\tmilk,apple
john went back . where is john ?\tgarden'
expect 0 awk -v sentences=1 -f "$recipes/stories.awk" published
same 'only the newest sentence' $'mary left . what is john carrying ?\tmilk,apple' "$(sed -n 2p out)"
for case in 'Mary left.|expected a line number' "2 Mary left.|expected line number 1 or 1, got 2" \
  "1 Mary left|expected '.' at the end of 'mary left'" $'1 Where?\t |a question without an answer' '1 .|an empty sentence' \
  "1 Mary left. John too.|more than one sentence in 'mary left. john too'"; do
  printf '%s\n' "${case%|*}" > bad
  expect 1 awk -f "$recipes/stories.awk" bad
  says "stories.awk: bad:1: ${case#*|}"
done

# The recipe: the last network of the run with the lowest training loss is tested.
"$recipes/memory.sh" --work run --restarts 3 --questions 300 1 > out 2> err || { fail 'the recipe'; cat err; }
grep -qE '^task 1: test error [0-9.]+ % \([0-9]+ of 1000 questions, 1\.[123]\)$' out || fail 'the test error is printed'
same 'answers' 1000 "$(wc -l < run/1.answers | tr -d ' ')"
lowest=$(for n in 1 2 3; do printf '%s 1.%d\n' "$(tail -n 1 run/1.$n/log.tsv | cut -f 4)" $n; done | sort -g | head -n 1 | cut -d ' ' -f 2)
grep -q "questions, $lowest)" out || fail 'the network with the lowest training loss is tested'
# 270 questions are 9 updates an epoch, of which 160 are trained.
same 'the last update' 1440 "$(tail -n 1 run/1.1/log.tsv | cut -f 1)"
translate -q --max-input-length 16000 -m run/$lowest/model-00001440.safetensors run/1.test.1 | cmp -s - run/1.answers || fail 'the last checkpoint is tested'

# ^C ends all trainings, for which a shell without terminal needs a program that does not ignore it.
perl -e '$SIG{INT} = "DEFAULT"; setpgrp(0, 0); exec @ARGV' "$recipes/memory.sh" --work ended --restarts 4 1 > out 2> err &
group=$!
for ((i = 0; i < 300; ++i)); do [ ! -e ended/1.1/log.tsv ] || break; sleep 0.1; done
[ -e ended/1.1/log.tsv ] || fail 'a training has begun'
kill -INT -- "-$group"
wait $group
working() { for process in /proc/[0-9]*; do [ "$(readlink "$process/cwd")" != "$PWD/ended" ] || echo "$process"; done; }
for ((i = 0; i < 100; ++i)); do [ -n "$(working)" ] || break; sleep 0.1; done
same 'no training is left' '' "$(working)"

for case in restarts,0,1 restarts,x,1 questions,1,2; do
  IFS=, read -r option value minimum <<< "$case"
  expect 2 "$recipes/memory.sh" --work wrong --$option $value 1
  says "memory.sh: --$option must be a number from $minimum, but is '$value'"
done
[ ! -e wrong ] || fail 'wrong options are refused before anything is made'

# One network for two tasks.
"$recipes/memory.sh" --work joint.run --restarts 1 --joint --questions 100 1 4 -- --linear-start 20 --max-steps 100 > out 2> err || { fail 'joint training'; cat err; }
same 'results of joint training' 2 "$(grep -cE '^task [14]: test error .* of 1000 questions, joint-1-4\.1\)$' out)"
mean=$(awk '/^task/ { sum += $5 } END { printf "%.1f", sum / 2 }' out)
grep -qF "mean of 2 tasks: $mean %" out || fail 'the mean error is printed'
same 'questions of both tasks' 180 "$(wc -l < joint.run/joint-1-4.fit.story | tr -d ' ')"
mkdir babi
babi-stories --task 4 --questions 100 > babi/qa4_two-arg-relations_train.txt
babi-stories --task 4 --questions 20 --seed 2 | gzip > babi/qa4_two-arg-relations_test.txt.gz
"$recipes/memory.sh" --work published.run --babi babi --restarts 1 4 -- --linear-start 20 --max-steps 100 > out 2> err || { fail 'the recipe with published stories'; cat err; }
grep -q '^task 4: test error .*of 20 questions' out || fail 'published stories are tested'
expect 1 "$recipes/memory.sh" --work published.run --babi babi --restarts 1 5
says "memory.sh: $PWD/babi: expected one file qa5_*_train.txt"
