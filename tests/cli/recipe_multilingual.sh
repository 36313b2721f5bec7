#!/bin/bash
# The recipe for several target languages from end to end, on a data set with the layout of Multi30k, with a model that learns nothing.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
recipe=$AWEND_SOURCE/tools/recipes/multilingual.sh
small=(--layers 1 --d-model 32 --d-ff 32 --heads 2 --batch-tokens 500 --max-steps 6 --save-every 1 --keep 5)

mkdir data
locale-corpus -t de -n 60 -o data/train
locale-corpus -t de -n 10 --part valid -o data/val
locale-corpus -t de -n 9 --part test -o data/test_2016_flickr
for part in train val test_2016_flickr; do
  tac "data/$part.de" > "data/$part.cs"
  gzip "data/$part.de"
done

"$recipe" --work work --vocabulary 400 --minutes 30 data -- "${small[@]}" > out 2> err || { fail multilingual; cat err; }
same 'the last step' 6 "$(tail -n 1 work/run.tsv | cut -f 1)"
same 'the symbols' '<2de> <2cs>' "$(sed -n 's/^\(<2..>\)\t.*/\1/p' work/vocabulary | xargs)"
same 'pairs of both languages' '120 120' "$(wc -l < work/train.tokens.source | tr -d ' ') $(wc -l < work/train.tokens.target | tr -d ' ')"
same 'a tag per line' '60 <2de> 60 <2cs>' "$(cut -d ' ' -f 1 work/train.tokens.source | uniq -c | xargs)"
same 'the sources without tags' "$(cat data/train.en data/train.en)" "$(tokenize -m work/vocabulary -d work/train.tokens.source)"
same 'the targets' "$(cat work/train.de data/train.cs)" "$(tokenize -m work/vocabulary -d work/train.tokens.target)"
same 'BLEU of each language' 'de BLEU|nrefs:1 cs BLEU|nrefs:1' "$(grep -o '^[a-z]* BLEU|nrefs:1' out | xargs)"
for language in de cs; do same "translations into $language" 9 "$(wc -l < work/hypotheses.$language | tr -d ' ')"; done

# Again: nothing is made twice.  Other languages would need another model.
"$recipe" --work work --vocabulary 400 data -- "${small[@]}" > out 2> err || { fail again; cat err; }
same 'BLEU of each language, again' 'de BLEU|nrefs:1 cs BLEU|nrefs:1' "$(grep -o '^[a-z]* BLEU|nrefs:1' out | xargs)"
same 'no second training' 6 "$(tail -n 1 work/run.tsv | cut -f 1)"
expect 1 "$recipe" --work work --vocabulary 400 --targets cs data
says "multilingual.sh: $PWD/work was made from '$PWD/data, en to de,cs, vocabulary 400' and not from '$PWD/data, en to cs, vocabulary 400'; use another --work"

expect 0 "$recipe" --help
grep -q '^Usage: multilingual' out || fail 'multilingual --help'
expect 2 "$recipe"
says 'multilingual.sh: missing operand; try --help'
expect 1 "$recipe" --targets fr data
says "multilingual.sh: $scratch/data: no train.fr"
mkdir empty
expect 1 "$recipe" empty
says "multilingual.sh: $scratch/empty: no train file of de, fr or cs"
expect 1 "$recipe" nowhere
says 'multilingual.sh: nowhere: no such directory'
