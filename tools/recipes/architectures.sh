#!/bin/bash
# Compares three architectures on Multi30k, English to German: a Transformer, a recurrent network with attention (Bahdanau et al. 2015)
# and one without, whose decoder reads a summary of the source in each step (Cho et al. 2014), with equal numbers of parameters and equal
# training times.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/setup.sh"
. "$recipes/pipeline.sh"

usage() {
  cat << 'END'
Usage: architectures.sh [OPTION]... DATA_DIR [-- TRAIN-OPTION...]

Trains the three models, translates test set 2016 with each, and writes to the
working directory
  rates.txt    the search for the learning rates: the lowest validation loss
               with each
  table.txt    parameters, updates, target tokens per second, training time,
               validation loss and BLEU; and validation loss and BLEU of greedy
               search after as many updates as all three have
  lengths.txt  BLEU by the length of the source
  curves.svg   the logs of the three trainings over time
  lengths.svg  BLEU by the length of the source

DATA_DIR contains train, val and test_2016_flickr, each with the suffixes .en
and .de or .en.gz and .de.gz.  They are in data/task1/raw of
https://github.com/multi30k/dataset.  The default times need an hour on two
processors.

  --minutes N     training time of each model (default: 20); a second run with a
                  larger number trains on
  --search N      first train each model with each of five learning rates for N
                  minutes, with one thread each and as many at once as there are
                  processors, and use the best; default: 0, the rates that were
                  found so
  --together      train the models at the same time instead of one after the
                  other: where other programs use the processors, too, all
                  models have the same share of them
END
  common_usage
}

# The sizes make the numbers of parameters equal within 5 %.
names=(transformer rnn-attention rnn-plain)
titles=('Transformer' 'RNN, attention' 'RNN, summary')
common=(--batch-tokens 2000 --dropout 0.3 --valid-every 250 --save-every 250 --keep 5 --max-steps 100000)
transformer=(--preset small --d-ff 512)
recurrent=(--d-embedding 192 --warmup 400)
rnn_attention=(--preset rnn-small "${recurrent[@]}")
rnn_plain=(--preset cho --d-model 372 --d-readout 192 --label-smoothing 0.1 "${recurrent[@]}")
averaged=5
# Found by --search, from these.
rates=(0.001 0.002 0.004 0.008 0.016)
declare -A rate=([transformer]=0.002 [rnn-attention]=0.008 [rnn-plain]=0.004)

minutes=20 search=0 together=no
while [ $# -gt 0 ]; do
  case $1 in
    --minutes) need_value "$@"; minutes=$2; shift 2 ;;
    --search) need_value "$@"; search=$2; shift 2 ;;
    --together) together=yes; shift ;;
    --) shift; break ;;
    *) common_option "$@"; shift $taken ;;
  esac
done
need_operands 1
data=$(directory "${operands[0]}")
begin architectures "$data"

step 'Reading and tokenizing the data'
for part in train val test_2016_flickr; do
  for side in en de; do once "$part.$side" raw "$data/$part.$side"; done
done
once vocabulary build-vocab --size 5000 train.en train.de
for part in train val; do
  for side in en de; do once "$part.tokens.$side" pieces vocabulary "$part.$side"; done
done

# train_for MINUTES NAME DIR TRAIN-OPTION...: trains a model, or resumes its training.
train_for() {
  local limit=$1 settings="${2//-/_}[@]" directory=$3
  shift 3
  train -v -o "$directory" --time-limit "$limit" --vocabulary vocabulary --source train.tokens.en --target train.tokens.de \
    --valid-source val.tokens.en --valid-target val.tokens.de "${common[@]}" "${!settings}" "$@"
}

# The trainings of the search are short, and only their losses matter.
searching=(--valid-every 100 --valid-beam 0)

# column NAME: prints step and this column of a log on stdin, where it has a value.
column() {
  awk -F '\t' -v name="$1" '
    $1 == "step" { for (i = 1; i <= NF; ++i) if ($i == name) at = i; next }
    at && $at ~ /^[0-9]/ { print $1, $at }'
}

# lowest DIR: the lowest validation loss of a training.
lowest() { column valid_loss < "$1/log.tsv" | sort -g -k 2 | awk 'NR == 1 { print $2 }'; }

# failed NAME: whether a training has left no NAME.done; prints its message.
failed() { [ ! -e "$1.done" ] && tail -n 1 "$1.messages" >&2; }

