# Brackets that a model wrote, and the leaves of the sentence that it read, become the tree again, whatever is wrong with the brackets:
#
#   awk -v leaves=FILE -f delinearise.awk < BRACKETS
#
# Line n of FILE has leaves as linearise.awk prints them; a plain word is one as well, with the tag XX.
#
# A token without a bracket takes the next leaf; too many take none.  A closing bracket closes all that is open within its
# constituent; it is passed over where none of its label is open.  A constituent without words is no constituent.  Words that nothing
# stands for come before the last constituent of the outermost level is closed, and what is open at the end is closed there.  So
# there is a tree of just the words of the sentence for any line, and of brackets without fault it is the one that they were made of.
# Test: tests/cli/recipe_parsing.sh.

# The tree so far is out[1..size], the open constituents open[1..depth] with the place of each in `place` and its words in `filled`.
function push(text) { out[++size] = text }

function take_leaf() { if (next_leaf <= leaf_count) { push(" " leaf[next_leaf++]); filled[depth] = 1 } }

function close_one() {
  if (depth == 1 && places == 0) while (next_leaf <= leaf_count) take_leaf()
  if (filled[depth]) { push(")"); filled[depth - 1] = 1 } else size = place[depth] - 1
  depth--
}

function read_leaves(line,  count, parts, i) {
  count = split(line, parts, " ")
  leaf_count = 0
  for (i = 1; i <= count; ++i) {
    if (parts[i] ~ /^\(./ && parts[i + 1] ~ /.\)$/) { leaf[++leaf_count] = parts[i] " " parts[i + 1]; ++i }
    else {
      gsub(/\(/, "-LRB-", parts[i]); gsub(/\)/, "-RRB-", parts[i])  # as the Treebank writes them
      leaf[++leaf_count] = "(XX " parts[i] ")"
    }
  }
}

{
  if ((getline line < leaves) <= 0) { print leaves ": fewer lines than brackets" > "/dev/stderr"; failed = 1; exit 1 }
  read_leaves(line)
  size = depth = 0; next_leaf = 1; filled[0] = 0
  places = 0  # words that are still to come in the brackets
  for (i = 1; i <= NF; ++i) if ($i !~ /^[()]/) ++places
  for (i = 1; i <= NF; ++i) {
    name = substr($i, 2)
    if ($i !~ /^[()]/) { --places; take_leaf() }
    else if (name == "") continue
    else if ($i ~ /^\(/) { push(" (" name); place[++depth] = size; open[depth] = name; filled[depth] = 0 }
    else {
      for (level = depth; level > 0 && open[level] != name; --level) continue
      if (level > 0) while (depth >= level) close_one()
    }
  }
  while (depth > 0) close_one()
  while (next_leaf <= leaf_count) take_leaf()
  text = "(TOP"
  for (i = 1; i <= size; ++i) text = text out[i]
  print text ")"
}

END {
  if (!failed && (getline line < leaves) > 0) { print leaves ": more lines than brackets" > "/dev/stderr"; exit 1 }
}
