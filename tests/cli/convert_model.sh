#!/bin/bash
# convert-model: a checkpoint in another format and back, defaults of the search, and bad input.  The models of other toolkits:
# tests/properties/foreign_models_test.cpp.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc"
corpus 40
small_model run
model=run/model-00000003.safetensors

expect 0 convert-model --to ctranslate2 -o ct2 $model
prints ''
same 'files of CTranslate2' 'config.json model.bin shared_vocabulary.json' "$(ls ct2 | paste -sd ' ')"
expect 0 convert-model --to ctranslate2 -o newest run
diff -r ct2 newest || fail 'of a directory of train, the newest checkpoint is written'
expect 1 convert-model --to ctranslate2 -o none ct2
says 'convert-model: ct2: the directory contains neither best.safetensors nor model-N.safetensors'
expect 0 convert-model -o copy.safetensors ct2
prints ''
expect 0 convert-model -o copy.safetensors ct2/model.bin
expect 0 inspect --check copy.safetensors

# A directory with the longest possible name.
longest=$(printf '%0255d' 0)
expect 0 convert-model --to ctranslate2 -o "$longest" $model
[ -s "$longest/model.bin" ] || fail 'a directory with a long name'
rm -r "$longest"

# Outputs that would replace the input or a checkpoint of a run.
md5sum run/*.* ct2/* > sums
ln -s model-00000003.safetensors run/best.safetensors
expect 1 convert-model -o run/best.safetensors ct2
says 'convert-model: run/best.safetensors: is a link to model-00000003.safetensors; write to another file'
expect 1 convert-model -o $model ct2
says "convert-model: $model: training resumes from it and state-00000003.safetensors; write to another file"
expect 1 convert-model -o ct2/model.bin ct2
says 'convert-model: ct2/model.bin: the command also reads this file; write to another file'
# As the converter of Hugging Face models writes it: its users append the end of the source themselves.
mkdir end && cp ct2/* end
sed 's/"add_source_eos": *true/"add_source_eos": false/; s/"decoder_start_token": *"[^"]*"/"decoder_start_token": "<\/s>"/
  s/"layer_norm_epsilon": *[^,}]*/"layer_norm_epsilon": null/' ct2/config.json > end/config.json
convert-model -o end.safetensors end 2> err || fail 'a model of the converter of Hugging Face models'
grep -qF "convert-model: warning: end/config.json: 'add_source_eos' is false, but the decoder starts with </s>" err || fail 'the assumed end'
for end in on off; do
  expect 0 convert-model -o $end.safetensors --source-end $end end
  same "--source-end $end: stderr" '' "$(cat err)"
done
cmp -s on.safetensors end.safetensors || fail 'the end is appended'
! cmp -s on.safetensors off.safetensors || fail 'the end is not appended'
head -n 3 tokens.en > typed && sed 's/$/ <\/s>/' typed > typed.end
for lines in typed typed.end; do
  expect 0 translate -m on.safetensors $lines
  same "$lines: stderr" '' "$(cat err)"
  mv out $lines.out
done
cmp typed.out typed.end.out || fail 'an end that was typed is the end'
sed -i 's/null/[]/' end/config.json
expect 1 convert-model -o x end
says "convert-model: end/config.json: setting 'layer_norm_epsilon': '[]' is not a number"
expect 2 convert-model --to ctranslate2 --source-end on -o x $model
says "convert-model: --source-end is for models of other toolkits; try 'convert-model --help'"
cp $model ct2/model.safetensors
expect 1 convert-model --to huggingface -o ct2 ct2/model.safetensors
says 'convert-model: ct2/model.safetensors: the command also reads this file; write to another file'
cmp -s $model ct2/model.safetensors || fail 'the input is as before'
rm ct2/model.safetensors
cp $model ct2/vocab.txt
expect 1 convert-model --to huggingface -o ct2 ct2/vocab.txt
says 'convert-model: ct2/vocab.txt: the command also reads this file; write to another file'
cmp -s $model ct2/vocab.txt || fail 'the input is not removed'
rm ct2/vocab.txt
for checkpoint in $model run; do
  expect 1 convert-model -o x $checkpoint
  says "convert-model: $checkpoint: already a checkpoint; --to FORMAT converts it for another toolkit"
