#!/bin/bash
# Two processes that start at the same moment with the same empty caches give the same results as one, and one cache remains.
. "$AWEND_SOURCE/tests/conventions/tools.inc" || exit 1
material

# pair COMMAND...: twice at once, each with N in its words replaced by its number; their outputs are out-1 and out-2.
pair() {
  local n
  for n in 1 2; do "${@//N/$n}" > "out-$n" 2> "err-$n" & done
  for n in 1 2; do wait -n || fail "$*: status $?"; done
  same "$*: stderr" '' "$(cat err-1 err-2)"
}

# Shaders are compiled and cached.
shaders=(--device $vulkan)
translate "${shaders[@]}" -m model tokens.en > alone || fail 'translate alone'
train "${shaders[@]}" -q -s tokens.en -t tokens.de -m vocabulary "${small[@]}" -o run-alone || fail 'train alone'
# Mesa's cache stays filled; otherwise its compiler would take most of the time.
export MESA_SHADER_CACHE_DIR=${MESA_SHADER_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}} XDG_CACHE_HOME=$PWD/caches
pair translate "${shaders[@]}" -m model tokens.en
for n in 1 2; do cmp out-$n alone || fail "translate, process $n"; done
same 'one cache of pipelines' 1 "$(find caches/awend -name 'pipelines-*' | wc -l)"
same 'no other file' 1 "$(find caches/awend -type f | wc -l)"
rm -rf caches
pair train "${shaders[@]}" -q -s tokens.en -t tokens.de -m vocabulary "${small[@]}" --cache corpora -o run-N
for n in 1 2; do cmp run-$n/model-00000001.safetensors run-alone/model-00000001.safetensors || fail "train, process $n"; done
same 'one cache of the corpus' 1 "$(find corpora -type f | wc -l)"
same 'one cache of pipelines of train' 1 "$(find caches/awend -type f | wc -l)"
