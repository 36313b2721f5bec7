#!/bin/bash
# BERT from end to end: pre-training, resuming, fine-tuning, filling masks, labels, vectors, averaging, inspection, and rejected input.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

# Documents about one person and one color each.
awk "$random"'BEGIN {
  seed(3); split("ann bob cat dan eve fay", names); split("red blue green white", colors); split("apples books clouds doors", things)
  for (document = 0; document < 260; ++document) {
    name = names[1 + int(random() * 6)]; color = colors[1 + int(random() * 4)]
    for (line = 0; line < 4; ++line) print name, "sees", color, things[1 + int(random() * 4)], "and", color, things[1 + int(random() * 4)]
    print ""
  }}' > text
symbols='[PAD],[UNK],[CLS],[SEP],[MASK]'
build-vocab -q --size 330 --user-symbols "$symbols" -o vocabulary text || fail 'a vocabulary'
tokenize -m vocabulary text | head -n 1000 > train.tok
tokenize -m vocabulary text | tail -n 300 > valid.tok
bert=(--architecture bert --preset bert-tiny -m vocabulary --d-model 32 --d-ff 64 --heads 2 --layers 1 --dropout 0 --batch-tokens 1000
  --warmup 20 --learning-rate 0.01)

# A run from before presets had weight decay of matrices only and a normal distribution resumes without them.
expect 0 train -q "${bert[@]}" -s train.tok --weight-decay-of all --initializer glorot --max-steps 4 -o old
cp -r old again
expect 0 train -q "${bert[@]}" -s train.tok --weight-decay-of all --initializer glorot --max-steps 8 -o again
expect 0 train -q "${bert[@]}" -s train.tok --max-steps 8 -o old
cmp -s old/model-00000008.safetensors again/model-00000008.safetensors || fail 'an old run resumes with its own settings'
expect 0 train -q "${bert[@]}" -s train.tok --max-steps 8 -o new
! cmp -s old/model-00000008.safetensors new/model-00000008.safetensors || fail 'a new run has the settings of the preset'
expect 1 train -q "${bert[@]}" -s train.tok --weight-decay-of matrices --max-steps 9 -o old
says 'train: old/state-00000008.safetensors: was trained with weight-decay-of all, which is now matrices; resume with the old value, or start a new run from these weights in another directory'
rm -r old again new
# Such a small network learns faster from larger weights.
bert+=(--initializer glorot)

# The masked accuracy rises, and a run that resumes is the same run, bit for bit.
expect 0 train -q "${bert[@]}" -s train.tok --valid-source valid.tok --valid-every 20 --log-every 20 --max-steps 160 -o run
cp out log
same 'the names of the scores' $'valid_accuracy\tvalid_next_sentence_accuracy' "$(head -n 1 log | cut -f 12-)"
[ "$(cut -f 12 log | sed -n '2p;$p' | sort -g | tail -n 1)" = "$(tail -n 1 log | cut -f 12)" ] || fail "the masked accuracy rises: $(cut -f 12 log)"
awk -F '\t' 'END {exit !($12 > 50 && $13 > 60)}' log || fail "the accuracies: $(tail -n 1 log)"
for steps in 50 160; do
  expect 0 train -q "${bert[@]}" -s train.tok --valid-source valid.tok --valid-every 20 --max-steps $steps -o parts
done
cmp -s run/model-00000160.safetensors parts/model-00000160.safetensors || fail 'resuming does not change the weights'
rm -r parts

# Whole words without pairs; an average; another precision of the weights.
expect 0 train -q "${bert[@]}" -s train.tok --whole-words on --next-sentence off --mask-rate 0.3 --max-steps 2 -o words
expect 0 average -q -o mean run/model-*
expect 0 average -q --quantize int8 -o small run/model-00000160.safetensors
inspect run > summary || fail 'inspect'
grep -q bert summary || fail "inspect names the architecture: $(cat summary)"
! grep -q '^  other' summary || fail 'each parameter has its part'

