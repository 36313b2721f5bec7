#!/bin/bash
# README.md: the options in its commands exist, and its table of the source tree is complete.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
readme=$AWEND_SOURCE/README.md

# `LINE TOOL --OPTION` for the words of all commands; a comment after a command is about it unless it names another tool.
awk -v names="${AWEND_TOOLS:?}" '
  BEGIN {split(names, list, " "); for (i in list) is_tool[list[i]] = 1}
  /^```/ {inside = !inside; tool = ""; next}
  !inside {next}
  !continued {tool = ""}
  {
    continued = /\\$/
    count = split($0, words, /[ \t|(),;:"`]+/)
    for (i = 1; i <= count; ++i) {
      if (words[i] in is_tool) tool = words[i]
      else if (words[i] ~ /^--[a-z]/ && tool != "") {sub(/=.*/, "", words[i]); print NR, tool, words[i]}
    }
  }' "$readme" > options
[ "$(wc -l < options)" -gt 50 ] || fail 'options were found'
for tool in $AWEND_TOOLS; do "$tool" --help > "$tool.help" || fail "$tool --help"; done
while read -r line tool option; do
  grep -q -e "^  .*$option\b" "$tool.help" || fail "README.md:$line: $tool has the option $option"
done < options

for module in "$AWEND_SOURCE"/libcore/*/; do
  module=$(basename "$module")
  grep -q "^| \`libcore/$module\` |" "$readme" || fail "README.md: its table of the source tree has a row for libcore/$module"
done
for recipe in "$AWEND_SOURCE"/tools/recipes/*.sh; do
  recipe=$(basename "$recipe")
  case $recipe in setup.sh | pipeline.sh) continue ;; esac
  grep -q "^| \`tools/recipes/$recipe\` |" "$readme" || fail "README.md: its table of the source tree has a row for $recipe"
done
# A table grows, and its rows get other numbers.
same 'rows that are named by their number' '' "$(grep -nE '\b(first|second|third|fourth|fifth|sixth|seventh) row\b' "$readme")"