done
md5sum -c --quiet sums || fail 'all models are as before'
rm run/best.safetensors

# The copy translates as the original.  Its vocabulary is a list of tokens.
expect 0 translate -m $model tokens.en
cp out expected
expect 0 translate -m copy.safetensors tokens.en
cmp -s expected out || fail 'the copy translates as the original'
expect 0 tokenize -m copy.safetensors <<< 'ab  x'
prints 'ab x'

# Each side may have its own vocabulary; here they differ in the spelling of two tokens.
cp -r ct2 two
mv two/shared_vocabulary.json two/target_vocabulary.json
first=$(sed -n 300p two/target_vocabulary.json) second=$(sed -n 301p two/target_vocabulary.json)
awk -v first="${first%,}" -v second="${second%,}" 'NR == 300 {$0 = second ","} NR == 301 {$0 = first ","} {print}' \
  two/target_vocabulary.json > two/source_vocabulary.json
awk -v first="${first//[ ,\"]/}" -v second="${second//[ ,\"]/}" '
  {for (i = 1; i <= NF; ++i) {if ($i == first) $i = second; else if ($i == second) $i = first} print}' tokens.en > swapped.en
expect 0 convert-model -o two.safetensors two
expect 0 translate -m two.safetensors swapped.en
cmp -s expected out || fail 'the source is read with its own vocabulary'
swap=$(sed -E 's/[ ,"]//g' <<< "$first")
for side in source target; do tokenize --ids --side $side -m two.safetensors <<< "$swap" > $side.id || fail "tokenize --side $side"; done
cmp -s source.id target.id && fail 'the same token has other ids in the two vocabularies'
same 'the side that is encoded' "$(cat source.id)" "$(tokenize --ids -m two.safetensors <<< "$swap")"
same 'the side that is decoded' "$swap" "$(tokenize --ids --decode -m two.safetensors < target.id)"
expect 2 tokenize --side left -m two.safetensors
expect 0 inspect two.safetensors
grep -q '^Source vocabulary' out || fail 'inspect shows both vocabularies'
expect 0 average -o mean.safetensors two.safetensors
expect 0 train -q -s swapped.en -t tokens.de -m two.safetensors --init-from two.safetensors --max-steps 1 --batch-tokens 400 -o further
expect 0 translate -m further swapped.en
expect 0 inspect --check further/model-00000001.safetensors
cmp -s tokens.en swapped.en && fail 'swapped tokens change the text'

# Another vocabulary of the source, alone, is another model.
cp -r two other
awk 'NR == 310 {first = $0; next} {print} NR == 311 {print first}' two/target_vocabulary.json > other/source_vocabulary.json
expect 0 convert-model -q -o other.safetensors other
expect 0 inspect --diff two.safetensors other.safetensors
same 'what differs' 'Vocabularies of the source' "$(grep '^[A-Z][a-z]' out)"
grep -q 'with another id  *4$' out || { fail 'how many pieces have another id'; cat out >&2; }
expect 1 average -o mean.safetensors two.safetensors other.safetensors
says 'average: other.safetensors: its source vocabulary is not that of two.safetensors'

# Defaults of the search are those of the original unless an option is given.
expect 0 inspect --json copy.safetensors
grep -q '"search"' out && fail 'CTranslate2 has no defaults of the search'

# A model that is trained further is searched as the original, also after it was resumed and averaged.
similar=(-m vocabulary --sinusoid-layout halves --norm-epsilon 1e-5 --decoder-start token --start-id 2 --d-model 16 --d-ff 16 --heads 2
  --layers 1)
