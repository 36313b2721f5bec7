# A treebank drawn from a small grammar, in the form of the Penn Treebank, traces and functions of labels and all:
#
#   awk -v seed=1 -v trees=100 -f treebank.awk
#
# What a preposition belongs to is a matter of the word: "in" goes with the verb, "of" with the noun.
function chance(n) { return int(rand() * n) + 1 }
function pick(list,  words) { return words[chance(split(list, words, " "))] }

function noun_phrase(function_tag, depth,  kind, core) {
  kind = chance(depth > 3 ? 3 : 6)
  if (kind == 1) return "(NP" function_tag " (NNP " pick("Ann Bob Cleo Dora Emil") ") )"
  if (kind == 2) return "(NP" function_tag " (PRP " pick("it she he") ") )"
  core = "(DT " pick("the a this") ") " (chance(3) == 1 ? "(JJ " pick("old red small quiet") ") " : "") \
    "(NN " pick("dog house tree friend river book") ")"
  if (kind <= 4) return "(NP" function_tag " " core ")"
  if (kind == 5) return "(NP" function_tag " (NP " core ")\n  (PP (IN of) " noun_phrase("", depth + 1) "))"
  return "(NP" function_tag " (NP " core ")\n  (SBAR (WHNP-1 (WDT that) )\n   (S (NP-SBJ (-NONE- *T*-1) )\n    " \
    verb_phrase(depth + 1) ")))"
}

function verb_phrase(depth,  kind, where) {
  kind = chance(depth > 3 ? 2 : 5)
  where = chance(3) == 1 ? "\n  (PP-LOC (IN in) " noun_phrase("", depth + 1) ")" : ""
  if (kind == 1) return "(VP (VBZ " pick("sleeps barks waits") ") " where ")"
  if (kind <= 3) return "(VP (VBZ " pick("sees likes finds") ") " noun_phrase("", depth + 1) where ")"
  if (kind == 4) return "(VP (VBZ says) (SBAR (-NONE- 0) " clause("", depth + 1) "))"
  return "(VP (VBZ wants)\n  (S (NP-SBJ (-NONE- *-2) )\n   (VP (TO to) (VP (VB " pick("sleep bark wait") ") ))))"
}

function clause(end, depth) { return "(S " noun_phrase("-SBJ", depth) "\n " verb_phrase(depth) end ")" }

BEGIN {
  srand(seed)
  for (i = 0; i < trees; ++i) print "( " clause("\n (. " pick(". . . ?") ") ", 1) ")\n"
}
