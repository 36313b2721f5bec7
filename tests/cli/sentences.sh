#!/bin/bash
# tokenize --sentences: documents to sentences, through a model, and back.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

printf 'Mr. Smith met Mrs. Li. They talked!\n\nOne line\n   \nEnd. No. 5 is last.' > document
expect 0 tokenize --sentences document
same 'sentences' 'Mr. Smith met Mrs. Li.|They talked!|||One line|||End.|No. 5 is last.||' "$(tr '\n' '|' < out)"
cp out split
expect 0 tokenize --sentences --decode split
same 'joined' 'Mr. Smith met Mrs. Li. They talked!||One line||End. No. 5 is last.|' "$(tr '\n' '|' < out)"

# Through tokens of any scheme, on any number of threads, from a stream.
build-vocab -q --size 300 -o vocabulary document
for threads in 1 3; do
  for options in '-m vocabulary' '-m vocabulary --ids' '--scheme moses --no-escape -q'; do
    # shellcheck disable=SC2086
    tokenize --sentences -j $threads $options document 2> err | tokenize --sentences -d $options > out
    same "joined tokens ($options)" 'Mr. Smith met Mrs. Li. They talked!||One line||End. No. 5 is last.|' "$(tr '\n' '|' < out)"
  done
done
same 'tokens' "$(tokenize -m vocabulary <<< 'They talked!')" "$(tokenize -m vocabulary --sentences document | sed -n 2p)"

# A line whose end is missing, and an empty input.
printf 'a\nb\n\nc' > open
expect 0 tokenize --sentences -d open
same 'the last line' 'a b|c|' "$(tr '\n' '|' < out)"
expect 0 tokenize --sentences -d -l ja open
same 'a language without spaces' 'ab|c|' "$(tr '\n' '|' < out)"
expect 0 tokenize --sentences /dev/null
same 'nothing' '' "$(cat out)"
expect 0 tokenize --sentences -d /dev/null
same 'nothing joined' '' "$(cat out)"

# Lists of abbreviations.
mkdir lists
echo Capt > lists/nonbreaking_prefix.en
expect 0 tokenize --sentences --prefixes lists <<< 'The Capt. Jones sleeps. He snores.'
same 'with a list' 'The Capt. Jones sleeps.|He snores.||' "$(tr '\n' '|' < out)"
expect 1 tokenize --sentences --prefixes nowhere document
grep -q '^tokenize: nowhere' err || { fail 'a missing directory'; cat err; }

# Each line is answered as soon as it is complete.
coproc filter { timeout 20 tokenize --sentences -d; }
pid=$! in=${filter[1]} answers=${filter[0]}
for i in 1 2; do
  printf 'a\nb\n\n' >&"$in"
  answer=
  read -r -t 15 -u "$answers" answer
  same "answer $i" 'a b' "$answer"
done
eval "exec $in>&-"
wait "$pid"

# A line that no vocabulary has, and options that do not fit.
printf '▁a\n' > tokens
expect 1 tokenize -m vocabulary --sentences -d <<< 'unknown'
says "tokenize: stdin:1: 'unknown' is not a piece of the vocabulary"
expect 2 tokenize --sentences --show document
says "tokenize: --sentences and --show exclude each other; try 'tokenize --help'"
expect 2 tokenize --sentences --ids document
says "tokenize: --ids with --sentences needs --model; try 'tokenize --help'"
expect 2 tokenize -m vocabulary -l de document
says "tokenize: --language needs --scheme moses or --sentences; try 'tokenize --help'"
