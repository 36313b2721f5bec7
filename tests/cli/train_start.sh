#!/bin/bash
# How a run of train can begin and what it keeps: the best checkpoints, a moving average, frozen weights, another run's state, another
# vocabulary.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc" || exit 1

corpus 300
head -n 20 tokens.en > valid.en
head -n 20 tokens.de > valid.de
# The output with -v is in err.
spoken() { "$1" -v "${@:2}" > out 2> err || { fail "$*"; cat err >&2; }; }
texts=(-s tokens.en -t tokens.de -m vocabulary)
valid=(--valid-source valid.en --valid-target valid.de)
tiny=(--preset tiny --layers 1 --d-model 16 --d-ff 16 --heads 1 --batch-tokens 256 --log-every 1)
column() { awk -F '\t' -v name="$1" 'NR == 1 {for (i = 1; i <= NF; ++i) if ($i == name) c = i; next} {print $c}' "${2:-out}" | xargs; }
models() { (cd "$1" && echo model-*.safetensors) | sed 's/model-0*\([0-9]*\).safetensors/\1/g'; }

# The best three of six validations stay with the newest one; here a rate of nothing makes them all alike, so that the first are best.
expect 0 train "${texts[@]}" "${valid[@]}" "${tiny[@]}" -o alike --max-steps 6 --valid-every 1 --keep 1 --keep-best 3 --learning-rate 1e-30
same 'the first of equals and the newest' '1 2 3 6' "$(models alike)"
same 'the link to the best' model-00000001.safetensors "$(readlink alike/best.safetensors)"
# While it learns the last is best, by the loss.
expect 0 train "${texts[@]}" "${valid[@]}" "${tiny[@]}" -o learns --max-steps 6 --valid-every 2 --keep 1 --keep-best 2 --learning-rate 0.01
same 'the newest are best' '4 6' "$(models learns)"
same 'the link moves' model-00000006.safetensors "$(readlink learns/best.safetensors)"
tokenize -m learns/best.safetensors < raw.en | cmp -s - tokens.en || fail 'the link is a checkpoint'
same 'chrF in the log' 3 "$(column valid_chrf | tr ' ' '\n' | grep -c '\.')"
expect 0 train "${texts[@]}" "${valid[@]}" "${tiny[@]}" -o none --max-steps 2 --valid-every 1 --keep 1 --keep-best 0
same 'none of the best' '2' "$(models none)"
[ ! -e none/best.safetensors ] || fail 'no link without the best'

# Validations search with the settings of the model that the run starts from, as translate does with what it saves.
expect 0 average --search max-length-ratio=0,max-length-extra=2,unknown-tokens=off -o short learns/best.safetensors
expect 0 train "${texts[@]}" "${valid[@]}" "${tiny[@]}" -o shorter --init-from short --max-steps 1 --valid-beam 3 --learning-rate 1e-30
in_log=$(column valid_chrf)
tokenize -m vocabulary --decode valid.de > valid.raw
translate -q -m shorter -b 3 valid.en | tokenize -m vocabulary --decode > short.raw
same 'chrF of short translations' "$(score -b -w 2 -m chrf valid.raw < short.raw)" "$in_log"
[ "$(translate -q -m learns -b 3 valid.en | wc -w)" -gt "$(translate -q -m shorter -b 3 valid.en | wc -w)" ] || fail 'they are short'

# Early stopping by a metric of translations: nothing gets better than the first.
spoken train "${texts[@]}" "${valid[@]}" "${tiny[@]}" -o patient --max-steps 50 --valid-every 1 --early-stopping 3 --best-metric bleu \
  --learning-rate 1e-30
same 'the steps until patience ends' '1 2 3 4' "$(column step)"
grep -q '3 validations without improvement' err || fail 'why it stopped'
# By another metric, it has not stopped.
expect 0 train -q "${texts[@]}" "${valid[@]}" "${tiny[@]}" -o patient --max-steps 6 --valid-every 1 --early-stopping 3 --best-metric loss \
  --learning-rate 1e-30
same 'the steps by another metric' '5 6' "$(column step)"

