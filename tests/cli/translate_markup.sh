#!/bin/bash
# translate --raw --markup: tags are kept, entities decoded and encoded, protected text is kept to the byte, and other text is what it
# is without them.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc" || exit 1

corpus 200
small_model bpe
model=bpe/model-00000003.safetensors
short=(--max-length-ratio 1 --max-length-extra 4)
html() { translate -m $model --raw "${short[@]}" --markup html "$@"; }

# tags FILE: the tags of each line, sorted; words FILE: its text without white space.
tags() { grep -no '<[^>]*>' "$1" | sort; }
words() { sed -E 's/<[^>]*>//g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' "$1" | tr -d ' '; }
# nested FILE: all elements of each line are closed in their order.
nested() {
  awk '{
    line = NR; depth = 0
    while (match($0, /<[^>]*>/)) {
      tag = substr($0, RSTART + 1, RLENGTH - 2); $0 = substr($0, RSTART + RLENGTH)
      if (tag ~ /^(br|img)/ || tag ~ /\/$/) continue
      if (tag ~ /^\//) { if (depth == 0 || open[depth--] != substr(tag, 2)) { print line ": " tag; bad = 1 } }
      else { split(tag, parts, " "); open[++depth] = parts[1] }
    }
    if (depth > 0) { print line ": open"; bad = 1 }
  } END { exit bad }' "$1"
}

# Lines without markup are what they are without the option.
{ head -n 10 raw.en; echo; echo '   '; printf '  two  spaces \n'; printf 'no LF'; } > plain
translate -q -m $model --raw "${short[@]}" plain > expected
html plain > out 2> err || fail 'lines without markup'
words out | cmp -s - <(words expected) || fail 'the text of lines without markup is the same'
same 'a line for each line' 14 "$(wc -l < out)"

# Tags that do not divide a sentence do not change its text; each is there once, nested and in its place.
head -n 20 raw.en | awk '{
  n = split($0, word, " "); line = ""
  for (i = 1; i <= n; ++i) {
    if (i == 2) line = line "<b id=\"" NR "\">"
    if (i == 3) line = line "<i class=\"x/y\" hidden>"
    line = line word[i]
    if (i == 3) line = line "</i>"
    if (i == 4 || (n < 4 && i == n && n >= 2)) line = line "</b>"
    if (i == 5) line = line "<img src=a>"
    if (i < n) line = line " "
  }
  print "<p>" line "</p>"
}' > tagged
head -n 20 raw.en | translate -q -m $model --raw "${short[@]}" > expected
expect 0 html tagged
words out | cmp -s - <(words expected) || fail 'the text is what it is without tags'
tags out | cmp -s - <(tags tagged) || fail 'each tag is there once'
nested out || fail 'elements are nested'

# Elements that end sentences divide the line; the texts are those of separate lines.
paste -d '#' <(sed -n 1p raw.en) <(sed -n 2p raw.en) | sed 's/\(.*\)#\(.*\)/<ul> <li>\1<\/li> <li>\2<br>\1<\/li><\/ul>/' > list
expect 0 html list
first=$(sed -n 1p raw.en | translate -m $model --raw "${short[@]}")
second=$(sed -n 2p raw.en | translate -m $model --raw "${short[@]}")
prints "<ul> <li>$first</li> <li>$second<br>$first</li></ul>"
expect 0 html --scores list
same 'the score of a line is the sum of those of its texts' 1 "$(awk -F '\t' -v a="$(sed -n 1p raw.en | translate -m $model --raw "${short[@]}" --scores |
  cut -f 1)" -v b="$(sed -n 2p raw.en | translate -m $model --raw "${short[@]}" --scores | cut -f 1)" \
  '{d = $1 - 2 * a - b; print (d < 1e-4 && d > -1e-4)}' out)"
# It is copied: what is never translated, what has no text, and other lines of the document.
cat > copied <<'END'
<script>if (a < b) { translate(); }</script>
<p class="{a}"></p><!-- a comment -->
<td> {name} </td><td>%s / %d</td>
<pre translate="no">not <b>this</b> &eacute;</pre>
<div class="notranslate x">nor this</div>
<p translate="no">nor <b>this</b>
<li class="notranslate">nor this

</div></body>
END
expect 0 html copied
cmp -s out copied || fail 'what has no text to translate is copied'

echo '<x translate="no">nor this' > data
expect 0 translate -m $model --raw "${short[@]}" --markup xml data
cmp -s out data || fail 'an element of XML without its end tag is copied'
echo 'two weeks <code>ago &amp; now' > code
expect 0 html code
grep -q ' <code>ago &amp; now$' out || fail 'an element without its end tag is at the end of the line'

# Entities, and protected text, each exactly once.
echo '3 &lt; 4 &amp; <b>5</b> &auml;' > entities
expect 0 html entities
grep -q '&[^a#]' out && fail 'signs are encoded'
for line in 'in {count} days and %1$s' 'see https://example.org/?a=1&amp;b=%20 in 2 weeks' 'at <code>f(&lt;x&gt;) &amp;  y</code> in May' \
  '<b>{a}</b> and <i>{b}</i>, 5 million {c}'; do
  printf '%s\n' "$line"
done > protected
expect 0 html protected
[ "$(wc -l < out)" -eq 4 ] || fail 'lines stay lines'
for text in '{count}' '%1$s' 'https://example.org/?a=1&amp;b=%20' '<code>f(&lt;x&gt;) &amp;  y</code>' '{a}' '{b}' '{c}'; do
  same "once: $text" 1 "$(grep -oF -- "$text" out | wc -l)"
