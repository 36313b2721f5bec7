#!/bin/bash
# Trees become lines and are converted back, whatever a model has done to the brackets; and the recipe for parsing runs from end to end on a
# treebank of a small grammar.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
recipes=$AWEND_SOURCE/tools/recipes
trees=$recipes/trees

# From the Treebank's form: traces and what they leave empty go, functions and indices go, tags keep their hyphens.
cat > treebank.mrg << 'END'

( (S (NP-SBJ-1 (DT The) (NN dog) )
    (VP (VBZ wants) (S (NP-SBJ (-NONE- *-1) ) (VP (TO to) (VP (VB bark) (NP (-NONE- *)))))) (. .) ))
( (FRAG (NP=2 (-LRB- -LRB-) (NN x)) (PRN-LOC (NN \/) )))
((UH yes))
(TOP (S (NP (NN a)) (VP (VB b)))) ( (X (-NONE- 0)))
END
cat > plain.trees << 'END'
(TOP (S (NP (DT The) (NN dog)) (VP (VBZ wants) (S (VP (TO to) (VP (VB bark))))) (. .)))
(TOP (FRAG (NP (-LRB- -LRB-) (NN x)) (PRN (NN \/))))
(TOP (UH yes))
(TOP (S (NP (NN a)) (VP (VB b))))
END
expect 0 awk -f "$trees/treebank.awk" treebank.mrg
prints "$(cat plain.trees)"
expect 0 awk -f "$trees/treebank.awk" plain.trees
prints "$(cat plain.trees)"
expect 0 awk -v kind=words -f "$trees/linearize.awk" plain.trees
prints $'The dog wants to bark .\n-LRB- x \\/\nyes\na b'
expect 0 awk -v kind=brackets -f "$trees/linearize.awk" plain.trees
prints $'(S (NP XX XX )NP (VP XX (S (VP XX (VP XX )VP )VP )S )VP XX )S\n(FRAG (NP XX XX )NP (PRN XX )PRN )FRAG\nXX\n(S (NP XX )NP (VP XX )VP )S'

# An invalid treebank is refused with its position.
for case in '((S (X a))|1: a bracket that nothing closes' $'((S (X a)))\n)|2: a closing bracket without an opening one' \
  'a (X b)|1: a word outside the trees' '(S (X a) b)|1: a word without a tag: b'; do
  printf '%s\n' "${case%|*}" > bad.mrg
  expect 1 awk -f "$trees/treebank.awk" bad.mrg
  says "bad.mrg:${case#*|}"
done

# round_trip TREES: through lines and back, nothing has changed.
round_trip() {
  awk -v kind=brackets -f "$trees/linearize.awk" "$1" > brackets
  awk -v kind=leaves -f "$trees/linearize.awk" "$1" > leaves
  awk -v leaves=leaves -f "$trees/delinearize.awk" brackets | cmp - "$1" || fail "$1 is converted back"
}
round_trip plain.trees
awk -v seed=1 -v trees=400 -f "$AWEND_SOURCE/tests/cli/treebank.awk" | awk -f "$trees/treebank.awk" > many.trees
same 'trees of the grammar' 400 "$(wc -l < many.trees | tr -d ' ')"
round_trip many.trees

# score reads the same linearized format.
expect 0 score -b -w 2 -m brackets --brackets-linear ./brackets < brackets
prints 100.00

# Brackets with every kind of fault: BRACKETS|TREE, for the words a, b and c.
faults=(
  '(S (NP XX )NP (VP XX XX )VP )S|(S (NP (XX a)) (VP (XX b) (XX c)))'
  '(S (NP XX )NP (VP XX XX|(S (NP (XX a)) (VP (XX b) (XX c)))'
  '(S (NP XX (VP XX XX )S|(S (NP (XX a) (VP (XX b) (XX c))))'
  '(S XX )NP XX )VP XX )S )S|(S (XX a) (XX b) (XX c))'
  '(S (NP XX )NP )S|(S (NP (XX a)) (XX b) (XX c))'
  '(S (NP XX )NP )S (S XX )S|(S (NP (XX a))) (S (XX b) (XX c))'
  '(S XX XX XX XX (NP XX )NP )S|(S (XX a) (XX b) (XX c))'
  '(S (NP (QP )QP )NP XX XX XX )S|(S (XX a) (XX b) (XX c))'
  '( ) (S XX XX XX )S ( )|(S (XX a) (XX b) (XX c))'
  '(NP (NP XX )NP XX )NP XX|(NP (NP (XX a)) (XX b)) (XX c)'
  'XX|(XX a) (XX b) (XX c)'
  '|(XX a) (XX b) (XX c)'
)
for fault in "${faults[@]}"; do
  printf 'a b c\n' > leaves
  expect 0 awk -v leaves=leaves -f "$trees/delinearize.awk" <<< "${fault%|*}"
  prints "(TOP ${fault#*|})"