# Masks are filled, the rest of a line is kept, and lines do not depend on each other.
head -n 40 valid.tok | awk 'NF > 3 {$(1 + NR % NF) = "[MASK]"} {print}' > masked
sed -i '7s/.*/[MASK] [MASK]/' masked
expect 0 encode -m run masked
cp out filled
printf '[MASK]\nno\n\nmask\n' > unmasked
encode -q --fill -m run unmasked > out 2> err
same 'lines without a mask' 'no||mask' "$(tail -n 3 out | paste -sd '|')"
same 'no warning with -q' '' "$(cat err)"
same 'no warning without --fill' 0 "$(encode -m run unmasked 2>&1 > out | grep -c 'no \[MASK')"
encode --fill -m run unmasked 2>&1 > out | grep -qxF 'encode: warning: unmasked:2: no [MASK] to fill (lines without a mask: 2)' || fail 'the warning of lines without a mask'
same 'lines' 40 "$(wc -l < filled)"
same 'masks that remain' 0 "$(grep -c MASK filled)"
same 'the other tokens' '' "$(paste -d '\n' masked filled | awk 'NR % 2 {n = split($0, a, " "); next}
  {split($0, b, " "); for (i = 1; i <= n; ++i) if (a[i] != "[MASK]" && a[i] != b[i]) print}')"
tac masked | encode -m run --batch-tokens 1 --n-best 3 | tac > backward
expect 0 encode -m run --fill --n-best 3 masked
cmp -s out backward || fail 'the batch does not change predictions'
same 'the best of the list' "$(cat filled)" "$(cut -f 1 out)"
sed -n 7p out | awk -F '\t' '{exit !(NF == 3 && split($2, best, " ") == 6 && best[2] >= best[4] && best[4] >= best[6] && best[6] > 0)}' ||
  fail "the list: $(sed -n 7p out)"
for model in mean small; do
  expect 0 encode -m $model masked
  same "the lines of $model" 40 "$(wc -l < out)"
done

# Batches on several threads have the bytes of one thread.
encode -m run --vectors mean -j 1 valid.tok > on_one_thread || fail 'one thread'
expect 0 encode -m run --vectors mean valid.tok
cmp -s out on_one_thread || fail 'the threads do not change vectors'
same 'a vector for each line' 300 "$(wc -l < out)"

# Two segments, and vectors.
paste <(head -n 3 valid.tok) <(sed -n 2,4p valid.tok) > pairs
expect 0 encode -m run pairs
same 'a pair stays a pair' "$(cat pairs)" "$(cat out)"
expect 0 encode -m run --vectors mean pairs
same 'numbers of a vector' '32 32 32' "$(tr -cd ',\n' < out | awk '{print length + 1}' | paste -sd ' ')"
expect 0 encode -m run --vectors first --format npy -o vectors.npy pairs
same 'an array of NumPy' $((128 + 3 * 32 * 4)) "$(stat -c %s vectors.npy)"
encode -m run --vectors first --format npy < pairs | cmp -s - vectors.npy || fail 'the array on stdout'

# Attention: the weights of a line depend on no other line, threads or output, and predictions not on them.
sed 2q masked > some
paste <(head -n 1 valid.tok) <(sed -n 2p valid.tok) >> some
printf '\nzzz\n' >> some
expect 0 encode -q -m run --fill --n-best 3 some
cp out plain
expect 0 encode -q -m run --fill --n-best 3 --attention heads some
cmp -s plain out || fail 'attention does not change predictions'
same 'the header' '{"format":"awend-attention 1","encoder_layers":1,"decoder_layers":0,"heads":2}' "$(head -n 1 heads)"
same 'a line for each that has tokens' '0 1 2 4' "$(grep -o '"line":[0-9]*' heads | cut -d : -f 2 | xargs)"
same 'the tokens of a pair' "[CLS] $(sed -n 3p some | sed 's/\t/ [SEP] /') [SEP]" \
  "$(sed -n 4p heads | grep -o '"source":\[[^]]*\]\(\|[^]]*\]\)*,"target"' | sed 's/"source":\["//; s/"\],"target"//; s/","/ /g')"
grep -q '"source":\["\[CLS\]","zzz","\[SEP\]"\],"target":\[\],' heads || fail "an unknown word keeps its text: $(tail -n 1 heads)"
sed -n 3p some | encode -m run --vectors mean -j 1 --attention alone > vectors
same 'the weights of a pair alone' "$(sed -n 4p heads | sed 's/^{"line":[0-9]*//')" "$(sed -n 2p alone | sed 's/^{"line":[0-9]*//')"
expect 0 inspect --attention heads
same 'sentences of the page' 4 "$(grep -o '{"line":[0-9]*' out | wc -l)"

