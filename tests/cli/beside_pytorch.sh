#!/bin/bash
# The table of tests/bench/beside_pytorch.sh, with programs that print known rates and record their arguments.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
command -v python3 > /dev/null || { skip 'no python3'; exit; }
# rates NAME RATE...: a program NAME with the next rate at each call; the best is 10 more, the CPU time 6000 / rate.
rates() {
  printf '%s\n' "${@:2}" > "$1.rates"
  cat > "$1" << 'EOF'
#!/bin/bash
case "$*" in
  *no/row*) echo '{"device": "a device", "driver": "a driver", "threads": "2"}'; exit ;;
  -c*) exit ;;
esac
echo "${0##*/} $*" >> arguments
rate=$(head -n 1 "$0.rates")
[ -n "$rate" ] || { echo 'no rate' >&2; exit 1; }
sed -i 1d "$0.rates"
json="{\"tokens_per_second\": $rate, \"best_tokens_per_second\": $((rate + 10)), \"cpu_milliseconds\": $((6000 / rate))}"
[[ $* != *step/update* ]] || json="{\"sections\": {\"step\": {\"rows\": {\"update\": $json}}}}"
echo "$json"
EOF
  chmod +x "$1"
}
compare() {
  AWEND_BENCH=./bench PYTHON=./python LP_NUM_THREADS=2 PYTORCH_OPTIONS=--fast bash "$AWEND_SOURCE/tests/bench/beside_pytorch.sh" "$@"
}
rates bench 100 400 290
rates python 90 100 190
expect 0 compare --rounds 3 --seconds 2 -- --preset rnn-small
prints 'awend on a device, a driver, 2 threads

| round | awend tokens/s (best) | PyTorch tokens/s (best) | ratio | of bests | of CPU times |
|---|--:|--:|--:|--:|--:|
| 1 | 100 (110) | 90 (100) | 1.11 | 1.10 | 1.10 |
| 2 | 400 (410) | 100 (110) | 4.00 | 3.73 | 4.00 |
| 3 | 290 (300) | 190 (200) | 1.53 | 1.50 | 1.55 |
| median | 290 (300) | 100 (110) | 1.53 | 1.50 | 1.55 |'
same 'both run in turn, with the same options' "bench --filter step/update --seconds 2 --json - --preset rnn-small
python pytorch_step.py --threads 2 --fast --seconds 2 --preset rnn-small" "$(sed 's|/[^ ]*/||' arguments | head -n 2)"
same 'once a round' 6 "$(wc -l < arguments)"
# A program that fails ends the comparison.
rates bench 100
rates python 90
expect 1 compare --rounds 2
