#!/bin/bash
# Each tool with each architecture and format (tools.inc), with one call of the C library after another failing, or with the process
# killed at the call: status 1 and one line, no crash, no half a file and no temporary one; and a training that is started again ends
# with the bytes of one that nothing disturbed.  Interrupted and short reads and writes are not failures.
#
# AWEND_FAULTS=all tries every call; otherwise of a kind that is called often some are left out, for time.
. "$AWEND_SOURCE/tests/faults/tools.inc" || exit 1
shim=${AWEND_BUILD:?}/tests/libawend-fail-call.so
[ -e "$shim" ] || { fail "$shim is built"; exit 1; }
table_material
errors='read=5 write=28 write=5 pwrite=28 fsync=5 close=5 rename=28 open=13 open=24 mmap=12 allocate=12 mkdir=28 ftruncate=5
  write=KILL fsync=KILL fsync=TERM rename=KILL rename=USR1'
# Of training: its links and its log, and calls that no reader of models makes.
training_errors="$errors symlink=28"
# Errors after which the work continues.
harmless='read=4 read=0 write=4 write=0 pwrite=4 pwrite=0'
rm -rf out err log* first
mkdir injected
here=$PWD

# failing CALL=ERRNO NUMBER COMMAND...: the command with that call of its kind failing; 0: none, and counted in the file `calls`.
failing() {
  local call=${1%=*} error=${1#*=} number=$2 kind=$1
  shift 2
  rm -f calls
  env LD_PRELOAD="${LD_PRELOAD:+$LD_PRELOAD:}$shim" AWEND_FAIL_BELOW="$here" AWEND_FAIL_CALL="$call" AWEND_FAIL_AT="$number" \
    AWEND_FAIL_ERRNO="$error" AWEND_FAIL_COUNT="$PWD/calls" AWEND_FAIL_DONE="$here/injected/$kind" "$@" > out 2> err
} 2> /dev/null  # where the shell reports killed processes

# checked WHAT STATUS ERROR: how a tool may end.
checked() {
  echo x >> "$here/tried"
  local most=1
  case $3 in *=KILL) most=137 ;; *=TERM) most=143 ;; *=USR1) most=138 ;; esac
  [ "$2" -le 1 ] || [ "$2" -eq "$most" ] || { fail "$1: status $2"; cat err >&2; }
  [ "$(wc -l < err)" -le 1 ] || { fail "$1: one line"; cat err >&2; }
  [ "$2" -ne 1 ] || grep -qE '^[a-z-]+: [^ ]' err || fail "$1: the line has a reason"
}

# numbers COUNT ENDS: which calls to try, of many the first and last.
numbers() {
  if [ "${AWEND_FAULTS:-}" = all ]; then seq "$1"; else seq "$1" | awk -v n="$1" -v e="$2" '$1 <= e || $1 > n - e'; fi
}
counted() { stat -c %s calls 2> /dev/null || echo 0; }

# synced NAME: every file was synced before it got its name, and its directory afterwards.
synced() {
  awk -F '\t' '
    $1 == "fsync" {is_synced[$2] = 1; delete open[$2]}
    $1 == "rename" {
      if (!is_synced[$2]) print "not synced before it was renamed: " $2
      is_synced[$3] = 1
      directory = $3; sub(/\/[^\/]*$/, "", directory)
      open[directory] = 1; ++renames
    }
    END {for (directory in open) print "not synced afterwards: " directory; if (!renames) print "nothing was renamed"}' log > problems
  same "$1: fsync" '' "$(cat problems)"
}

# earlier NAME: what is at the place of the output before.
earlier() {
  rm -rf place && mkdir place
  case $1 in
    *-directory) mkdir place/result && echo old | tee place/result/config.json place/result/model.bin > place/result/other ;;
    *-new) ;;
    *) echo old > place/result ;;
  esac
}