# Fine-tuning: which of two colors a line has, a label for each token.
for part in train valid; do
  grep -E 'red|blue' $part.tok > $part.lines
  grep -oE 'red|blue' $part.lines | awk 'NR % 2' > $part.color
  awk '{for (i = 1; i <= NF; ++i) printf "%s%s", $i == "▁and" ? "C" : "W", i < NF ? " " : "\n"}' $part.lines > $part.tags
done
tune() { train -q "${bert[@]}" -s train.lines --valid-source valid.lines --init-from run --max-steps 150 --valid-every 50 "$@" > log.tune; }
tune -t train.color --valid-target valid.color -o color || fail 'fine-tuning of lines'
same 'the names of the scores of labels' $'valid_accuracy\tvalid_f1' "$(head -n 1 log.tune | cut -f 12-)"
expect 0 inspect --curves color
grep -q '>accuracy<' out && grep -q '>F1<' out || fail 'curves name accuracy and F1'
! grep -q BLEU out || fail 'curves of labels have no BLEU'
tune -t train.tags --valid-target valid.tags --task tag -o tags || fail 'fine-tuning of tokens'
expect 0 encode -m color valid.lines
cmp -s out valid.color || fail "labels: $(paste -d ' ' out valid.color | sort | uniq -c)"
expect 0 encode -m tags valid.lines
cmp -s out valid.tags || fail "labels of tokens: $(sort out | uniq -c)"
expect 0 encode -m color --label --n-best 5 valid.lines
awk '{if (NF != 4 || $2 < $4 || $2 + $4 < 0.999 || $2 + $4 > 1.001) exit 1}' out || fail "probabilities: $(head -n 3 out)"
tune -t train.color --valid-target valid.color -o again --init-from color || fail 'fine-tuning again'
# Settings that are not given are those of the checkpoint, the task as well.
expect 0 train -q -m tags --init-from tags -s train.lines -t train.tags --batch-tokens 1000 --max-steps 1 -o tags-on
expect 0 encode -m tags-on valid.lines
same 'labels of tokens' "$(awk '{print NF}' valid.tags | xargs)" "$(awk '{print NF}' out | xargs)"
# Those without effect in another task are not kept, and are refused.
expect 0 train -q -m words --init-from words -s train.lines -t train.color --batch-tokens 1000 --max-steps 1 -o words-color
expect 0 train -m words --task spans --label-smoothing 0 --dump-config
cp out dumped
expect 0 train --config dumped --dump-config
cmp -s out dumped || fail 'settings of another task are read back'
for option in whole-words=on next-sentence=off mask-rate=0.2; do
  expect 2 train -m run --task tag --$option --dump-config
  says "train: --${option%=*} needs --task pretrain; try 'train --help'"
done
expect 2 train -m run --task spans --label-smoothing 0.1 --dump-config
says "train: --label-smoothing needs --task pretrain, classify or tag; try 'train --help'"
# Another task with a larger vocabulary.
build-vocab -q --size 340 --user-symbols "$symbols" -o larger text
for steps in 1 2; do
  expect 0 train -q "${bert[@]}" -m larger -s train.lines -t train.color --init-from run --extend-vocabulary --max-steps $steps -o extended
done

# Answers: a question for a class of words of the passage, or for one that it lacks.
awk "$random"'BEGIN {seed(4); split("ann bob", who); split("red blue", color); split("apples books", what)
  for (i = 0; i < 600; ++i) {
    part["who"] = who[1 + int(random() * 2)]; part["color"] = color[1 + int(random() * 2)]; part["what"] = "sees " what[1 + int(random() * 2)]
    split("who color what", order)
    for (k = 3; k > 1; --k) {j = 1 + int(random() * k); t = order[k]; order[k] = order[j]; order[j] = t}
    asked = int(random() * 4); asked = asked ? order[asked] : "where"; at = 0; answer = "0 0"
    for (k = 1; k <= 3; ++k) {n = split(part[order[k]], words); if (order[k] == asked) answer = at + 1 " " at + n; at += n}
    print asked "\t" part[order[1]], part[order[2]], part[order[3]] "\t" answer
  }}' > asked
