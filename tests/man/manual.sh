#!/bin/bash
# The manual as HTML: every page is there, every link and anchor leads somewhere, and the start page names all pages.
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