tune() { expect 0 train -q "${similar[@]}" -s tokens.en -t tokens.de --batch-tokens 400 "$@"; }
tune --max-steps 1 -o similar
expect 0 inspect --json similar
grep -q '"search"' out && fail 'a model of its own has no defaults of the search'
convert-model --to huggingface -o hf similar/model-00000001.safetensors 2> err || fail 'a MarianMT'
grep -q ': its vocabulary has no SentencePiece model, without which transformers does not split text' err || fail "$(cat err)"
grep -qF '"pad_token": "<0x00>"' hf/tokenizer_config.json || fail "padding is the start token: $(cat hf/tokenizer_config.json)"
# Files of an earlier model in the same directory, which readers would prefer, do not stay; others do.
for file in hf/{target_vocab.json,source.spm,notes.md}; do echo old > $file; done
expect 0 convert-model -q --to huggingface -o hf similar/model-00000001.safetensors
same 'files of the last model, and others' 'config.json generation_config.json model.safetensors notes.md tokenizer_config.json vocab.json' "$(ls hf | paste -sd ' ')"
convert-model -o hf.safetensors hf 2> err || fail 'a MarianMT without SentencePiece models'
says 'convert-model: warning: hf/source.spm: no such file, so that text is split at spaces only; copy it and target.spm from the original model'
search_of() { inspect --json "$1" | grep -o '"search":{[^}]*}'; }
searched=$(search_of hf.safetensors)
[[ $searched == *'"beam-size"'* ]] || fail "the defaults of the search: $searched"
similar[1]=hf.safetensors
tune --init-from hf.safetensors --max-steps 1 -o tuned
rm -f tuned/best.safetensors
mv hf.safetensors moved.safetensors
similar[1]=moved.safetensors
tune --init-from hf.safetensors --max-steps 2 -o tuned
same 'the search of a model that was trained further' "$searched" "$(search_of tuned/model-00000002.safetensors)"
tune --resume-from tuned --max-steps 3 -o other
same 'the search of a model that was resumed elsewhere' "$searched" "$(search_of other/model-00000003.safetensors)"
expect 0 average -o mean.safetensors tuned/model-*
same 'the search of an average' "$searched" "$(search_of mean.safetensors)"

# The format of a file that another tool cannot read is recognized.
printf 'a\n' > one.line
for command in 'translate -m' 'average -o mean' inspect 'tokenize -m' 'train -s one.line -t one.line -o no.run -m'; do
  # shellcheck disable=SC2086
  expect 1 $command ct2/model.bin < /dev/null
  says "${command%% *}: ct2/model.bin: a model of CTranslate2; convert it with: convert-model -o awend.safetensors ct2/model.bin"
done

# The command can be pasted, also in the directory of the model.  DIRECTORY:MODEL
cp -r hf "Anna's model"
while IFS=: read -r directory path; do
  pushd "$directory" > /dev/null || exit 1
  expect 1 translate -m "$path" < /dev/null
  eval "$(sed 's/.*; convert it with: //' err)" || fail "in $directory: $(cat err)"
  expect 0 translate -m awend.safetensors < /dev/null
  popd > /dev/null || exit 1
done << 'END'
.:Anna's model
Anna's model:.
Anna's model:model.safetensors
END

expect 1 convert-model --to marian -o z $model
says "convert-model: $model: sinusoid-layout must be halves-minus-one for Marian, not interleaved"
expect 1 convert-model --to huggingface -o z $model
says "convert-model: $model: norm must be post for MarianMT of Hugging Face, not pre"
small_model post --max-steps 1 --norm post
expect 1 convert-model --to huggingface -o z post
says 'convert-model: post/model-00000001.safetensors: sinusoid-layout must be halves for MarianMT of Hugging Face, not interleaved'

convert-model --help | tr -s ' \n' ' ' | grep -qF '(MarianMT, NLLB, M2M100, mBART, T5, MADLAD, BERT, XLM-RoBERTa)' || fail 'the help names the models'

expect 1 convert-model -o x missing
says 'convert-model: missing: No such file or directory'
mkdir empty
expect 1 convert-model -o x empty
says 'convert-model: empty: no model of a known format'
head -c 1000 ct2/model.bin > ct2/short.bin
expect 1 convert-model -o x ct2/short.bin
says "convert-model: ct2/short.bin: variable 'decoder/embeddings/weight': truncated at byte 1000"
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n' > empty/model.npz
expect 1 convert-model -o x empty
says 'convert-model: empty/model.npz: this is a Git LFS pointer; fetch the file itself (git lfs pull)'
expect 1 convert-model --to ctranslate2 -o y ct2/model.bin
expect 2 convert-model -o x
expect 2 convert-model --to onnx -o y $model
says "convert-model: option '--to': must be ctranslate2, marian, firefox or huggingface, got 'onnx'; try 'convert-model --help'"
[ ! -e x ] && [ ! -e y ] || fail 'a failed conversion writes nothing'

