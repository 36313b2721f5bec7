#!/bin/bash
# Compares learning and applying BPE with fastBPE, subword-nmt and YouTokenToMe, alternating on the same text and machine: seconds, and
# time relative to awend.
#
#   tests/bench/text_beside_peers.sh [--merges N] [--rounds N] TEXT
#
# Install the other programs manually; missing ones are reported and skipped.  FASTBPE: path of its program `fast`; PYTHON: a python3 with
# the modules subword_nmt and youtokentome (pip install --target DIR, PYTHONPATH=DIR); AWEND_BIN: directory of the programs (default:
# build/bin).  TEXT should be tokenized: fastBPE and subword-nmt split only at spaces.
set -euo pipefail
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
bin=${AWEND_BIN:-$here/../../build/bin}
python=${PYTHON:-python3}
merges=32000 rounds=3
while [ $# -gt 1 ]; do
  case $1 in
    --merges) merges=${2:?}; shift 2 ;;
    --rounds) rounds=${2:?}; shift 2 ;;
    *) echo "${0##*/}: unknown option '$1'" >&2; exit 2 ;;
  esac
done
text=${1:?a text}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# seconds ROUNDS COMMAND: prints the median of ROUNDS runs; prints nothing and returns 1 if one fails.
seconds() {
  local count=$1 round
  shift
  for ((round = 0; round < count; ++round)); do
    TIMEFORMAT=%R bash -c 'time { eval "$1" 2> "$2/err"; }' - "$*" "$folder" 2>&1 > /dev/null || return 1
  done | sort -n | sed -n "$(((count + 1) / 2))p"
}
# row WHAT THREADS COMMAND: the first row of a table is the baseline of the others.
row() {
  local what=$1 threads=$2 count=$rounds taken
  shift 2
  [[ $what == subword-nmt* ]] && count=1
  if ! taken=$(seconds "$count" "$*"); then
    printf '| %s | %s | failed: %s | | | |\n' "$what" "$threads" "$(tail -n 1 "$folder/err")"
    return
  fi
  [ -n "$first" ] || first=$taken
  awk -v w="$what" -v t="$threads" -v s="$taken" -v f="$first" -v b="$bytes" -v l="$lines" \
    'BEGIN { printf "| %s | %s | %.2f | %.1f | %.0f | %.1f |\n", w, t, s, b / s / 1e6, l / s, s / f }'
}
head_line() {
  printf '\n| %s | threads | seconds | MB/s | lines/s | times awend |\n|---|--:|--:|--:|--:|--:|\n' "$1"
  first=
}
has() { "$python" -c "import $1" 2> /dev/null; }

bytes=$(wc -c < "$text") lines=$(wc -l < "$text")
printf '%s MB, %s lines, %s merges, medians of %s runs, load %s\n' $((bytes / 1000000)) "$lines" "$merges" "$rounds" "$(cut -d ' ' -f 1 /proc/loadavg)"
fast=${FASTBPE:-}
[ -n "$fast" ] || echo 'skipped: fastBPE (set FASTBPE to its program)'
for module in subword_nmt youtokentome; do has $module || echo "skipped: $module (not found with PYTHON and PYTHONPATH)"; done

for threads in 1 2; do
  head_line "learning, $threads threads"
  row 'awend, its own' $threads "$bin/build-vocab -q -j $threads -s $merges -o $folder/vocabulary $text"
  row 'awend, codes of subword-nmt' $threads "$bin/build-vocab -q -j $threads --format subword-nmt -s $merges -o $folder/codes $text"
  if has youtokentome; then
    row YouTokenToMe $threads "$python -c 'import youtokentome as y; y.BPE.train(\"$text\", \"$folder/yttm\", $merges, n_threads=$threads)'"
  fi
  [ $threads = 1 ] || continue
  [ -z "$fast" ] || row fastBPE 1 "$fast learnbpe $merges $text > $folder/fast"
  if has subword_nmt; then
    row subword-nmt 1 "$python -m subword_nmt.learn_bpe -s $merges < $text > $folder/theirs"
    cmp -s "$folder/codes" "$folder/theirs" && echo && echo 'The codes are identical to those of subword-nmt.'
  fi
done

for threads in 1 2; do
  head_line "encoding, $threads threads"
  row 'awend, codes' $threads "$bin/tokenize -j $threads -m $folder/codes -o $folder/ours.txt $text"
  row 'awend, its own' $threads "$bin/tokenize -j $threads -m $folder/vocabulary -o $folder/own.txt $text"
  row 'awend, its own to ids' $threads "$bin/tokenize -j $threads --ids -m $folder/vocabulary -o $folder/own.txt $text"
  # fastBPE expects no version line, and a count in the third column.
  tail -n +2 "$folder/codes" | awk '{ print $0, 1 }' > "$folder/fast.codes"
  if [ -n "$fast" ]; then
    if [ $threads = 1 ]; then
      row 'fastBPE, stream' 1 "$fast applybpe_stream $folder/fast.codes < $text > $folder/fast.txt"
    else
      row 'fastBPE, whole file' 'its own' "$fast applybpe $folder/fast.txt $text $folder/fast.codes"
    fi
  fi
  if has youtokentome && [ -f "$folder/yttm" ]; then
    row 'YouTokenToMe, to ids' $threads "$python -c '
import youtokentome as y
model = y.BPE(\"$folder/yttm\", n_threads=$threads)
with open(\"$text\", encoding=\"utf-8\") as f, open(\"$folder/yttm.txt\", \"w\") as out:
  for ids in model.encode(f.read().split(\"\\n\")): out.write(\" \".join(map(str, ids)) + \"\\n\")'"
  fi
  if has subword_nmt; then
    workers=; [ $threads = 1 ] || workers="--num-workers $threads -i $text -o $folder/theirs.txt"
    row subword-nmt $threads "$python -m subword_nmt.apply_bpe -c $folder/codes ${workers:-< $text > $folder/theirs.txt}"
    cmp -s "$folder/ours.txt" "$folder/theirs.txt" && echo && echo 'The tokens are identical to those of subword-nmt.'
  fi
done
exit 0
