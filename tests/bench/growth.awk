# Plots the measurements of growth.sh as SVG, with the functions of plot.awk: rows of `awend-bench -f host/`, and lines
# PANEL<TAB>SIZE<TAB>SERIES<TAB>MILLISECONDS.
BEGIN {
  panels = split("rows threads beam length", panel, " ")
  title["rows"] = "A product 512 → 2048: GFLOP/s, by rows"
  title["threads"] = "Translations: sentences/s, by threads"
  title["beam"] = "A translation: ms a sentence, by beam size"
  title["length"] = "A translation: ms a sentence, by length"
  columns = split("fp32, one thread;fp32;int8, one thread;int8;OpenBLAS", column, ";")
  kind["fp32"] = 1; kind["int8"] = 2; kind["OpenBLAS"] = 3; kind["fp32, one thread"] = 4; kind["int8, one thread"] = 5
}

/^(device|products|threads|openblas): / { facts = facts (facts ? ", " : "") $0 }

split($0, field, / *[|] */) > 6 && field[2] ~ /^[0-9]+ x 512 -> 2048$/ {
  for (i = 1; i <= columns; ++i)
    if (field[2 + i] > 0) add_point("rows", "rows " column[i], field[2] + 0, field[2 + i])
}

split($0, field, "\t") == 4 {
  add_point(field[1], field[1] " " field[3], field[2], field[1] == "threads" ? 1000 / field[4] : field[4])
}

function draw(p,  names, count, i, short) {
  text(origin + width / 2, top - 14, "middle", "ink", title[p])
  axes(p)
  count = split(members[p], names, ";")
  for (i = 1; i <= count; ++i) {
    short = names[i]
    sub(/^[a-z]+ /, "", short)
    measured(p, names[i], kind[short])
    if (p == "rows") legend(top + height - 10 - 17 * (count - i), "right", kind[short], short)
    else legend(top + 4 + 17 * i, "left", kind[short], short)
  }
}

END {
  for (i = 1; i <= panels; ++i) {
    if (panel[i] in members) continue
    print "growth.awk: not all measurements" > "/dev/stderr"
    exit 1
  }
  begin_page(panels, "Growth on a CPU", "Products of the host, and beam search with a model of 2 + 2 layers (the length: input and output tokens)", facts)
  for (i = 1; i <= panels; ++i) { panel_at(i); draw(panel[i]) }
  end_page()
}
