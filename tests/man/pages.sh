#!/bin/bash
# Every tool has a page; the pages are clean; a page and --help know the same options.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
cd "$AWEND_SOURCE" || exit 1
tools=$(grep -oP '^awend_tool\(\K[a-z-]+' tools/CMakeLists.txt)
[ "$(wc -w <<< "$tools")" -ge 7 ] || fail 'there are tools'

for page in man/*.[1-9]; do
  # Style messages are taste; the names of other pages are no concern of ours; warnings and errors are mistakes.
  same "mandoc on $page" '' "$(mandoc -T lint -W warning "$page" 2>&1)"
done

# options TEXT-OF-HELP: "o output" for each option, or "- output" where it has no letter.
options_of_help() { sed -nE 's/^  -(.), --([a-z0-9-]+).*/\1 \2/p; s/^      --([a-z0-9-]+).*/- \1/p'; }
options_of_page() {
  sed -nE 's/^\.It Fl (.) , Fl -([a-z0-9-]+)( .*)?$/\1 \2/p; s/^\.It Fl -([a-z0-9-]+)( .*)?$/- \1/p'
}
for tool in $tools; do
  page=man/$tool.1
  [ -f "$page" ] || { fail "$tool has the page $page"; continue; }
  [ -x "$AWEND_BIN/$tool" ] || { fail "$tool is built"; continue; }
  "$tool" --help | options_of_help | sort > "$scratch/help"
  options_of_page < "$page" | sort > "$scratch/page"
  same "options of $tool in --help and missing in $page" '' "$(comm -23 "$scratch/help" "$scratch/page")"
  same "options in $page and missing in $tool --help" '' "$(comm -13 "$scratch/help" "$scratch/page")"
  [ -s "$scratch/help" ] || fail "$tool --help lists options"
done
