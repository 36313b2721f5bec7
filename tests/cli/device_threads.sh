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

expect 0 translate -m run --target tokens.de tokens.en
mv out whole
expect 0 translate -m run --target tokens.de -j 1 tokens.en
cmp -s out whole || fail 'scores of given translations on one thread'

# The memory of decoders, which have the weights in common, is at most what -v reports.
small_model wide --d-model 256 --d-ff 2048
mib() { sed -nE "s/^translate: memory: .*$1 ([0-9]+)( MiB)?.*/\\1/p" err; }
for decoders in 1 2; do
  [ $decoders -le "$(nproc)" ] || break
  translate -v --device cpu -j $decoders --batch-tokens 256 -m wide - < ask > answer 2> err &
  translator=$!
  exec 3> ask 4< answer
  cat tokens.en tokens.en >&3
  for ((line = 0; line < 200; ++line)); do IFS= read -r -t 60 <&4 || { fail "line $line is answered"; break; }; done
  used=$(awk '/^VmHWM/ { print int($2 / 1024) }' /proc/$translator/status)
  exec 3>&- 4<&-
  wait $translator
  same 'reported decoders' $decoders "$(mib 'decoders')"
  same 'reported weights' "$(inspect --json wide | jq '.numbers * 4 / 1048576 | floor')" "$(mib 'weights')"
  # The rest is the program itself.
  [ -n "${AWEND_SANITIZED:-}" ] || [ "$used" -le $(($(mib 'weights') + decoders * $(mib 'at most') + 24)) ] || fail "$used MiB are used: $(cat err)"
done

for tool in 'encode -m run' 'translate -m run' 'train -s tokens.en -t tokens.de -m vocabulary -o new'; do
  # shellcheck disable=SC2086
  expect 2 $tool --threads 0
  says "${tool%% *}: option '--threads': must be in [1, 1024], got 0; try '${tool%% *} --help'"
  # shellcheck disable=SC2086
  expect 2 $tool --threads 1025
  says "${tool%% *}: option '--threads': must be in [1, 1024], got 1025; try '${tool%% *} --help'"
done
[ ! -e new ] || fail 'a usage error leaves nothing'

# More threads than processors: a warning, so that a command works on a smaller machine.
taskset -c "$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')" translate -m run -j 1024 < /dev/null 2> err || fail 'threads for one processor'
says "translate: warning: option '--threads': only 1 of them compute, one per processor"

# The memory limit of a shell or batch job is that of the machine.
bash -c 'ulimit -v 500000; exec train -v --device cpu -s tokens.en -t tokens.de -m vocabulary --preset small --batch-tokens 9000 --max-steps 1 \
  -o limited' > out 2> err || fail "training within a limit: $(cat err)"
[ "$(sed -n 's/.* \([0-9]*\) MiB of device memory.*/\1/p' err)" -le 244 ] || fail "half of the limit: $(cat err)"
