#!/bin/bash
# README.md is one page, and true where a test can tell: options, paths, links, figures, GPUs.  What has left it is complete where it is now:
# recipes in awend.7, modules in CONTRIBUTING.md, presets in awend.7.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
cd "$AWEND_SOURCE" || exit 1
readme=README.md results=tests/bench/RESULTS.md
[ "$(wc -l < $readme)" -le 170 ] || fail 'README.md has at most 170 lines'

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
  }' $readme > "$scratch/options"
[ "$(wc -l < "$scratch/options")" -ge 8 ] || fail 'options were found'
for tool in $AWEND_TOOLS; do "$tool" --help > "$scratch/$tool.help" || fail "$tool --help"; done
while read -r line tool option; do
  grep -q -e "^  .*$option\b" "$scratch/$tool.help" || fail "$readme:$line: $tool has the option $option"
done < "$scratch/options"

# Links to files and headings, and paths of the project.
heading_links() { sed -n 's/^#\+ //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 -]//g; s/ /-/g'; }
while IFS= read -r link; do
  file=${link%%#*}
  [ -e "${file:-$readme}" ] || fail "$readme: $link exists"
  [[ $link != *#* ]] || heading_links "${file:-$readme}" | grep -qxF "${link#*#}" || fail "$readme: $link is a heading"
done < <(grep -oP '\]\(\K(?!http)[^)]*' $readme)
for path in $(grep -oP '\b(tools|tests|man|libcore|shaders)/[A-Za-z0-9_./-]*[a-z0-9]' $readme | sort -u); do [ -e "$path" ] || fail "$readme: $path exists"; done
for script in $(grep -oP '[a-z0-9_-]+\.(sh|py)\b' $readme | sort -u); do
  [ -n "$(find tools tests -name "$script")" ] || fail "$readme: $script exists"
done

# Figures are those of RESULTS.md, rows of whose summary are repeated to the letter.
awk '/^## / {inside = /^## Speed/} inside && /^\|/' $readme > "$scratch/speed"
awk '/^## / {inside = /^## Summary/} inside && /^\|/' $results > "$scratch/summary"
[ "$(wc -l < "$scratch/speed")" -gt 8 ] || fail 'there is a table of speed'
same 'the table of speed is the summary of RESULTS.md' "$(cat "$scratch/summary")" "$(cat "$scratch/speed")"
grep -q '| 0\.[0-9]* |' "$scratch/speed" || fail 'the table of speed has rows in which awend loses'
# The ratio of a row is that of its figures.
awk -F ' *[|] *' '$6 + 0 > 0 {peer = $5; sub(/.* /, "", peer); ratio = $4 / peer; if ($2 ~ /seconds|MiB/) ratio = 1 / ratio
  if (ratio / $6 > 1.03 || ratio / $6 < 0.97) print}' "$scratch/speed" > "$scratch/odd"
same 'rows with another ratio' '' "$(cat "$scratch/odd")"

# Figures in sentences, and the tables of the guide to architectures.
for figure in $(awk '/^Translation quality/, /^$/' $readme | grep -oE '[0-9]+\.[0-9]+'); do
  grep -qwF -- "$figure" $results || fail "$readme: $figure is in $results"
done
awk '
  FNR == NR {if (/^\|/) {gsub(/ *\| */, "|"); rows[++n] = $0}; next}
  /^\.It .* Ta / && !/ Ta Em / {
    count = split($0, cells, / Ta /); found = 0; ++checked
    for (r = 1; r <= n && !found; ++r) {found = 1; for (i = 2; i <= count && found; ++i) found = index(rows[r], "|" cells[i] "|")}
    if (!found) print
  }
  END {if (checked < 10) print "no tables"}' $results man/awend-architectures.7 > "$scratch/odd"
same "rows of awend-architectures.7 that $results lacks" '' "$(cat "$scratch/odd")"

# A row for each GPU for which kernels are compiled.
targets=$(sed -n 's/^targets=(\(.*\))$/\1/p' tests/gpu_compilers.sh | wc -w)
same 'rows of GPUs' "$targets" "$(grep -c '| compiled only |$' $readme)"
[ "$targets" -gt 5 ] || fail 'there are targets'

# What other files have instead.
for recipe in tools/recipes/*.sh; do
  recipe=$(basename "$recipe")
  case $recipe in setup.sh | pipeline.sh | wmt14.sh) continue ;; esac
  grep -qx ".It Pa $recipe" man/awend.7 || fail "awend.7 names the recipe $recipe"
done
for module in libcore/*/; do
  module=$(basename "$module")
  grep -q "^| [0-9] | \`$module\` |" CONTRIBUTING.md || fail "CONTRIBUTING.md has a row for libcore/$module"
done
while read -r preset layers d_model; do
  settings=$(train --preset "$preset" --dump-config)
  same "$preset in awend.7" "$layers $d_model" "$(sed -n 's/^encoder-layers = //p' <<< "$settings") $(sed -n 's/^d-model = //p' <<< "$settings")"
done < <(sed -nE 's/^\.It (tiny|small|base|big) Ta ([0-9]+)\\ \+\\ [0-9]+ Ta ([0-9]+) Ta .*/\1 \2 \3/p' man/awend.7)
same 'presets in awend.7' 4 "$(grep -cE '^\.It (tiny|small|base|big) Ta [0-9]+\\ \+\\ [0-9]+ Ta' man/awend.7)"
same 'texts of pictures that tell less than the picture' '' "$(grep -hoP '!\[\K[^]]*' $readme $results | awk 'NF < 15')"
# A table grows, and its rows get other numbers.
same 'rows that are named by their number' '' "$(grep -nE '\b(first|second|third|fourth|fifth|sixth|seventh) row\b' $readme)"
