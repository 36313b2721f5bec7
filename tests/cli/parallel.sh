#!/bin/bash
# Several processes at once give the same as one: `tokenize | translate | tokenize --decode` under GNU parallel, and in parts
# as a job array has them.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc" || exit 1

corpus 200
small_model run
model=run/model-00000003.safetensors
export model
head -n 60 raw.en | sed '7s/.*//' > input
pipeline() { tokenize -m "$model" | translate -m "$model" "$@" | tokenize -m "$model" --decode; }
export -f pipeline

pipeline < input > alone || fail 'the pipeline'
same 'as many lines as went in' 60 "$(wc -l < alone)"
if parallel --version 2> /dev/null | grep -q '^GNU parallel'; then
  export PARALLEL_HOME=$PWD/parallel
  mkdir parallel
  parallel --pipe -k -N 7 -j 2 pipeline < input > out || fail 'the whole pipeline under parallel'
  cmp -s out alone || fail 'the whole pipeline under parallel gives the same bytes'
  tokenize -m $model < input | parallel --pipe -k -N 11 -j 3 translate -m $model | tokenize -m $model --decode > out ||
    fail 'translate under parallel'
  cmp -s out alone || fail 'translate under parallel gives the same bytes'
  tokenize -m $model < input | parallel --pipe -k -N 30 -j 2 translate -m $model --device '{= $_ = 0 =}' |
    tokenize -m $model --decode > out || fail 'a device for each process'
  cmp -s out alone || fail 'a device for each process gives the same bytes'
else
  echo 'GNU parallel is not installed: left out, split and xargs take its place' >&2
fi
split -n l/4 -d input part.
seq 0 3 | xargs -P 4 -I N bash -c 'pipeline < part.0N > out.0N' || fail 'four processes'
cat out.0? | cmp -s - alone || fail 'parts of a file, translated at the same time, give the same bytes'