# The validation at the end of a run, also where the log is due; and what it chose stays as long as the link names it.
expect 0 train -q "${texts[@]}" "${valid[@]}" "${tiny[@]}" -o ends --max-steps 4 --log-every 2 --valid-every 100
same 'one line at the end' '2 4' "$(column step)"
same 'with a validation' 1 "$(column valid_loss | tr ' ' '\n' | grep -c '\.')"
same 'the link to the end' model-00000004.safetensors "$(readlink ends/best.safetensors)"
expect 0 train -q "${texts[@]}" "${tiny[@]}" -o ends --max-steps 8 --log-every 2 --save-every 1 --keep 1
same 'the linked and the newest' '4 8' "$(models ends)"
expect 0 train -q "${texts[@]}" "${tiny[@]}" -o through --max-steps 8 --log-every 2
same 'the losses of a run that validated at its end' "$(column loss through/log.tsv)" "$(column loss ends/log.tsv)"
cmp through/model-00000008.safetensors ends/model-00000008.safetensors || fail 'a run that validated at its end'

# A longer run keeps what the first end chose, which is not worse.
again=("${texts[@]}" "${valid[@]}" "${tiny[@]}" -o further --valid-every 100 --keep 1 --learning-rate 1e-30)
for steps in 2 4 6; do expect 0 train -q "${again[@]}" --max-steps $steps; done
same 'the link to the first of equals' model-00000002.safetensors "$(readlink further/best.safetensors)"
same 'the linked and the newest of a longer run' '2 6' "$(models further)"
# The best one was not kept: the link never names a file that does not exist.
expect 0 train -q "${texts[@]}" "${valid[@]}" "${tiny[@]}" -o late --max-steps 4 --valid-every 1 --save-every 4 --keep-best 0 --learning-rate 1e-30
expect 0 train -q "${texts[@]}" "${valid[@]}" "${tiny[@]}" -o late --max-steps 5 --valid-every 1 --keep-best 1 --learning-rate 1e-30
same 'the checkpoints' '4 5' "$(models late)"
[ ! -L late/best.safetensors ] || [ -e late/best.safetensors ] || fail "the link to $(readlink late/best.safetensors)"

# Killed between two checkpoints, or stopped at every update: best ones, average and log are those of a run that went through.
state=("${texts[@]}" "${valid[@]}" "${tiny[@]}" --valid-every 2 --save-every 3 --keep 2 --keep-best 2 --ema-decay 0.9 --learning-rate 0.01)
timeless() { cut -f 1,2,4,5,7-13 "$1"; }
expect 0 train "${state[@]}" -o straight --max-steps 9
cp out straight.tsv
: > pieces.tsv
for step in 1 2 3 4 5 6 7 8 9; do
  train -q "${state[@]}" -o pieces --max-steps $step >> pieces.tsv || fail "update $step"
done
for file in model-00000009 best; do
  cmp straight/$file.safetensors pieces/$file.safetensors || fail "$file of a run in pieces"
done
same 'the checkpoints of a run in pieces' "$(models straight)" "$(models pieces)"
# A run that ends between validations adds one for its reader; the lines in between are the same.
same 'the lines of validations' "$(timeless straight.tsv | awk '$1 % 2 == 0')" "$(timeless pieces.tsv | awk '$1 % 2 == 0')"
: > killed.tsv
train "${state[@]}" -q -o killed --max-steps 100000 > killed.tsv &
await has_lines 6 killed.tsv
kill -KILL $!
wait $! 2> /dev/null
# It resumes from the last complete checkpoint.
last=$(find killed -name 'state-*' | sed 's/.*state-0*\([0-9]*\).*/\1/' | sort -n | tail -n 1)
steps=$((${last:-0} < 9 ? 9 : last + 1))
cp -r straight longer
for directory in longer killed; do expect 0 train -q "${state[@]}" -o $directory --max-steps $steps; done
model=$(printf 'model-%08d.safetensors' $steps)
cmp longer/$model killed/$model || fail "a run that was killed after step $last"

# The average is saved as the model; the weights are in the state.
expect 0 train "${texts[@]}" "${tiny[@]}" -o plain --max-steps 3 --learning-rate 0.01
expect 0 train "${texts[@]}" "${tiny[@]}" -o average --max-steps 3 --learning-rate 0.01 --ema-decay 0.999
cmp -s plain/model-00000003.safetensors average/model-00000003.safetensors && fail 'an average is not the weights'
expect 1 train "${texts[@]}" "${tiny[@]}" -o average --max-steps 4 --learning-rate 0.01
grep -q 'was trained with ema-decay 0.999, which is now 0;' err || fail 'an average is part of the run'

