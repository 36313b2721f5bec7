#!/bin/bash
# Every picture has its colors outside of browsers, too: librsvg, like Inkscape, knows no variables of CSS.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

# colors FILE: the number of colors, without grays, of more than 100 pixels.
colors() {
  rsvg-convert --background-color white "$1" | pngtopnm 2> noise | ppmhist -noheader -nomap |
    awk '{ high = low = $1; for (i = 2; i <= 3; ++i) { if ($i > high) high = $i; if ($i < low) low = $i } }
         $5 > 100 && high - low > 40 { ++n } END { print n + 0 }'
}
check() {
  [ "$(colors "$1")" -ge "$2" ] || fail "$1 has $2 colors: $(colors "$1")"
  ! grep -n 'var(' "$1" || fail "$1: no variables"
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
