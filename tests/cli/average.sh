#!/bin/bash
# average: which files it takes, and bad input.  The mean itself: tests/unit/store/average_test.cpp.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

# checkpoint FILE BYTES: a checkpoint with two F32 numbers, given as eight bytes for printf.
checkpoint() {
  local metadata='"__metadata__":{"awend.config":"{}","awend.format":"1","awend.step":"1","awend.vocabulary":"v"}'
  local header='{'$metadata',"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}'
  while [ $(((${#header} + 8) % 64)) -ne 0 ]; do header+=' '; done
  # shellcheck disable=SC2059
  { printf "$(printf '\\x%02x\\x%02x' $((${#header} % 256)) $((${#header} / 256)))\\0\\0\\0\\0\\0\\0"
    printf '%s' "$header"
    printf "$2"; } > "$1"
}
one='\0\0\x80\x3f' two='\0\0\0\x40' three='\0\0\x40\x40'
mkdir run
checkpoint run/model-00000100.safetensors "$one$one"
checkpoint run/model-00000200.safetensors "$one$two"
checkpoint run/model-00000300.safetensors "$three$two"
checkpoint expected "$two$two"

numbers() { tail -c 8 "$1" | od -An -tf4 | tr -s ' ' | sed 's/^ //'; }

expect 0 average -o mean run/model-00000200.safetensors run/model-00000300.safetensors
prints ''
same 'the mean of two files' "$(numbers expected)" "$(numbers mean)"
expect 0 average -o last --last 2 run
cmp -s mean last || fail 'the last two are the same two'
expect 0 average -o "run/mean.safetensors" --last 1 run
same 'the mean of one' "$(numbers run/model-00000300.safetensors)" "$(numbers run/mean.safetensors)"
expect 0 average -o again --last 3 run  # run/mean.safetensors is not one of them
average -v -o mean --last 1 run 2> err
says 'average: averaged run/model-00000300.safetensors'

# Outputs that would replace a checkpoint.
touch run/state-00000300.safetensors
ln -s model-00000300.safetensors run/best.safetensors
md5sum run/*0.safetensors > sums
expect 1 average -o run/best.safetensors --last 2 run
says 'average: run/best.safetensors: is a link to model-00000300.safetensors; write to another file'
expect 1 average -o run/best.safetensors mean
says 'average: run/best.safetensors: is a link to model-00000300.safetensors; write to another file'
expect 1 average -o run/model-00000300.safetensors mean
says 'average: run/model-00000300.safetensors: training resumes from it and state-00000300.safetensors; write to another file'
expect 1 average -o run/state-00000300.safetensors mean
says 'average: run/state-00000300.safetensors: training resumes from it; write to another file'
expect 1 average -o run/model-00000200.safetensors --last 2 run
says 'average: run/model-00000200.safetensors: the command also reads this file; write to another file'
(cd run; expect 1 average -o best.safetensors ../mean; says 'average: best.safetensors: is a link to model-00000300.safetensors; write to another file')
md5sum -c --quiet sums || fail 'all checkpoints are as before'
rm run/best.safetensors run/state-00000300.safetensors

# Bad input.
expect 1 average -o out1 --last 4 run
says 'average: run: 3 checkpoints, but 4 requested; use --last 3'
mkdir empty
expect 1 average -o out1 --last 4 empty
says 'average: empty: no checkpoints (model-N.safetensors)'
expect 1 average -o out1 run
says 'average: run: is a directory; use --last N to average its N newest checkpoints (it has 3)'
expect 1 average -o out1 --last 1 nowhere
says 'average: nowhere: No such file or directory'
expect 1 average -o out1 run/model-00000100.safetensors nothing
says 'average: nothing: No such file or directory'
head -c 100 run/model-00000100.safetensors > truncated
expect 1 average -o out1 truncated
says 'average: truncated: truncated: the header has 184 bytes and the file 100'
seq 100 > foreign
expect 1 average -o out1 foreign
says 'average: foreign: not a safetensors file'
expect 1 average -o no/where run/model-00000100.safetensors
says 'average: no/where: No such file or directory'
[ ! -e out1 ] || fail 'a failure leaves no file'
expect 2 average run/model-00000100.safetensors
says "average: option '--output' is required; try 'average --help'"
expect 2 average -o out1
says "average: missing operand; try 'average --help'"
expect 2 average -o out1 --last 0 run
says "average: option '--last': must be at least 1, got 0; try 'average --help'"
expect 2 average -o out1 --last 1 run run
says "average: --last takes exactly one directory; try 'average --help'"
