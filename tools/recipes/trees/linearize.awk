# Converts trees, one per line, to lines of the given `kind`:
#
#   awk -v kind=brackets -f linearize.awk    (S (NP XX XX )NP (VP XX )VP XX )S
#   awk -v kind=words -f linearize.awk       The dog barks .
#   awk -v kind=leaves -f linearize.awk      (DT The) (NN dog) (VBZ barks) (. .)
#
# These are the outputs for (TOP (S (NP (DT The) (NN dog)) (VP (VBZ barks)) (. .))).  Brackets are the target side of the parsing model,
# as in Vinyals et al. (2015): every word is XX, a closing bracket repeats its label, and TOP is omitted.  delinearize.awk is the
# inverse.  Test: tests/cli/recipe_parsing.sh.

function say(text) { line = line (line != "" ? " " : "") text }

{
  gsub(/[()]/, " & ")
  line = ""; depth = 0
  for (i = 1; i <= NF; ++i) {
    if ($i == "(" && $(i + 2) != "(" && $(i + 3) == ")") {  # ( tag word )
      if (kind == "brackets") say("XX")
      else if (kind == "words") say($(i + 2))
      else say("(" $(i + 1) " " $(i + 2) ")")
      i += 3
    } else if ($i == "(") {
      label[++depth] = $(++i)
      if (kind == "brackets" && label[depth] != "TOP") say("(" label[depth])
    } else {
      if (kind == "brackets" && label[depth] != "TOP") say(")" label[depth])
      depth--
    }
  }
  print line
}
