#!/bin/bash
# What train reads: caches, compressed texts, several corpora with weights, and texts that are of no use.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc" || exit 1

corpus 300
tiny=(-m vocabulary --preset tiny --layers 1 --d-model 16 --d-ff 16 --heads 1 --batch-tokens 256 --max-steps 3)
texts=(-s tokens.en -t tokens.de)
model=model-00000003.safetensors

# run STATUS OUTPUT OPTION...: trains, with notes.
run() {
  local status=$1 output=$2
  shift 2
  train -v "${tiny[@]}" -o "$output" "$@" > out 2> err
  same "the status of $output" "$status" $?
}
notes() { grep -qF -- "$1" err || { fail "a note: $1"; cat err >&2; }; }
# one_line PATTERN: the failure is said in one line and matches.
one_line() {
  same "lines of an error" 1 "$(grep -vc '^train: [^:]*: .*\(pairs,\|made\|used again\)' err)"
  grep -q "$1" err || { fail "the error is said: $1"; cat err >&2; }
}

# The cache is next to the output, is reused, and is rebuilt if a text or the version changed.
run 0 first "${texts[@]}"
notes ': made'
cache=$(echo first/cache/corpus-*)
[ -s "$cache" ] || fail 'there is a cache'
run 0 second "${texts[@]}" --cache first/cache
notes "$cache: used again"
[ ! -e second/cache ] || fail 'a cache elsewhere leaves none in the output'
cmp first/$model second/$model || fail 'the cache gives what the texts gave'
touch -d '2001-01-01' tokens.en
run 0 third "${texts[@]}" --cache first/cache
notes "$cache: rebuilt, the source has changed"
cmp first/$model third/$model || fail 'a cache rebuilt gives the same'
{ printf 'awend corpus 0'; tail -c +15 "$cache"; } > old && cat old > "$cache"
run 0 fourth "${texts[@]}" --cache first/cache
notes "$cache: rebuilt, has another version of the format"
! grep -q warning err || fail "another version of the format is not a reason to warn"
echo 'not a cache' > "$cache"
run 0 fifth "${texts[@]}" --cache first/cache
notes "train: warning: $cache: is not a corpus cache; it was rebuilt from its text"
cmp first/$model fifth/$model || fail 'a foreign cache is not read'
train -q "${tiny[@]}" "${texts[@]}" -o quiet --cache first/cache 2> err > out
same 'silence without -v' '' "$(cat err)"

# Runs that make one cache at the same time do not disturb each other.
for run in 1 2 3; do
  train -q "${tiny[@]}" "${texts[@]}" -o "beside-$run" --cache shared > /dev/null 2> "err-$run" &
done
wait
same 'silence of runs side by side' '' "$(cat err-?)"
for run in 1 2 3; do cmp first/$model beside-$run/$model || fail "run $run of three with one cache"; done
same 'one cache of three runs' 1 "$(ls shared | wc -l)"

# Compressed texts, by their content and not by their name, also from pipes.
gzip -c tokens.en > packed.en
if command -v zstd > /dev/null; then zstd -qc tokens.de > packed.de; else gzip -c tokens.de > packed.de; fi
run 0 packed -s packed.en -t packed.de
cmp first/$model packed/$model || fail 'compressed texts'
run 0 piped -s <(cat packed.en) -t - < packed.de
cmp first/$model piped/$model || fail 'compressed texts from pipes'
[ -z "$(ls piped/cache 2> /dev/null)" ] || fail 'the cache of a pipe goes with the run'
run 0 piped -s <(cat tokens.en) -t tokens.de --max-steps 4
run 1 piped -s <(cat tokens.de) -t tokens.de --max-steps 5
one_line 'was trained on another corpus: --source, --target, --guided-alignment, --weights or --max-length changed$'
head -c 500 packed.en > cut.en
run 1 cut -s cut.en -t tokens.de
one_line '^train: cut.en: the compressed data end too early$'
[ ! -e cut ] || fail 'a text that is cut short leaves nothing'

