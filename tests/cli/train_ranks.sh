#!/bin/bash
# train with several processes: the weights of one, resumption, all kinds of ends, and rejected input.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

# Tasks of Slurm that nothing connects would all write the same files.
SLURM_STEP_NUM_TASKS=2 expect 1 train -s a -t b -m c -o run
says 'train: SLURM_STEP_NUM_TASKS is 2, but these processes cannot find each other: use mpirun, or srun with PMIx'
if train --version | grep -qx 'MPI: none'; then
  skip 'training by several processes, because this build has no MPI'
  OMPI_COMM_WORLD_SIZE=2 expect 1 train -s a -t b -m c -o run
  says 'train: one of 2 processes (OMPI_COMM_WORLD_SIZE), but this program was built without MPI'
  exit
fi

prepare_mpi

# A variable without its launcher: MPI starts with only this process.
OMPI_COMM_WORLD_SIZE=2 expect 1 train -s a -t b -m c -o run
says "train: the launcher (OMPI_COMM_WORLD_SIZE) started 2 processes, but MPI finds 1: it belongs to another MPI than this program, \
$(train --version | tail -n 1)"

locale-corpus -n 300 -o raw
build-vocab --size 400 -o vocabulary raw.en raw.de
for side in en de; do tokenize -m vocabulary < raw.$side > tokens.$side; done
head -n 20 tokens.en > valid.en
head -n 20 tokens.de > valid.de
texts=(-s tokens.en -t tokens.de -m vocabulary)
# Dropout is the preset's.  Rounding stays rounding only where nothing makes much of it: Adam does of a gradient next to nothing,
# unless its epsilon is larger, and ReLU does where a number next to 0 changes its sign.
tiny=(--preset tiny --layers 2 --d-model 64 --d-ff 64 --heads 2 --batch-tokens 512 --accumulate 2 --warmup 4)
smooth=(--adam-epsilon 1e-4 --activation gelu)

# ranks N OPTION...: N processes that train.
ranks() { mpirun -np "$1" train "${texts[@]}" "${tiny[@]}" "${@:2}"; }

# numbers FILE: the numbers of a safetensors file, one a line.
numbers() { od -An -v -tf4 -w4 -j $((8 + $(od -An -tu8 -N8 "$1"))) "$1"; }

# apart A B: the largest difference of two files' numbers, as a share of the largest number.
apart() {
  paste <(numbers "$1") <(numbers "$2") | awk '
    function size(x) { return x < 0 ? -x : x }
    /nan|inf/ { bad = $0; exit }
    { if (size($1) > largest) largest = size($1); if (size($1 - $2) > most) most = size($1 - $2) }
    END { print bad || !largest ? "no number" : most / largest }'
}

# below BOUND VALUE
below() { awk -v bound="$1" -v value="$2" 'BEGIN { exit !(value ~ /^[0-9]/ && value + 0 < bound) }'; }

# The gradient of one process with the same batch, a tenth of which is Adam's first moment after an update.
expect 0 train "${texts[@]}" "${tiny[@]}" -o first --max-steps 1
expect 0 ranks 2 -o first-by-2 --max-steps 1
difference=$(apart first/state-00000001.safetensors first-by-2/state-00000001.safetensors)
below 2e-6 "$difference" || fail "2 ranks have the gradient of one: the difference is $difference"

# The same with the cost of alignments, which the loss contains.
align -q -s tokens.en -t tokens.de > links
expect 0 train "${texts[@]}" "${tiny[@]}" --guided-alignment links -o guided --max-steps 1 --log-every 1
cut -f 4 out > guided.log
expect 0 ranks 2 --guided-alignment links -o guided-by-2 --max-steps 1 --log-every 1
cut -f 4 out | cmp -s - guided.log || fail '2 ranks log the loss of one with alignments'
difference=$(apart guided/state-00000001.safetensors guided-by-2/state-00000001.safetensors)
below 2e-6 "$difference" || fail "2 ranks have the gradient of one with alignments: the difference is $difference"