# disturbed NAME COMMAND...: all faults of one case.
disturbed() {
  local name=$1 error number status what
  shift
  earlier "$name" && cp -r place old
  AWEND_FAIL_LOG=$PWD/log failing none=0 0 "$@" || { fail "$name without a fault: $(cat err)"; return; }
  synced "$name"
  cp -r place right
  for error in $harmless; do
    earlier "$name"
    failing "$error" each "$@" || { fail "$name, $error: $(cat err)"; continue; }
    diff -r place right > /dev/null || fail "$name, $error: the same result"
  done
  for error in $errors; do
    earlier "$name"
    failing "$error" 0 "$@" || { fail "$name without a fault: $(cat err)"; continue; }
    for number in $(numbers "$(counted)" 4); do
      earlier "$name"
      what="$name, $error, call $number"
      failing "$error" "$number" "$@"
      status=$?
      checked "$what" $status "$error"
      case $error in *=KILL) find place -name '*.tmp' -prune -exec rm -r {} + ;; esac
      if [ $status -ne 0 ] && diff -r place old > /dev/null; then continue; fi
      diff -r place right > /dev/null && continue
      # A process that is killed has replaced some files of a directory, each as a whole.
      case $name$error in *-directory*=KILL) whole && continue ;; esac
      fail "$what: no half of a result: $(ls -A place place/result 2> /dev/null | xargs)"
    done
  done
}
whole() {
  local file
  for file in place/result/*; do
    cmp -s "$file" "right/${file#place/}" || cmp -s "$file" "old/${file#place/}" || return 1
  done
}

# trained ARCHITECTURE ENDS COMMAND...: a checkpoint that is there is never lost, and the run can be resumed.
trained() {
  local name=$1 ends=$2 error number what
  shift 2
  mkdir place
  "$@" --max-steps 4 > out 2> err || { fail "the training of $name: $(cat err)"; return; }
  cp place/run/model-00000004.safetensors right
  rm -rf place/run
  AWEND_FAIL_LOG=$PWD/log failing none=0 0 "$@" --max-steps 2 || fail "the first half of $name: $(cat err)"
  synced "$name"
  cp -a place/run half
  for error in $harmless; do
    rm -rf place/run && cp -a half place/run
    failing "$error" each "$@" --max-steps 4 || { fail "$name, $error: $(cat err)"; continue; }
    cmp -s place/run/model-00000004.safetensors right || fail "$name, $error: the same weights"
  done
  for error in $training_errors; do
    rm -rf place/run && cp -a half place/run
    failing "$error" 0 "$@" --max-steps 4 || fail "$name without a fault: $(cat err)"
    for number in $(numbers "$(counted)" "$ends"); do
      rm -rf place/run && cp -a half place/run
      failing "$error" "$number" "$@" --max-steps 4
      checked "train, $name, $error, call $number" $? "$error"
      what="train, $name, $error, call $number, started again"
      "$@" --max-steps 4 > out 2> err || { fail "$what: $(cat err)"; continue; }
      cmp -s place/run/model-00000004.safetensors right || fail "$what: the same weights"
      [ -e place/run/best.safetensors ] || fail "$what: the best checkpoint exists"
      same "$what: files left" '' "$(find place -name '*.tmp' -o -name 'state-00000002*')"
    done
  done
}

# apart NAME FUNCTION ARGUMENT...: in a directory of its own with the material, while other cases run.
apart() {
  local name=$1
  shift
  while [ "$(jobs -rp | wc -l)" -ge 4 ]; do wait -n; done
  (
    mkdir "case.$name" && ln -s "$here"/* "case.$name/" && cd "case.$name" || exit 1
    "$@"
  ) &
}

for architecture in $architectures; do
  mapfile -t command < <(training "$architecture")
  apart "train-$architecture" trained "$architecture" "$([ "$architecture" = transformer ] && echo 4 || echo 1)" "${command[@]}" -o place/run
done
while read -r name line; do
  # shellcheck disable=SC2086
  apart "$name" disturbed "$name" $line
  # shellcheck disable=SC2086
  case $name in *-directory) apart "$name-new" disturbed "$name-new" $line ;; esac
done < <(cases)
wait
for error in $training_errors $harmless; do [ -s "injected/$error" ] || fail "$error was never injected"; done
tried=$(wc -l < tried)
echo "$tried faults"
[ "$tried" -ge 500 ] || fail "enough faults are injected: $tried"
