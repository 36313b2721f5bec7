# shellcheck shell=bash
# Sourced by tests/gpu.sh: tests, benchmarks and training.

# "bf16" or "fp16" if the device has matrix units for it, otherwise empty.
matrix=$(sed -n 's/^ *matrix units *\(bf16\|fp16\): [0-9].*/\1/p' "$output" | head -n 1)

# The Python with PyTorch, and its options; empty without.
pytorch='' PYTORCH_OPTIONS=''
for candidate in ${PYTHON:-python3 /usr/bin/python3}; do
  PYTORCH_OPTIONS=$("$candidate" -c '
import torch
print("--device cuda --graph" if torch.cuda.is_available() else "--device cpu")' 2> /dev/null) || continue
  pytorch=$candidate
  break
done
export PYTORCH_OPTIONS PYTHON=${pytorch:-python3}

# The programs of tests share the device: each is busy with the preparation of kernels for half of its time.
run_tests() {
  local name status=0 part=$((until - SECONDS)) running=() i=0
  [ $part -gt 0 ] || part=1
  for name in "${tests[@]}"; do
    timeout --kill-after=10 $part "$test_programs/test-$name" --durations yes "$filter" > "$scratch/$name.log" 2>&1 &
    running+=($!)
  done
  trap 'kill "${running[@]}" 2> /dev/null; exit 130' INT TERM
  for name in "${tests[@]}"; do
    local ended=0
    wait "${running[i++]}" || ended=$?
    section "Tests: $name"
    tee -a "$output" < "$scratch/$name.log"
    local summary
    summary=$(grep -hE '^(All tests passed|test cases:|No tests ran|all test cases were skipped)' "$scratch/$name.log" | tail -n 1) || true
    case $ended in
      0) ;;
      124 | 137) summary="not finished: $(grep -cE '^[0-9.]+ s: ' "$scratch/$name.log") test cases in time" ;;
      *) if [[ $summary != 'No tests ran'* ]]; then status=1; fi; summary=${summary:-"ended with status $ended"} ;;
    esac
    result "tests: $name" "${summary//|/,}"
  done
  trap - INT TERM
  return $status
}

# unfinished STATUS: says why there are no figures.
unfinished() { if [ "$1" -eq 124 ]; then say '(not finished in time)'; else say "(ended with status $1)"; fi; }

# figures PATTERN: medians of columns 2, 3 and 4 of the table rows in the log whose name matches.
figures() {
  awk -F '|' -v pattern="$1" '
    function median(values, count,    i, j, value) {
      for (i = 2; i <= count; ++i) {
        value = values[i]
        for (j = i - 1; j > 0 && values[j] > value; --j) values[j + 1] = values[j]
        values[j + 1] = value
      }
      return count == 0 ? "-" : count % 2 ? values[(count + 1) / 2] : (values[count / 2] + values[count / 2 + 1]) / 2
    }
    { sub(/^ */, "", $2) }
    $2 ~ pattern {
      if ($3 + 0 > 0) first[++firsts] = $3 + 0
      if ($4 + 0 > 0) second[++seconds] = $4 + 0
      if ($5 + 0 > 0) third[++thirds] = $5 + 0
      if ($3 + 0 > most) most = $3 + 0
    }
    END { print median(first, firsts), median(second, seconds), median(third, thirds), most + 0 }' "$log"
}

