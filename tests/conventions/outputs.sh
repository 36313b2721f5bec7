#!/bin/bash
# Where -o leads, over all tools that have it: what the shell has opened is written and not replaced, links are followed, and a file that
# is replaced keeps its mode.
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
same 'files left over' '' "$(find . -name '*.tmp')"
