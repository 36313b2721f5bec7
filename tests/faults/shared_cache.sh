#!/bin/bash
# Two trainings with the same process id, each in a container's namespace, that read other texts from pipes and share a cache: each
# trains on its own text.  And a planted link at a temporary name is not followed.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc" || exit 1

corpus 300
tiny=(-m vocabulary --preset tiny --layers 1 --d-model 16 --d-ff 16 --heads 1 --batch-tokens 256 --max-steps 2 --cache shared)
expect 0 train -q "${tiny[@]}" -o one -s tokens.en -t tokens.de
expect 0 train -q "${tiny[@]}" -o two -s tokens.de -t tokens.en
rm -r shared
if ! unshare --user --map-root-user --pid --fork --mount-proc true 2> err; then
  skip "no namespaces here ($(cat err))"
  exit
fi
# in_container NAME SOURCE TARGET: process 2 of a separate namespace; both texts end at the same moment.
in_container() {
  mkfifo "$2-$1" "$3-$1"
  # shellcheck disable=SC2016
  unshare --user --map-root-user --pid --fork --mount-proc bash -c 'train "$@" & echo $! > "$0.pid"; wait $!' "$1" \
    -q "${tiny[@]}" -o "$1-piped" -s "$2-$1" -t "$3-$1" > "$1.out" 2> "$1.err" &
}
export PATH
in_container one tokens.en tokens.de
in_container two tokens.de tokens.en
for pipe in tokens.en-one tokens.de-two; do { cat "${pipe%-*}"; until [ -e go ]; do sleep 0.05; done; } > "$pipe" & done
for pipe in tokens.de-one tokens.en-two; do { cat "${pipe%-*}"; until [ -e go ]; do sleep 0.05; done; } > "$pipe" & done
sleep 1
: > go
wait
same 'both have the same process id' "$(cat one.pid)" "$(cat two.pid)"
for run in one two; do
  same "$run: stderr" '' "$(cat $run.err)"
  cmp $run/model-00000002.safetensors $run-piped/model-00000002.safetensors || fail "$run trains on its own text"
done
same 'files left in the cache' '' "$(ls shared)"
