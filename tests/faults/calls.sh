#!/bin/bash
# Each tool, with one call of the C library after another failing: status 1 and one line, no crash, no half a file, and a training that
# is started again ends with the bytes of one that nothing disturbed.
#
# AWEND_FAULTS=all tries every call; otherwise of a kind that is called often some are left out, for time.
. "$AWEND_SOURCE/tests/conventions/tools.inc" || exit 1
shim=${AWEND_BUILD:?}/tests/libawend-fail-call.so
[ -e "$shim" ] || { fail "$shim was not built"; exit 1; }
material
echo old > old
errors=(read=5 write=28 write=5 fsync=5 rename=28 open=13 open=24 mmap=12 symlink=28 ftruncate=5)
tried=0

# failing CALL=ERRNO NUMBER COMMAND...: the command with that call of its kind failing; 0: none, and counted in the file `calls`.
failing() {
  local call=${1%=*} error=${1#*=} number=$2
  shift 2
  rm -f calls
  env LD_PRELOAD="${LD_PRELOAD:+$LD_PRELOAD:}$shim" AWEND_FAIL_BELOW="$PWD" AWEND_FAIL_CALL="$call" AWEND_FAIL_AT="$number" \
    AWEND_FAIL_ERRNO="$error" AWEND_FAIL_COUNT="$PWD/calls" "$@" > out 2> err
}

# checked WHAT STATUS: how a tool may end.
checked() {
  tried=$((tried + 1))
  [ "$2" -le 1 ] || { fail "$1: status $2"; cat err >&2; }
  [ "$(wc -l < err)" -le 1 ] || { fail "$1: more than a line"; cat err >&2; }
  [ "$2" -eq 0 ] || grep -qE '^[a-z-]+: [^ ]' err || fail "$1: no reason"
}

# numbers COUNT: which calls to try.
numbers() {
  if [ "${AWEND_FAULTS:-}" = all ]; then seq "$1"; else seq "$1" | awk -v n="$1" 'n <= 12 || $1 <= 5 || $1 > n - 5'; fi
}

for tool in $tools; do
  [ "$tool" != train ] || continue
  for error in "${errors[@]}"; do
    mkdir -p place
    work "$tool" "$PWD/place/result"
    rm -f place/result
    failing "$error" 0 "${command[@]}" || { fail "$tool without a fault: $(cat err)"; continue; }
    cp place/result right
    for number in $(numbers "$(stat -c %s calls 2> /dev/null || echo 0)"); do
      cp old place/result
      failing "$error" "$number" "${command[@]}"
      status=$?
      checked "$tool, $error, call $number" $status
      if [ $status -eq 0 ]; then cmp -s place/result right; else cmp -s place/result old || cmp -s place/result right; fi ||
        fail "$tool, $error, call $number: half a result"
      same "$tool, $error, call $number: files" result "$(ls place)"
    done
    rm -rf place
  done
done

# Training: a checkpoint that is there is never lost, and the run can be resumed.
train=(train -q -s tokens.en -t tokens.de -m vocabulary --valid-source tokens.en --valid-target tokens.de --valid-beam 0 --valid-every 2
       "${small[@]}" --save-every 2 --output place/run)
train_steps() { "${@:2}" --max-steps "$1"; }
mkdir place
train_steps 4 "${train[@]}" > /dev/null || fail 'the training'
cp place/run/model-00000004.safetensors right
rm -rf place/run
train_steps 2 "${train[@]}" > /dev/null || fail 'the first half'
cp -a place/run half
for error in "${errors[@]}"; do
  rm -rf place/run && cp -a half place/run
  failing "$error" 0 "${train[@]}" --max-steps 4 || fail "train without a fault: $(cat err)"
  for number in $(numbers "$(stat -c %s calls 2> /dev/null || echo 0)"); do
    rm -rf place/run && cp -a half place/run
    failing "$error" "$number" "${train[@]}" --max-steps 4
    checked "train, $error, call $number" $?
    what="train, $error, call $number, started again"
    train_steps 4 "${train[@]}" > out 2> err || { fail "$what: $(cat err)"; continue; }
    cmp -s place/run/model-00000004.safetensors right || fail "$what: other weights"
    [ -e place/run/best.safetensors ] || fail "$what: no best checkpoint"
    same "$what: files left" '' "$(find place -name '*.tmp' -o -name 'state-00000002*')"
  done
done
echo "$tried faults"
[ "$tried" -ge 100 ] || fail "only $tried faults were injected"