# Heads of ten columns, which a device does not have, are padded to twelve.
expect 0 train -q -s tokens.en -t tokens.de -m vocabulary --sinusoid-layout halves --norm-epsilon 1e-5 --decoder-start token --start-id 2 \
  --d-model 40 --d-ff 16 --heads 5 --d-k 8 --d-v 8 --layers 1 --batch-tokens 400 --max-steps 1 -o five
expect 0 convert-model -q --to huggingface -o four five/model-00000001.safetensors
sed -i 's/"\(encoder\|decoder\)_attention_heads": *5/"\1_attention_heads": 4/' four/config.json
grep -q '"encoder_attention_heads": *4' four/config.json || fail 'four heads'
expect 0 convert-model -q -o four.safetensors four
expect 0 inspect --check four.safetensors
expect 0 inspect --json four.safetensors
grep -q '"d-k": *12' out || fail 'padded heads'
expect 0 translate -m four.safetensors typed
same 'as many lines as went in' 3 "$(wc -l < out)"

# With the positions and the epsilon of Marian, which trained the models of OPUS-MT.
expect 0 convert-model -q --as-marian -o as_marian.safetensors four
expect 0 inspect --json as_marian.safetensors
grep -q '"sinusoid-layout": *"halves-minus-one"' out || fail 'positions of Marian'
! grep -q '"norm-epsilon": *1e-05' out || fail "Marian's epsilon"
expect 1 convert-model --as-marian -o x ct2/model.bin
grep -q '^convert-model: ct2/.*: not a MarianMT, which could be computed as by Marian$' err || fail "another model: $(cat err)"
expect 2 convert-model --as-marian --to marian -o x $model
says "convert-model: --as-marian is for models of other toolkits; try 'convert-model --help'"

# Formats with one type of weights.
expect 2 convert-model --to ctranslate2 --quantize int8 -o x $model
says "convert-model: --to ctranslate2 excludes --quantize int8; try 'convert-model --help'"
expect 2 convert-model --to firefox --quantize none -o x $model
says "convert-model: --to firefox excludes --quantize none; try 'convert-model --help'"

# The checkpoint may be quantized at once, and have fewer tokens.
rm ct2/short.bin
expect 0 convert-model --quantize int8 -o small.safetensors ct2
expect 0 average --quantize int8 -o mean.safetensors copy.safetensors
expect 0 translate -m mean.safetensors --scores tokens.en
mv out quantized
expect 0 translate -m small.safetensors --scores tokens.en
cmp -s out quantized || fail 'the checkpoint is quantized as average does it'
expect 0 translate -m copy.safetensors -b 1 tokens.en
mv out greedy
cat tokens.en greedy > kept
convert-model -v -o trimmed.safetensors --keep-tokens kept ct2 2> err || fail '--keep-tokens'
grep -q '^convert-model: kept [0-9]* of [0-9]* tokens$' err || fail "the number of tokens: $(cat err)"
expect 0 inspect --check trimmed.safetensors
expect 0 translate -m trimmed.safetensors -b 1 tokens.en
cmp -s out greedy || fail 'text of the kept tokens has the same translation'
[ "$(stat -c %s trimmed.safetensors)" -lt "$(stat -c %s copy.safetensors)" ] || fail 'a smaller model'
tr ' ' '\n' < kept | sort -u > list
expect 0 convert-model --keep-tokens list -o again.safetensors ct2
cmp -s trimmed.safetensors again.safetensors || fail 'a list of tokens, or token lines'
echo nothing > list
expect 1 convert-model --keep-tokens list -o x ct2
says 'convert-model: list: none of the tokens are in the vocabulary of the model'
cp list own
expect 1 convert-model --keep-tokens own -o own ct2
cmp -s list own || fail 'the list is not replaced'
expect 2 convert-model --to marian --keep-tokens list -o x $model
says "convert-model: --keep-tokens is for models of other toolkits; try 'convert-model --help'"
expect 2 convert-model --quantize int4 -o x ct2