# Several corpora: two halves are not the whole (their fingerprint differs), but each of their pairs is seen as often as weights say.
head -n 100 tokens.en > a.en; head -n 100 tokens.de > a.de
tail -n 200 tokens.en > b.en; tail -n 200 tokens.de > b.de
run 0 joint -s a.en,b.en -t a.de,b.de --weights 3,1
notes 'a.en, a.de: 100 pairs'
notes 'b.en, b.de: 200 pairs'
same 'a cache each' 2 "$(ls joint/cache | wc -l)"
run 1 joint -s a.en,b.en -t a.de,b.de --weights 1,1 --max-steps 5
one_line 'was trained on another corpus'
expect 2 train "${tiny[@]}" -o new -s a.en,b.en -t a.de
says "train: --source has 2 files, but --target has 1; try 'train --help'"
expect 2 train "${tiny[@]}" -o new -s a.en,b.en -t a.de,b.de --weights 1
says "train: --weights has 1 values for 2 corpora; try 'train --help'"
expect 2 train "${tiny[@]}" -o new -s a.en -t a.de --weights 0
expect 2 train "${tiny[@]}" -o new -s -,a.en -t a.de,-

# What is left out is counted; nothing left, or nothing known, is refused in one line before anything is written.
printf '\n' | cat - tokens.en > gap.en
printf '\n' | cat - tokens.de > gap.de
run 0 short -s gap.en -t gap.de --max-length 12
notes '1 pairs with an empty side left out'
notes "$(awk 'NR == FNR {long[NR] = NF; next} (NF > 12 || long[FNR] > 12) {n++} END {print n}' gap.en gap.de) of 301 pairs left out, a side has more than 12 pieces"
run 1 long "${texts[@]}" --max-length 1
one_line '^train: tokens.en, tokens.de: no pair of sentences left: 300 lines, 0 of them empty, 300 longer than 1 pieces$'
: > empty
run 1 long -s empty -t empty
one_line '^train: empty, empty: no pair of sentences left: 0 lines'
run 1 long -s tokens.en -t a.de
one_line '^train: tokens.en has 300 lines, but a.de has 100$'
yes 'ρ ω' | head -n 20 > unknown
run 1 long "${texts[@]}" --valid-source unknown --valid-target unknown
one_line 'train: unknown: 100.0 % of the pieces are unknown.*does not fit the vocabulary$'
# One side is enough.
head -n 20 tokens.en > known
run 1 long "${texts[@]}" --valid-source unknown --valid-target known
one_line 'train: unknown: 100.0 % of the pieces are unknown.*does not fit the vocabulary$'
[ ! -e long ] || fail 'a run that cannot start leaves no directory'

# A disk that fills up, while a cache or a checkpoint is written, ends the run in one line and leaves the last checkpoint as it was.
for file in first/*.safetensors; do cp "$file" "${file##*/}.before"; done
seq 3000 | sed 's/.*/a b c d e f g h/' > large
( ulimit -f 4; train -q "${tiny[@]}" -s large -t large -o full ) > out 2> err
same 'the status where a cache does not fit' 1 $?
same 'one line where a cache does not fit' 1 "$(wc -l < err)"
grep -q '^train: full/cache/corpus-[0-9a-f]*: File too large$' err || { fail 'the cache that did not fit is named'; cat err >&2; }
[ ! -e full ] || fail 'a cache that did not fit leaves nothing'
# A full disk is one in a separate mount namespace, if possible; otherwise it is a limit of file sizes, which lavapipe of Mesa
# 25, whose memory is files too, does not survive.
export PATH
full=(train -q "${tiny[@]}" "${texts[@]}" -o held --max-steps 5)
if unshare -rm mount -t tmpfs none "$PWD" 2> err; then
  why='No space left on device'
  # shellcheck disable=SC2016
  unshare -rm bash -c 'mkdir held && mount -t tmpfs -o size="$(($(du -sk first | cut -f 1) + 40))k" none held && cp -a first/. held &&
    { "$@"; status=$?; cp -a held after; exit $status; }' small_disk "${full[@]}" > out 2> err
  status=$?
else
  why='File too large'
  cp -a first held
  ( ulimit -f 40; "${full[@]}" ) > out 2> err
  status=$?
  mv held after
fi
if [ "$why $status" = 'File too large 135' ]; then
  skip 'a full disk, because there is no separate mount namespace, and the driver was ended by a limit of file sizes'
else
  same 'the status where a checkpoint does not fit' 1 $status
  grep -q "^train: held/pending-00000005.safetensors: $why\$" err || { fail 'the checkpoint that did not fit is named'; cat err >&2; }
fi
for file in after/*.safetensors; do cmp "$file" "${file##*/}.before" || fail "$file is untouched"; done
same 'nothing else is left' "cache log.tsv $model state-00000003.safetensors" "$(ls after | xargs)"
run 0 first "${texts[@]}" --max-steps 5
