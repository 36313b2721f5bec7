# Plots curves as SVG: panels with logarithmic axes, in which power laws are straight lines; a library of functions for `awk -f`.
#
# Each of panel[] has a title[]; add_point() adds points to the series of a panel, and kind[] is the number of the color and mark of a series.
# Attributes have the colors of light pages, also for librsvg, Inkscape and LaTeX; the style of begin_page() has those of dark pages.  They
# are the colors of tools/inspect/page/curves.css.
#
# Test: tests/cli/growth_picture.sh, tests/cli/table1_picture.sh, tests/man/pictures.sh
BEGIN {
  width = 280; height = 230; left = 62; top = 64; gap = 74  # of a panel, and around it
  ink = "#23272c"; dim = "#666d75"; grid = "#e5e3de"
  split("#1f6fb4 #d2591f #2b8a4b #8a4fb5 #a87900", color, " ")
  split("#6db3f2 #f29b6d #6fcf8f #c39bea #e3c05a", color_on_dark, " ")
  # A circle, a square, a triangle, a diamond and a cross around the current point.
  split("m-2.8 0 a2.8 2.8 0 1 0 5.6 0 a2.8 2.8 0 1 0 -5.6 0 z;m-2.5 -2.5 h5 v5 h-5 z;m0 -3.4 l3.2 5.6 h-6.4 z;m0 -3.7 l3.7 3.7 l-3.7 3.7 l-3.7 -3.7 z;" \
    "m-1.1 -1.1 v-2.3 h2.2 v2.3 h2.3 v2.2 h-2.3 v2.3 h-2.2 v-2.3 h-2.3 v-2.2 z", mark, ";")
}

# A measured point, by its logarithms.
function add_point(p, series, at_x, at_y) {
  if (!(series in points)) members[p] = members[p] (members[p] ? ";" : "") series
  x[series, ++points[series]] = log(at_x)
  y[series, points[series]] = log(at_y)
  widen(p, log(at_x), log(at_y))
}

function widen(p, at_x, at_y) {
  if (!(p in least_x)) { least_x[p] = most_x[p] = at_x; least_y[p] = most_y[p] = at_y }
  if (at_x < least_x[p]) least_x[p] = at_x
  if (at_x > most_x[p]) most_x[p] = at_x
  if (at_y < least_y[p]) least_y[p] = at_y
  if (at_y > most_y[p]) most_y[p] = at_y
}

function across(p, value) { return origin + (value - least_x[p]) / (most_x[p] - least_x[p]) * width }
function up(p, value) { return top + height - (value - least_y[p]) / (most_y[p] - least_y[p]) * height }

# The class is `ink` or `dim`.
function text(at_x, at_y, anchor, class, what) {
  printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\" fill=\"%s\">%s</text>\n", at_x, at_y, anchor, class, class == "ink" ? ink : dim, what
}

function line(x1, y1, x2, y2, class, stroke, more) {
  printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\" stroke=\"%s\"%s/>\n", x1, y1, x2, y2, class, stroke, more
}

function dot(at_x, at_y, style) {
  printf "<path d=\"M%.1f %.1f %s\" class=\"dot f%d\" fill=\"%s\"/>\n", at_x, at_y, mark[style], style, color[style]
}

# A name with the line and the mark of its series, at the left or the right of a panel.
function legend(at_y, side, style, name,  at) {
  at = side == "left" ? origin + 8 : origin + width - 32
  line(at, at_y - 4, at + 24, at_y - 4, "s" style, color[style], " stroke-width=\"1.8\"")
  dot(at + 12, at_y - 4, style)
  text(side == "left" ? at + 30 : at - 6, at_y, side == "left" ? "start" : "end", "ink", name)
}

# Powers of two below, powers of ten at the side.
function axes(p,  power, at, step) {
  if (most_x[p] == least_x[p]) most_x[p] += log(2)
  least_y[p] = log(10) * floor(least_y[p] / log(10))
  most_y[p] = log(10) * -floor(-most_y[p] / log(10))
  for (power = floor(least_y[p] / log(10) + 0.5); power * log(10) < most_y[p] + 1e-6; ++power) {
    at = up(p, power * log(10))
    line(origin, at, origin + width, at, "grid", grid)
    text(origin - 6, at + 4, "end", "dim", thousands(10 ^ power))
  }
  step = most_x[p] - least_x[p] > 9 * log(2) ? 3 : most_x[p] - least_x[p] > 5 * log(2) ? 2 : 1
  for (power = 0; power < 24; power += step) {
    if (power * log(2) < least_x[p] - 1e-6 || power * log(2) > most_x[p] + 1e-6) continue
    at = across(p, power * log(2))
    line(at, top, at, top + height, "grid", grid)
    text(at, top + height + 16, "middle", "dim", thousands(2 ^ power))
  }
}

function floor(value) { return int(value) - (value < int(value)) }
function thousands(value) { return value >= 10000 ? value / 1000 " k" : value "" }

# The measured points and the line through them.
function measured(p, series, style,  i, path) {
  for (i = 1; i <= points[series]; ++i) {
    path = path sprintf("%s%.1f %.1f", i == 1 ? "M" : " L", across(p, x[series, i]), up(p, y[series, i]))
    dot(across(p, x[series, i]), up(p, y[series, i]), style)
  }
  printf "<path d=\"%s\" class=\"curve s%d\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"/>\n", path, style, color[style]
}

# begin_page() and end_page() enclose `panels` panels; panel_at(i) chooses where the next one is drawn.  Below them are the facts, in as many
# lines as they need.
function begin_page(panels, name, explanation, facts,  words, count, i, page_width, page_height) {
  page_width = panels * (width + gap)
  fact_lines = 1
  count = split(facts, words, " ")
  for (i = 1; i <= count; ++i) {
    if (length(fact_line[fact_lines] words[i]) * 6.6 > page_width - left - 12) ++fact_lines
    fact_line[fact_lines] = fact_line[fact_lines] (fact_line[fact_lines] == "" ? "" : " ") words[i]
  }
  page_height = top + height + 40 + 16 * fact_lines
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\"",
    page_width, page_height, page_width, page_height
  print " font-size=\"12\" role=\"img\">"
  print "<title>" name "</title>"
  printf "<desc>%s", explanation
  for (i = 1; i <= panels; ++i) printf "%s %s", i == 1 ? ":" : ";", title[panel[i]]
  print "</desc>"
  print "<style>\n@media (prefers-color-scheme: dark) {"
  print "  .paper { fill: #16191c; } .ink { fill: #e3e1dc; } .dim { fill: #989ea6; } .grid { stroke: #30353b; }"
  for (i = 1; i in color_on_dark; ++i) printf "  .s%d { stroke: %s; } .f%d { fill: %s; }\n", i, color_on_dark[i], i, color_on_dark[i]
  print "}\n</style>"
  printf "<rect class=\"paper\" width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", page_width, page_height
  text(left, 24, "start", "ink", explanation)
}
function panel_at(i) { origin = left + (i - 1) * (width + gap) }
function end_page(  i) {
  for (i = 1; i <= fact_lines; ++i) text(left, top + height + 28 + 16 * i, "start", "dim", fact_line[i])
  print "</svg>"
}
