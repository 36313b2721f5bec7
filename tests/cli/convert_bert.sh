#!/bin/bash
# convert-model with BERT: to Hugging Face and back, fine-tuning of a converted model, predictions of transformers, and bad input.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

# A BERT with word pieces, trained for a few updates.
awk "$random"'BEGIN {seed(3); split("ann bob cat dan", names); split("red blue green", colors)
  for (i = 0; i < 400; ++i) {print names[1 + int(random() * 4)], "sees", colors[1 + int(random() * 3)], "apples"; if (i % 4 == 3) print ""}}' > text
build-vocab -q --type bert --lowercase --size 60 -o vocabulary text || fail 'word pieces'
tokenize -m vocabulary text > tokens
bert=(--preset bert-tiny --d-model 32 --d-ff 64 --heads 2 --layers 1 --batch-tokens 400)
expect 0 train -q "${bert[@]}" -m vocabulary -s tokens --max-steps 3 -o run
model=run/model-00000003.safetensors

expect 0 convert-model --to huggingface -o hf $model
prints ''
same 'files of Hugging Face' 'config.json model.safetensors tokenizer_config.json vocab.txt' "$(ls hf | paste -sd ' ')"
grep -q BertForPreTraining hf/config.json || fail 'the architecture has heads for masked tokens and pairs'
expect 0 convert-model -o copy.safetensors hf
prints ''
expect 0 convert-model --to huggingface -o again copy.safetensors
diff -r hf again || fail 'a copy of a copy is the same'
expect 0 inspect --check copy.safetensors
sed 's/[a-z]*$/[MASK]/' tokens | head -n 20 > masked
for output in '--fill --n-best 3' '--vectors first'; do
  # shellcheck disable=SC2086
  expect 0 encode -m $model $output masked
  cp out expected
  # shellcheck disable=SC2086
  expect 0 encode -m copy.safetensors $output masked
  cmp -s out expected || fail "the copy gives the same with $output"
done
grep -aqF 'end-of-sentence 3\nrules hugging-face\npieces' copy.safetensors || fail 'a converted model has the rules of Hugging Face'
grep -aqF 'rules hugging-face' $model && fail 'a learned vocabulary does not have the rules of Hugging Face'
printf 'Ann SEES\n' > raw
same 'text is split as before' "$(tokenize -m vocabulary raw)" "$(tokenize -m copy.safetensors raw)"

# A converted model is fine-tuned for labels, and the result converted.
grep . tokens > lines
cut -d ' ' -f 3 lines > colors
expect 0 train -q "${bert[@]}" -m copy.safetensors --architecture bert --task classify --init-from copy.safetensors -s lines -t colors \
  --max-steps 3 -o colored
expect 0 convert-model --to huggingface -o labels colored/model-00000003.safetensors
grep -q '"id2label": {"0": "blue", "1": "green", "2": "red"}' labels/config.json || fail "labels: $(cat labels/config.json)"
expect 0 convert-model -o labels.safetensors labels
expect 0 encode -m colored --label --n-best 3 lines
cp out expected
expect 0 encode -m labels.safetensors --label --n-best 3 lines
cmp -s out expected || fail 'the copy has the same labels'

# The labels of a model may be in any order, which it keeps when it is trained further.
cp -r labels ordered
sed -i 's/"id2label": {[^}]*}/"id2label": {"0": "red", "1": "blue", "2": "green"}/' ordered/config.json
expect 0 convert-model -o ordered.safetensors ordered
further=(train -m ordered.safetensors --init-from ordered.safetensors -s lines --batch-tokens 400 --learning-rate 1e-10 --max-steps 1)
expect 0 "${further[@]}" -q -t colors -o ordered-further
expect 0 encode -m ordered.safetensors --label --n-best 3 lines
mv out expected
expect 0 encode -m ordered-further --label --n-best 3 lines
cmp -s out expected || fail 'a model with labels in another order is trained further'
sed '3s/.*/blue/; s/green/yellow/' colors > other
"${further[@]}" -t other -o other-labels > out 2> err || fail 'other labels'
same 'the warning of other labels' 'train: warning: ordered.safetensors: its labels are not those of the data, so that classifier, classifier_bias are initialized' "$(grep warning err)"

# The same for answers.
sed 's/^\([^ ]*\) \([^ ]*\) /\2\t\1 /' lines > questions
yes '1 1' | head -n "$(wc -l < lines)" > answers
expect 0 train -q "${bert[@]}" -m copy.safetensors --architecture bert --task spans --init-from copy.safetensors -s questions -t answers \
  --max-steps 3 -o reader
