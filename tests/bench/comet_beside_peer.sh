#!/bin/bash
# Compares the speed of score --metric comet and of unbabel-comet (PyPI, PyTorch) in one run, and their scores.
#
#     pip install unbabel-comet 'setuptools<80'
#     PYTHON=VENV/bin/python tests/bench/comet_beside_peer.sh ENCODER SOURCE TRANSLATION REFERENCE SIZE SEGMENTS [ROUNDS] [BATCH...]
#
# The metric has random weights, the layers of XLM-R of SIZE, base or large, and the estimator of wmt22-comet-da.  ENCODER is a directory with
# the tokenizer of an XLM-R, of any vocabulary.  The first SEGMENTS lines of the files are scored by both programs alternately, ROUNDS times (default: 3)
# with one thread and with two; the peer with each batch size (default: 8 16), of which the fastest counts.  Its seconds are those of
# predict(); those of score are the difference to a run with one segment, so that neither includes reading the model.  Seconds of the
# processor depend less on other programs than seconds of the clock; both are printed.
set -eu
[ $# -ge 6 ] || { sed -n 's/^# \?//p' "$0" >&2; exit 2; }
: "${PYTHON:?the Python of an environment with unbabel-comet}"
encoder=$(realpath -e "$1")
source=$(realpath -e "$2")
translation=$(realpath -e "$3")
reference=$(realpath -e "$4")
size=$5 segments=$6 rounds=${7:-3}
shift $(($# > 7 ? 7 : $#))
batches=("${@:-8}")
[ $# -gt 0 ] || batches=(8 16)
root=$(CDPATH='' cd "$(dirname "$0")/../.." && pwd)
PATH=${AWEND_BIN:-$root/build/bin}:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
head -n "$segments" "$source" > src
head -n "$segments" "$translation" > mt
head -n "$segments" "$reference" > ref
for side in src mt ref; do head -n 1 $side > one.$side; done
export HF_HUB_OFFLINE=1 TOKENIZERS_PARALLELISM=false

mkdir -p metric/checkpoints encoder
cp "$encoder"/* encoder
chmod -R u+w encoder
"$PYTHON" - "$size" > /dev/null 2>&1 <<'END'
import json, sys
import torch, yaml
from comet.models import RegressionMetric
sizes = {'base': (768, 12, 12, 3072), 'large': (1024, 24, 16, 4096)}
width, layers, heads, inner = sizes[sys.argv[1]]
config = json.load(open('encoder/config.json'))
config.update(hidden_size=width, num_hidden_layers=layers, num_attention_heads=heads, intermediate_size=inner)
json.dump(config, open('encoder/config.json', 'w'))
settings = dict(activations='Tanh', batch_size=4, class_identifier='regression_metric', dropout=0.1, encoder_learning_rate=1e-6,
                encoder_model='XLM-RoBERTa', final_activation=None, hidden_sizes=[3072, 1024], keep_embeddings_frozen=True, layer='mix',
                layer_norm=False, layer_transformation='sparsemax', layerwise_decay=0.95, learning_rate=1.5e-5, loss='mse',
                nr_frozen_epochs=0.3, optimizer='AdamW', pool='avg', pretrained_model='encoder', train_data=['x'],
                validation_data=['x'], warmup_steps=0)
torch.manual_seed(1)
model = RegressionMetric(**{k: v for k, v in settings.items() if k != 'class_identifier'}, load_pretrained_weights=False)
torch.save({'state_dict': model.state_dict(), 'hyper_parameters': settings, 'pytorch-lightning_version': '2.5.0'},
           'metric/checkpoints/model.ckpt')
yaml.safe_dump(settings, open('metric/hparams.yaml', 'w'))
END
convert-model --encoder encoder -o fp32.safetensors metric
average --quantize int8 -o int8.safetensors fp32.safetensors

cat > peer.py <<'END'
import resource, sys, time
import torch
from comet import load_from_checkpoint
threads, batch = int(sys.argv[1]), int(sys.argv[2])
torch.set_num_threads(threads)
model = load_from_checkpoint('metric/checkpoints/model.ckpt')
lines = [open(name, encoding='utf8').read().split('\n')[:-1] for name in ('src', 'mt', 'ref')]
data = [dict(zip(('src', 'mt', 'ref'), texts)) for texts in zip(*lines)]
options = dict(gpus=0, progress_bar=False, batch_size=batch, num_workers=0)
model.predict(data[:1], **options)
begin, begin_cpu = time.monotonic(), time.process_time()
scores = model.predict(data, **options).scores
seconds, cpu_seconds = time.monotonic() - begin, time.process_time() - begin_cpu
with open('scores.peer', 'w') as out:
    out.writelines('%.8f\n' % score for score in scores)
print('%.3f %.3f %d' % (seconds, cpu_seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024))
END
peer() { "$PYTHON" peer.py "$@" 2> err.peer | tail -n 1; }

# run THREADS MODEL PREFIX: prints seconds and MB of a run of score.
run() {
  "$PYTHON" - "$@" <<'END'
import resource, subprocess, sys, time
threads, model, prefix = sys.argv[1:]
command = ['score', '-q', '--metric', 'comet', '--model', model + '.safetensors', '--source', prefix + 'src', '-j', threads,
           '--device', 'cpu', '--sentence', '-b', '-w', '8', prefix + 'ref']
begin = time.monotonic()
with open(prefix + 'mt') as text, open(prefix + 'scores.' + model, 'w') as out:
    subprocess.run(command, stdin=text, stdout=out, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print('%.3f %.3f %d' % (time.monotonic() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024))
END
}
own() {
  printf '%s\n%s\n' "$(run "$1" "$2" '')" "$(run "$1" "$2" one.)" |
    awk 'NR == 1 {all = $1; cpu = $2; mb = $3} NR == 2 {print all - $1, cpu - $2, mb}'
}

# median FILE: of each column.
median() {
  for column in 1 2 3; do cut -d ' ' -f $column "$1" | sort -g | awk '{line[NR] = $0} END {print line[int((NR + 1) / 2)]}'; done | paste -sd ' '
}

printf 'XLM-R %s, %d segments, medians of %d runs; load %s\n' "$size" "$segments" "$rounds" "$(cut -d ' ' -f 1 /proc/loadavg)"
for threads in 1 2; do
  rm -f seconds.*
  for ((round = 0; round < rounds; ++round)); do
    for batch in "${batches[@]}"; do peer $threads "$batch" >> "seconds.peer.$batch"; done
    for model in fp32 int8; do own $threads $model >> seconds.$model; done
  done
  for file in seconds.peer.*; do median "$file"; done | sort -g | head -n 1 > best
  read -r theirs their_cpu their_mb < best
  for model in fp32 int8; do
    read -r seconds cpu mb < <(median seconds.$model)
    awk -v threads=$threads -v model=$model -v theirs="$theirs" -v their_cpu="$their_cpu" -v their_mb="$their_mb" \
      -v own="$seconds" -v cpu="$cpu" -v mb="$mb" -v n="$segments" \
      'BEGIN {printf "%d threads, %s: unbabel-comet %.2f segments/s, %.2f per CPU second, %d MB; ", threads, model, n / theirs, n / their_cpu, their_mb
              printf "score %.2f, %.2f, %d MB; %.2fx, %.2fx\n", (n - 1) / own, (n - 1) / cpu, mb, theirs / n * (n - 1) / own, their_cpu / n * (n - 1) / cpu}'
  done
done
for model in fp32 int8; do
  paste scores.$model scores.peer | awk -v model=$model '{d = $1 - $2; sum += d; if (d < 0) d = -d; if (d > max) max = d}
    END {printf "%s: largest difference of a segment %.1e, of the system %.1e\n", model, max, sum < 0 ? -sum / NR : sum / NR}'
done
printf 'load %s\n' "$(cut -d ' ' -f 1 /proc/loadavg)"
