#!/bin/bash
# The man pages as HTML, with a start page; the target `manual`.  Links lead to the other pages; those of other packages are plain text.
#
#   tools/packaging/manual.sh DIRECTORY PAGE...
set -euo pipefail
directory=$1
shift
mkdir -p "$directory"
rm -f "$directory"/*.html

cat > "$directory/manual.css" << 'END'
:root { color-scheme: light dark; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
pre, code, .Fl, .Cm, .Nm, .Ic, .Li { font-family: ui-monospace, monospace; }
pre { overflow-x: auto; padding: .6rem .8rem; background: color-mix(in srgb, currentColor 8%, transparent); border-radius: .3rem; font-size: .9rem; }
table.head, table.foot { width: 100%; font-size: .85rem; opacity: .7; }
td.head-vol, td.foot-os { text-align: right; }
td.head-vol { text-align: center; } td.head-rtitle { text-align: right; }
h1 { font-size: 1.2rem; margin-top: 2rem; } h2 { font-size: 1.05rem; }
a { color: LinkText; text-decoration: none; } a:hover { text-decoration: underline; } a.permalink { color: inherit; }
dd { margin-left: 2rem; } table { border-spacing: 0; } td { padding: .1rem .8rem .1rem 0; vertical-align: top; }
nav { font-size: .9rem; } img { max-width: 100%; }
END

# Pictures that a page names follow its paragraph.
source=$(dirname "$1")
pictures=$(sed -n 's/^\.Pa \([a-z0-9-]*\.svg\)$/\1/p' "$@" | sort -u | xargs)
rm -f "$directory"/*.svg
for picture in $pictures; do cp "$source/$picture" "$directory"; done

# title PAGE, description PAGE
title() { basename "$1" | sed 's/\(.*\)\.\([0-9]\)$/\1(\2)/'; }
description() { sed -n 's/^\.Nd //p' "$1"; }

names=''
for page; do names+="$(title "$page") "; done
for page; do
  # References to pages of other packages lose their links.
  mandoc -T html -O man=%N.%S.html,style=manual.css "$page" |
    sed 's|<body>|<body><nav><a href="index.html">awend manual</a></nav>|' |
    awk -v names="$names" -v pictures="$pictures" '
      BEGIN {count = split(names, list, " "); for (i = 1; i <= count; ++i) {name = list[i]; sub(/\(/, ".", name); sub(/\)/, ".html", name); exists[name] = 1}}
      {
        line = ""
        while (match($0, /<a class="Xr"[^>]*>[^<]*<\/a>/)) {
          link = substr($0, RSTART, RLENGTH)
          target = link; sub(/^<a [^>]*href="/, "", target); sub(/".*/, "", target)
          if (!(target in exists)) {sub(/^<a [^>]*>/, "", link); sub(/<\/a>$/, "", link)}
          line = line substr($0, 1, RSTART - 1) link
          $0 = substr($0, RSTART + RLENGTH)
        }
        $0 = line $0
        count = split(pictures, list, " ")
        for (i = 1; i <= count; ++i) {
          name = list[i]; pattern = name; gsub(/\./, "[.]", pattern)
          if (sub("<span class=\"Pa\">" pattern "</span>", "<a href=\"" name "\">" name "</a>"))
            drawn = drawn "<p><img src=\"" name "\" alt=\"" name "\"></p>\n"
        }
        print
        if (/<\/p>/) {printf "%s", drawn; drawn = ""}
      }' > "$directory/$(basename "$page").html"
done

{
  printf '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">\n'
  printf '<title>awend manual</title><link rel="stylesheet" href="manual.css"></head><body>\n<h1>awend manual</h1>\n'
  printf '<p>Start with <a href="awend.7.html">awend(7)</a>, a tutorial from raw text to a scored translation.</p>\n'
  for section in '7 Guides' '1 Programs' '5 Formats'; do
    printf '<h2>%s</h2>\n<table>\n' "${section#* }"
    for page; do
      [[ $page == *."${section%% *}" ]] || continue
      printf '<tr><td><a href="%s.html">%s</a></td><td>%s</td></tr>\n' "$(basename "$page")" "$(title "$page")" "$(description "$page")"
    done
    printf '</table>\n'
  done
  printf '</body></html>\n'
} > "$directory/index.html"