expect 0 convert-model --to huggingface -o spans reader/model-00000003.safetensors
grep -q BertForQuestionAnswering spans/config.json || fail 'the architecture finds answers'
expect 0 convert-model -o spans.safetensors spans
expect 0 encode -m reader --spans --n-best 3 questions
cp out expected
expect 0 encode -m spans.safetensors --spans --n-best 3 questions
cmp -s out expected || fail 'the copy has the same answers'
expect 0 convert-model --to huggingface -o spans-again spans.safetensors
diff -r spans spans-again || fail 'a copy of a copy has the same heads'

# Weights that are not numbers.
damaged() {
  local size
  size=$(($(od -An -tu8 -N8 "$1/model.safetensors") + 8))
  cp -r "$1" damaged
  { head -c $size "$1/model.safetensors" && tail -c +$((size + 1)) "$1/model.safetensors" | tr '\000-\377' '[\377*]'; } > damaged/model.safetensors
  expect 0 convert-model -o damaged.safetensors damaged
  expect 1 encode -m damaged.safetensors "${@:3}"
  says "encode: the model's $2 are not finite numbers"
  [ ! -s out ] || fail "nothing is printed for $1"
  rm -r damaged
}
damaged hf probabilities masked
damaged hf probabilities --n-best 2 masked
damaged hf vectors --vectors mean masked
damaged hf vectors --vectors first --format npy masked
damaged labels probabilities lines
damaged spans scores questions

# Programs that need a checkpoint name the command that makes one.
convert='convert it with: convert-model -o awend.safetensors hf'
expect 1 encode -m hf masked
says "encode: hf: a model of Hugging Face; $convert"
expect 1 encode -m hf/model.safetensors masked
says "encode: hf/model.safetensors: a model of Hugging Face; $convert/model.safetensors"
for path in hf hf/model.safetensors; do
  expect 1 train -q "${bert[@]}" -m vocabulary -s tokens --init-from $path --max-steps 1 -o never
  says "train: $path: a model of Hugging Face; convert it with: convert-model -o awend.safetensors $path"
done
expect 1 convert-model --to marian -o never $model
says "convert-model: $model: models of architecture bert cannot be converted for Marian"
expect 1 convert-model --to ctranslate2 -o never $model
says "convert-model: $model: models of architecture bert cannot be converted for CTranslate2"
rm hf/vocab.txt
expect 1 convert-model -o never hf
says 'convert-model: hf/vocab.txt: no such file next to the weights'
sed -i 's/BertForPreTraining/BertForMultipleChoice/' hf/config.json
expect 1 convert-model -o never hf
says "convert-model: hf/config.json: setting 'architectures': [\"BertForMultipleChoice\"] is not supported"
sed -i 's/"bert"/"roberta"/' hf/config.json
expect 1 convert-model -o never hf
says "convert-model: hf/config.json: models of type 'roberta' of Hugging Face are not supported (expected marian, bert, xlm-roberta, m2m_100, mbart, t5 or mt5)"
[ ! -e never ] || fail 'a failed command writes nothing'

# The best token for each mask, and its probability, is that of transformers.
data=${AWEND_CONFORMANCE:-}/models/hf-bert
if [ ! -d "$data" ]; then
  skip 'AWEND_CONFORMANCE names no directory'
  exit
fi
expect 0 convert-model -o bert.safetensors "$data"
sed -E 's/.*"tokens": \["\[CLS\]", (.*), "\[SEP\]"\], "token_types".*/\1/; s/, "\[SEP\]", /\t/; s/", "/ /g; s/"//g' "$data/cases.jsonl" > cases
expect 0 encode -m bert.safetensors --fill --n-best 1 cases
# Columns after the line itself, which has one or two segments.
awk -F '\t' '{for (i = 1; i <= NF; ++i) if ($i ~ /^[^ ]+ [01]\.[0-9]+$/) print NR, $i}' out > found
grep -oE '"best5": .*"last_hidden' "$data/cases.jsonl" | sed -E 's/\[\{"token": "([^"]*)", "logprob": ([^}]*)\}[^]]*\]/\n\1 \2\n/g' |
  awk '/"best5"/ {++line} /^[^ ]+ -[0-9.]+$/ {print line, $1, exp($2)}' > best
same 'the number of masks' "$(grep -o '"\[MASK\]"' "$data/cases.jsonl" | wc -l)" "$(wc -l < found)"
finite found best
paste -d ' ' best found | awk '$1 != $4 || $2 != $5 || ($3 - $6) ^ 2 > 0.0002 ^ 2' > odd
[ ! -s odd ] || fail "the same tokens and probabilities: $(head -n 5 odd)"
