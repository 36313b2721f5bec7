#!/bin/bash
# The manual as HTML: every page is there, every link and anchor leads somewhere, the start page names all pages, and pages can be used by
# the keyboard, by screen readers and on small screens.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
command -v mandoc > /dev/null || { skip 'mandoc is not installed'; exit; }
expect 0 "$AWEND_SOURCE/tools/packaging/manual.sh" manual "$AWEND_SOURCE"/man/*.[1-9]
prints ''
cd manual || exit 1
for page in "$AWEND_SOURCE"/man/*.[1-9]; do
  name=$(basename "$page")
  [ -s "$name.html" ] || fail "$name is a page of the manual"
  grep -qF "<a href=\"$name.html\">${name%.*}(${name##*.})</a>" index.html || fail "the start page has a link to $name"
  grep -qF 'href="index.html"' "$name.html" || fail "$name.html has a link to the start page"
  grep -qF "<title>${name%.*}(${name##*.}) – awend manual</title>" "$name.html" || fail "the title of $name.html"
  # The tab key stops at links, but not at each option; it has an id.
  same "links of terms to themselves in $name.html" '' "$(grep -F 'class="permalink"' "$name.html" | grep -v '<h[12] ')"
  same "cells of headings in $name.html" "$(grep -E '^\.It Em .* Ta ' "$page" | awk -F ' Ta ' '{n += NF} END {print n + 0}')" \
    "$(grep -cF '<th scope="col">' "$name.html")"
done
for page in *.html; do
  for tag in main header footer 'html lang="en"'; do
    [ "$page" = index.html ] && [[ $tag = *er ]] || grep -qF "<$tag>" "$page" || fail "$page has <$tag>"
  done
  same "pictures of $page without a text" '' "$(grep -oE '<img [^>]*>' "$page" | grep -vE 'alt="[^"]* [^"]* [^"]*"')"
  same "tables of $page that do not scroll" '' "$(grep -F '<table class="Bl-column"' "$page" | grep -v '^<div class="scroll">')"
  for tag in div table main header footer; do
    same "ends of <$tag> in $page" "$(grep -oE "<${tag}[ >]" "$page" | wc -l)" "$(grep -oF "</$tag>" "$page" | wc -l)"
  done
done
for picture in architectures lengths; do
  cmp -s "$AWEND_SOURCE/man/$picture.svg" $picture.svg && grep -qF "<img src=\"$picture.svg\"" awend-architectures.7.html || fail "the picture $picture"
done
links=0
for page in *.html; do
  while IFS= read -r link; do
    links=$((links + 1))
    file=${link%%#*} anchor=${link#*#}
    case $link in
      http*) ;;
      '#'*) grep -qF "id=\"$anchor\"" "$page" || fail "$page: $link exists" ;;
      *) [ -f "$file" ] || fail "$page: $link exists" ;;
    esac
  done < <(grep -oP 'href="\K[^"]*' "$page")
done
[ "$links" -gt 200 ] || fail 'there are links'
# References between pages of awend are links.
for page in "$AWEND_SOURCE"/man/*.[1-9]; do
  while read -r name section; do
    [ -f "$name.$section.html" ] || continue
    grep -qF "href=\"$name.$section.html\"" "$(basename "$page").html" || fail "$(basename "$page"): a link to $name($section)"
  done < <(sed -nE 's/^(\.It |\.)Xr ([a-z-]+) ([0-9]).*/\2 \3/p' "$page")
done