done
# Without markup: patterns, and placeholders with them or alone.
echo '#12 in two weeks & {n}' > ticket
expect 0 translate -m $model --raw "${short[@]}" --protect '#[0-9]+' ticket
same 'patterns and placeholders' 2 "$(grep -oE '#12|\{n\}' out | wc -l)"
grep -q '&amp;' out && fail 'text without markup is not encoded'
expect 0 translate -m $model --raw "${short[@]}" --placeholders on ticket
same 'placeholders' 1 "$(grep -oF '{n}' out | wc -l)"
expect 0 translate -m $model --raw "${short[@]}" --placeholders off ticket
translate -m $model --raw "${short[@]}" ticket | cmp -s - out || fail 'nothing is protected'

# XML: names have no meaning, and elements without text of their own separate sentences.
echo "<doc><t>$(sed -n 1p raw.en)</t><x:p>$(sed -n 2p raw.en)</x:p><y/><x:p>$(sed -n 3p raw.en) &ent;</x:p></doc>" > data
expect 0 translate -m $model --raw "${short[@]}" --markup xml data
tags out | cmp -s - <(tags data) || fail 'the elements of XML are kept'
same 'the texts of XML' "$first$second" "$(sed 's/<y.*//; s/<[^>]*>//g' out)"
same 'an unknown entity is kept' 1 "$(grep -oF '&ent;' out | wc -l)"
echo '<t>two <![CDATA[weeks & <b>]]> ago</t>' > data
expect 0 translate -m $model --raw "${short[@]}" --markup xml data
grep -q '^<t>.*<!\[CDATA\[.*]]>.*</t>$' out || fail 'a CDATA section is kept'

# Broken markup is text, with one warning.
printf 'five < six\n<b>two</i> weeks\nok\na <b c\n' > broken
html broken > out 2> err || fail 'broken markup is no error'
same 'a line for each broken line' 4 "$(wc -l < out)"
same 'the warnings' "translate: warning: broken:1: '<' begins no tag: it is text
translate: warning: the same for 2 more lines with broken markup" "$(cat err)"
grep -q '^five <\|<b c' out && fail 'what is no tag is encoded'

# It streams, line by line, and a long line is split.
same 'unbuffered' "$(head -n 5 tagged | html)" "$(head -n 5 tagged | html -u)"
for i in 1 2 3 4; do sed -n 3p tagged; done | tr -d '\n' | sed 's/<[/]*p>/ /g' > long
html -q --max-input-length 20 long > out || fail 'a long line'
tags out | cmp -s - <(tags long) || fail 'the tags of a long line'

# Several models, samples, and unknown tokens.
small_model second --seed 5
expect 0 translate -m $model,second --raw "${short[@]}" --markup html tagged
tags out | cmp -s - <(tags tagged) || fail 'the tags of an ensemble'
expect 0 html --sample tagged
nested out || fail 'samples are nested'
expect 0 html --replace-unknown --alignment-layer 1 tagged

# The models of other toolkits that are at hand.
models=${AWEND_CONFORMANCE:-/nowhere}/models
if [ -d "$models/bergamot" ]; then
  convert-model -q -o bergamot.safetensors "$models/bergamot"
  sed -n 's/.*"text": "\([^"]*\)".*/\1/p' "$models/bergamot/cases.jsonl" > texts
  [ "$(wc -l < texts)" -gt 20 ] || fail 'texts of the model'
  sed -E 's/([^ ]+) ([^ ]+)/<b>\1<\/b> <i>\2/; s/$/<\/i>/' texts | grep '<i>.*</i>' > tagged
  sed 's/<[^>]*>//g' tagged | translate -m bergamot.safetensors --raw > expected
  expect 0 translate -m bergamot.safetensors --raw --markup html tagged
  words out | cmp -s - <(words expected) || fail 'the text of a student model'
  tags out | cmp -s - <(tags tagged) || fail 'the tags of a student model'
  nested out || fail 'the elements of a student model'
else
  skip 'models of other toolkits; AWEND_CONFORMANCE names no directory of them'
fi

# What has no meaning.
expect 2 translate -m $model --markup html plain
says "translate: --markup needs --raw; try 'translate --help'"
expect 2 translate -m $model --protect a plain
says "translate: --protect needs --raw; try 'translate --help'"
expect 2 translate -m $model --placeholders off plain
says "translate: --placeholders needs --raw; try 'translate --help'"
for option in --alignment --json '--n-best 2' '--prefix plain' '--target plain' '--attention heads'; do
  # shellcheck disable=SC2086
  expect 2 html $option plain
  says "translate: --markup and ${option%% *} exclude each other; try 'translate --help'"
done
expect 2 html --protect '(' plain
says "translate: --protect '(' is not a regular expression: a parenthesis has no partner; try 'translate --help'"
expect 2 translate -m missing --raw --protect '[' plain
says "translate: --protect '[' is not a regular expression: a set in brackets is not closed; try 'translate --help'"
expect 1 html --alignment-layer 2 plain
says 'translate: alignment layer 2 does not exist; the decoder has 1 layers'
expect 2 translate -m $model --raw --markup sgml plain
printf 'ok\n%s\n' "$(printf 'a%.0s' {1..100})" > hostile
expect 1 html --protect '(a+)+b' hostile
says "translate: hostile:2: --protect '(a+)+b': the expression takes too long on this text"
same 'the line before it is translated' 1 "$(wc -l < out)"
