# Converts the brackets that a model generated, and the leaves of its input sentence, to a tree.  Malformed brackets are repaired:
#
#   awk -v leaves=FILE -f delinearize.awk < BRACKETS
#
# Line n of FILE contains leaves in the format of linearize.awk; a plain word is a leaf with the tag XX.
#
# Each token without a bracket consumes the next leaf; surplus tokens are ignored.  A closing bracket also closes all constituents
# opened within its own; it is ignored if no constituent with its label is open.  Constituents without words are dropped.  Remaining
# leaves are inserted before the last constituent of the outermost level is closed, and constituents open at the end are closed there.
# Every line thus yields a tree with exactly the words of the sentence, and well-formed brackets yield their original tree.
# Test: tests/cli/recipe_parsing.sh.

# The partial tree is out[1..size]; the open constituents are open[1..depth], with positions in `place` and word counts in `filled`.
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
      gsub(/\(/, "-LRB-", parts[i]); gsub(/\)/, "-RRB-", parts[i])  # the escapes of the treebank
      leaf[++leaf_count] = "(XX " parts[i] ")"
    }
  }
}

{
  if ((getline line < leaves) <= 0) { print leaves ": fewer lines than brackets" > "/dev/stderr"; failed = 1; exit 1 }
  read_leaves(line)
  size = depth = 0; next_leaf = 1; filled[0] = 0
  places = 0  # remaining word tokens in the brackets
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
