#!/bin/bash
# The recipes for WMT 2014 from end to end, on archives that have the layout of the public ones and a few hundred lines in all, and
# a model that learns nothing: every step runs, and hands on what the next one needs.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
recipes=$AWEND_SOURCE/tools/recipes
small=(--layers 1 --d-model 32 --d-ff 32 --heads 2 --batch-tokens 500 --save-every 1 --valid-every 10)

# sgml < LINES: as WMT wraps them.
sgml() {
  printf '<srcset setid="newstest2014" srclang="any">\n<doc sysid="ref" docid="1">\n<p>\n'
  sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' | awk '{ print "<seg id=\"" NR "\">" $0 "</seg>" }'
  printf '</p>\n</doc>\n</srcset>\n'
}

# archives LANGUAGE: what statmt.org has for English and that language.
archives() {
  local l=$1 name seed=1
  mkdir -p files/training files/dev files/test-full files/un
  for name in training/europarl-v7 commoncrawl training/news-commentary-v9 un/undoc.2000; do
    locale-corpus -t "$l" -n 40 --seed $((seed++)) -o "files/$name.$l-en"
  done
  locale-corpus -t "$l" -n 40 --seed $((seed++)) -o files/giga-fren.release2.fixed
  locale-corpus -t "$l" -n 10 --part valid -o files/dev/newstest2013
  locale-corpus -t "$l" -n 9 --part test -o test
  for side in en "$l"; do echo 'Smith & Sons: 1 < 2' >> "test.$side"; done
  # The order of languages in the names is that of the alphabet.
  local pair=deen
  [ "$l" = de ] || pair=fren
  sgml < test.en > "files/test-full/newstest2014-$pair-src.en.sgm"
  sgml < "test.$l" > "files/test-full/newstest2014-$pair-ref.$l.sgm"
  gzip -f files/giga-fren.release2.fixed.{en,"$l"}
  mkdir -p "data.$l"
  tar -czf "data.$l/training-parallel-europarl-v7.tgz" -C files training/europarl-v7."$l"-en.{en,"$l"}
  tar -czf "data.$l/training-parallel-commoncrawl.tgz" -C files commoncrawl."$l"-en.{en,"$l"}
  tar -czf "data.$l/training-parallel-nc-v9.tgz" -C files training/news-commentary-v9."$l"-en.{en,"$l"}
  tar -czf "data.$l/training-parallel-un.tgz" -C files un
  tar -cf "data.$l/training-giga-fren.tar" -C files giga-fren.release2.fixed.{en,"$l"}.gz
  tar -czf "data.$l/dev.tgz" -C files dev
  tar -czf "data.$l/test-full.tgz" -C files test-full
}

