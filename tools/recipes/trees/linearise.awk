# A tree a line becomes a line of the `kind` that is asked for:
#
#   awk -v kind=brackets -f linearise.awk    (S (NP XX XX )NP (VP XX )VP XX )S
#   awk -v kind=words -f linearise.awk       The dog barks .
#   awk -v kind=leaves -f linearise.awk      (DT The) (NN dog) (VBZ barks) (. .)
#
# all of (TOP (S (NP (DT The) (NN dog)) (VP (VBZ barks)) (. .))).  Brackets are what a model learns to write for the words, as
# Vinyals et al. (2015) have them: every word is XX, a closing bracket repeats its label, and TOP is not said.  delinearise.awk is
# the way back.  Test: tests/cli/recipe_parsing.sh.

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