# The same with 8-bit products: all ranks have the scales of the first.
rounded=(--init-from first --quantize int8 --max-steps 1)
expect 0 train "${texts[@]}" "${tiny[@]}" "${rounded[@]}" -o rounded
expect 0 ranks 2 "${rounded[@]}" -o rounded-by-2
difference=$(apart rounded/state-00000001.safetensors rounded-by-2/state-00000001.safetensors)
below 2e-6 "$difference" || fail "2 ranks have the gradient of one with 8-bit products: the difference is $difference"

# The weights of one process; the log is one, and tells of all tokens.
model=model-00000006.safetensors
expect 0 train "${texts[@]}" "${tiny[@]}" "${smooth[@]}" -o alone --max-steps 6 --log-every 1
cut -f 1,2,9 out > alone.log
moved=$(apart first/model-00000001.safetensors alone/$model)
below 0.003 "$moved" && fail "the updates move the weights, by $moved"
for n in 2 3; do
  expect 0 ranks $n "${smooth[@]}" -o by-$n --max-steps 6 --log-every 1
  difference=$(apart alone/$model by-$n/$model)
  below 1e-5 "$difference" || fail "$n ranks have the weights of one: the difference is $difference"
  cut -f 1,2,9 out | cmp -s - alone.log || { fail "$n ranks write the log of one"; cat out >&2; }
done

# The same ranks give the same bytes, at once or in two parts.
expect 0 ranks 2 "${smooth[@]}" -o parts --max-steps 3
expect 0 ranks 2 "${smooth[@]}" -q -o parts --max-steps 6
cmp by-2/$model parts/$model || fail 'two parts make a whole'
ranks 2 "${smooth[@]}" -o parts --max-steps 6 2> err
says 'train: warning: parts: nothing left to do after 6 updates, the maximum'

# In 16 bits the loss is scaled from the first update on; an average and frozen weights are those of one process too.
half=(--device $vulkan --precision fp16 --ema-decay 0.5 --freeze 'encoder.0.*')
for n in 1 2; do
  expect 0 ranks $n "${smooth[@]}" "${half[@]}" -o half-$n --max-steps 3
  head -c 4000 half-$n/state-00000003.safetensors | grep -ao 'loss-scale[^,]*' > scale-$n
done
same 'the scale of the loss' "$(cat scale-1)" "$(cat scale-2)"
below 1e-4 "$(apart half-1/model-00000003.safetensors half-2/model-00000003.safetensors)" || fail 'the average of 2 ranks'

# Rank 0 validates, and all stop when it has seen enough; more ranks than sentences do no harm.
expect 0 ranks 2 -o valid --valid-source valid.en --valid-target valid.de --max-steps 40 --valid-every 1 --early-stopping 2 \
  --learning-rate 1e-30
same 'the validations' '1 2 3' "$(awk -F '\t' 'NR > 1 && $11 != "-" {print $1}' out | xargs)"
head -n 2 tokens.en > two.en
head -n 2 tokens.de > two.de
few=(-s two.en -t two.de -m vocabulary "${tiny[@]}" "${smooth[@]}" --max-steps 2 --accumulate 1)
expect 0 mpirun -np 3 train "${few[@]}" -o few
expect 0 train "${few[@]}" -o few-alone
below 1e-5 "$(apart few/model-00000002.safetensors few-alone/model-00000002.safetensors)" || fail 'ranks without a sentence'

# began DIRECTORY: two ranks with an endless training, after their first checkpoint.  Rank 0 writes its log to a file itself: mpirun
# stops reading the output of ranks while it stops them, and a rank whose output is full would wait until it is killed.
began() {
  mpirun -np 2 bash -c 'echo $$ > pid-$OMPI_COMM_WORLD_RANK; exec train "$@" > log-$OMPI_COMM_WORLD_RANK' - "${texts[@]}" "${tiny[@]}" \
    -o "$1" --max-steps 100000 --save-every 2 --log-every 1 --valid-source valid.en --valid-target valid.de --valid-every 100000 2> err &
  job=$!
  for _ in $(seq 600); do
    ls "$1"/state-* > /dev/null 2>&1 && break
    sleep 0.1
  done
}