done

# Any noise gives a tree of the words: score finds neither damage nor other words.
awk 'BEGIN { srand(2); n = split("(S )S (NP )NP (VP )VP XX XX XX ( ) x)", token, " ")
  for (i = 0; i < 400; ++i) { line = ""; for (j = rand() * 30; j > 0; --j) line = line " " token[int(rand() * n) + 1]; print line } }' > noise
awk -v kind=leaves -f "$trees/linearize.awk" many.trees > leaves
awk -v leaves=leaves -f "$trees/delinearize.awk" noise > noisy.trees
expect 0 score -m brackets many.trees < noisy.trees
same 'sentences that can be compared' 'sentences = 400 errors = 0 skipped = 0' "$(grep -o 'sentences = .* skipped = 0)' out | sed 's/).*//')"
expect 1 awk -v leaves=leaves -f "$trees/delinearize.awk" <(cat noise noise)
says 'leaves: fewer lines than brackets'
expect 1 awk -v leaves=leaves -f "$trees/delinearize.awk" <(head -n 399 noise)
says 'leaves: more lines than brackets'

# The recipe.  Sections are subdirectories of the given directory, which may have any name.
seed=1
for section in $(seq -w 2 23); do
  mkdir -p "02/wsj/$section"
  for file in 00 01; do
    awk -v seed=$((seed++)) -v trees=5 -f "$AWEND_SOURCE/tests/cli/treebank.awk" > "02/wsj/$section/wsj_$section$file.mrg"
  done
done
awk -v seed=99 -v trees=50 -f "$AWEND_SOURCE/tests/cli/treebank.awk" | gzip > extra.mrg.gz
small=(--layers 1 --d-model 32 --d-ff 32 --heads 2 --batch-tokens 500 --max-steps 6 --save-every 1)
# The paper's 300 tokens more than the input are searched by a model that knows no end; the beam of 21 goes with them.
"$recipes/parsing.sh" --any-size --work parsed --extra extra.mrg.gz 02 -- "${small[@]}" > out 2> err || { fail parsing; cat err; }
same 'trees by part' '200 train.trees 10 valid.trees 10 test.trees 50 extra.trees' "$(cd parsed && wc -l {train,valid,test,extra}.trees | sed '$d' | xargs)"
same 'the first tree' "$(awk -f "$trees/treebank.awk" 02/wsj/02/wsj_0200.mrg | head -n 1)" "$(head -n 1 parsed/train.trees)"
same 'checkpoints' 5 "$(find parsed/parser -name 'model-*' | wc -l | tr -d ' ')"
same 'the lowest ratio of tokens' "$(paste parsed/train.tokens.words parsed/train.tokens.brackets | tr '\t' '\n' | awk 'NR % 2 { n = NF; next }
  { print int(100 * NF / n) / 100 }' | sort -g | head -n 1 | xargs printf %.2f)" "$(cat parsed/min_ratio)"
same 'empty outputs' 0 "$(grep -c '^$' parsed/hypotheses.brackets)"
same 'the words of the parses' "$(cat parsed/test.words)" "$(awk -v kind=words -f "$trees/linearize.awk" parsed/hypotheses.trees)"
grep -q '^bracket-F1|.* sentences = 10 errors = 0 skipped = 0' out || { fail 'F1'; tail -n 2 out; }

expect 1 "$recipes/parsing.sh" --work other 02
says 'sections 2 to 21: 200 lines, expected 39832 as published; use --any-size to continue'
expect 0 "$recipes/parsing.sh" --help
grep -q '^Usage: parsing' out || fail 'parsing --help'
expect 2 "$recipes/parsing.sh"
says 'parsing.sh: missing operand; try --help'
expect 1 "$recipes/parsing.sh" nowhere
says 'parsing.sh: nowhere: no such directory'
