#!/bin/bash
# --threads of train and translate: how many threads a CPU device computes with.  The results do not depend on it.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc" || exit 1

corpus 100
small_model run
small_model one --threads 1
cmp run/model-00000003.safetensors one/model-00000003.safetensors || fail 'a training on one thread'
expect 0 translate -m run tokens.en
mv out whole
expect 0 translate -m run -j 1 tokens.en
cmp -s out whole || fail 'translations on one thread'

# computing OPTION...: how many threads of lavapipe a translate has that has answered a line.
mkfifo ask answer
computing() {
  translate --device $vulkan -u -m run "$@" < ask > answer &
  local translator=$!
  exec 3> ask 4< answer
  head -n 1 tokens.en >&3
  IFS= read -r -t 60 <&4 || fail 'a line is answered'
  cat /proc/$translator/task/*/comm | grep -c '^llvmpipe-'
  exec 3>&- 4<&-
  wait $translator
}
if inspect --devices | grep -q llvmpipe && [ "$(computing)" -gt 0 ]; then
  same 'threads of --threads 1' 1 "$(computing --threads 1)"
  same 'threads of all processors' "$(computing)" "$(computing --threads "$(nproc)")"
else
  skip 'the number of threads; lavapipe is not the device here'
fi

for tool in 'translate -m run' 'train -s tokens.en -t tokens.de -m vocabulary -o new'; do
  # shellcheck disable=SC2086
  expect 2 $tool --threads 0
  says "${tool%% *}: option '--threads': must be at least 1, got 0; try '${tool%% *} --help'"
  # shellcheck disable=SC2086
  expect 2 $tool --threads 100000
  says "${tool%% *}: option '--threads': 100000 requested, but this machine has $(nproc) processors; try '${tool%% *} --help'"
done
[ ! -e new ] || fail 'a usage error leaves nothing'
