#!/bin/bash
# Every picture has its colors outside of browsers, too: librsvg, like Inkscape, knows no variables of CSS.  Its text has a contrast of 4.5
# to the background, on light and on dark pages, as WCAG 2 requires (AA).
. "$AWEND_SOURCE/tests/script.sh" || exit 1

# colors FILE: the number of colors, without grays, of more than 100 pixels.
colors() {
  rsvg-convert --background-color white "$1" | pngtopnm 2> noise | ppmhist -noheader -nomap |
    awk '{ high = low = $1; for (i = 2; i <= 3; ++i) { if ($i > high) high = $i; if ($i < low) low = $i } }
         $5 > 100 && high - low > 40 { ++n } END { print n + 0 }'
}

# faint FILE: colors of text of little contrast.  Those of a text are its attribute and the rules of the classes below; the background is
# the element `paper`, or the first rectangle.
faint() {
  awk '
    function channel(hex,  value) {
      value = (index(digits, substr(hex, 1, 1)) * 16 + index(digits, substr(hex, 2, 1)) - 17) / 255
      return value <= 0.04045 ? value / 12.92 : exp(2.4 * log((value + 0.055) / 1.055))
    }
    function light(hex) { return 0.05 + 0.2126 * channel(substr(hex, 2)) + 0.7152 * channel(substr(hex, 4)) + 0.0722 * channel(substr(hex, 6)) }
    function fill(where) { return match(where, /fill(=\"|: )#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]/) ? substr(where, RSTART + RLENGTH - 7, 7) : "" }
    function check(theme, color, paper,  ratio) {
      ratio = light(color) / light(paper)
      if (ratio < 1) ratio = 1 / ratio
      if (ratio < 4.5) printf "%s page: %s on %s: %.2f\n", theme, color, paper, ratio
    }
    BEGIN { digits = "0123456789abcdef"; theme = "light" }
    /<style>/ { rules = 1 }
    /prefers-color-scheme: dark/ { theme = "dark" }
    rules {
      count = split($0, rule, "}")
      for (i = 1; i <= count; ++i) {
        color = fill(rule[i])
        if (color == "") continue
        if (rule[i] ~ /\.paper/) paper[theme] = color
        while (match(rule[i], /(text|\.(ink|dim|tick|end|below))[ ,]/)) {
          class = substr(rule[i], RSTART, RLENGTH - 1)
          has_rule[theme, class]
          of_text[theme, color]
          rule[i] = substr(rule[i], RSTART + RLENGTH)
        }
      }
    }
    /<\/style>/ { rules = 0 }
    /<rect / && !("light" in paper) { paper["light"] = fill($0) }
    /<text / {
      count = split($0, part, /<t(ext|span) /)
      for (i = 2; i <= count; ++i) {
        color = fill(substr(part[i], 1, index(part[i], ">")))
        class = match(part[i], /class="[a-z]*/) ? "." substr(part[i], RSTART + 7, RLENGTH - 7) : "text"
        if (color != "" && !(("light", class) in has_rule)) of_text["light", color]
        if (color != "" && !(("dark", class) in has_rule)) of_text["dark", color]
        ++texts
      }
    }
    END {
      if (!("light" in paper)) { print "no background"; exit }
      if (!("dark" in paper)) paper["dark"] = paper["light"]
      for (key in of_text) { split(key, pair, SUBSEP); check(pair[1], pair[2], paper[pair[1]]); ++checked }
      if (!texts || checked < 2) print "no text"
    }' "$1"
}
check() {
  [ "$(colors "$1")" -ge "$2" ] || fail "$1 has $2 colors: $(colors "$1")"
  ! grep -n 'var(' "$1" || fail "$1: no variables"
  same "text of $1 without contrast" '' "$(faint "$1")"
}

for picture in "$AWEND_SOURCE"/man/*.svg "$AWEND_SOURCE"/tests/bench/*.svg; do check "$picture" 2; done

. "$AWEND_SOURCE/tests/corpus.inc"
corpus 30
small_model run
inspect --curves run > curves.svg || fail 'curves'
check curves.svg 1
inspect --positions run > positions.svg || fail 'positions'
check positions.svg 10
score --by-length -f tsv --systems raw.en raw.de -- raw.de > lengths
inspect --scores lengths > scores.svg || fail 'scores'
check scores.svg 2