build-vocab -q --type bert --size 90 -o word-pieces <(cut -f 1,2 asked | tr '\t' '\n')
paste <(cut -f 1 asked | tokenize -m word-pieces) <(cut -f 2 asked | tokenize -m word-pieces) > questions
cut -f 3 asked > answers
for part in questions answers; do
  head -n 500 $part > train.$part
  tail -n 100 $part > valid.$part
done
reader=("${bert[@]}" -m word-pieces --task spans -s train.questions -t train.answers --valid-source valid.questions --valid-target valid.answers)
expect 0 train -q "${reader[@]}" --max-steps 240 --valid-every 80 --best-metric exact_match -o reader
cp out log
same 'the names of the scores of answers' $'valid_exact_match\tvalid_f1' "$(head -n 1 log | cut -f 12-)"
awk -F '\t' 'END {exit !($12 > 95 && $13 >= $12)}' log || fail "the answers: $(cat log)"
expect 0 encode -m reader --spans --null-threshold 0 --n-best 1 valid.questions
same 'numbers of the tokens of answers' '' "$(cut -f 2 out | cut -d ' ' -f 1,2 | paste - valid.answers | awk -F '\t' '$1 != $2')"
awk -F '\t' '{split($2, n, " "); if (n[3] <= 0.5 || n[3] > 1) exit 1}' out || fail "probabilities: $(head -n 3 out)"
cut -f 1 out > best
awk -F '\t' '{getline line < "valid.answers"; split(line, n, " "); split($2, words, " "); text = ""
  for (i = n[1]; i <= n[2]; ++i) if (i) text = text (text == "" ? "" : " ") words[i]
  print text}' valid.questions > expected
cmp -s best expected || fail "answers are tokens of the passage: $(diff best expected | head -n 5)"
expect 0 encode -m reader --null-threshold 0 valid.questions
cmp -s out best || fail 'without --n-best, only the answers'
tac valid.questions | encode -m reader --batch-tokens 1 --null-threshold 0 | tac | cmp -s - best || fail 'the batch does not change answers'
expect 0 encode -m reader valid.questions
same 'without --null-threshold there is an answer' 0 "$(grep -c '^$' out)"
expect 0 encode -m reader --max-answer-length 1 --n-best 3 valid.questions
awk -F '\t' '{if (NF != 6) exit 1; for (i = 2; i <= NF; i += 2) {split($i, n, " "); if (n[1] != n[2] || n[1] < 1) exit 1}}' out ||
  fail "answers of one token: $(head -n 3 out)"
printf '\n%s\n' "$(head -n 1 valid.questions)" > gap
expect 0 encode -m reader gap
same 'an empty line stays one' '1 0' "$(head -n 1 out | wc -lw | xargs)"
for steps in 30 60; do expect 0 train -q "${reader[@]}" --valid-every 20 --max-steps $steps -o parts; done
expect 0 train -q "${reader[@]}" --valid-every 20 --max-steps 60 -o whole
cmp -s whole/model-00000060.safetensors parts/model-00000060.safetensors || fail 'resuming does not change the weights of answers'