# Frozen weights.
expect 0 train "${texts[@]}" "${tiny[@]}" -o frozen --max-steps 2 --freeze 'encoder.*,embedding' --init-from plain/model-00000003.safetensors
expect 1 train "${texts[@]}" "${tiny[@]}" -o new --freeze 'encoder.*,nobody'
says 'train: --freeze: nobody matches no parameter; the first is called embedding'
expect 1 train "${texts[@]}" "${tiny[@]}" -o new --freeze '*'
says 'train: --freeze leaves no parameter to train'
# A table of positions that is stored is not trained, either.
expect 1 train "${texts[@]}" "${tiny[@]}" --positions stored -o new --freeze 'encoder*,decoder*,embedding'
says 'train: --freeze leaves no parameter to train'

# Another run's state: all of it, and what is reset.
expect 0 train "${texts[@]}" "${tiny[@]}" -o five --max-steps 5
expect 0 train "${texts[@]}" "${tiny[@]}" -o three --max-steps 3
expect 0 train -q "${texts[@]}" "${tiny[@]}" -o moved --resume-from three/model-00000003.safetensors --max-steps 5
same 'it counts on' '4 5' "$(column step)"
cmp five/model-00000005.safetensors moved/model-00000005.safetensors || fail 'a run that moved to another directory'
expect 0 train -q "${texts[@]}" "${tiny[@]}" -o directory --resume-from three --max-steps 5
cmp five/model-00000005.safetensors directory/model-00000005.safetensors || fail 'a directory is resumed from its newest checkpoint'
train "${texts[@]}" "${tiny[@]}" -o ended --resume-from five --max-steps 5 > out 2> err || fail 'a state that is at its end'
grep -qx 'train: warning: ended: nothing left to do after 5 updates, the maximum' err || fail "a run without updates: $(cat err)"
mkdir empty
expect 1 train "${texts[@]}" "${tiny[@]}" -o new --resume-from empty
says 'train: empty: the directory contains no checkpoint with a training state'
head -n 200 tokens.en > other.en
head -n 200 tokens.de > other.de
from=(-s other.en -t other.de -m vocabulary "${tiny[@]}" --resume-from three/model-00000003.safetensors)
expect 1 train "${from[@]}" -o new --max-steps 5
says 'train: three/state-00000003.safetensors: has batches of another corpus, --batch-tokens, --batch-sentences or --seed; start new ones by --reset-data'
expect 1 train "${texts[@]}" "${tiny[@]}" -o new --resume-from three --batch-sentences 1 --max-steps 5
grep -q 'has batches of another corpus' err || fail "batches of other sizes: $(cat err)"
expect 0 train -q "${from[@]}" -o other --max-steps 5 --reset-data --clip-norm 5
same 'it counts on with other data' '4 5' "$(column step)"
expect 0 train -q "${from[@]}" -o fresh --max-steps 2 --reset-data --reset-schedule --reset-optimizer --reset-best
same 'it counts from the beginning' '1 2' "$(column step)"
same 'the rate of the beginning' '1e-05 2e-05' "$(column rate)"
expect 0 train -s other.en -t other.de -m vocabulary "${tiny[@]}" -o folder --max-steps 2 --init-from three
cmp fresh/model-00000002.safetensors folder/model-00000002.safetensors || fail '--init-from a directory takes its newest model'
for model in three three/model-00000003.safetensors; do
  expect 0 train -s other.en -t other.de -m $model --batch-tokens 256 --max-steps 1 -o "from-${model%%/*}-${#model}"
