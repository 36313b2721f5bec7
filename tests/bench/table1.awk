# Plots the table of `awend-bench -f table1/` as SVG: three panels with logarithmic axes, in which power laws are straight lines.
#
# Solid lines are measurements; dashed lines through the largest size have the exponent of Table 1, or of the operation count of an update.
# Medium grays and colors without a background are readable on light and dark pages.
BEGIN {
  FS = " *[|] *"
  width = 280; height = 230; left = 62; top = 64; gap = 74  # of a panel, and around it
  panels = split("n d update", panel, " ")
  title["n"] = "A layer: ms a sentence, by its length n"
  title["d"] = "A layer: ms a sentence of 128, by width d"
  title["update"] = "An update: ms, by n, d and vocabulary V"
  colour["scores"] = colour["update over n"] = "#3d85c6"
  colour["projections"] = colour["update over d"] = "#d2761e"
  colour["recurrent"] = colour["update over V"] = "#35985a"
  grey = "#808890"
}

/^(device|driver|threads|load): / { facts = facts (facts ? ", " : "") $0 }

# A measured point, its series and its panel.
$2 ~ /=[0-9]+$/ {
  split($2, part, /[ =]/)
  update = part[1] == "update"
  series = part[1] " over " part[2]
  where = update ? "update" : part[2]
  milliseconds = update ? $3 : $4 / 1000
  if (!(series in points)) members[where] = members[where] (members[where] ? ";" : "") series
  x[series, ++points[series]] = log(part[3])
  y[series, points[series]] = log(milliseconds)
  widen(where, log(part[3]), log(milliseconds))
}

$2 ~ / over [ndV]$/ { exponent[$2] = $5; counted[$2] = $7 }

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

function curve(p, name, stroke,  i, path, last, slope, begin) {
  for (i = 1; i <= points[name]; ++i) {
    path = path sprintf("%s%.1f %.1f", i == 1 ? "M" : " L", across(p, x[name, i]), up(p, y[name, i]))
    printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\" fill=\"%s\"/>\n", across(p, x[name, i]), up(p, y[name, i]), stroke
  }
  printf "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"/>\n", path, stroke
  last = points[name]; slope = counted[name]; begin = x[name, 1]
  # A dashed line ends where it leaves the panel.
  if (slope > 0 && y[name, last] - slope * (x[name, last] - begin) < least_y[p])
    begin = x[name, last] - (y[name, last] - least_y[p]) / slope
  line(across(p, begin), up(p, y[name, last] - slope * (x[name, last] - begin)), across(p, x[name, last]), \
    up(p, y[name, last]), stroke, "stroke-dasharray=\"4 4\" stroke-opacity=\"0.8\"")
}

function draw(p,  names, count, i, short, axis, row) {
  text(origin + width / 2, top - 14, "middle", grey, title[p])
  axes(p)
  count = split(members[p], names, ";")
  for (i = 1; i <= count; ++i) {
    short = names[i]; axis = names[i]
    sub(/ over .*/, "", short); sub(/.* over /, "", axis)
    row = p == "update" ? top + height - 14 - 17 * (count - i) : top + 4 + 17 * i
    curve(p, names[i], colour[p == "update" ? names[i] : short])
    text(p == "update" ? origin + width - 8 : origin + 8, row, p == "update" ? "end" : "start", \
      colour[p == "update" ? names[i] : short], short " " axis "<tspan dy=\"-5\" font-size=\"9\">" exponent[names[i]] \
      "</tspan><tspan dy=\"5\" dx=\"6\" fill-opacity=\"0.8\">(" axis "</tspan><tspan dy=\"-5\" font-size=\"9\">" \
      counted[names[i]] "</tspan><tspan dy=\"5\">)</tspan>")
  }
}

END {
  if (!("n" in members) || !("d" in members) || !("update" in members)) {
    print "table1.awk: not the whole table" > "/dev/stderr"
    exit 1
  }
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\"",
    panels * (width + gap), top + height + 56, panels * (width + gap), top + height + 56
  print " font-size=\"12\">"
  print "<title>What a layer and an update cost</title>"
  text(left, 24, "start", grey, "Lines: measured, with the fitted exponent. Dashes and brackets: the exponent of Table 1, or of the operations counted.")
  for (i = 1; i <= panels; ++i) { origin = left + (i - 1) * (width + gap); draw(panel[i]) }
  text(left, top + height + 44, "start", grey, facts)
  print "</svg>"
}
