# Converts stories in the published format of the bAbI tasks into pairs for a memory network: a source line with the sentences of the
# story so far and a question, a tab, and the answer.
#
#   1 Mary moved to the bathroom.
#   2 Where is Mary?	bathroom	1
#
# becomes "mary moved to the bathroom . where is mary ?", a tab, and "bathroom".  Set `sentences` to keep only that many of the newest
# sentences.  A line number of 1 begins a new story.  The items of an answer that is a list become tokens.

function fail(what) {
  printf "stories.awk: %s:%d: %s\n", FILENAME == "" ? "-" : FILENAME, FNR, what > "/dev/stderr"
  failed = 1
  exit 1
}

# Lower-case words separated by single spaces, without the final `mark`.
function words(text, mark) {
  text = tolower(text)
  sub(/[ \r]*$/, "", text)
  if (substr(text, length(text)) != mark) fail("expected '" mark "' at the end of '" text "'")
  text = substr(text, 1, length(text) - 1)
  gsub(/[ ,]+/, " ", text)
  gsub(/^ | $/, "", text)
  if (text == "") fail("an empty sentence")
  if (text ~ /[.?]/) fail("more than one sentence in '" text "'")
  return text
}

BEGIN { FS = "\t" }

{
  if (!match($1, /^[0-9]+ /)) fail("expected a line number")
  number = substr($1, 1, RLENGTH) + 0
  if (number == 1) count = 0
  else if (number != last + 1) fail("expected line number 1 or " last + 1 ", got " number)
  last = number
  text = substr($1, RLENGTH + 1)
}

NF == 1 { story[++count] = words(text, ".") " ."; next }

{
  line = ""
  for (i = sentences > 0 && count > sentences ? count - sentences + 1 : 1; i <= count; ++i) line = line story[i] " "
  answer = tolower($2)
  gsub(/[ \r]+/, "", answer)
  if (answer == "") fail("a question without an answer")
  print line words(text, "?") " ?\t" answer
}