# A replacement for curl that serves local files and records requests.
mkdir bin shelf
cat > bin/curl << 'END'
#!/bin/bash
address=${!#}
echo "$address" >> "$SHELF.asked"
while [ "$1" != -o ]; do shift; done
cp "$SHELF/${address##*/}" "$2"
END
chmod +x bin/curl
export SHELF=$scratch/shelf
PATH=$scratch/bin:$PATH

# ran RECIPE WORK RUN LANGUAGE AVERAGED: the files of a recipe.
ran() {
  same "checkpoints of $1" "$5" "$(find "$2/$3" -name 'model-*' | wc -l | tr -d ' ')"
  same "hypotheses of $1" 10 "$(wc -l < "$2/hypotheses.$4" | tr -d ' ')"
  same "the last line of $1" 'BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp' "$(tail -n 1 out | sed 's/|version:.*//')"
  same "the last reference of $1" 'Smith & Sons: 1 < 2' "$(tail -n 1 "$2/test.$4")"
}

archives de
mv data.de/dev.tgz shelf
"$recipes/wmt14-en-de.sh" --any-size --work ende base data.de -- "${small[@]}" --max-steps 6 > out 2> err || { fail wmt14-en-de; cat err; }
same 'what was downloaded' 'https://data.statmt.org/wmt17/translation-task/dev.tgz' "$(cat shelf.asked)"
[ -e data.de/dev.tgz ] || fail 'the download has its place'
ran wmt14-en-de ende base de 5
same 'pairs of all corpora' "$(for name in training/europarl-v7 commoncrawl training/news-commentary-v9; do cat "files/$name.de-en.de"; done)" \
  "$(cat ende/train.de)"
grep -q '^paper-BLEU|.*|compounds:split|' out || fail "the paper's BLEU"
grep -q '^6 updates of 500 tokens on each side, .* million weights in products: .* FLOP$' out || fail 'what it costs'

# What the recipes say of their cost is what they count: VOCABULARY|OPTIONS|FLOP.
for case in '37000|--preset base|9.4e+17' '37000|--preset big|9.6e+18' '32000|--preset base|9.1e+17' '32000|--preset big|9.4e+18' \
  '16000|--preset base --layers 4 --d-model 1024 --max-steps 20000|3e+17' '32000|--preset base --layers 4 --d-model 1024|1.7e+18'; do
  IFS='|' read -r pieces options wanted <<< "$case"
  printf 'pieces %s\n' "$pieces" > vocabulary
  # shellcheck disable=SC2086
  (. "$recipes/pipeline.sh"; cost $options) > out
  same "the cost of $options" "$wanted" "$(sed 's/.*: \(.*\) FLOP/\1/' out)"
done

# A second run repeats nothing, and resumes the training.
"$recipes/wmt14-en-de.sh" --any-size --work ende base data.de -- "${small[@]}" --max-steps 8 > out 2> err || { fail again; cat err; }
ran 'the second wmt14-en-de' ende base de 5
same 'one header in the log' 1 "$(grep -c '^step' ende/base.tsv)"
same 'the last step of the log' 8 "$(tail -n 1 ende/base.tsv | cut -f 1)"
same 'nothing more was downloaded' 1 "$(wc -l < shelf.asked | tr -d ' ')"

archives fr
printf 'one\n' | tee -a files/training/europarl-v7.fr-en.en > /dev/null
printf 'un deux trois\n' >> files/training/europarl-v7.fr-en.fr
tar -czf data.fr/training-parallel-europarl-v7.tgz -C files training/europarl-v7.fr-en.{en,fr}
"$recipes/wmt14-en-fr.sh" --any-size --work enfr big data.fr -- "${small[@]}" --max-steps 20 > out 2> err || { fail wmt14-en-fr; cat err; }
ran wmt14-en-fr enfr big fr 20
same 'pairs of all five corpora' 201 "$(wc -l < enfr/all.fr | tr -d ' ')"
awk -F '\t' '{ a = split($1, _, " "); b = split($2, _, " "); if (a > 1.5 * b || b > 1.5 * a) exit 1 }' \
  <(paste enfr/train.en enfr/train.fr) || fail 'no pair is unlike in its lengths'
grep -q 'deux trois' enfr/train.fr && fail 'a pair of one and three words is left out'
same 'other pairs stay' "$(grep -c 'million' <(paste enfr/all.en enfr/all.fr | awk -F '\t' '
  { a = split($1, _, " "); b = split($2, _, " "); if (a <= 1.5 * b && b <= 1.5 * a) print }'))" "$(grep -c million <(paste enfr/train.en enfr/train.fr))"
grep -q '^multi-BLEU|.*|compounds:whole|' out || fail 'multi-BLEU'
same 'the vocabulary of French' 'type wordpiece' "$(sed -n 2p enfr/vocabulary)"

# What is not what was published is refused, and nothing half-made stays under its name.
expect 1 "$recipes/wmt14-en-de.sh" --work short base data.de
says 'europarl-v7.de-en.en: 40 lines, expected 1920209 as published; use --any-size to continue'
[ ! -e short/train.en ] || fail 'no half file'
head -n 5 files/commoncrawl.de-en.en > shorter && mv shorter files/commoncrawl.de-en.en
tar -czf data.de/training-parallel-commoncrawl.tgz -C files commoncrawl.de-en.{en,de}
expect 1 "$recipes/wmt14-en-de.sh" --any-size --work uneven base data.de
says "train.en and train.de differ in their number of lines; to read repaired data, remove both from $PWD/uneven"
head -c 500 data.fr/training-parallel-un.tgz > cut && mv cut data.fr/training-parallel-un.tgz
"$recipes/wmt14-en-fr.sh" --any-size --work cut big data.fr > out 2> err && fail 'a damaged archive is an error'
[ ! -e cut/all.en ] || fail 'no half file of a damaged archive'
rm data.de/dev.tgz shelf/dev.tgz
"$recipes/wmt14-en-de.sh" --any-size --work ende2 base data.de > out 2> err && fail 'a failed download is an error'

# The help of all recipes fits a terminal.
count=0
for file in "$recipes"/*.{sh,pl}; do
  recipe=$(basename "$file")
  case $recipe in setup.sh | pipeline.sh | wmt14.sh) continue ;; esac
  expect 0 "$file" --help
  grep -q "^Usage: $recipe" out || fail "$recipe --help"
  ln -sf "$file" "linked-$recipe"
  "./linked-$recipe" --help | sed "s/linked-//" | cmp -s - out || fail "$recipe through a link"
  same "lines of more than 80 columns in $recipe --help" '' "$(LC_ALL=C.UTF-8 grep -E '.{81}' out)"
  count=$((count + 1))
done
[ $count -ge 16 ] || fail "there are recipes: $count"

for recipe in wmt14-en-de wmt14-en-fr; do
  expect 2 "$recipes/$recipe.sh" base
  says "$recipe.sh: missing operand; try --help"
  expect 2 "$recipes/$recipe.sh" small data.de
  says "$recipe.sh: 'small' must be base or big"
  expect 2 "$recipes/$recipe.sh" --bse
  says "$recipe.sh: unknown option '--bse'; try --help"
done