done
cmp from-three-*/model-00000001.safetensors || fail '-m takes vocabulary and settings of the newest model of a directory'
# All of it reset is a start from the weights.
expect 0 train -s other.en -t other.de -m vocabulary "${tiny[@]}" -o weights --max-steps 2 --init-from three/model-00000003.safetensors
cmp fresh/model-00000002.safetensors weights/model-00000002.safetensors || fail 'all of it reset'
cp three/model-00000003.safetensors alone.safetensors
expect 1 train "${texts[@]}" "${tiny[@]}" -o new --resume-from alone.safetensors
says 'train: alone.safetensors: has no training state next to it; its weights can be used for --init-from'
expect 1 train "${texts[@]}" "${tiny[@]}" -o new --d-ff 20 --resume-from three/model-00000003.safetensors
grep -q '^train: three/model-00000003.safetensors: was trained with d-ff 16, which is now 20' err || fail 'another model'
expect 1 train "${texts[@]}" --preset rnn-tiny -o new --init-from three/model-00000003.safetensors
says 'train: three/model-00000003.safetensors: is of the architecture transformer, not rnn'
usage() {
  local message=$1
  shift
  expect 2 train "${texts[@]}" "${tiny[@]}" -o new "$@"
  says "train: $message; try 'train --help'"
}
usage '--reset-data needs --resume-from; --init-from loads only the weights' --reset-data --init-from three/model-00000003.safetensors
usage '--init-from and --resume-from exclude each other' --init-from a --resume-from b
usage '--extend-vocabulary needs --init-from' --extend-vocabulary
usage '--best-metric bleu needs --valid-beam 1 or more' "${valid[@]}" --best-metric bleu --valid-beam 0
[ -z "$(find new -name '*.safetensors')" ] || fail 'what was refused leaves no checkpoint'

# Another vocabulary.
build-vocab --size 450 -o larger raw.en raw.de
for side in en de; do tokenize -m larger < raw.$side > larger.$side; done
grown=(-s larger.en -t larger.de -m larger "${tiny[@]}" --init-from three/model-00000003.safetensors --max-steps 2)
expect 1 train "${grown[@]}" -o new
says 'train: three/model-00000003.safetensors: has another vocabulary; --extend-vocabulary loads the pieces that both have'
spoken train "${grown[@]}" -o grown --extend-vocabulary
grep -q '^train: three/model-00000003.safetensors: 400 of 450 pieces are known, the others are initialized' err || { fail 'what was extended'; cat err >&2; }
# A run that resumes does not need what it started from, not even for the settings of the model.
defaults=(-q -s larger.en -t larger.de -m larger --batch-tokens 256 --init-from gone --extend-vocabulary -o from-gone)
cp -r three gone
expect 0 train "${defaults[@]}" --max-steps 1
rm gone/*.safetensors
expect 0 train "${defaults[@]}" --max-steps 2
rm -r gone
expect 0 train "${defaults[@]}" --max-steps 3

# The ids in the settings of a model are those of the same tokens in the new vocabulary.
tokens_file() {
  printf 'awend-vocabulary 2\ntype tokens\nnormalize none\ncase keep\ncontrol keep\nunknown 1\nend-of-sentence 0\npieces %d\n' $#
  printf '%s\t0\n' "$@"
  printf 'model 0\nend\n'
}
tokens_file '</s>' '<unk>' a b '<pad>' > before
tokens_file '</s>' '<unk>' '<pad>' x b a y > after
tokens_file '</s>' '<unk>' x b a > without
yes 'a b' | head -n 20 > ab
expect 0 train -q -s ab -t ab -m before "${tiny[@]}" --decoder-start token --start-id 4 --masked-ids 2,4 --max-steps 1 -o start
expect 1 train -q -s ab -t ab -m before "${tiny[@]}" --masked-ids 0 -o new
says 'train: --masked-ids must not contain the end of the sentence, 0'
extended=(train -q -s ab -t ab --init-from start --extend-vocabulary --batch-tokens 256)
for steps in 1 2; do
  expect 0 "${extended[@]}" -m after --max-steps $steps -o start-extended
  same 'ids in the new vocabulary' 'start-id 2 masked-ids 2,5' "$(inspect start-extended | grep -oE '(start-id|masked-ids) +[0-9,]+' | tr -s ' ' | xargs)"
done
expect 1 "${extended[@]}" -m without -o new
says "train: start/model-00000001.safetensors: its decoder starts with '<pad>', which the vocabulary lacks; give --start-id"
expect 0 "${extended[@]}" -m without --start-id 0 --max-steps 1 -o start-chosen
same 'ids of tokens that are left' 'start-id 0 masked-ids 4' "$(inspect start-chosen | grep -oE '(start-id|masked-ids) +[0-9,]+' | tr -s ' ' | xargs)"
