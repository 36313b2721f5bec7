# Converts multi-line trees of the Penn Treebank to the form used to train parsers: one tree per line under TOP, without traces and
# constituents that contain only traces, and without function tags and indices in labels (NP-SBJ-1 becomes NP).
#
#   awk -f treebank.awk wsj_0201.mrg
#
# ( (S (NP-SBJ-1 (DT The) (NN dog) ) (VP (VBZ barks) (S (-NONE- *-1) )) (. .) ))
# (TOP (S (NP (DT The) (NN dog)) (VP (VBZ barks)) (. .)))
#
# Test: tests/cli/recipe_parsing.sh.

# For the constituent at each depth: its label, once read; the text of its children; its word, if it is a leaf.
function open() { depth++; labelled[depth] = 0; label[depth] = text[depth] = word[depth] = "" }

function close_one(  it) {
  if (depth == 0) fail("a closing bracket without an opening one")
  it = ""
  if (word[depth] != "") {
    if (label[depth] != "-NONE-") it = "(" label[depth] " " word[depth] ")"
  } else if (text[depth] != "") {
    if (depth > 1 || label[depth] != "") sub(/[-=].*$/, "", label[depth])
    it = label[depth] == "" || label[depth] == "TOP" ? text[depth] : "(" label[depth] " " text[depth] ")"
  }
  depth--
  if (depth > 0) text[depth] = text[depth] (text[depth] != "" && it != "" ? " " : "") it
  else if (it != "") print "(TOP " it ")"
}

function fail(what) { print FILENAME ":" FNR ": " what > "/dev/stderr"; failed = 1; exit 1 }

{
  gsub(/[()]/, " & ")
  for (i = 1; i <= NF; ++i) {
    if ($i == "(") { if (depth > 0) labelled[depth] = 1; open() }
    else if ($i == ")") close_one()
    else if (depth == 0) fail("a word outside the trees")
    else if (!labelled[depth]) { label[depth] = $i; labelled[depth] = 1 }
    else if (word[depth] == "" && text[depth] == "") word[depth] = $i
    else fail("a word without a tag: " $i)
  }
}

END { if (!failed && depth > 0) fail("a bracket that nothing closes") }