# Marian's search computes self-attention of models with norm pre otherwise.
marian=(-s tokens.en -t tokens.de -m vocabulary --sinusoid-layout halves-minus-one --d-model 16 --d-ff 16 --heads 2 --d-k 8 --d-v 8 --layers 1
  --batch-tokens 400 --max-steps 1)
expect 0 train -q "${marian[@]}" --norm pre -o pre
expect 0 train -q "${marian[@]}" --norm pre --autoregressive-layer ssru -o pre_ssru
expect 0 convert-model --to marian -o pre.marian pre_ssru/model-00000001.safetensors
prints ''
convert-model --to marian -o pre.marian pre/model-00000001.safetensors 2> err || fail 'a model with norm pre'
grep -q "^convert-model: warning: pre/model-00000001.safetensors: Marian's search finds other translations with norm pre" err ||
  fail "the warning: $(cat err)"

# 8 bits of Marian need sizes that intgemm multiplies.
expect 1 convert-model --to marian --quantize int8 -o y pre_ssru/model-00000001.safetensors
says "convert-model: pre_ssru/model-00000001.safetensors: d-model must be a multiple of 64 for Marian with 8 bits, not 16"
[ ! -e y ] || fail 'a refused model is not written'
cp pre_ssru/model-00000001.safetensors pre.marian/model.intgemm8.bin
for format in 'marian --quantize int8' firefox; do
  # shellcheck disable=SC2086
  expect 1 convert-model --to $format -o pre.marian pre.marian/model.intgemm8.bin
done
cmp -s pre_ssru/model-00000001.safetensors pre.marian/model.intgemm8.bin || fail 'the checkpoint that is read is not replaced'

# Models whose two vocabularies have one table of embeddings, or two of the same size.
models=${AWEND_CONFORMANCE:-/nowhere}/models
if [ -d "$models/hf-opus-mt" ] && [ -d "$models/sockeye" ]; then
  head -n 5 "$models/hf-opus-mt/cases.jsonl" | sed 's/.*"text": "\([^"]*\)".*/\1/' > hf-opus-mt.text
  head -n 5 "$models/sockeye/cases.jsonl" | sed 's/.*"source": \[\([^]]*\)\].*/\1/; s/[",]//g' > sockeye.text
  for name in hf-opus-mt sockeye; do
    expect 0 convert-model -q -o whole.safetensors "$models/$name"
    tokenize -m whole.safetensors $name.text > text.tokens
    expect 0 translate -m whole.safetensors -b 1 text.tokens
    mv out greedy
    cat text.tokens greedy > kept
    expect 0 convert-model -q -o trimmed.safetensors --keep-tokens kept "$models/$name"
    [ "$(stat -c %s trimmed.safetensors)" -lt "$(stat -c %s whole.safetensors)" ] || fail "$name: a smaller model"
    expect 0 inspect --check trimmed.safetensors
    expect 0 translate -m trimmed.safetensors -b 1 text.tokens
    cmp -s out greedy || fail "$name: text of the kept tokens has the same translation"
  done
  # The SentencePiece models of an OPUS-MT are written for Marian, too.
  expect 0 convert-model --as-marian -o opus.safetensors "$models/hf-opus-mt"
  expect 0 convert-model --to marian -o opus.marian opus.safetensors
  cmp opus.marian/source.spm "$models/hf-opus-mt/source.spm" && cmp opus.marian/target.spm "$models/hf-opus-mt/target.spm" ||
    fail 'SentencePiece models for Marian'
  expect 0 convert-model -o again.safetensors opus.marian
  short=(translate --raw -b 1 --max-length-ratio 0 --max-length-extra 20 hf-opus-mt.text)
  expect 0 "${short[@]}" -m opus.safetensors
  mv out expected
  expect 0 "${short[@]}" -m again.safetensors
  cmp -s expected out || fail 'the copy translates text as the original'
else
  skip 'models of other toolkits; AWEND_CONFORMANCE names no directory of them'
fi