if [ "$search" != 0 ]; then
  step "Searching learning rates, for $search minutes each"
  mkdir -p search
  for name in "${names[@]}"; do
    for choice in "${rates[@]}"; do
      while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
      in_background once "search/$name-$choice.done" train_for "$search" "$name" "search/$name-$choice" --threads 1 --learning-rate "$choice" \
        "${searching[@]}" "$@" 2> "search/$name-$choice.messages"
    done
  done
  wait
  # A training may fail because its rate is too high.
  for name in "${names[@]}"; do
    for choice in "${rates[@]}"; do failed "search/$name-$choice" || echo "$name $choice $(lowest "search/$name-$choice")"; done
  done | awk 'NF == 3' | tee rates.txt
  for name in "${names[@]}"; do
    rate[$name]=$(awk -v name="$name" '$1 == name' rates.txt | sort -g -k 3 | awk 'NR == 1 { print $2 }')
    [ -n "${rate[$name]}" ] || { echo "architectures.sh: no validation of $name: search for more minutes" >&2; exit 1; }
  done
fi

# trained NAME TRAIN-OPTION...: trains a model up to the training time, of which earlier runs have spent a part, and averages its last
# checkpoints.
trained() {
  local name=$1 spent=0 left
  shift
  if [ "$(cat "$name.done" 2> /dev/null)" != "$minutes $*" ]; then
    [ ! -e "$name/log.tsv" ] || spent=$(awk -F '\t' 'END { print $3 + 0 }' "$name/log.tsv")
    left=$(awk -v minutes="$minutes" -v spent="$spent" 'BEGIN { left = minutes - spent / 60; print (left > 0.01 ? left : 0.01) }')
    train_for "$left" "$name" "$name" --learning-rate "${rate[$name]}" "$@" > "$name.tsv"
    rm -f "$name".{safetensors,de}
    echo "$minutes $*" > "$name.done"
  fi
  once "$name.safetensors" mean "$name" $averaged
}

if [ $together = yes ]; then
  step "Training all models, for $minutes minutes"
  for name in "${names[@]}"; do in_background trained "$name" "$@" 2> "$name.messages"; done
  wait
  for name in "${names[@]}"; do if failed "$name"; then exit 1; fi; done
else
  for name in "${names[@]}"; do
    step "Training $name, for $minutes minutes"
    trained "$name" "$@"
  done
fi

step 'Translating test set 2016'
for name in "${names[@]}"; do
  once "$name.de" translated "$name.safetensors" < test_2016_flickr.en
done

# facts NAME: parameters in millions, updates, seconds, target tokens per second and the last validation loss of a training.
facts() {
  local parameters
  parameters=$(inspect --json "$1.safetensors" | awk -F '"numbers":' '{ print $2 + 0 }')
  awk -F '\t' -v parameters="$parameters" '
    $1 == "step" { for (i = 1; i <= NF; ++i) at[$i] = i; next }
    { updates = $1; seconds = $at["seconds"]; tokens += $at["tokens_per_second"] * (seconds - before); before = seconds }
    $at["valid_loss"] != "-" { loss = $at["valid_loss"] }
    END { printf "%.2f\t%d\t%d\t%d\t%.3f\n", parameters / 1e6, updates, seconds, tokens / seconds, loss }' "$1/log.tsv"
}

# bleu OPTION...: BLEU of the three systems as tab-separated lines.
bleu() { score --format tsv "$@" --systems "${names[@]/%/.de}" -- test_2016_flickr.de; }
by_length=(--by-length --source test_2016_flickr.en --length-bounds 8,11,14,17,21)

step 'Result'
{
  echo "$minutes minutes of training each, $(nproc) processors"
  echo
  printf '%-16s %12s %8s %8s %9s %11s %6s\n' '' 'parameters/M' updates seconds tokens/s 'valid. loss' BLEU
  for i in "${!names[@]}"; do
    IFS=$'\t' read -r parameters updates seconds rate loss < <(facts "${names[i]}")
    bleu=$(score -b test_2016_flickr.de < "${names[i]}.de")
    printf '%-16s %12s %8s %8s %9s %11s %6s\n' "${titles[i]}" "$parameters" "$updates" "$seconds" "$rate" "$loss" "$bleu"
  done
  # The last update at which all have been validated.
  equal=$(for name in "${names[@]}"; do column valid_loss < "$name/log.tsv" | tail -n 1; done | sort -n | awk 'NR == 1 { print $1 }')
  echo
  echo "after $equal updates of each"
  echo
  printf '%-16s %11s %11s\n' '' 'valid. loss' 'valid. BLEU'
  for i in "${!names[@]}"; do
    printf '%-16s' "${titles[i]}"
    for measure in valid_loss valid_bleu; do
      column $measure < "${names[i]}/log.tsv" | awk -v update="$equal" '$1 == update { printf " %11s", $2 }'
    done
    echo
  done
} | tee table.txt
echo
score "${by_length[@]}" --systems "${names[@]/%/.de}" -- test_2016_flickr.de | tee lengths.txt
bleu "${by_length[@]}" | inspect --scores -o lengths.svg
inspect --curves --over seconds -o curves.svg "${names[@]/%//log.tsv}"
