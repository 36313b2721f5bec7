# Plots curves as SVG: panels with logarithmic axes, in which power laws are straight lines; a library of functions for `awk -f`.
#
# A panel has a title[]; add_point() adds points to the series of a panel.  Medium grays and colors without a background are readable on
# light and dark pages.
BEGIN {
  width = 280; height = 230; left = 62; top = 64; gap = 74  # of a panel, and around it
  grey = "#808890"
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

function text(at_x, at_y, anchor, fill, what) {
  printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>\n", at_x, at_y, anchor, fill, what
}

function line(x1, y1, x2, y2, stroke, more) {
  printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" %s/>\n", x1, y1, x2, y2, stroke, more
}

# Powers of two below, powers of ten at the side.
function axes(p,  power, at, step) {
  if (most_x[p] == least_x[p]) most_x[p] += log(2)
  least_y[p] = log(10) * floor(least_y[p] / log(10))
  most_y[p] = log(10) * -floor(-most_y[p] / log(10))
  for (power = floor(least_y[p] / log(10) + 0.5); power * log(10) < most_y[p] + 1e-6; ++power) {
    at = up(p, power * log(10))
    line(origin, at, origin + width, at, grey, "stroke-opacity=\"0.3\"")
    text(origin - 6, at + 4, "end", grey, thousands(10 ^ power))
  }
  step = most_x[p] - least_x[p] > 9 * log(2) ? 3 : most_x[p] - least_x[p] > 5 * log(2) ? 2 : 1
  for (power = 0; power < 24; power += step) {
    if (power * log(2) < least_x[p] - 1e-6 || power * log(2) > most_x[p] + 1e-6) continue
    at = across(p, power * log(2))
    line(at, top, at, top + height, grey, "stroke-opacity=\"0.3\"")
    text(at, top + height + 16, "middle", grey, thousands(2 ^ power))
  }
}

function floor(value) { return int(value) - (value < int(value)) }
function thousands(value) { return value >= 10000 ? value / 1000 " k" : value "" }

# The measured points and the line through them.
function measured(p, series, stroke,  i, path) {
  for (i = 1; i <= points[series]; ++i) {
    path = path sprintf("%s%.1f %.1f", i == 1 ? "M" : " L", across(p, x[series, i]), up(p, y[series, i]))
    printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\" fill=\"%s\"/>\n", across(p, x[series, i]), up(p, y[series, i]), stroke
  }
  printf "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"/>\n", path, stroke
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
  print " font-size=\"12\">"
  print "<title>" name "</title>"
  text(left, 24, "start", grey, explanation)
}
function panel_at(i) { origin = left + (i - 1) * (width + gap) }
function end_page(  i) {
  for (i = 1; i <= fact_lines; ++i) text(left, top + height + 28 + 16 * i, "start", grey, fact_line[i])
  print "</svg>"
}