# Each mistake has one line.
expect 1 encode -m reader --label valid.questions
says 'encode: reader/best.safetensors: was trained for answers, not for --label; use --spans, or train with another --task'
expect 1 encode -m color --spans valid.questions
says 'encode: color/best.safetensors: was trained for labels, not for --spans; use --label, or train with another --task'
expect 1 encode -m color --null-threshold 0 valid.lines
says 'encode: color/best.safetensors: was trained for labels, but --null-threshold needs a model that was trained with --task spans'
expect 1 encode -m reader <<< 'who'
says 'encode: stdin:1: expected a question and a passage with a tab between them'
sed '3s/.*/7 9/' train.answers > odd
expect 1 train -q "${reader[@]}" -t odd -o never
says 'train: odd:3: an answer from token 7 to 9 is not in the passage of 4 tokens'
expect 2 train -q "${reader[@]}" --best-metric accuracy -o never
says "train: option '--best-metric': for this model must be loss, exact_match or f1, got 'accuracy'; try 'train --help'"
expect 1 encode -m color --fill masked
says 'encode: color/best.safetensors: was trained for labels, not for --fill; use --label, or train with another --task'
expect 1 encode -m run --label masked
says 'encode: run/best.safetensors: was trained for masked tokens, not for --label; use --fill, or train with another --task'
expect 2 encode -m run --label --fill masked
says "encode: --fill, --label, --spans and --vectors exclude each other; try 'encode --help'"
expect 2 encode -m bert.safetensors --format json
says "encode: --format needs --vectors; try 'encode --help'"
expect 2 encode -m bert.safetensors --vectors mean --null-threshold 1
says "encode: --vectors and --null-threshold exclude each other; try 'encode --help'"
expect 1 translate -m run masked
says 'translate: run/best.safetensors: a model of the architecture bert does not generate text'
expect 1 encode -m run <<< $'a\tb\tc'
says 'encode: stdin:1: expected one or two segments, got 3'
for i in $(seq 300); do echo '▁red'; done | paste -sd ' ' > long
cat valid.lines long | head -n 2 > lines
cat long >> lines
expect 1 encode -m color lines
says 'encode: lines:3: 300 tokens, but the model or this device encodes at most 254'
same 'the lines before it' "$(head -n 2 valid.color)" "$(cat out)"
sed '3s/.*/purple/' valid.color > odd
expect 1 train -q "${bert[@]}" -s train.lines -t train.color --valid-source valid.lines --valid-target odd -o never
says "train: odd:3: the label 'purple' does not occur in training"
sed 's/$/\r/' train.color > odd
train "${bert[@]}" -s train.lines -t odd --max-steps 1 -o returns > out 2> err || fail 'labels with carriage returns'
says "train: warning: odd: $(wc -l < odd) lines end in CR, which is kept as text"
sed '2s/C//' valid.tags > odd
expect 1 train -q "${bert[@]}" -s train.lines -t train.tags --task tag --valid-source valid.lines --valid-target odd -o never
tokens=$(sed -n 2p valid.tags | wc -w)
says "train: odd:2: expected $tokens labels of tokens, got $((tokens - 1))"
expect 2 train -q "${bert[@]}" -s train.tok -t train.color --task pretrain -o never
says "train: --target needs --task classify, tag or spans: pre-training has no targets; try 'train --help'"
expect 2 train -q "${bert[@]}" -s train.tok --valid-source valid.tok --best-metric bleu -o never
says "train: option '--best-metric': for this model must be loss, accuracy or next_sentence_accuracy, got 'bleu'; try 'train --help'"
expect 2 train -q "${bert[@]}" -s train.lines -t train.color --valid-source valid.lines --valid-target valid.color --best-metric chrf -o never
says "train: option '--best-metric': for this model must be loss, accuracy or f1, got 'chrf'; try 'train --help'"
expect 2 train -q "${bert[@]}" -s train.tok --tie all -o never
says "train: --tie is not a setting of the architecture bert; try 'train --help'"
build-vocab -q --size 320 -o plain text
expect 1 train -q "${bert[@]}" -m plain -s train.tok -o never
says 'train: the vocabulary lacks [PAD] [UNK] [CLS] [SEP] [MASK], which the architecture bert needs'
[ ! -e never ] || fail 'nothing is left of a run that failed'

# Ranks have the weights of one process, except for rounding.
if train --version | grep -qx 'MPI: none'; then
  skip 'pre-training by two processes, because this build has no MPI'
else
  prepare_mpi
  steps=(-s train.tok --max-steps 2 --log-every 1 --adam-epsilon 1e-4)
  expect 0 train -q "${bert[@]}" "${steps[@]}" -o one
  cut -f 1,4,5,8 out > log.one
  expect 0 mpirun -np 2 train -q "${bert[@]}" "${steps[@]}" -o two
  finite out log.one
  cut -f 1,4,5,8 out | paste log.one - | tail -n +2 | awk '{for (i = 1; i <= 4; ++i) if (($i - $(i + 4)) ^ 2 > 1e-6 * $i ^ 2) exit 1}' ||
    fail "two ranks: $(cat log.one out)"
fi
