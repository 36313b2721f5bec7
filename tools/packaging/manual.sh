#!/bin/bash
# The man pages as HTML, with a start page; the target `manual`.  Links lead to the other pages; those of other packages are plain text.
#
#   tools/packaging/manual.sh DIRECTORY PAGE...
#
# Test: tests/man/manual.sh
set -euo pipefail
directory=$1
shift
mkdir -p "$directory"
rm -f "$directory"/*.html "$directory"/*.svg

cat > "$directory/manual.css" << 'END'
:root { color-scheme: light dark; background: Canvas; color: CanvasText; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
pre, code, .Fl, .Cm, .Nm, .Ic, .Li { font-family: ui-monospace, monospace; }
pre { padding: .6rem .8rem; background: color-mix(in srgb, currentColor 8%, transparent); border-radius: .3rem; font-size: .9rem; }
pre, .scroll { overflow-x: auto; margin: 1rem 0; }
.head, .foot { display: block; font-size: .85rem; } .head-rtitle { display: none; }
.head tbody, .foot tbody { display: block; }
.head tr, .foot tr { display: flex; flex-wrap: wrap; justify-content: space-between; }
h1 { font-size: 1.2rem; margin-top: 2rem; } h2 { font-size: 1.05rem; }
a[href] { color: LinkText; } a.permalink { color: inherit; text-decoration: none; } a.permalink:hover { text-decoration: underline; }
dd { margin-left: 2rem; } table { border-spacing: 0; overflow-wrap: normal; } th { white-space: nowrap; } th, td { padding: .1rem .8rem .1rem 0; vertical-align: top; text-align: left; font-weight: normal; }
nav { font-size: .9rem; } img { max-width: 100%; }
END

# title PAGE, description PAGE
title() { basename "$1" | sed 's/\(.*\)\.\([0-9]\)$/\1(\2)/'; }
description() { sed -n 's/^\.Nd //p' "$1"; }

# Comments `.\" picture FILE: TEXT` of a page name its pictures, which follow the paragraph that names the file.
picture='^\.\\" picture ([a-z-]+\.svg): (.*)'
sed -nE "s/$picture/\1/p" "$@" | while read -r file; do cp "$(dirname "$1")/$file" "$directory"; done

names=$(for page; do printf '%s|' "$(basename "$page")"; done)
for page; do
  # An anchor without an address is no link: those of other packages, and those of terms to themselves, which would be many stops of the
  # tab key.  Terms keep their ids.
  mandoc -T html -O man=%N.%S.html,style=manual.css "$page" | sed -E "
    s|<html>|<html lang=\"en\">|
    s|<title>.*</title>|<title>$(title "$page") – awend manual</title>|
    s|<body>|<body><header><nav><a href=\"index.html\">awend manual</a></nav>|
    s#<table class=\"(head|foot)\">#<table class=\"\1\" role=\"presentation\">#
    s|<div class=\"manual-text\">|</header><main>&|
    s|<table class=\"foot\".*|</main><footer>&|
    s|</body>|</footer>&|
    s#<a class=\"Xr\" href=\"(${names%|})\.html\">#<a href=\"\1.html\">#g
    s|<a class=\"Xr\" [^>]*>|<a>|g
    /<h[12] /!s|<a class=\"permalink\" [^>]*>|<a>|g
    /<table class=\"Bl-column\">/,/<\/tr>/{s|<table |<div class=\"scroll\">&|; /<i class=\"Em\"/{s|<td>|<th scope=\"col\">|; s|</td>|</th>|;}}
    /<table class=\"Bl-column\">/,/<\/table>/s|</table>|&</div>|
    $(sed -nE "s#$picture#/<span class=\"Pa\">\1<.span>/{s||<a href=\"\1\">\1</a>|;x;s|\$|<p><img src=\"\1\" alt=\"\2\"></p>|;x;}#p" "$page")
    /<\/p>/{G;x;s/.*//;x;}" > "$directory/$(basename "$page").html"
done

{
  printf '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">\n'
  printf '<title>awend manual</title><link rel="stylesheet" href="manual.css"></head><body><main>\n<h1>awend manual</h1>\n'
  printf '<p>Start with <a href="awend.7.html">awend(7)</a>, a tutorial from raw text to a scored translation.</p>\n'
  for section in '7 Guides' '1 Programs' '5 Formats'; do
    printf '<h2>%s</h2>\n<dl>\n' "${section#* }"
    for page; do
      [[ $page == *."${section%% *}" ]] || continue
      printf '<dt><a href="%s.html">%s</a></dt><dd>%s</dd>\n' "$(basename "$page")" "$(title "$page")" "$(description "$page")"
    done
    printf '</dl>\n'
  done
  printf '</main></body></html>\n'
} > "$directory/index.html"
