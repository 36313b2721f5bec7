#!/bin/bash
# The recipes for back-translation and distillation from end to end, in the directory of a quickstart, with models that
# learn nothing: every step runs on the files that it is meant for.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
recipes=$AWEND_SOURCE/tools/recipes
small=(--layers 1 --d-model 32 --d-ff 32 --heads 2 --batch-tokens 500 --max-steps 6 --save-every 1 --keep 5)

"$recipes/quickstart.sh" --source-locale fr --target-locale pl --work run --lines 100 --held-out 10 \
  -- "${small[@]}" > out 2> err || { fail quickstart; cat err; }
locale-corpus -s fr -t pl -n 60 --seed 2 -o mono
gzip mono.pl

# learned RUN CORPORA: the log of a training, and its number of corpora.
learned() {
  same "the last step of $1" 6 "$(tail -n 1 "$1.tsv" | cut -f 1)"
  same "the corpora of $1" "$2" "$(find "$1/cache" -name 'corpus-*' | wc -l | tr -d ' ')"
}
# scored NAME...: a line of BLEU for each.
scored() {
  same 'names of models' "$(printf '%s\n' "$@")" "$(grep -o '^[a-z]* BLEU|nrefs:1' out | cut -d ' ' -f 1)"
  for name; do same "translations of $name" 10 "$(wc -l < "$work/$name.pl" | tr -d ' ')"; done
}

work=bt
"$recipes/back-translation.sh" --source fr --target pl --lines 40 --compare --work bt run mono.pl.gz -- "${small[@]}" \
  > out 2> err || { fail back-translation; cat err; }
learned bt/reverse 1
learned bt/augmented 2
learned bt/plain 1
scored plain augmented
same 'lines translated back' '40 40' "$(for side in fr pl; do wc -l < bt/mono.tokens.$side; done | xargs)"
same 'the synthetic pairs have true targets' "$(gzip -dc mono.pl.gz | head -n 40)" "$(tokenize -m run/vocabulary -d bt/mono.tokens.pl)"
grep -q 'mono.tokens.fr, mono.tokens.pl: 40 pairs' err || fail 'the synthetic pairs are trained on'

work=kd
"$recipes/distillation.sh" --source fr --target pl --compare --text mono.fr --work kd run run/model.safetensors -- "${small[@]}" \
  > out 2> err || { fail distillation; cat err; }
learned kd/student 2
learned kd/untaught 1
scored teacher untaught student
same 'what the student learns' "$(translate -m run/model.safetensors < run/train.tokens.fr)" "$(cat kd/taught.tokens.pl)"
same 'the additional lines' "$(tokenize -m run/vocabulary mono.fr | translate -m run/model.safetensors)" "$(cat kd/more.tokens.pl)"

for recipe in back-translation distillation; do
  expect 0 "$recipes/$recipe.sh" --help
  grep -q "^Usage: $recipe" out || fail "$recipe --help"
  expect 2 "$recipes/$recipe.sh" run
  says "$recipe.sh: missing operand; try --help"
  expect 1 "$recipes/$recipe.sh" run nothing
  says "$recipe.sh: nothing: no such file"
  expect 1 "$recipes/$recipe.sh" nowhere mono.pl.gz
  says "$recipe.sh: nowhere: no such directory"
  expect 2 "$recipes/$recipe.sh" run mono.pl.gz third
  says "$recipe.sh: unexpected operand 'third'"
done
expect 2 "$recipes/back-translation.sh" --lines 10k run mono.pl.gz
says "back-translation.sh: --lines must be a number from 1, but is '10k'"
expect 2 "$recipes/back-translation.sh" --weights 2 run mono.pl.gz
says "back-translation.sh: --weights must be two numbers with a comma, but is '2'"
