#!/bin/bash
# Where -o leads, over all tools that have it: what the shell has opened is written and not replaced, links are followed, and a file that
# is replaced keeps its mode.  No output replaces an input or another output.
. "$AWEND_SOURCE/tests/conventions/tools.inc" || exit 1
material

for tool in $tools; do
  [ "$tool" != train ] || continue # its --output is a directory
  work "$tool"
  "${command[@]}" > alone 2> err || fail "$tool alone: $(cat err)"

  for path in /dev/stdout /dev/fd/1 /proc/self/fd/1 link; do
    ln -sf /dev/fd/1 link
    work "$tool" $path
    # A file with text: neither replaced nor overwritten.
    echo keep > file
    "${command[@]}" >> file 2> err
    same "$tool -o $path >> file: status and stderr" '0 ' "$? $(cat err)"
    { echo keep; cat alone; } | cmp -s - file || fail "$tool -o $path >> file keeps what the file has"
    "${command[@]}" 2> err | cmp -s - alone || fail "$tool -o $path into a pipe"
    rm link
  done
  work "$tool" /dev/fd/7
  echo keep > file
  "${command[@]}" 7>> file || fail "$tool -o /dev/fd/7"
  { echo keep; cat alone; } | cmp -s - file || fail "$tool -o /dev/fd/7 7>> file"

  echo old > result
  chmod 640 result
  work "$tool" result
  "${command[@]}" || fail "$tool -o result"
  cmp -s result alone || fail "$tool replaces a file"
  same "$tool: the mode of a file that was replaced" 640 "$(stat -c %a result)"

  rm result
  ln -s result far
  work "$tool" far
  "${command[@]}" || fail "$tool -o far"
  [ -L far ] || fail "$tool does not replace a symbolic link"
  cmp -s result alone || fail "$tool follows a symbolic link to a file that does not exist yet"
  (umask 027 && rm result && "${command[@]}")
  same "$tool: the mode of a new file" 640 "$(stat -c %a result)"
  rm far result
done

# Names of any length that a file can have, and no name.
longest=$(printf '%0255d' 0)
for tool in $tools; do
  for name in "${longest:15}" "$longest"; do
    work "$tool" "$name"
    expect 0 "${command[@]}"
    [ -s "$name" ] || [ "$tool $(find "$name" -name '*.safetensors' | wc -l)" = 'train 2' ] || fail "$tool -o NAME of ${#name} bytes"
    rm -r "$name"
  done
  work "$tool" EMPTY
  "${command[@]/#EMPTY/}" > out 2> err
  case $tool in
    train | average | convert-model) same "$tool -o ''" "2 $tool: option '--output' is required; try '$tool --help'" "$? $(cat err)" ;;
    *) same "$tool -o ''" "1 $tool: '': No such file or directory" "$? $(cat err)" ;;
  esac
done

# An output that the same command reads.
for tool in $tools; do
  [ "$tool" != train ] || continue
  work "$tool" out
  input=${command[-1]}
  [ "$tool" != convert-model ] || input=ct2/model.bin
  sum=$(md5sum < "$input")
  for path in "$input" link hard; do
    rm -f link hard
    ln -s "$input" link
    ln "$input" hard
    work "$tool" "$path"
    expect 1 "${command[@]}"
    case $tool,$path in
      convert-model,ct2/model.bin) says "$tool: $path: the command also reads this file; write to another file" ;;
      convert-model,*) says "$tool: $path: the command also reads the same file as ct2/model.bin; write to another file" ;;
      *,"$input") says "$tool: $path: the command also reads this file; write to another file" ;;
      *) says "$tool: $path: the command also reads the same file as $input; write to another file" ;;
    esac
    same "$tool -o $path: the input" "$sum" "$(md5sum < "$input")"
  done
done
rm -f link hard
cp model other
expect 1 translate -m model,other -o other tokens.en
says 'translate: other: the command also reads this file; write to another file'

# A checkpoint of a run, whose directory is what the command names.
mkdir run
cp model run/model-00000001.safetensors
ln -s model-00000001.safetensors run/best.safetensors
while read -r command; do
  # shellcheck disable=SC2086
  expect 1 $command < /dev/null
  says "${command%% *}: run/best.safetensors: is a link to model-00000001.safetensors; write to another file"
done << 'END'
translate -m run -o run/best.safetensors tokens.en
translate -m run --attention run/best.safetensors tokens.en
tokenize -m run -o run/best.safetensors raw.en
score -o run/best.safetensors --systems raw.en -- raw.en
encode -m bert -o run/best.safetensors text.tok
align -s tokens.en -t tokens.en -o run/best.safetensors
build-vocab -o run/best.safetensors raw.en
inspect -o run/best.safetensors model
END
expect 1 translate -m run -o run/model-00000001.safetensors tokens.en
says 'translate: run/model-00000001.safetensors: the command also reads this file; write to another file'
cmp model run/model-00000001.safetensors || fail 'the checkpoint is as before'

# All other outputs, against all inputs: FILE COMMAND.
echo length > column
while read -r file command; do
  sum=$(md5sum < "$file")
  # shellcheck disable=SC2086
  expect 1 $command < /dev/null
  says "${command%% *}: $file: the command also reads this file; write to another file"
  same "$command: the input" "$sum" "$(md5sum < "$file")"
done << 'END'
model translate -m model --attention model tokens.en
tokens.en translate -m model --attention tokens.en tokens.en
tokens.de translate -m model --attention tokens.de --target tokens.de tokens.en
raw.en score --rerank --tune raw.en raw.en
column score --rerank --features column --tune column raw.en
raw.en build-vocab --format subword-nmt --joint -o codes --write-vocabulary raw.en counts -- raw.en raw.de
tokens.en align -s tokens.en -t tokens.de --lexicon tokens.en
tokens.de align -s tokens.en -t tokens.de --save-prior tokens.de
END

# Standard input is an input, too, and standard output must not make it longer.
cp tokens.en text
expect 1 translate -m model -o text < text
says 'translate: text: the command also reads the same file as stdin; write to another file'
(ulimit -f 20480; translate -m model text) >> text 2> err && fail 'a file that grows while it is read'
says 'translate: stdout: the command also reads this file, text; write to another file'
(ulimit -f 20480; tokenize --scheme moses -l en) < text >> text 2> err && fail 'stdin that grows while it is read'
says 'tokenize: stdout: the command also reads this file, stdin; write to another file'
cmp -s text tokens.en || fail 'the input is as it was'

# Two outputs in one place: PLACE COMMAND.
ln -s both link
while read -r place command; do
  # shellcheck disable=SC2086
  expect 1 $command < /dev/null
  says "${command%% *}: $place: the command would write two outputs to this file; use another for one of them"
  prints ''
  [ ! -e both ] || fail "$command wrote something"
done << 'END'
both translate -m model -o both --attention both tokens.en
./both translate -m model -o both --attention ./both tokens.en
link translate -m model -o both --attention link tokens.en
stdout translate -m model --attention - tokens.en
both score --rerank --tune both -o both raw.en
both build-vocab --format subword-nmt --joint -o both --write-vocabulary counts both -- raw.en raw.de
both align -s tokens.en -t tokens.de --lexicon both --save-prior both
END
same 'files left over' '' "$(find . -name '*.tmp')"
