#!/bin/bash
# Every tool has a page; the pages are clean; a page and --help know the same options with the same letters, arguments, defaults and
# choices, and the presets of train.1 are those of the program.
#
# In a page a default is in a sentence or clause that begins with `the default is` and continues with the value; an option of which
# --help tells no default has no such sentence.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
cd "$AWEND_SOURCE" || exit 1
tools=$(grep -oP '^awend_tool\(\K[a-z-]+' tools/CMakeLists.txt)
[ "$(wc -w <<< "$tools")" -ge 7 ] || fail 'there are tools'

for page in man/*.[1-9]; do
  # Pages of other packages may not be installed.
  same "mandoc on $page" '' "$(mandoc -T lint -W style "$page" 2>&1 |
    grep -v -e 'mandoc.db' -e 'referenced manual not found')"
  # A terminal of 80 columns shows each line whole, also if text is indented by 7 columns (groff 1.23) instead of 5, and the columns of
  # tables apart: a cell that is longer than its column shifts the rest of its row.
  if command -v groff > /dev/null; then
    same "groff on $page" '' "$(groff -k -mdoc -Tutf8 -rLL=78n -P-c -P-b -P-o -P-u -ww "$page" 2>&1 > "$scratch/page")"
    indent=$(sed -n 's/^\( \{5,\}\)[^ ].*/\1/p' "$scratch/page" | head -n 1)
    same "lines of more than 73 columns in $page" '' "$(LC_ALL=C.UTF-8 grep -E "^.{$((${#indent} + 74))}" "$scratch/page")"
    # On a narrow terminal, groff 1.22 breaks a cell to the right of the screen, unless its spaces are unbreakable, and never ends if the
    # title of the manual leaves no space for the name of the page.
    timeout 60 groff -k -mdoc -Tutf8 -rLL=40n -P-c -P-b -P-o -P-u "$page" > "$scratch/page" 2> "$scratch/err" ||
      fail "$page is formatted for 40 columns"
    same "cells that are broken on 40 columns in $page" '' "$(grep -E '^ {40}' "$scratch/page")"
  fi
  same "cells that are longer than their columns in $page" '' "$(awk '
    /^\.Bl -column/ {columns = split($0, part, "\"") / 2; for (i = 1; i <= columns; ++i) width[i] = length(part[2 * i])}
    /^\.It .* Ta / {
      sub(/^\.It /, "")
      cells = split($0, cell, " Ta ")
      for (i = 1; i < cells; ++i) {sub(/^(Em|Cm) /, "", cell[i]); gsub(/\\ /, " ", cell[i]); if (length(cell[i]) > width[i]) print cell[i]}
    }' "$page")"
done
command -v groff > /dev/null || skip 'groff is not installed: the pages are not rendered'

# Rows `letter name argument default`, with tabs, from the text of --help.  Where an option is too long for its column its help begins
# a line further down; the lines of its help are joined.
options_of_help() {
  awk '
    function row() {
      if (left == "") return
      letter = left ~ /^  -., / ? substr(left, 4, 1) : "-"
      sub(/^.*--/, "", left); sub(/ +$/, "", left)
      space = index(left, " ")
      name = space ? substr(left, 1, space - 1) : left
      argument = space ? substr(left, space + 1) : "-"
      default_value = "-"
      if (match(help, /\(default: [^)]*\)$/)) default_value = "=" substr(help, RSTART + 10, RLENGTH - 11)
      print letter "\t" name "\t" argument "\t" default_value
      left = ""
    }
    /^  -., --/ || /^      --/ {
      row()
      if (length($0) > 30 && substr($0, 29, 2) == "  ") {left = substr($0, 1, 30); help = substr($0, 31)}
      else {left = $0; help = ""}
      next
    }
    substr($0, 1, 30) ~ /^ +$/ {help = help (help == "" ? "" : " ") substr($0, 31); next}
    {row()}
    END {row()}'
}

# The entries of options of a page, one on a line without its macros: `letter name argument` with tabs, and its text.
entries_of_page() {
  awk '
    function row() {if (head != "") print head "\t" text; head = text = ""}
    /^\.S[hs] / {row()}
    /^\.It Fl / {
      row()
      line = $0; letter = "-"; argument = "-"
      if (match(line, /^\.It Fl . , /)) {letter = substr(line, 8, 1); line = ".It " substr(line, 12)}
      if (line !~ /^\.It Fl -/) next
      sub(/^\.It Fl -/, "", line)
      if (match(line, / Ar /)) {argument = substr(line, RSTART + 4); line = substr(line, 1, RSTART - 1); sub(/ \.\.\.$/, "...", argument)}
      head = letter "\t" line "\t" argument
      next
    }
    head == "" {next}
    /^\.\\"/ || /^\.(Pp|Bl|El|Bd|Ed)/ {next}
    /^\.It/ {sub(/^\.It */, "")}
    {sub(/^\.Fl /, "-"); sub(/^\.[A-Z][a-z] /, ""); gsub(/\\&|"/, ""); gsub(/\\-/, "-"); gsub(/ (Cm|Ar|Li) /, " "); gsub(/ ([,.;:)] |[,.;:)]$)/, "&")
     text = text " " $0}
    END {row()}' "$1" | sed -E 's/ ([,.;:)])/\1/g'
}

# The value of the sentence is its next word.
defaults_of_entries() {
  awk -F'\t' '{
    value = "-"
    if (match($4, /[Tt]he default is [^ ]+/)) {
      value = substr($4, RSTART + 15, RLENGTH - 15); sub(/[.,;:]+$/, "", value); value = "=" value
    }
    print $1 "\t" $2 "\t" $3 "\t" value
  }'
}

for tool in $tools; do
  page=man/$tool.1
  [ -f "$page" ] || { fail "$tool has the page $page"; continue; }
  [ -x "$AWEND_BIN/$tool" ] || { fail "$tool is built"; continue; }
  "$tool" --help | options_of_help | sort > "$scratch/help"
  entries_of_page "$page" > "$scratch/entries"
  defaults_of_entries < "$scratch/entries" | sort > "$scratch/page"
  same "options of $tool in --help and not so in $page" '' "$(comm -23 "$scratch/help" "$scratch/page")"
  same "options in $page and not so in $tool --help" '' "$(comm -13 "$scratch/help" "$scratch/page")"
  [ "$(wc -l < "$scratch/help")" -ge 4 ] || fail "$tool --help lists options"

  # What a shell offers for an option is named with it.
  while IFS=$'\t' read -r name words; do
    entry=$(awk -F'\t' -v name="$name" '$2 == name {print $4}' "$scratch/entries")
    for word in $words; do
      grep -qwF -e "$word" <<< "$entry" || fail "$page: --$name names $word"
    done
  done < <("$tool" --completion fish | sed -nE "s/.* -l ([a-z0-9-]+) .*-a '([^'(]*)'.*/\1\t\2/p")

  for section in NAME SYNOPSIS DESCRIPTION 'EXIT STATUS' EXAMPLES 'SEE ALSO'; do
    grep -qx -e ".Sh $section" "$page" || fail "$page has the section $section"
  done
done

# The tables of train.1: a line of names, a line for each preset.
awk -F' Ta ' '/^\.It Em preset/ {inside = 1} /^\.El/ {inside = 0} inside {sub(/^\.It /, ""); gsub(/Em /, ""); $1 = $1; print}' \
  man/train.1 > "$scratch/presets"
[ "$(wc -l < "$scratch/presets")" = 40 ] || fail 'train.1 has two tables of four presets, three of seven, and two of two'
while read -r -a fields; do
  if [ "${fields[0]}" = preset ]; then names=("${fields[@]}"); continue; fi
  for ((i = 1; i < ${#names[@]}; ++i)); do
    option=${names[i]}
    [ "$option" != layers ] || option=encoder-layers
    same "${fields[0]}: $option" "${fields[i]}" "$(train --preset "${fields[0]}" --dump-config | sed -n "s/^$option = //p")"
  done
done < "$scratch/presets"