run_benchmarks() {
  local precision median other ratio most columns
  local rival='' comparison=''
  [ -z "$pytorch" ] || rival="PyTorch $("$pytorch" -c 'import torch; print(torch.__version__)') (${PYTORCH_OPTIONS#--device })"
  [ -n "$rival" ] || say '' 'No Python with PyTorch was found; the benchmarks have no comparison.'
  result 'compared with' "${rival:-nothing}"
  for precision in fp32 fp16 bf16; do
    [ $precision = fp32 ] || grep -q "matrix units *$precision: [0-9]" "$output" || continue
    section "Matrix products, $precision"
    if [ -n "$rival" ]; then
      limited 90 "$root/tests/bench/beside_pytorch.sh" --rounds 0 --matmul --all -- --precision $precision || unfinished $?
    else
      limited 90 "$AWEND_BENCH" -f matmul/ -s 0.05 --precision $precision || unfinished $?
    fi
    read -r median other ratio most <<< "$(figures '^(NN|NT|TN) ')"
    comparison=''
    [ -z "$rival" ] || comparison="; ratio to PyTorch $ratio"
    result "products, $precision, GFLOP/s" "median $median, largest $most$comparison"
    read -r median other ratio most <<< "$(figures '^(NN|NT|TN) (2048|8192) x (1024|4096) ')"
    [ -z "$rival" ] || comparison="; ratio to PyTorch $ratio"
    result "the same, d_model 1024, 2048 and 8192 rows" "median $median$comparison"
  done
  section 'Attention'
  limited 30 "$AWEND_BENCH" -f attention/ -s 0.1 || unfinished $?
  read -r median other ratio most <<< "$(figures '^[0-9]+ heads, length')"
  result 'attention, fp32, forward, GFLOP/s' "median $median, largest $most"
  section 'Memory'
  limited 30 "$AWEND_BENCH" -f memory/ -s 0.1 || unfinished $?
  read -r median other ratio most <<< "$(figures '^(layer|residual|embedding|column|loss|norm) ')"
  result 'memory-bound kernels, GB/s' "median $other"
  section 'Launches'
  limited 30 "$AWEND_BENCH" -f dispatch/ -s 0.1 || unfinished $?
  for columns in "small fp32 64 16" "base fp32 128 32" ${matrix:+"base $matrix 128 32"}; do
    training_step $columns
  done
  section 'Beam search'
  limited 45 "$AWEND_BENCH" -f decode/ -s 2 ${matrix:+--precision $matrix} || unfinished $?
  read -r median other ratio most <<< "$(figures '^search')"
  result "beam search, d_model 256, 3 + 3 layers, ${matrix:-fp32}" "$median ms per step, $ratio tokens/s"
}

# training_step PRESET PRECISION SENTENCES LENGTH
training_step() {
  local model=(--preset "$1" --precision "$2" --sentences "$3" --length "$4") median other ratio most
  section "Training step, $1, $2"
  limited 40 "$AWEND_BENCH" -f step/ -s 0.5 "${model[@]}" || unfinished $?
  ratio=$(awk -F '|' '$2 ~ /^ *update/ { print $6 + 0 }' "$log")
  local text="${ratio:--} tokens/s"
  if [ -n "$rival" ]; then
    limited 40 "$root/tests/bench/beside_pytorch.sh" --rounds 3 --seconds 1 -- "${model[@]}" || unfinished $?
    read -r median other ratio most <<< "$(figures '^[0-9]+ *$')"
    text="$median tokens/s, PyTorch $other; ratio $ratio"
  fi
  result "training step, $1, $2, $3 sentences of $4" "$text"
}

run_training() {
  local work=$scratch/work status=0 left=$((until - SECONDS - 30)) corpus
  section 'Training'
  if [ $left -lt 20 ]; then
    say 'no time is left'
    result training 'not run: no time was left'
  else
    [ $left -lt 150 ] || left=150
    local settings=(--precision "${matrix:-fp32}") minutes
    minutes=$(awk -v seconds="$left" 'BEGIN { printf "%.2f", (seconds - 10) / 60 }')
    if [ -n "$data" ]; then
      corpus='Multi30k, English to German'
      limited $((left + 30)) "$root/tools/recipes/multi30k.sh" --no-install --work "$work" --models 1 --minutes "$minutes" "$data" \
        -- "${settings[@]}" || status=$?
    else
      corpus='29 000 generated pairs'
      limited $((left + 30)) "$root/tools/recipes/quickstart.sh" --no-install --lines 29000 --work "$work" -- --preset small --layers 3 \
        --d-ff 512 --batch-tokens 4000 --max-steps 4000 --time-limit "$minutes" "${settings[@]}" || status=$?
    fi
    local updates rate bleu run=$work/checkpoints
    [ -z "$data" ] || run=$work/model.1
    updates=$(tail -n 1 "$run/log.tsv" 2> /dev/null | cut -f 1)
    rate=$(awk -F '\t' 'NR > 1 { sum += $6; ++rows } END { printf "%.0f", rows ? sum / rows : 0 }' "$run/log.tsv" 2> /dev/null)
    bleu=$(sed -n 's/^BLEU[^ ]* = \([0-9.]*\) .*/\1/p' "$log" | tail -n 1)
    result "training on $corpus, ${matrix:-fp32}" "${updates:-0} updates in $minutes minutes, ${rate:-0} tokens/s, BLEU ${bleu:-not reached}"
    [ $status -ne 124 ] || status=0
  fi
  return $status
}