# goes_on DIRECTORY: two ranks resume and make one more step.
goes_on() {
  local last
  last=$(ls "$1" | sed -n 's/^model-0*\([0-9]*\)\.safetensors$/\1/p' | tail -n 1)
  expect 0 ranks 2 -q -o "$1" --max-steps $((last + 1))
  same "a step more in $1" $((last + 1)) "$(tail -n 1 out | cut -f 1)"
}

# A rank that is killed takes the others with it, and what was saved is whole.
began killed
kill -9 "$(cat pid-1)"
wait $job
same 'the status after a rank was killed' 137 $?
grep -q 'signal 9' err || { fail 'mpirun reports that a rank was killed'; cat err >&2; }
goes_on killed

# A signal to one rank, or to mpirun, stops all after the step, which is saved.
for whom in rank mpirun; do
  # The seconds that mpirun waits between SIGTERM and SIGKILL if it is stopped itself.
  [ $whom = rank ] || export OMPI_MCA_odls_base_sigkill_timeout=12 PRTE_MCA_odls_base_sigkill_timeout=12
  began stopped-$whom
  [ $whom = rank ] && target=$(cat pid-1) || target=$job
  kill "$target"
  wait $job
  [ $? -ne 0 ] || fail "the status after a signal to $whom"
  last=$(tail -n 1 log-0 | cut -f 1)
  [ -f "$(printf 'stopped-%s/state-%08d.safetensors' $whom "$last")" ] || { fail "a signal to $whom saves step $last"; cat err >&2; }
  [ ! -e stopped-$whom/best.safetensors ] || fail "a signal to $whom ends without a validation"
  unset OMPI_MCA_odls_base_sigkill_timeout PRTE_MCA_odls_base_sigkill_timeout
  goes_on stopped-$whom
done

# What one rank throws ends all, and is said once, by that rank.
refused() {
  same 'the status of a refusal' 1 $?
  same "one line: $1" "$1" "$(tr -d '\0' < err | grep '^train: ')"  # Open MPI 5 prints null characters
}
mpirun -np 2 bash -c 'exec train "$@" --seed $((1 + OMPI_COMM_WORLD_RANK))' - "${texts[@]}" "${tiny[@]}" -o odd --max-steps 3 2> err
refused 'train: rank 1: this rank was given other settings, another vocabulary or another corpus than rank 0'
mpirun -np 2 bash -c 'exec train "$@" --save-every $((2 + OMPI_COMM_WORLD_RANK))' - "${texts[@]}" "${tiny[@]}" -o odd --max-steps 3 2> err
refused 'train: rank 1: this rank was given other settings, another vocabulary or another corpus than rank 0'
mpirun -np 3 train -s nothing -t tokens.de -m vocabulary "${tiny[@]}" -o new 2> err
refused 'train: rank 0: nothing: No such file or directory'
mpirun -np 2 train -s - -t tokens.de -m vocabulary "${tiny[@]}" -o new < tokens.en 2> err
tr -d '\0' < err | grep -qxE 'train: rank [01]: -: not a file, but 2 ranks read it' || { fail 'a pipe for two'; cat err >&2; }
mpirun -np 2 train -s tokens.en -t tokens.de -m - "${tiny[@]}" -o new < vocabulary 2> err
refused 'train: rank 0: -: not a file, but 2 ranks read it'
mpirun -np 2 train "${texts[@]}" --config - -o new <<< 'preset = tiny' 2> err
tr -d '\0' < err | grep -qxE 'train: rank [01]: -: not a file, but 2 ranks read it' || { fail 'options from a pipe'; cat err >&2; }
cp tokens.de only-0.de
mpirun -np 2 bash -c 'exec train "$@" -t only-$OMPI_COMM_WORLD_RANK.de' - -s tokens.en -m vocabulary "${tiny[@]}" -o new 2> err
refused 'train: rank 1: only-1.de: No such file or directory'
[ ! -e new ] || fail 'a failure leaves no directory'
