#!/bin/bash
# The recipes, from end to end, so small that nothing is learned: every step runs, and hands on what the next one needs.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
recipes=$AWEND_SOURCE/tools/recipes
small=(--layers 1 --d-model 32 --d-ff 32 --heads 2 --batch-tokens 500 --max-steps 6 --save-every 1 --keep 5)

# check RECIPE WORK LANGUAGE [RUN]: the output and the files of every recipe.
check() {
  local run=$2/${4:-checkpoints}
  same "the last line of $1" 'BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp' "$(tail -n 1 out | sed 's/|version:.*//')"
  same "the step of the last line of the log of $1" 6 "$(tail -n 1 "$run/log.tsv" | cut -f 1)"
  same "checkpoints of $1" 5 "$(find "$run" -name 'model-*' | wc -l | tr -d ' ')"
  same "hypotheses of $1" 10 "$(wc -l < "$2/hypotheses.$3" | tr -d ' ')"
}

"$recipes/quickstart.sh" --source-locale fr --target-locale pl --work qs --lines 300 --held-out 10 \
  -- "${small[@]}" > out 2> err || { fail quickstart; cat err; }
check quickstart qs pl
for kind in source translation reference; do
  same "lines of the five $kind" 5 "$(grep -c "^$kind " out)"
done

# A second run starts afresh, even with other languages.
"$recipes/quickstart.sh" --work qs --lines 300 --held-out 10 -- "${small[@]}" > out 2> err || { fail again; cat err; }
check 'the second quickstart' qs de

locale-corpus -n 300 -o train
locale-corpus -n 10 -p valid -o val
locale-corpus -n 10 -p test -o test_2016_flickr
gzip train.en val.de
"$recipes/multi30k.sh" --work m30k . -- "${small[@]}" > out 2> err || { fail multi30k; cat err; }
for model in model.1 model.2; do check multi30k m30k de $model; done
cmp -s m30k/model.{1,2}.safetensors && fail 'models of multi30k have different seeds'
first=$(grep -v '^step' m30k/model.1/log.tsv)
grep -q '^settings: vocabulary [0-9]*, --preset .* --max-steps 6 .*, means of 5 checkpoints, --beam-size .*$' out ||
  fail 'multi30k names its settings'
grep -q '^training: 0 minutes on [0-9]* processors, updates: 6 6$' out || fail 'multi30k names its time'

# A training that ends early has fewer checkpoints.
"$recipes/multi30k.sh" --work early --models 1 . -- "${small[@]/6/2}" > out 2> err || { fail 'multi30k with two checkpoints'; cat err; }
"$recipes/quickstart.sh" --work qs --lines 300 --held-out 10 -- "${small[@]/6/2}" > out 2> err || { fail 'two checkpoints'; cat err; }
expect 1 "$recipes/multi30k.sh" --work qs .
says "multi30k.sh: $PWD/qs was made from 'a generated corpus' and not from '$PWD'; use another --work"

# Another language than German, with files of its own.
for part in train val test_2016_flickr; do zcat -f $part.de* > $part.fr; done
"$recipes/multi30k.sh" --work french --target fr --models 1 . -- "${small[@]}" > out 2> err || { fail 'multi30k to French'; cat err; }
check 'multi30k to French' french fr model.1
expect 1 "$recipes/multi30k.sh" --work m30k --target fr .
says "multi30k.sh: $PWD/m30k was made from '$PWD' and not from '$PWD, fr'; use another --work"
expect 1 "$recipes/multi30k.sh" --work czech --target cs .
says "multi30k.sh: $PWD/train.cs: no such file, nor $PWD/train.cs.gz"

# An interrupted run is resumed.
"$recipes/multi30k.sh" --work m30k . -- "${small[@]/6/8}" > out 2> err || { fail 'multi30k again'; cat err; }
grep -q '^training: 0 minutes on [0-9]* processors, updates: 8 8$' out || fail 'multi30k resumes'
case $(grep -v '^step' m30k/model.1/log.tsv) in "$first"*) ;; *) fail 'a resumed multi30k keeps what it has trained' ;; esac

expect 2 "$recipes/quickstart.sh" --lins 3
says "quickstart.sh: unknown option '--lins'; try --help"
expect 2 "$recipes/multi30k.sh"
says 'multi30k.sh: missing operand; try --help'
expect 2 "$recipes/multi30k.sh" --minutes soon .
says "multi30k.sh: --minutes must be a number above 0, but is 'soon'"
expect 1 "$recipes/multi30k.sh" nowhere
says 'multi30k.sh: nowhere: no such directory'
expect 2 "$recipes/quickstart.sh" --work
says "quickstart.sh: option '--work' needs a value"
for recipe in quickstart multi30k; do
  expect 0 "$recipes/$recipe.sh" --help
  grep -q '^Usage: ' out || fail "$recipe --help"
done

# A system without dpkg is not told that every package is missing.
(. "$recipes/setup.sh" && PATH=$PWD/nothing && install_missing g++ cmake) 2> err && fail 'without dpkg, no packages are named'
grep -q 'packages are installed on Debian only; .* use --no-install:' err && grep -q '^  libraries: .*highway' err ||
  fail "without dpkg, packages are named: $(cat err)"
